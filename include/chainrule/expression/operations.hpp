// SPDX-License-Identifier: BSL-1.0
//
// The arithmetic operations and relations, which complement the functions of functions/table.hpp. Each is a type with a
// code that graph/ reads.
#pragma once

#include <chainrule/functions/comparisons.hpp>

namespace chainrule {

/// The arithmetic operations, as the first argument of unary<> and binary<>.
namespace operations {
struct negate {
    enum : unsigned { code = 256 };
};
struct add {
    enum : unsigned { code = 257 };
};
struct subtract {
    enum : unsigned { code = 258 };
};
struct multiply {
    enum : unsigned { code = 259 };
};
struct divide {
    enum : unsigned { code = 260 };
};
struct select {
    enum : unsigned { code = 261 };
};
} // namespace operations

/// The relations, as the first argument of comparison<> and logical_not<>.
namespace relations {
#define CHAINRULE_RELATION(SYMBOL, NAME) NAME,
enum class order : unsigned { CHAINRULE_COMPARISONS(CHAINRULE_RELATION) conjunction, disjunction, negation };
#undef CHAINRULE_RELATION
#define CHAINRULE_RELATION(SYMBOL, NAME)                                                                               \
    struct NAME {                                                                                                      \
        enum : unsigned { code = 262 + static_cast<unsigned>(order::NAME) };                                           \
    };
CHAINRULE_COMPARISONS(CHAINRULE_RELATION)
CHAINRULE_RELATION(&&, conjunction)
CHAINRULE_RELATION(||, disjunction)
CHAINRULE_RELATION(!, negation)
#undef CHAINRULE_RELATION
} // namespace relations

} // namespace chainrule
