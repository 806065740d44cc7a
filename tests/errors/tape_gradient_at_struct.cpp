// SPDX-License-Identifier: BSL-1.0
// expect: gradient(f, x): the struct x has a base class, a constructor, or a field that is neither a number, a list, a tuple nor such a struct, or whose type depends on that of the numbers otherwise, as a nested enum; leave it out, or copy the numbers
#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <optional>

template <class T>
struct pose {
    T x, y;
#ifdef CHAINRULE_BAD
    std::optional<T> z;
#endif
};

double slope() {
    return chainrule::tape::gradient([](const auto& p) { return p.x * p.y; }, pose<double>{1.0, 2.0}).y;
}
