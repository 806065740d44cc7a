// SPDX-License-Identifier: BSL-1.0
//
// Reads MNIST and Fashion-MNIST. Their files have the IDX format: two zeros, the type, the number of axes, the shape
// and the numbers, all big-endian (http://yann.lecun.com/exdb/mnist). digits.hpp reads a smaller set.
#pragma once

#include "unpacked_file.hpp"

#include <chainrule/tensor/files/stored_array.hpp>

#include <array>
#include <bit>

namespace examples {

/// The array in the bytes of an IDX file.
[[nodiscard]] inline tensor::stored_array decode_idx(std::span<const std::byte> file, const tensor::origin& from) {
    using tensor::element;
    if (file.size() < 4) from.refuse("ends within its header; it is truncated, download it again");
    if (file[0] != std::byte{0} || file[1] != std::byte{0})
        from.refuse("is not an IDX file, since it does not begin with two zeros; give one");
    static constexpr std::array<std::pair<int, element>, 6> types{{{0x08, element::uint8},
                                                                   {0x09, element::int8},
                                                                   {0x0b, element::int16},
                                                                   {0x0c, element::int32},
                                                                   {0x0d, element::float32},
                                                                   {0x0e, element::float64}}};
    const int code = std::to_integer<int>(file[2]);
    const auto type = std::ranges::find(types, code, [](const auto& t) { return t.first; });
    if (type == types.end())
        from.refuse("has numbers of the unknown type " + std::to_string(code) + "; it is damaged, download it again");

    const auto axes = std::to_integer<std::size_t>(file[3]);
    if ((file.size() - 4) / 4 < axes) from.refuse("ends within its header; it is truncated, download it again");
    std::vector<std::size_t> shape(axes);
    for (std::size_t i = 0; i < 4 * axes; ++i)
        shape[i / 4] = shape[i / 4] << 8 | std::to_integer<std::size_t>(file[4 + i]);

    const std::span<const std::byte> numbers = file.subspan(4 + 4 * axes);
    const std::size_t size = tensor::names_of(type->second).size;
    if (tensor::bytes_in(shape, size) != numbers.size())
        from.refuse("has " + std::to_string(numbers.size()) + " bytes of numbers, which do not fill the shape " +
                    tensor::shape_text(shape) + " of " + std::string(tensor::names_of(type->second).name) +
                    "; it is truncated or damaged, download it again");
    bytes content(numbers.begin(), numbers.end());
    if (std::endian::native == std::endian::little)
        for (std::size_t i = 0; size > 1 && i < content.size(); i += size)
            std::reverse(content.data() + i, content.data() + i + size);
    return {std::move(shape), type->second, std::move(content)};
}

/// Reads an IDX file, compressed or not.
[[nodiscard]] inline tensor::stored_array read_idx(const std::filesystem::path& path) {
    return decode_idx(read_unpacked(path, "read_idx"), {"read_idx", path.string()});
}

/// Grey images of one size, stored row by row, from 0 (background) to 1, and their labels.
struct labelled_images {
    std::size_t height = 0, width = 0;
    std::vector<float> pixels;
    std::vector<std::size_t> labels;

    [[nodiscard]] std::size_t size() const { return labels.size(); }
    [[nodiscard]] std::span<const float> image(std::size_t i) const {
        return std::span(pixels).subspan(i * height * width, height * width);
    }
};

/// Pictures of bytes, and their labels below `classes`, from two IDX files.
[[nodiscard]] inline labelled_images read_labelled_images(const std::filesystem::path& images,
                                                          const std::filesystem::path& labels,
                                                          std::size_t classes = 10) {
    const tensor::stored_array pictures = read_idx(images), names = read_idx(labels);
    const tensor::origin from_images{"read_labelled_images", images.string()},
        from_labels{"read_labelled_images", labels.string()};
    if (pictures.shape().size() != 3 || pictures.type() != tensor::element::uint8)
        from_images.refuse("has the shape " + tensor::shape_text(pictures.shape()) +
                           ", which is not a shape of images; give a file such as train-images-idx3-ubyte");
    if (names.shape().size() != 1 || names.type() != tensor::element::uint8)
        from_labels.refuse("has the shape " + tensor::shape_text(names.shape()) +
                           ", which is not a shape of labels; give a file such as train-labels-idx1-ubyte");
    if (names.shape()[0] != pictures.shape()[0])
        from_labels.refuse("has " + std::to_string(names.shape()[0]) + " labels for " +
                           std::to_string(pictures.shape()[0]) + " pictures; give the two files of one set");

    labelled_images result{.height = pictures.shape()[1], .width = pictures.shape()[2], .pixels = {}, .labels = {}};
    result.pixels.reserve(pictures.size());
    for (const std::uint8_t grey : pictures.values<std::uint8_t>())
        result.pixels.push_back(static_cast<float>(grey) / 255.0f);
    for (const std::uint8_t label : names.values<std::uint8_t>()) {
        if (label >= classes)
            from_labels.refuse("has the label " + std::to_string(label) + " where there are " +
                               std::to_string(classes) + " classes; give the right file");
        result.labels.push_back(label);
    }
    return result;
}

/// The folder of Debian's package dataset-fashion-mnist, and the names of the labels.
inline constexpr const char* fashion_mnist_folder = "/usr/share/datasets/fashion-mnist";
inline const std::vector<std::string> fashion_mnist_classes{"T-shirt", "Trouser", "Pullover", "Dress", "Coat",
                                                            "Sandal",  "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};

/// A training set and a test set.
struct image_data {
    labelled_images training, test;
};

/// MNIST, Fashion-MNIST or another set whose four files have the same names.
[[nodiscard]] inline image_data read_mnist(const std::filesystem::path& folder) {
    return {read_labelled_images(folder / "train-images-idx3-ubyte", folder / "train-labels-idx1-ubyte"),
            read_labelled_images(folder / "t10k-images-idx3-ubyte", folder / "t10k-labels-idx1-ubyte")};
}

} // namespace examples
