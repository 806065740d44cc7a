// SPDX-License-Identifier: BSL-1.0
//
// Both files find the same mistakes in the same words, have the same types, and a tape may be recorded in both.
#include "mistakes.hpp"

#include <iostream>

namespace {

int faults = 0;

void check(bool right, const std::string& what) {
    if (right) return;
    std::cerr << what << '\n';
    ++faults;
}

const sentences expected{
    "function: the point does not have one number per variable in wrt(...); pass that many",
    "whose tape is destroyed",
    "before the tape was rewound",
    "numbers of two tapes",
    "backward() was not called",
    "belongs to another tape",
};

} // namespace

int main() {
    const file with = with_assertions(), without = without_assertions();
    check(with.asserts && !without.asserts, "the files are not compiled as this test wants them");
    check(with.of_types() == without.of_types(), "types have other sizes with NDEBUG");
    for (const file& f : {with, without}) {
        const sentences found = f.mistakes();
        check(found.size() == expected.size(), "not every mistake is tried");
        for (std::size_t i = 0; i < found.size() && i < expected.size(); ++i)
            check(found[i].find(expected[i]) != std::string::npos, std::string(f.asserts ? "without" : "with") +
                                                                       " NDEBUG, mistake " + std::to_string(i) + ": " +
                                                                       found[i]);
    }
    tape::tape t;
    const auto x = t.variable(3.0);
    const tape::active<double> y = with.square(x), z = without.square(y);
    t.backward(z);
    check(z.value() == 81 && x.gradient() == 108, "the derivative of two squares, one from each file, is wrong");
    return faults;
}
