// SPDX-License-Identifier: BSL-1.0
//
// Arrays in archives: written arrays are read back in every type and shape; conversions lose nothing; weights are
// filled all together. archive_files.cpp tests the files, archive_format.cpp their bytes, tests/numpy the exchange with
// NumPy.
#include "catch.hpp"
#include "sentence.hpp"
#include "archives.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

template <class T>
void check_type(const char* name) {
    CAPTURE(name);
    using limits = std::numeric_limits<T>;
    const std::vector<T> numbers{limits::lowest(), limits::min(), T(0), T(1), limits::max()};
    archive arrays;
    arrays.add(name, {1, 5}, numbers);
    const archive read = decoded(encoded(arrays));
    CHECK(read == arrays);
    CHECK(names_of(read[name].type()).name == name);
    const std::span<const T> values = read[name].template values<T>();
    CHECK(std::vector<T>(values.begin(), values.end()) == numbers);
    CHECK(read[name].template to<T>() == numbers);
}

} // namespace

TEST_CASE("arrays of every type and shape come back", "[tensor][archive]") {
    check_type<std::int8_t>("int8");
    check_type<std::int16_t>("int16");
    check_type<std::int32_t>("int32");
    check_type<std::int64_t>("int64");
    check_type<std::uint8_t>("uint8");
    check_type<std::uint16_t>("uint16");
    check_type<std::uint32_t>("uint32");
    check_type<std::uint64_t>("uint64");
    check_type<float>("float32");
    check_type<double>("float64");

    archive arrays = small();
    arrays.add("empty", {3, 0, 2}, std::vector<double>{});
    arrays.add("d\xc3\xa9j\xc3\xa0 vu/\xe6\x9d\x8e.npy", {1}, std::vector<long long>{-1});
    arrays.add("special", {4},
               std::vector<double>{std::numeric_limits<double>::infinity(), -0.0,
                                   std::numeric_limits<double>::denorm_min(),
                                   std::numeric_limits<double>::quiet_NaN()});
    arrays.add("axes", std::vector<std::size_t>(32, 1), std::vector<float>{7});
    CHECK(decoded(encoded(arrays)) == arrays);
    CHECK(decoded(encoded(archive())) == archive());
    CHECK(encoded(arrays) == encoded(decoded(encoded(arrays))));

    const archive read = decoded(encoded(arrays));
    CHECK(read.size() == 7);
    CHECK(read.begin()->name == "w");
    CHECK(read["w"].shape() == std::vector<std::size_t>{2, 3});
    CHECK(read["steps"].shape().empty());
    CHECK(read["steps"].size() == 1);
    CHECK(read["steps"].values<std::int64_t>()[0] == 12345678901234);
    CHECK(read["mask"].values<bool>()[2]);
    CHECK(read.contains("mask"));
    CHECK(!read.contains("mas"));
}

TEST_CASE("numbers are converted without loss, or not", "[tensor][archive]") {
    const stored_array doubles({3}, std::vector<double>{0.1, -2, 300});
    CHECK(doubles.to<float>() == std::vector<float>{0.1f, -2, 300});
    CHECK(sentence_of([&] { (void)doubles.to<int>(); }) ==
          "to: 0.100000 cannot be stored as int32; convert to a type that can hold it, such as float64");
    CHECK(sentence_of([&] { (void)doubles.values<float>(); }) ==
          "values: the numbers are float64, not float32; ask for their type, or convert by to<T>()");
    const auto converts = []<class To, class From>(To, From x) {
        const stored_array one({}, std::array<From, 1>{x});
        try {
            return one.to<To>().at(0) == static_cast<To>(x);
        } catch (const archive_error&) {
            return false;
        }
    };
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    CHECK(!converts(float{}, 1e300));
    CHECK(converts(float{}, std::numeric_limits<double>::infinity()));
    CHECK(converts(std::int8_t{}, -128.0));
    CHECK(!converts(std::int8_t{}, 128.0));
    CHECK(!converts(std::uint8_t{}, -1.0f));
    CHECK(!converts(int{}, std::numeric_limits<double>::quiet_NaN()));
    CHECK(converts(std::uint64_t{}, 18446744073709549568.0));
    CHECK(!converts(std::uint64_t{}, 18446744073709551616.0));
    CHECK(converts(double{}, std::int64_t{1} << 53));
    CHECK(!converts(double{}, most));
    CHECK(converts(float{}, -(1 << 24)));
    CHECK(!converts(float{}, (1 << 24) + 1));
    CHECK(!converts(std::uint32_t{}, std::int8_t{-1}));
    CHECK(converts(std::uint64_t{}, most));
    CHECK(!converts(std::int64_t{}, std::uint64_t{1} << 63));
    CHECK(converts(std::uint8_t{}, std::int64_t{255}));
    CHECK(!converts(std::uint8_t{}, std::int64_t{256}));
    CHECK(converts(bool{}, 1.0));
    CHECK(!converts(bool{}, 2));
    CHECK(converts(float{}, true));
}

