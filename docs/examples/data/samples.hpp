// SPDX-License-Identifier: BSL-1.0
//
// How do pictures become tensors? A set of them is a matrix with a row for each, and the class of each. Read by idx.hpp
// or digits.hpp; what a network makes of them: classification.hpp.
#pragma once

#include "idx.hpp"

#include <chainrule/tensor.hpp>

namespace examples {

/// Pictures as a network takes them.
struct samples {
    tensor::tensor<float> pixels;         // (size, height * width)
    tensor::tensor<tensor::index> labels; // (size,)

    explicit samples(const labelled_images& images)
        : pixels({count(images.size()), count(images.height * images.width)}, images.pixels),
          labels({count(images.size())}, std::vector<tensor::index>(images.labels.begin(), images.labels.end())) {}

    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(labels.count()); }

private:
    [[nodiscard]] static tensor::index count(std::size_t number) { return static_cast<tensor::index>(number); }
};

/// Part of a set is for tests: every n-th picture.
[[nodiscard]] inline image_data divided(const labelled_images& all, std::size_t n = 5) {
    const labelled_images none{.height = all.height, .width = all.width, .pixels = {}, .labels = {}};
    image_data parts{none, none};
    for (std::size_t i = 0; i < all.size(); ++i) {
        labelled_images& part = i % n == n - 1 ? parts.test : parts.training;
        part.pixels.insert(part.pixels.end(), all.image(i).begin(), all.image(i).end());
        part.labels.push_back(all.labels[i]);
    }
    return parts;
}

} // namespace examples
