// SPDX-License-Identifier: BSL-1.0
//
// Memory for long arrays: where it begins, and which elements have values.
#include "../catch.hpp"

#include <chainrule/core/large_memory.hpp>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

namespace core = chainrule::core;

bool begins_at(const void* memory, std::size_t multiple) {
    return reinterpret_cast<std::uintptr_t>(memory) % multiple == 0;
}

struct alignas(64) wide {
    double numbers[8];
};

/// Counts its objects, and throws when there are more than the most.
struct counted {
    inline static int alive = 0, most = 0;
    counted() {
        if (alive == most) throw std::runtime_error("no more");
        ++alive;
    }
    counted(const counted&) { ++alive; }
    ~counted() { --alive; }
};

} // namespace

TEST_CASE("an array of some MiB begins at a huge page", "[core]") {
    constexpr std::size_t count = core::huge_page / sizeof(double);
    for (const std::size_t size : {std::size_t{1}, count - 1, count, 3 * count + 5}) {
        const auto numbers = core::make_large_array<double>(size);
        if (size >= count) CHECK(begins_at(numbers.get(), core::huge_page));
        numbers[0] = 1.0;
        numbers[size - 1] = 2.0;
        CHECK(numbers[size - 1] == 2.0);
        CHECK(begins_at(core::make_large_array<wide>(size).get(), alignof(wide)));
    }
}

TEST_CASE("vectors with the allocator for long arrays have the values that they are given", "[core]") {
    constexpr std::size_t count = core::huge_page / sizeof(int) + 7;
    std::vector<int, core::large_allocator<int>> numbers(count, 3);
    CHECK(begins_at(numbers.data(), core::huge_page));
    CHECK((numbers.front() == 3 && numbers.back() == 3));
    const auto copy = numbers;
    numbers.resize(2 * count);
    CHECK((numbers[count - 1] == 3 && copy == std::vector<int, core::large_allocator<int>>(count, 3)));
    CHECK(std::vector<std::vector<int>, core::large_allocator<std::vector<int>>>(2)[1].empty());
}

TEST_CASE("an array of objects is made whole or not at all", "[core]") {
    counted::most = 3;
    {
        const auto three = core::make_large_array<counted>(3);
        CHECK(counted::alive == 3);
    }
    CHECK(counted::alive == 0);
    CHECK_THROWS_AS(core::make_large_array<counted>(4), std::runtime_error);
    CHECK(counted::alive == 0);
}