TEST_CASE("weights are filled all together or not at all", "[tensor][archive]") {
    archive arrays("weights.npz");
    arrays.add("weight", {2, 2}, std::vector<double>{1, 2, 3, 4});
    arrays.add("bias", {2}, std::vector<float>{5, 6});
    std::vector<float> weight(4, 9), bias(2, 9);
    const std::vector<float> weight_before = weight, bias_before = bias;
    using slots = std::vector<destination<float>>;
    const auto fault = [&](const slots& destinations) {
        const std::string sentence = sentence_of([&] { arrays.copy_to(destinations); });
        CHECK(weight == weight_before);
        CHECK(bias == bias_before);
        return sentence;
    };
    CHECK(fault({{"weight", {2, 2}, weight}, {"offset", {2}, bias}}) ==
          "copy_to: weights.npz has no array 'offset'; it has 'weight', 'bias'");
    CHECK(
        fault({{"weight", {2, 2}, weight}, {"bias", {1, 2}, bias}}) ==
        "copy_to: array 'bias' in weights.npz has the shape (2,), not (1, 2); load it into the network it belongs to");
    CHECK(fault({{"weight", {2, 2}, weight}}) ==
          "copy_to: weights.npz has an array 'bias' without a destination; load it into the network it belongs to");
    CHECK(fault({{"weight", {2, 2}, std::span(weight).first(3)}, {"bias", {2}, bias}}) ==
          "copy_to: the destination of 'weight' has 3 numbers for the shape (2, 2); give as many as it has");
    arrays = archive("weights.npz");
    arrays.add("weight", {2, 2}, std::vector<double>{1, 2, 3, 4});
    arrays.add("bias", {2}, std::vector<double>{5, 1e300});
    CHECK(contains(fault({{"weight", {2, 2}, weight}, {"bias", {2}, bias}}), "cannot be stored as float32"));

    arrays = archive();
    arrays.add("weight", {2, 2}, std::vector<double>{1, 2, 3, 4});
    arrays.add("bias", {2}, std::vector<float>{5, 6});
    arrays.copy_to(slots{{"bias", {2}, bias}, {"weight", {2, 2}, weight}});
    CHECK(weight == std::vector<float>{1, 2, 3, 4});
    CHECK(bias == std::vector<float>{5, 6});
}

TEST_CASE("bits are stored as numbers that are true or false", "[tensor][archive]") {
    const std::vector<bool> bits{true, false, true, true};
    archive arrays;
    arrays.add("mask", {2, 2}, bits);
    CHECK(arrays["mask"].type() == element::boolean);
    CHECK(arrays["mask"].to<bool>() == bits);
    CHECK(arrays["mask"].to<int>() == std::vector<int>{1, 0, 1, 1});
    const auto of_bytes = [](std::byte last) { return stored_array({2}, element::boolean, {std::byte{0}, last}); };
    CHECK(of_bytes(std::byte{1}).to<bool>() == std::vector<bool>{false, true});
    CHECK(sentence_of([&] { of_bytes(std::byte{2}); }) ==
          "stored_array: a bool is neither true nor false; give bytes that are 0 or 1");
    CHECK(sentence_of([&] { arrays.add("short", {3}, bits); }) ==
          "stored_array: 4 numbers do not fill the shape (3,); give as many as it has");
}

TEST_CASE("what cannot be an array or its name", "[tensor][archive]") {
    CHECK(sentence_of([] { stored_array({2, 2}, std::vector<float>{1, 2, 3}); }) ==
          "stored_array: 3 numbers do not fill the shape (2, 2); give as many as it has");
    CHECK_THROWS_AS(stored_array({std::size_t{1} << 62, 4}, std::vector<float>{}), std::invalid_argument);
    archive arrays = small();
    CHECK(sentence_of([&] { arrays.add("w", {1}, std::vector<float>{1}); }) ==
          "add: there is an array 'w' already; give another name");
    for (const std::string& name :
         {std::string(), std::string("a\0b", 3), std::string(65001, 'a'), std::string("\xc3("), std::string("\xc0\xaf"),
          std::string("\xed\xa0\x80"), std::string("\xe6\x9d")}) {
        CAPTURE(name.size());
        CHECK_THROWS_AS(arrays.add(name, {1}, std::vector<float>{1}), std::invalid_argument);
    }
    CHECK(arrays == small());
    CHECK(sentence_of([&] { (void)arrays["x"]; }) ==
          "archive: the archive has no array 'x'; it has 'w', 'steps', 'mask'");

    archive deep;
    deep.add("w", std::vector<std::size_t>(33, 1), std::vector<float>{1});
    CHECK(sentence_of([&] { encoded(deep); }) ==
          "write_npz: array 'w' in weights.npz has 33 axes, and numpy reads 32 at most; reshape it");

    stored_array numbers({2}, std::vector<float>{1, 2});
    const stored_array moved = std::move(numbers);
    archive of_moved;
    of_moved.add("w", numbers); // NOLINT: what is moved from has no numbers
    CHECK(sentence_of([&] { encoded(of_moved); }) ==
          "write_npz: array 'w' in weights.npz was moved from and has no numbers; give the array that it was moved to");
}
