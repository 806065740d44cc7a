// SPDX-License-Identifier: BSL-1.0
//
// to_c(F): a program of derivatives as a C function with the same instructions in the same order, so its results are
// the same.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/expression/variable.hpp>
#include <chainrule/print/c_writer.hpp>

namespace chainrule {

namespace detail {

template <string_literal Name>
struct c_format {
    static constexpr const char* title = Name.characters;
    template <class Code>
    using writer = c_writer<Code>;
};

template <std::size_t Size>
consteval fault_of_name fault_of_literal(string_literal<Size> name) {
    return detail::fault_of_name_in_c(name.characters, static_cast<int>(Size) - 1);
}

} // namespace detail

/// The straight-line program of a function made by function() as a function in C99, which computes the same numbers,
/// bit for bit, if neither compiler contracts multiplications and additions (-ffp-contract=off):
///
///     void Name(const double *in, const double *numbers, double *out);
///
/// `in` are the variables in the order of wrt and then of given, `numbers` the stored numbers in the order in which
/// they are written (null if there are none), `out` the results in the order that a comment states: values, the
/// Jacobian row by row, upper triangles of Hessians. `Request` is as for program_text(). A function of the table that
/// <math.h> lacks becomes a static function with its formula. A function of chainrule/special_functions.hpp becomes a
/// call of its name with the prefix `chainrule_`, a custom function a call of its name, or of that with the prefix
/// `custom_` where the name is taken in C; both are only declared, and you define them.
/// Example: `std::cout << to_c<"f">(function(log(x) + x * y - sin(y), wrt(x, y)));`
template <expressions::string_literal Name = "f", unsigned Request = detail::default_request, class F>
requires detail::is_positional_function<F>
[[nodiscard]] constexpr const auto& to_c(const F&) {
    constexpr detail::fault_of_name fault = detail::fault_of_literal(Name);
    static_assert(fault != detail::fault_of_name::not_an_identifier,
                  "to_c: the name is not a C identifier; use letters, digits and _, as in to_c<\"gradient_of_f\">(F)");
    static_assert(
        fault != detail::fault_of_name::reserved,
        "to_c: the name is a keyword of C, a name of <math.h>, or one that the code uses itself; use another, "
        "as in to_c<\"gradient_of_f\">(F)");
    constexpr bool named = fault == detail::fault_of_name::none;
    if constexpr (detail::complete<Request>(static_cast<const F*>(nullptr)) && named)
        return detail::written_program<detail::c_format<Name>, Request, detail::positional_form<F>>::value;
    else
        return detail::no_text;
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
