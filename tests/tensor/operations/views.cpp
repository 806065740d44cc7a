// SPDX-License-Identifier: BSL-1.0
//
// Views show the right elements of their tensor, without a copy, and pass gradients to them.
#include "../gradients.hpp"

namespace {

using namespace gradients;
using doubles = std::vector<double>;

const tensor<double> counted = reshape(ct::arange<double>(24), {2, 3, 4});

} // namespace

TEST_CASE("reshape keeps the order of the elements", "[tensor]") {
    CHECK(reshape(counted, {6, 4})(5, 3) == 23);
    CHECK(reshape(counted, {4, -1}).shape() == extents{4, 6});
    CHECK(reshape(counted, {-1}).shape() == extents{24});
    CHECK(reshape(tensor<double>(3.0), {1, 1}).shape() == extents{1, 1});
    CHECK(reshape(tensor<double>{3}, {}).shape() == extents{});
    CHECK(reshape(ct::zeros<double>({0, 3}), {5, 0}).shape() == extents{5, 0});
    CHECK(reshape(counted, {6, 4}).shares_numbers_with(counted));
    CHECK_FALSE(reshape(transpose(counted), {6, 4}).shares_numbers_with(counted));
    CHECK(reshape(transpose(counted), {24}).values() == transpose(counted).values());
    CHECK(flatten(counted).values() == counted.values());
    check_gradients([](const auto& a) { return exp(reshape(a[0], {3, -1})); }, {drawn({2, 6}, 1)});
    check_gradients([](const auto& a) { return exp(reshape(transpose(a[0]), {4, 3})); }, {drawn({2, 6}, 1)});
    check_gradients([](const auto& a) { return contiguous(transpose(a[0])) * 2; }, {drawn({2, 6}, 1)});
}

TEST_CASE("transpose and permute exchange axes", "[tensor]") {
    CHECK(transpose(counted).shape() == extents{4, 3, 2});
    CHECK(transpose(counted)(3, 2, 1) == 23);
    CHECK(transpose(counted, 0, -1)(3, 0, 1) == counted(1, 0, 3));
    CHECK(permute(counted, {1, -1, 0}).shape() == extents{3, 4, 2});
    CHECK(permute(counted, {1, 2, 0})(2, 3, 1) == 23);
    CHECK(permute(tensor<double>(1.0), {}).item() == 1);
    CHECK(transpose(counted).shares_numbers_with(counted));
    check_gradients([](const auto& a) { return exp(transpose(a[0], 0, 1)); }, {drawn({2, 3, 2}, 1)});
    check_gradients([](const auto& a) { return exp(permute(a[0], {2, 0, 1})); }, {drawn({2, 3, 2}, 1)});
}

TEST_CASE("slices follow Python's rules, for every begin, end and step", "[tensor]") {
    const tensor<double> x = ct::arange<double>(6);
    const auto numbers = [&x](ct::index begin, ct::index end, ct::index step) {
        return slice(x, 0, begin, end, step).values();
    };
    CHECK(numbers(1, 4, 1) == doubles{1, 2, 3});
    CHECK(numbers(-2, ct::to_the_end, 1) == doubles{4, 5});
    CHECK(numbers(-1, ct::to_the_end, -1) == doubles{5, 4, 3, 2, 1, 0});
    CHECK(numbers(4, 1, -2) == doubles{4, 2});
    CHECK(numbers(5, -1, -1).empty());
    CHECK(numbers(3, 3, 1).empty());
    CHECK(numbers(2, 100, 2) == doubles{2, 4});
    CHECK(numbers(100, -100, -2) == doubles{5, 3, 1});
    CHECK(numbers(0, ct::to_the_end, ct::to_the_end - 1) == doubles{0});
    CHECK(numbers(-1, ct::to_the_end, -ct::to_the_end - 1) == doubles{5});
    // Python's definition, walked through step by step.
    for (ct::index begin = -8; begin <= 8; ++begin)
        for (ct::index end = -8; end <= 8; ++end)
            for (const ct::index step : {-3, -1, 1, 2, 7}) {
                const auto bound = [step](ct::index at) {
                    return std::clamp(at < 0 ? at + 6 : at, step > 0 ? ct::index{0} : ct::index{-1},
                                      step > 0 ? ct::index{6} : ct::index{5});
                };
                doubles expected;
                for (ct::index at = bound(begin); step > 0 ? at < bound(end) : at > bound(end); at += step)
                    expected.push_back(static_cast<double>(at));
                CAPTURE(begin, end, step);
                if (numbers(begin, end, step) != expected) FAIL_CHECK("other elements");
            }
    CHECK(slice(counted, 1, 0, 2).shape() == extents{2, 2, 4});
    CHECK(slice(ct::zeros<double>({0}), 0, -1, ct::to_the_end, -1).count() == 0);
    CHECK(slice(x, 0, 1, 3).shares_numbers_with(x));
    check_gradients([](const auto& a) { return exp(slice(a[0], 1, -1, 0, -2)); }, {drawn({2, 6}, 1)});
    check_gradients([](const auto& a) { return slice(a[0], 0, 1) * slice(a[0], 0, 0, -1); }, {drawn({4, 2}, 1)});
    check_gradients([](const auto& a) { return slice(a[0], 0, 2, 2) * 3; }, {drawn({4, 2}, 1)});
}

