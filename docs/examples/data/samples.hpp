// SPDX-License-Identifier: BSL-1.0
//
// Images as tensors: a matrix with one row per image, and the class of each. idx.hpp and digits.hpp read them;
// classification.hpp evaluates a network on them.
#pragma once

#include "idx.hpp"

#include <chainrule/tensor.hpp>

namespace examples {

/// Images in the form that a network takes.
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

/// Splits a set: every n-th image is for testing.
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
