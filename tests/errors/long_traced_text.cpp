// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code makes text of a number, which has no value while the code is traced; print the results of calls
#include "long_traced.hpp"

#ifdef CHAINRULE_BAD
auto G = cr::function([](auto a, auto b) {
    std::string text = a;
    (void)text;
    return repeated(a, a, b, a);
});
#else
auto G = cr::function([](auto a, auto b) { return repeated(a, a, b, a); });
#endif
