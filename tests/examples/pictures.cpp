// SPDX-License-Identifier: BSL-1.0
//
// The tables and pictures of docs/examples/data: their numbers, and that every picture is well-formed.
#include "catch.hpp"
#include "../sentence.hpp"

#include <data/confusion.hpp>
#include <data/image_sheet.hpp>
#include <data/loss_curve.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#ifdef CHAINRULE_EXAMPLES_WITH_ZLIB
#include <zlib.h>
#endif

namespace {

using namespace examples;

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
    return count;
}

// True if every element is closed, in order.
bool is_well_formed(const std::string& xml) {
    std::vector<std::string> open;
    std::size_t at = 0;
    while ((at = xml.find('<', at)) != std::string::npos) {
        const std::size_t end = xml.find('>', at);
        if (end == std::string::npos) return false;
        const std::string tag = xml.substr(at + 1, end - at - 1);
        const std::string name = tag.substr(0, tag.find(' '));
        if (occurrences(tag, "\"") % 2 != 0 || contains(tag, "<")) return false;
        if (name.starts_with('/')) {
            if (open.empty() || '/' + open.back() != name) return false;
            open.pop_back();
        } else if (!tag.ends_with('/')) {
            open.push_back(name);
        }
        at = end;
    }
    return open.empty();
}

std::size_t points_in(const std::string& svg) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = svg.find("points=\"", at)) != std::string::npos;) {
        at += 8;
        count += occurrences(svg.substr(at, svg.find('"', at) - at), ",");
    }
    return count;
}

} // namespace

TEST_CASE("a confusion matrix counts and is printed", "[examples][confusion]") {
    confusion_matrix matrix(3);
    for (int i = 0; i < 8; ++i) matrix.add(0, 0);
    matrix.add(0, 1);
    matrix.add(0, 2);
    for (int i = 0; i < 5; ++i) matrix.add(1, 1);
    matrix.add(2, 0);
    CHECK(matrix.count(0, 0) == 8);
    CHECK(matrix.count(1, 0) == 0);
    CHECK(matrix.accuracy() == Approx(13.0 / 16));
    CHECK(matrix.recall(0) == Approx(0.8));
    CHECK(matrix.precision(1) == Approx(5.0 / 6));
    CHECK(matrix.text({"Ankle boot", "Bag", "B\xc3\xa9ret"}) == "           Ankle   Bag B\xc3\xa9ret  recall\n"
                                                                "Ankle boot     8     1     1    80.0\n"
                                                                "Bag            .     5     .   100.0\n"
                                                                "B\xc3\xa9ret          1     .     .     0.0\n"
                                                                "precision   88.9  83.3   0.0    81.2\n");
    CHECK(sentence_of([&] { matrix.add(0, 3); }) ==
          "confusion_matrix: there is no class 3 among 3; they are numbered from 0");
    CHECK(sentence_of([&] { (void)matrix.text({"a"}); }) == "text: 1 names are given for 3 classes; give one for each");
    CHECK(std::isnan(confusion_matrix(2).accuracy()));
    CHECK(contains(confusion_matrix(2).text({"a", "b"}), "a             .     .       -\n"));
}

TEST_CASE("ticks are round and within", "[examples][curve]") {
    CHECK(ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 3 * 0.2, 0.8, 1});
    CHECK(ticks(0, 2814, 8).size() == 6);
    CHECK(ticks(0, 2814, 8)[1] == 500);
    CHECK(ticks(-1, 1, 4) == std::vector<double>{-1, -0.5, 0, 0.5, 1});
    for (const double high : {1e-12, 0.37, 1.0, 12.0, 1e9}) {
        CAPTURE(high);
        const std::vector<double> found = ticks(0.1 * high, high, 6);
        CHECK(found.size() >= 3);
        CHECK(found.size() <= 11);
        CHECK(found.front() >= 0.0999 * high);
        CHECK(found.back() <= 1.0001 * high);
    }
}

TEST_CASE("a loss curve has axes, ticks, labels and its points", "[examples][curve]") {
    const std::string svg =
        loss_curve({over_steps("training", {2.3, 1.1, 0.7, 0.5}), {"test <10 %>", {0, 3}, {2.4, 0.6}}},
                   {.title = "Loss & \"more\"", .x = "step", .y = "cross-entropy"});
    CHECK(is_well_formed(svg));
    CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\""));
    CHECK(occurrences(svg, "<polyline") == 2);
    CHECK(points_in(svg) == 6);
    CHECK(contains(svg, ">Loss &amp; &quot;more&quot;</text>"));
    CHECK(contains(svg, ">test &lt;10 %&gt;</text>"));
    CHECK(contains(svg, ">cross-entropy</text>"));
    CHECK(contains(svg, ">0.5</text>"));
    CHECK(contains(svg, "points=\"70,")); // the first point is on the axis
}

TEST_CASE("a long curve keeps its peaks in few points", "[examples][curve]") {
    std::vector<double> losses(200000);
    std::mt19937 random(1);
    for (std::size_t i = 0; i < losses.size(); ++i) losses[i] = 1 + 1e-5 * static_cast<double>(random() % 1000);
    losses[123456] = 9;
    const std::string svg = loss_curve({over_steps("training", losses)});
    CHECK(is_well_formed(svg));
    CHECK(points_in(svg) > 1000);
    CHECK(points_in(svg) < 6000);
    CHECK(contains(svg, ",40 ")); // 9 is at the top
}