TEST_CASE("select, squeeze and expand_dims take an axis away and add one", "[tensor]") {
    CHECK(select(counted, 1, -1).values() == doubles{8, 9, 10, 11, 20, 21, 22, 23});
    CHECK(select(counted, -1, 2).shape() == extents{2, 3});
    CHECK(select(tensor<double>{5, 6}, 0, 1).item() == 6);
    CHECK(expand_dims(counted, 0).shape() == extents{1, 2, 3, 4});
    CHECK(expand_dims(counted, -1).shape() == extents{2, 3, 4, 1});
    CHECK(expand_dims(tensor<double>(1.0), 0).shape() == extents{1});
    CHECK(squeeze(expand_dims(counted, 2), 2) == counted);
    check_gradients(
        [](const auto& a) { return exp(select(a[0], -1, 1)) * squeeze(slice(expand_dims(a[0], 0), 2, 0, 1), 2); },
        {drawn({3, 3}, 1)});
}

TEST_CASE("broadcast_to repeats without a copy", "[tensor]") {
    const tensor<double> x{1, 2};
    CHECK(broadcast_to(x, {3, 2}).values() == doubles{1, 2, 1, 2, 1, 2});
    CHECK(broadcast_to(x, {3, 2}).shares_numbers_with(x));
    CHECK(broadcast_to(tensor<double>(4.0), {2, 0}).count() == 0);
    CHECK(broadcast_to(reshape(x, {2, 1}), {2, 3}).values() == doubles{1, 1, 1, 2, 2, 2});
}

TEST_CASE("a view of a view of a view passes its gradient home", "[tensor]") {
    check_gradients(
        [](const auto& a) {
            const auto v = transpose(slice(reshape(a[0], {2, 3, 4}), 2, -1, ct::to_the_end, -2), 0, 2);
            return exp(broadcast_to(select(v, 1, 1), {2, 2, 2}));
        },
        {drawn({24}, 1)});
}

TEST_CASE("slices that begin beyond an end begin at it, as Python's", "[tensor]") {
    using numbers = std::vector<double>;
    const tensor<double> x{1, 2, 3};
    for (const ct::index far : {ct::index{3}, ct::index{7}, ct::to_the_end - 1, ct::to_the_end}) {
        CHECK(slice(x, 0, far, ct::to_the_end, -1).values() == numbers{3, 2, 1});
        CHECK(slice(x, 0, far, 0, -2).values() == numbers{3});
        CHECK(slice(x, 0, far).values().empty());
        CHECK(slice(x, 0, -far, far).values() == numbers{1, 2, 3});
        CHECK(slice(x, 0, 1, -far, -1).values() == (far == 3 ? numbers{2} : numbers{2, 1}));
        CHECK(slice(x, 0, -far, ct::to_the_end, -1).values() == (far == 3 ? numbers{1} : numbers{}));
    }
}

TEST_CASE("tensors of many axes need memory for them and work alike", "[tensor]") {
    const tensor<double> x = reshape(ct::arange<double>(128), {2, 2, 2, 2, 2, 2, 2});
    CHECK(transpose(transpose(x)) == x);
    CHECK(transpose(x).clone() == transpose(x));
    CHECK(transpose(x)(1, 0, 0, 0, 0, 0, 0) == 1);
    CHECK((transpose(x) + x).values()[1] == 65);
    CHECK(sum(x, {0, 2, 4, 6}).shape() == extents{2, 2, 2});
    check_gradients([](const auto& a) { return exp(transpose(a[0])) * a[0]; }, {drawn({2, 1, 2, 2, 1, 2, 1}, 1)});
    extents five{1, 2, 3, 4, 5}, moved = std::move(five);
    five = moved; // a list that was moved from can be written again
    CHECK(five == moved);
}

TEST_CASE("shapes and parts stand as arguments, too", "[tensor]") {
    const tensor<double> x(std::vector<double>{1, 2, 3, 4}), y{5, 6, 7, 8};
    CHECK(x == tensor<double>{1, 2, 3, 4});
    CHECK(reshape(x, 2, -1) == reshape(x, {2, 2}));
    CHECK(reshape(x, 4) == x);
    CHECK(concatenate(x, y) == ct::concatenate({x, y}));
    CHECK(stack(x, y, x) == ct::stack({x, y, x}));
    CHECK(ct::identity<double>(3) == tensor<double>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    CHECK(ct::identity<int>(0).shape() == extents{0, 0});
}
