// SPDX-License-Identifier: BSL-1.0
//
// From pictures to tensors, and from scores to reports.
#include "catch.hpp"
#include "../scratch_folder.hpp"
#include "../sentence.hpp"

#include <data/classification.hpp>
#include <data/loss_curve.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace examples;

labelled_images seven() {
    labelled_images images{.height = 1, .width = 2, .pixels = {}, .labels = {0, 1, 2, 0, 1, 2, 0}};
    for (std::size_t i = 0; i < 14; ++i) images.pixels.push_back(static_cast<float>(i) / 14);
    return images;
}

} // namespace

TEST_CASE("pictures are rows of a tensor", "[examples][classification]") {
    const labelled_images images = seven();
    const samples all(images);
    CHECK(all.size() == 7);
    CHECK(all.pixels.shape() == tensor::extents{7, 2});
    CHECK(all.pixels.values() == images.pixels);
    CHECK(all.labels.values() == std::vector<tensor::index>{0, 1, 2, 0, 1, 2, 0});
}

TEST_CASE("every n-th picture is for the test", "[examples][classification]") {
    const labelled_images images = seven();
    const image_data parts = divided(images, 3);
    CHECK(parts.training.labels == std::vector<std::size_t>{0, 1, 0, 1, 0});
    CHECK(parts.test.labels == std::vector<std::size_t>{2, 2});
    CHECK(parts.test.width == 2);
    CHECK(std::vector(parts.test.image(1).begin(), parts.test.image(1).end()) ==
          std::vector(images.image(5).begin(), images.image(5).end()));
    CHECK(divided(images, 8).test.size() == 0);
}

TEST_CASE("answers are the largest scores", "[examples][classification]") {
    const labelled_images images = seven();
    // Numbers 1, 4 and 6 are wrong.
    const answers answered(
        tensor::tensor<float>{{1, 0, 0}, {5, 4, 3}, {0, 0, 1}, {9, 8, 7}, {-3, -2, -1}, {0, 1, 2}, {0, 2, 1}});
    CHECK(answered.classes == std::vector<std::size_t>{0, 0, 2, 0, 2, 2, 1});

    const confusion_matrix table = answered.compared_with(images, 3);
    CHECK(table.accuracy() == 4.0 / 7.0);
    CHECK(table.count(1, 0) == 1);
    CHECK(table.count(1, 2) == 1);
    CHECK(table.count(0, 1) == 1);

    const std::vector<std::string> names{"a", "b", "c"};
    const std::string all = answered.wrong_ones(images, names), two = answered.wrong_ones(images, names, 2);
    CHECK(contains(all, "3 of 7 are wrong"));
    CHECK(contains(all, ">not c<"));
    CHECK(contains(all, ">not b<"));
    CHECK(contains(two, "3 of 7 are wrong, the first 2"));
    CHECK_FALSE(contains(two, ">not b<"));

    labelled_images fewer = images;
    fewer.labels.pop_back();
    CHECK_THROWS_AS(answered.compared_with(fewer, 3), std::out_of_range);
}

TEST_CASE("a running mean begins with fewer numbers", "[examples][loss_curve]") {
    CHECK(running_mean({4, 2, 6, 10}, 2) == std::vector<double>{4, 3, 4, 8});
    CHECK(running_mean({4, 2, 6}, 100) == std::vector<double>{4, 3, 4});
    CHECK(running_mean({}, 3).empty());
}

TEST_CASE("a file is readable under its name and with .gz", "[examples][unpacked_file]") {
    const scratch_folder folder;
    folder.put("plain", "x");
    folder.put("packed.gz", "x");
    CHECK(is_readable(folder.path / "plain"));
    CHECK(is_readable(folder.path / "packed") == reads_gzip);
    CHECK(is_readable(folder.path / "packed.gz") == reads_gzip);
    CHECK_FALSE(is_readable(folder.path / "none"));
}
