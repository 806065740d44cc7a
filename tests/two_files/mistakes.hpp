// SPDX-License-Identifier: BSL-1.0
//
// Mistakes that the library finds while a program runs, and what it says. Included by two files that differ in NDEBUG
// only.
#pragma once

#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tape = chainrule::tape;

using sentences = std::vector<std::string>;
using sizes = std::vector<std::size_t>;

/// The messages for the mistakes in a file, the sizes of the types that both files share, and a square recorded in the
/// file.
struct file {
    bool asserts;
    sentences (*mistakes)();
    sizes (*of_types)();
    tape::active<double> (*square)(const tape::active<double>& x);
};
file with_assertions();
file without_assertions();

namespace {

template <class Action>
std::string sentence_of(const Action& action) {
    try {
        action();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "nothing is found";
}

sentences mistakes() {
    namespace cr = chainrule;
    constexpr auto x = cr::variable<"x">;
    constexpr auto y = cr::variable<"y">;
    constexpr auto F = cr::function(x * y, cr::wrt(x, y));
    const std::vector<double> short_point{1.0};
    auto gone = std::make_unique<tape::tape>();
    const tape::active<double> late = gone->variable(2.0);
    gone.reset();
    tape::tape t, other;
    const auto a = t.variable(2.0), b = other.variable(3.0);
    const auto mark = t.mark();
    const tape::active<double> rewound = a * a;
    t.rewind(mark);
    return {sentence_of([&] { (void)F.gradient(short_point); }),
            sentence_of([&] { (void)tape::active<double>(late * 2.0); }),
            sentence_of([&] { (void)tape::active<double>(rewound * 2.0); }),
            sentence_of([&] { (void)tape::active<double>(a * b); }),
            sentence_of([&] { (void)a.gradient(); }),
            sentence_of([&] { t.backward(b); })};
}

sizes of_types() {
    return {sizeof(tape::tape), sizeof(tape::active<double>), sizeof(tape::tape{}.mark()),
            sizeof(tape::matrix<double>)};
}

tape::active<double> square(const tape::active<double>& x) { return x * x; }

#if defined(NDEBUG)
constexpr file this_file{false, mistakes, of_types, square};
#else
constexpr file this_file{true, mistakes, of_types, square};
#endif

} // namespace
