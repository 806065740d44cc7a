// SPDX-License-Identifier: BSL-1.0
//
// The readers of docs/examples/data: files made here, whole, damaged and of other kinds; and the real sets where they
// are installed.
#include "catch.hpp"
#include "../scratch_folder.hpp"
#include "../sentence.hpp"

#include <data/digits.hpp>
#include <data/idx.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace examples;
namespace fs = std::filesystem;

std::span<const std::byte> raw(const std::string& text) { return std::as_bytes(std::span(text.data(), text.size())); }
std::string idx(std::initializer_list<int> bytes) {
    std::string text;
    for (const int b : bytes) text += static_cast<char>(b);
    return text;
}
tensor::stored_array decoded(const std::string& file) { return decode_idx(raw(file), {"read_idx", "f"}); }
std::string fault_of(const std::string& file) {
    return sentence_of([&] { decoded(file); });
}

const std::string two_images = idx({0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 255, 51, 1, 2, 3});
const std::string two_labels = idx({0, 0, 8, 1, 0, 0, 0, 2, 9, 0});

#ifdef CHAINRULE_EXAMPLES_WITH_ZLIB
std::string packed(const std::string& text) {
    std::string result(text.size() + 1000, '\0');
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    deflate(&stream, Z_FINISH);
    result.resize(stream.total_out);
    deflateEnd(&stream);
    return result;
}
#endif

} // namespace

TEST_CASE("IDX files of every type", "[examples][idx]") {
    const tensor::stored_array images = decoded(two_images);
    CHECK(images.shape() == std::vector<std::size_t>{2, 1, 3});
    CHECK(images.to<int>() == std::vector<int>{0, 255, 51, 1, 2, 3});
    CHECK(decoded(idx({0, 0, 9, 1, 0, 0, 0, 1, 255})).to<int>() == std::vector<int>{-1});
    CHECK(decoded(idx({0, 0, 11, 1, 0, 0, 0, 2, 1, 2, 255, 254})).to<int>() == std::vector<int>{258, -2});
    CHECK(decoded(idx({0, 0, 12, 1, 0, 0, 0, 1, 1, 2, 3, 4})).to<int>() == std::vector<int>{0x01020304});
    CHECK(decoded(idx({0, 0, 13, 1, 0, 0, 0, 1, 0xc0, 0x20, 0, 0})).to<double>() == std::vector<double>{-2.5});
    CHECK(decoded(idx({0, 0, 14, 1, 0, 0, 0, 1, 0xc0, 4, 0, 0, 0, 0, 0, 0})).to<double>() == std::vector<double>{-2.5});
    CHECK(decoded(idx({0, 0, 8, 0, 7})).shape().empty());
    CHECK(decoded(idx({0, 0, 8, 1, 0, 0, 0, 0})).size() == 0);
}

TEST_CASE("IDX files with faults", "[examples][idx]") {
    for (std::size_t length = 0; length < two_images.size(); ++length) {
        CAPTURE(length);
        CHECK(contains(fault_of(two_images.substr(0, length)), "truncated"));
    }
    CHECK(fault_of("") == "read_idx: f ends within its header; it is truncated, download it again");
    CHECK(fault_of("a,b,c") == "read_idx: f is not an IDX file, since it does not begin with two zeros; give one");
    CHECK(fault_of(idx({0, 0, 10, 0, 1})) ==
          "read_idx: f has numbers of the unknown type 10; it is damaged, download it again");
    CHECK(fault_of(two_images + 'x') ==
          "read_idx: f has 7 bytes of numbers, which do not fill the shape (2, 1, 3) of uint8; it is truncated "
          "or damaged, download it again");
    CHECK(contains(fault_of(idx({0, 0, 14, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255})),
                   "do not fill"));
}

TEST_CASE("pictures with labels", "[examples][idx]") {
    const scratch_folder work;
    work.put("images", two_images);
    work.put("labels", two_labels);
    const labelled_images set = read_labelled_images(work.path / "images", work.path / "labels");
    CHECK(set.size() == 2);
    CHECK(set.height == 1);
    CHECK(set.width == 3);
    CHECK(set.labels == std::vector<std::size_t>{9, 0});
    CHECK(set.image(0)[1] == 1.0f);
    CHECK(set.image(0)[2] == 0.2f);
    CHECK(set.image(1).size() == 3);

    const auto fault = [&](const char* images, const char* labels, std::size_t classes = 10) {
        std::string sentence =
            sentence_of([&] { (void)read_labelled_images(work.path / images, work.path / labels, classes); });
        const std::string name = work.path.string() + '/';
        for (std::size_t at = 0; (at = sentence.find(name)) != std::string::npos;) sentence.erase(at, name.size());
        return sentence;
    };
    work.put("three", idx({0, 0, 8, 1, 0, 0, 0, 3, 9, 0, 1}));
    CHECK(fault("images", "three") ==
          "read_labelled_images: three has 3 labels for 2 pictures; give the two files of one set");
    CHECK(fault("labels", "labels") ==
          "read_labelled_images: labels has the shape (2,), which is not a shape of images; "
          "give a file such as train-images-idx3-ubyte");
    CHECK(fault("images", "images") ==
          "read_labelled_images: images has the shape (2, 1, 3), which is not a shape of labels; "
          "give a file such as train-labels-idx1-ubyte");
    CHECK(fault("images", "labels", 9) ==
          "read_labelled_images: labels has the label 9 where there are 9 classes; give the right file");
    CHECK(contains(fault("images", "none"), "read_idx: none cannot be opened"));
}

