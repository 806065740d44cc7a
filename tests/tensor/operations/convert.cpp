// SPDX-License-Identifier: BSL-1.0
//
// Tensors of another type of elements.
#include "../../catch.hpp"
#include "../../sentence.hpp"

#include <chainrule/tensor.hpp>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace {

namespace ct = chainrule::tensor;
using ct::convert;
using ct::tensor;

} // namespace

TEST_CASE("convert gives elements of another type", "[tensor]") {
    const tensor<double> x{{-1.75, 2.0}, {3.5, 255.9}};
    CHECK(convert<int>(x).values() == std::vector<int>{-1, 2, 3, 255});
    CHECK(convert<float>(transpose(x)).values() == std::vector<float>{-1.75f, 3.5f, 2.0f, 255.9f});
    CHECK(convert<double>(x > 2.5).values() == std::vector<double>{0, 0, 1, 1});
    CHECK(convert<bool>(tensor<int>{0, 2}).values() == std::vector<bool>{false, true});
    CHECK(mean(convert<double>(tensor<ct::index>{7, -7, 3})).item() == 1.0);
    CHECK(convert<double>(ct::empty<int>({0, 3})).shape() == ct::extents{0, 3});
    // Not the numbers of the argument.
    CHECK_FALSE(convert<double>(x).shares_numbers_with(x));
}

TEST_CASE("convert refuses numbers that an integer cannot hold", "[tensor]") {
    const auto refused = [](double number) {
        return sentence_of([&] { static_cast<void>(convert<int>(tensor<double>{number})); }) ==
               "convert: an element is not a number that the integer type can hold; use clamp(x, low, high) first";
    };
    CHECK(refused(2147483648.0));
    CHECK(refused(-2147483649.0));
    CHECK(refused(std::numeric_limits<double>::quiet_NaN()));
    CHECK(refused(-std::numeric_limits<double>::infinity()));
    CHECK(convert<int>(tensor<double>{2147483647.9, -2147483648.0}).values() ==
          std::vector<int>{std::numeric_limits<int>::max(), std::numeric_limits<int>::min()});
    CHECK(convert<unsigned char>(tensor<double>{255.5, -0.5}).values() == std::vector<unsigned char>{255, 0});
    CHECK_THROWS_AS(convert<unsigned char>(tensor<double>{-1.0}), std::domain_error);
    CHECK_THROWS_AS(convert<ct::index>(tensor<double>{9223372036854775808.0}), std::domain_error);
    CHECK_THROWS_AS(convert<ct::index>(tensor<float>{9223372036854775808.0f}), std::domain_error);
}

TEST_CASE("convert refuses integers that another integer type cannot hold", "[tensor]") {
    CHECK(sentence_of([&] { static_cast<void>(convert<std::int8_t>(tensor<int>{300})); }) ==
          "convert: an element is not a number that the integer type can hold; convert to a larger type");
    CHECK_THROWS_AS(convert<std::int8_t>(tensor<int>{127, -129}), std::domain_error);
    CHECK_THROWS_AS(convert<unsigned>(tensor<int>{-1}), std::domain_error);
    CHECK_THROWS_AS(convert<ct::index>(tensor<std::uint64_t>{std::uint64_t{1} << 63}), std::domain_error);
    CHECK_THROWS_AS(convert<int>(tensor<std::int64_t>{std::int64_t{1} << 40}), std::domain_error);
    CHECK_THROWS_AS(convert<char>(tensor<int>{256}), std::domain_error);
    CHECK(convert<std::int8_t>(tensor<int>{127, -128}).values() == std::vector<std::int8_t>{127, -128});
    CHECK(convert<unsigned>(tensor<std::int64_t>{4294967295, 0}).values() == std::vector<unsigned>{4294967295U, 0});
    CHECK(convert<int>(tensor<bool>{true, false}).values() == std::vector<int>{1, 0});
    CHECK(convert<int>(tensor<char>{'a'}).values() == std::vector<int>{'a'});
    CHECK(convert<bool>(tensor<std::int64_t>{std::int64_t{1} << 40}).values() == std::vector<bool>{true});
    CHECK(convert<std::int8_t>(convert<bool>(tensor<int>{300})).values() == std::vector<std::int8_t>{1});
}

TEST_CASE("convert passes no gradient on", "[tensor]") {
    const tensor<double> x = tensor<double>{1, 2}.requires_grad(true);
    CHECK(sentence_of([&] { static_cast<void>(convert<float>(x)); }) ==
          "convert: the tensor of shape (2,) requires a gradient, which does not pass to another type; write "
          "convert<double>(x.detach())");
    CHECK(convert<float>(x.detach()).values() == std::vector<float>{1, 2});
    const ct::no_grad unrecorded;
    CHECK(convert<float>(x).values() == std::vector<float>{1, 2});
}

TEST_CASE("where chooses between two numbers", "[tensor]") {
    const tensor<double> x{-1, 4, 5};
    CHECK(where(x > 0, 1.0, 0.0).values() == std::vector<double>{0, 1, 1});
    CHECK(where(x > 0, 1, 0).values() == std::vector<int>{0, 1, 1});
    CHECK(where(x > 0, 0.5f, 2).values() == std::vector<float>{2, 0.5f, 0.5f});
}
