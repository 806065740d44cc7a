// SPDX-License-Identifier: BSL-1.0
//
// A computation in detail: every operation of log(x) + x * y - sin(y), then its reverse sweep, line by line; the
// recorded tape; and the operations of a loop.
#include <chainrule/tape/graphviz.hpp>
#include <chainrule/tape/trace.hpp>

#include <cstdio>
#include <string>

namespace tape = chainrule::tape;

namespace {

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

void log_product_sine() {
    tape::trace t;
    auto x = t.variable(2.0), y = t.variable(5.0);
    tape::traced<double> f = log(x) + x * y - sin(y);

    print("Forwards\n\n" + t.primal(f));
    print("\nBackwards: v6 is df/df; v7, v8, v11, v13, v14 and v20 are derivatives of single operations\n\n");
    print(t.adjoint(f, {{"x", x}, {"y", y}}));
    print("\nThe same tape for Graphviz; `dot -Tsvg` draws it\n\n" + to_graphviz(t));
}

// Newton's method for the square root: how often the loop runs depends on the numbers.
template <class T>
T square_root(const T& a) {
    T root = 1;
    while (root * root - a > 0.1 || a - root * root > 0.1) root = (root + a / root) / 2;
    return root;
}

void newton() {
    tape::trace t;
    auto a = t.variable(2.0, "a");
    const auto root = square_root(a);
    print("\nTwo steps of Newton's method for the square root of 2, with the derivatives of single operations\n\n");
    print(t.primal(root) + '\n' + t.adjoint(root, {}, tape::partial_lines::shown));
}

} // namespace

int main() {
    log_product_sine();
    newton();
}