TEST_CASE("curves with gaps, one point or none", "[examples][curve]") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const std::string gap = loss_curve({over_steps("", {1, nan, 0.5, 0.4, inf, 0.2})});
    CHECK(is_well_formed(gap));
    CHECK(occurrences(gap, "<polyline") == 3);
    CHECK(points_in(gap) == 4);
    CHECK(!contains(gap, "nan"));
    CHECK(!contains(gap, "inf"));
    for (const double only : {0.0, 0.5, -3.0}) {
        const std::string one = loss_curve({over_steps("one", {only})});
        CHECK(is_well_formed(one));
        CHECK(!contains(one, "nan"));
        CHECK(points_in(one) == 1);
    }
    CHECK(sentence_of([] { (void)loss_curve({over_steps("none", {nan})}); }) ==
          "loss_curve: there is no finite point; give at least one");
    CHECK(sentence_of([] { (void)loss_curve({{"odd", {1, 2}, {1}}}); }) ==
          "loss_curve: 'odd' has 2 x and 1 y; give as many of both");
}

TEST_CASE("base 64 as in its standard", "[examples][sheet]") {
    CHECK(base64("").empty());
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foob") == "Zm9vYg==");
    CHECK(base64("\xff\xfe\xfd") == "//79");
}

#ifdef CHAINRULE_EXAMPLES_WITH_ZLIB
TEST_CASE("zlib reads the pixels of a picture", "[examples][sheet]") {
    for (const std::size_t side : {std::size_t{1}, std::size_t{28}, std::size_t{300}}) { // 300: several blocks
        CAPTURE(side);
        std::vector<float> pixels(side * side);
        for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i % 256) / 255.0f;
        const std::string file = png(pixels, side, side);
        CHECK(file.starts_with("\x89PNG\r\n\x1a\n"));
        std::size_t at = 8;
        std::string data;
        while (at < file.size()) {
            const auto number = [&](std::size_t place) {
                std::size_t value = 0;
                for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(file[place + i]);
                return value;
            };
            const std::size_t size = number(at);
            const auto begin = reinterpret_cast<const Bytef*>(file.data() + at + 4);
            CHECK(number(at + 8 + size) == crc32(0, begin, static_cast<uInt>(size + 4)));
            if (file.substr(at + 4, 4) == "IHDR") {
                CHECK(number(at + 8) == side);
                CHECK(number(at + 12) == side);
            }
            if (file.substr(at + 4, 4) == "IDAT") data = file.substr(at + 8, size);
            at += size + 12;
        }
        CHECK(at == file.size());
        std::vector<Bytef> rows(side * (side + 1) + 1);
        uLongf size = static_cast<uLongf>(rows.size());
        REQUIRE(uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(data.data()),
                           static_cast<uLong>(data.size())) == Z_OK);
        REQUIRE(size == side * (side + 1));
        for (std::size_t i = 0; i < side; ++i) {
            REQUIRE(rows[i * (side + 1)] == 0);
            for (std::size_t j = 0; j < side; ++j) REQUIRE(rows[i * (side + 1) + 1 + j] == 255 - (i * side + j) % 256);
        }
    }
}
#endif

TEST_CASE("a sheet shows every picture with its caption", "[examples][sheet]") {
    std::vector<float> pixels(28 * 28 * 11, 0.5f);
    pixels[0] = std::numeric_limits<float>::quiet_NaN();
    pixels[1] = 7;
    std::vector<captioned_image> images;
    for (std::size_t i = 0; i < 11; ++i)
        images.push_back({std::span(pixels).subspan(i * 784, 784), "Bag\nnot <Shirt>"});
    const std::string svg = image_sheet(images, 28, 28, "Wrong & shown", 4);
    CHECK(is_well_formed(svg));
    CHECK(occurrences(svg, "<image ") == 11);
    CHECK(occurrences(svg, ">Bag</text>") == 11);
    CHECK(occurrences(svg, ">not &lt;Shirt&gt;</text>") == 11);
    CHECK(contains(svg, ">Wrong &amp; shown</text>"));
    CHECK(contains(svg, "width=\"512\" height=\"428\""));
    CHECK(svg.size() < 11 * 2000);
    CHECK(is_well_formed(image_sheet({}, 28, 28)));
    CHECK(sentence_of([&] { (void)image_sheet(images, 28, 27); }) ==
          "png: 784 pixels do not make a picture of 28 x 27; give as many as it has");
    CHECK_THROWS_AS(image_sheet(images, 28, 28, "", 0), std::invalid_argument);
}

TEST_CASE("a picture is written to a file", "[examples][svg]") {
    namespace fs = std::filesystem;
    const fs::path file =
        fs::temp_directory_path() / ("chainrule_svg_" + std::to_string(std::random_device{}()) + ".svg");
    svg::write(file, svg::document(10, 10, ""));
    CHECK(fs::file_size(file) == svg::document(10, 10, "").size());
    fs::remove(file);
    CHECK(contains(sentence_of([] { svg::write("/no folder/x.svg", ""); }),
                   "svg::write: /no folder/x.svg cannot be written (No such"));
}
