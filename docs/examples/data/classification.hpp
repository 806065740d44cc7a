// SPDX-License-Identifier: BSL-1.0
//
// Evaluation of a classifier: the accuracy, the confusion matrix and the wrongly classified images of a test set.
#pragma once

#include "confusion.hpp"
#include "image_sheet.hpp"
#include "samples.hpp"

namespace examples {

/// The predicted class of each image.
struct answers {
    std::vector<std::size_t> classes;

    /// The largest score of each row. Scores have the shape (pictures, classes).
    explicit answers(const tensor::tensor<float>& scores) {
        const tensor::tensor<tensor::index> best = argmax(scores, 1);
        for (const tensor::index answer : best.span()) classes.push_back(static_cast<std::size_t>(answer));
    }

    [[nodiscard]] confusion_matrix compared_with(const labelled_images& shown, std::size_t class_count) const {
        confusion_matrix table(class_count);
        for (std::size_t i = 0; i < classes.size(); ++i) table.add(shown.labels.at(i), classes[i]);
        return table;
    }
    /// A sheet with the first wrongly classified images, at most `most`, each with its true and its predicted class.
    [[nodiscard]] std::string wrong_ones(const labelled_images& shown, const std::vector<std::string>& names,
                                         std::size_t most = 48) const {
        std::vector<captioned_image> wrong;
        std::size_t all = 0;
        for (std::size_t i = 0; i < classes.size(); ++i) {
            if (shown.labels.at(i) == classes[i]) continue;
            if (++all <= most)
                wrong.push_back({shown.image(i), names.at(shown.labels[i]) + "\nnot " + names.at(classes[i])});
        }
        return image_sheet(wrong, shown.height, shown.width,
                           std::to_string(all) + " of " + std::to_string(classes.size()) + " are wrong" +
                               (all > most ? ", the first " + std::to_string(most) : ""));
    }
};

} // namespace examples
