// SPDX-License-Identifier: BSL-1.0
//
// The checksum of a tensor's numbers changes with each of them, with their order, and with nothing else.
#include "../../catch.hpp"

#include <chainrule/tensor.hpp>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace {

namespace ct = chainrule::tensor;

template <class T>
std::uint32_t checksum(const ct::tensor<T>& x) {
    return ct::graph::checksum(x.node());
}

/// All numbers are different.
template <class T>
ct::tensor<T> numbers(ct::index count) {
    return ct::arange<T>(count) + T(1);
}

// Vectors take a few hundred bytes at a time, words the rest.
template <class T>
void check_each_change(ct::index count) {
    ct::tensor<T> x = numbers<T>(count);
    std::set<std::uint32_t> seen{checksum(x)};
    const auto elements = x.mutable_span();
    for (T& element : elements) {
        const T before = std::exchange(element, T(0));
        seen.insert(checksum(x));
        element = before;
    }
    for (std::size_t i = 1; i < elements.size(); ++i) {
        std::swap(elements[0], elements[i]);
        seen.insert(checksum(x));
        std::swap(elements[0], elements[i]);
    }
    CHECK(seen.size() == 2 * elements.size());
    CHECK(seen.contains(checksum(x)));
    CHECK(checksum(x) == checksum(x.clone()));
}

} // namespace

TEST_CASE("a checksum changes with each number and with their order", "[tensor]") {
    for (const ct::index count : {1, 2, 3, 7, 8, 15, 16, 17, 33, 63, 64, 65, 127, 128, 129, 255, 256, 300}) {
        check_each_change<float>(count);
        check_each_change<double>(count);
        check_each_change<long double>(count);
        check_each_change<std::int64_t>(count);
        check_each_change<int>(count);
        if (count < 100) check_each_change<std::int8_t>(count);
    }
}

TEST_CASE("a checksum tells zeros of different signs and bits of different places apart", "[tensor]") {
    ct::tensor<double> x = ct::zeros<double>({200});
    std::set<std::uint32_t> seen{checksum(x)};
    for (double& element : x.mutable_span()) {
        for (const double other : {-0.0, 5e-324, 1.0, -1.0}) {
            element = other;
            seen.insert(checksum(x));
        }
        element = 0.0;
    }
    CHECK(seen.size() == 1 + 4 * 200);
}

TEST_CASE("the checksum of a view is that of what it shows", "[tensor]") {
    ct::tensor<float> x = reshape(numbers<float>(24 * 24), {24, 24}).clone();
    const ct::tensor<float> view = transpose(x);
    const ct::tensor<float> part = slice(x, 1, 3, 9);
    const std::uint32_t of_view = checksum(view), of_part = checksum(part);
    x.mutable_span()[24 * 23] = 0.0F; // in the first column
    CHECK(checksum(view) != of_view);
    CHECK(checksum(part) == of_part);
}
