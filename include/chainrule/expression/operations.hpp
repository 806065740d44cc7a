// SPDX-License-Identifier: BSL-1.0
//
// The arithmetic operations and relations, which complement the functions of functions/table.hpp. Each is a type with a
// code that graph/ reads.
#pragma once

// The comparisons: the symbol, and the name of the relation.
#define CHAINRULE_COMPARISONS(ROW)                                                                                     \
    ROW(<, less)                                                                                                       \
    ROW(<=, less_equal)                                                                                                \
    ROW(>, greater)                                                                                                    \
    ROW(>=, greater_equal)                                                                                             \
    ROW(==, equal)                                                                                                     \
    ROW(!=, not_equal)

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

/// The relations, as the first argument of predicate<>. Codes in the order of graph::relation.
namespace relations {
struct less {
    enum : unsigned { code = 262 };
};
struct less_equal {
    enum : unsigned { code = 263 };
};
struct greater {
    enum : unsigned { code = 264 };
};
struct greater_equal {
    enum : unsigned { code = 265 };
};
struct equal {
    enum : unsigned { code = 266 };
};
struct not_equal {
    enum : unsigned { code = 267 };
};
struct conjunction {
    enum : unsigned { code = 268 };
};
struct disjunction {
    enum : unsigned { code = 269 };
};
struct negation {
    enum : unsigned { code = 270 };
};
} // namespace relations

} // namespace chainrule