#ifdef CHAINRULE_EXAMPLES_WITH_ZLIB
TEST_CASE("compressed files", "[examples][gzip]") {
    const scratch_folder work;
    work.put("images.gz", packed(two_images));
    CHECK(read_idx(work.path / "images.gz") == decoded(two_images));
    CHECK(read_idx(work.path / "images") == decoded(two_images)); // .gz is found
    work.put("parts", packed(two_images.substr(0, 10)) + packed(two_images.substr(10)));
    CHECK(read_idx(work.path / "parts") == decoded(two_images));

    std::string large(5000000, 'a'); // of several pieces
    for (std::size_t i = 0; i < large.size(); i += 7) large[i] = static_cast<char>(i * i >> 5);
    work.put("large", packed(large));
    const bytes unpacked_large = read_unpacked(work.path / "large", "read");
    CHECK(std::ranges::equal(unpacked_large, raw(large)));

    const std::string whole = packed(two_images);
    const tensor::origin from{"read_idx", "f.gz"};
    const auto unpack = [&](const std::string& text) {
        const auto content = raw(text);
        return unpacked({content.begin(), content.end()}, from);
    };
    for (std::size_t length = 2; length < whole.size(); ++length) {
        CAPTURE(length);
        CHECK(sentence_of([&] { unpack(whole.substr(0, length)); }) ==
              "read_idx: f.gz ends early; it is truncated, download it again");
    }
    std::string damaged = whole;
    damaged[whole.size() - 5] ^= 1;
    CHECK(sentence_of([&] { unpack(damaged); }) ==
          "read_idx: f.gz is damaged (incorrect data check); download it again");
    CHECK(contains(sentence_of([&] { unpack(whole + "rest"); }), "read_idx: f.gz "));
    CHECK(contains(sentence_of([&] {
                       const std::string zeros = packed(std::string(3000000, '\0'));
                       (void)unpacked({raw(zeros).begin(), raw(zeros).end()}, from, 2000000);
                   }),
                   "has more than 2000000 bytes when unpacked"));
}
#endif

TEST_CASE("lines of digits", "[examples][digits]") {
    std::string pixels;
    for (int i = 0; i < 64; ++i) pixels += std::to_string(i % 17) + ',';
    const tensor::origin from{"read_digits", "f.csv"};
    const labelled_images two = decode_digits(pixels + "7\n" + pixels + "0\r\n", from);
    CHECK(two.size() == 2);
    CHECK(two.labels == std::vector<std::size_t>{7, 0});
    CHECK(two.pixels.size() == 128);
    CHECK(two.image(1)[16] == 1.0f);
    CHECK(two.image(1)[1] == 0.0625f);
    CHECK(decode_digits(pixels + "7", from).size() == 1);

    const auto fault = [&](const std::string& text) { return sentence_of([&] { (void)decode_digits(text, from); }); };
    const std::string remedy = "; give scikit-learn's digits.csv.gz";
    CHECK(fault("") == "read_digits: f.csv is empty" + remedy);
    CHECK(fault("1,2,3\n") == "read_digits: f.csv has 3 columns, not 65, in line 1" + remedy);
    CHECK(fault(pixels + "7\n" + pixels + "7,1\n") == "read_digits: f.csv has 66 columns, not 65, in line 2" + remedy);
    CHECK(fault(pixels + "7\n\n") == "read_digits: f.csv has no integer in column 1 in line 2" + remedy);
    CHECK(fault("1,x") == "read_digits: f.csv has no integer in column 2 in line 1" + remedy);
    CHECK(fault("1.5,2") == "read_digits: f.csv has something after the integer in column 1 in line 1" + remedy);
    CHECK(fault("17,") == "read_digits: f.csv has a grey value that is not 0 to 16 in line 1" + remedy);
    CHECK(fault(pixels + "10\n") == "read_digits: f.csv has a label that is not a digit in line 1" + remedy);
}

#ifdef CHAINRULE_EXAMPLES_WITH_ZLIB
TEST_CASE("the digits of scikit-learn", "[examples][digits]") {
    if (!fs::exists(digits_file)) {
        WARN("skipped: " << digits_file << " is not there (Debian: python3-sklearn)");
        return;
    }
    const labelled_images digits = read_digits();
    CHECK(digits.size() == 1797);
    std::array<int, 10> counts{};
    for (const std::size_t label : digits.labels) ++counts[label];
    CHECK(counts == std::array<int, 10>{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}); // as in its description
    CHECK(std::accumulate(digits.pixels.begin(), digits.pixels.end(), 0.0) * 16 == 561718.0);
}

TEST_CASE("the pictures of Fashion-MNIST", "[examples][idx]") {
    if (!fs::exists(fashion_mnist_folder)) {
        WARN("skipped: " << fashion_mnist_folder << " is not there (Debian: dataset-fashion-mnist)");
        return;
    }
    const image_data data = read_mnist(fashion_mnist_folder);
    CHECK(data.training.size() == 60000);
    CHECK(data.test.size() == 10000);
    CHECK(data.training.height == 28);
    CHECK(data.test.width == 28);
    CHECK(fashion_mnist_classes.size() == 10);
    for (const labelled_images* set : {&data.training, &data.test}) {
        std::vector<std::size_t> counts(10);
        for (const std::size_t label : set->labels) ++counts[label];
        CHECK(counts == std::vector<std::size_t>(10, set->size() / 10));
    }
    CHECK(fashion_mnist_classes[data.training.labels[0]] == "Ankle boot");
}
#endif
