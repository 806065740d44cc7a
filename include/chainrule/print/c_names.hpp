// SPDX-License-Identifier: BSL-1.0
//
// Names in C: those that a function must not have, because they are reserved or belong to another function, and those
// of custom functions, whose classes may give any name.
#pragma once

#include <chainrule/print/c_functions.hpp>
#include <chainrule/print/program_writer.hpp>

namespace chainrule::detail {

/// Of C99 to C23 and of GNU C; names with two underscores, or one and a capital, are reserved anyway.
inline constexpr const char* keywords_of_c =
    "alignas alignof asm auto bool break case char const constexpr continue default do double else enum extern false "
    "float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert "
    "struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while unix linux";
/// The functions of <math.h>, of C99 to C23, POSIX and glibc, which also have suffixes for other types.
inline constexpr const char* functions_of_math_h =
    "acos acosh acospi asin asinh asinpi atan atan2 atan2pi atanh atanpi canonicalize cbrt ceil compoundn copysign cos "
    "cosh cospi daddl ddivl dfmal dmull drem dsqrtl dsubl erf erfc exp exp10 exp10m1 exp2 exp2m1 expm1 fabs fadd fdim "
    "fdiv ffma finite floor fma fmax fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num fmaxmag fmin fminimum "
    "fminimum_mag fminimum_mag_num fminimum_num fminmag fmod fmul frexp fromfp fromfpx fsqrt fsub gamma gamma_r "
    "getpayload hypot ilogb isinf isnan j0 j1 jn ldexp lgamma lgamma_r lgammaf_r lgammal_r llogb llrint llround log "
    "log10 log10p1 log1p log2 log2p1 logb logp1 lrint lround modf nan nearbyint nextafter nextdown nexttoward nextup "
    "pow pow10 pown powr remainder remquo rint rootn round roundeven rsqrt scalb scalbln scalbn setpayload "
    "setpayloadsig signbit significand sin sincos sinh sinpi sqrt tan tanh tanpi tgamma totalorder totalordermag trunc "
    "ufromfp ufromfpx y0 y1 yn";
inline constexpr const char* suffixes_of_types = "f l f16 f32 f32x f64 f64x f128";
/// Its other names, and a few that compilers know without a header.
inline constexpr const char* other_names_of_c =
    "abs double_t float_t fpclassify iscanonical iseqsig isfinite isgreater isgreaterequal isless islessequal "
    "islessgreater isnormal issignaling issubnormal isunordered iszero labs llabs main math_errhandling signgam "
    "INFINITY MAXFLOAT NAN SNAN SNANF SNANL";
/// With which names of macros of <math.h>, reserved names, and names that the code defines begin.
inline constexpr const char* first_letters_of_other_names = "FP_ HUGE_VAL MATH_ M_ __ chainrule_ CHAINRULE_";
/// The parameters of the code; it has variables t1, t2, ... too.
inline constexpr const char* parameters_in_c = "in numbers out memory";

/// Calls test(word, size) for the words of a text until it returns true, and returns whether it did.
template <class Test>
constexpr bool any_word(const char* words, Test test) {
    while (*words != '\0') {
        const int size = length_of_word(words);
        if (test(words, size)) return true;
        words += size;
        if (*words == ' ') ++words;
    }
    return false;
}
enum class fault_of_name : unsigned char { none, not_an_identifier, reserved };

/// Whether a function in C can have this name, which ends with '\0'.
constexpr fault_of_name fault_of_name_in_c(const char* name, int size) {
    if (size == 0 || !begins_word(name[0]) || length_of_word(name) != size) return fault_of_name::not_an_identifier;
    const auto is_name = [&](const char* word, int of) { return of == size && begins_with(name, word, of); };
    const auto is_begin = [&](const char* word, int of) { return begins_with(name, word, of); };
    const auto is_for_a_type = [&](const char* word, int of) {
        if (!begins_with(name, word, of)) return false;
        const auto is_suffix = [&](const char* suffix, int its) {
            return of + its == size && begins_with(name + of, suffix, its);
        };
        return of == size || any_word(suffixes_of_types, is_suffix);
    };
    int digits = 1;
    while ('0' <= name[digits] && name[digits] <= '9') ++digits;
    const bool is_variable = name[0] == 't' && digits > 1 && digits == size;
    const bool is_capital = name[0] == '_' && 'A' <= name[1] && name[1] <= 'Z';
    if (is_variable || is_capital || any_word(first_letters_of_other_names, is_begin)) return fault_of_name::reserved;
    for (const char* const words : {keywords_of_c, parameters_in_c, other_names_of_c})
        if (any_word(words, is_name)) return fault_of_name::reserved;
    return any_word(functions_of_math_h, is_for_a_type) ? fault_of_name::reserved : fault_of_name::none;
}

/// The names of the custom functions of a program: each its own, once. A name that a function in C cannot have, or that
/// of the program itself, gets the prefix `custom_`, with _ for characters that are not of names. Of equal names the
/// second is called `name_2` and so on, with the first number that makes it unlike all others.
class names_of_custom_functions {
    list<char> characters_; // of all names, each ended by '\0'
    list<int> starts_;

public:
    constexpr explicit names_of_custom_functions(const listing_names& program) {
        for (int k = 0; k < program.custom_function_count; ++k) {
            const int start = characters_.count;
            starts_.push_back(start);
            int number = 1;
            do {
                while (characters_.count > start) static_cast<void>(characters_.pop_back());
                write(program, k, number++);
            } while (!is_free(program, k, number - 1));
        }
    }
    [[nodiscard]] constexpr const char* operator[](int k) const { return &characters_.items[starts_.items[k]]; }
    [[nodiscard]] constexpr int size(int k) const { return length((*this)[k]); }

private:
    // __builtin_strlen is not a constant expression for memory that was allocated in that expression.
    static constexpr int length(const char* text) {
        int size = 0;
        while (text[size] != '\0') ++size;
        return size;
    }
    static constexpr bool equal(const char* a, const char* b) { return same_word(a, length(a), b); }
    static constexpr bool is_allowed(const listing_names& program, const char* name) {
        return fault_of_name_in_c(name, length(name)) == fault_of_name::none && !equal(name, program.title);
    }
    constexpr void write(const listing_names& program, int k, int number) {
        const char* const name = program.custom_functions[k].name;
        if (!is_allowed(program, name))
            for (const char* c = "custom_"; *c != '\0'; ++c) characters_.push_back(*c);
        for (const char* c = name; *c != '\0'; ++c)
            characters_.push_back(begins_word(*c) || ('0' <= *c && *c <= '9') ? *c : '_');
        if (number > 1) {
            characters_.push_back('_');
            int power = 1;
            while (number / power > 9) power *= 10;
            for (; power > 0; power /= 10) characters_.push_back(static_cast<char>('0' + number / power % 10));
        }
        characters_.push_back('\0');
    }
    // Whether the name of function k differs from those of earlier functions, and unless it is its own, from the own
    // names of all.
    constexpr bool is_free(const listing_names& program, int k, int number) const {
        const char* const name = (*this)[k];
        if (!is_allowed(program, name)) return false;
        for (int i = 0; i < k; ++i)
            if (equal((*this)[i], name)) return false;
        const bool is_own = number == 1 && equal(name, program.custom_functions[k].name);
        for (int i = 0; i < program.custom_function_count && !is_own; ++i)
            if (equal(program.custom_functions[i].name, name)) return false;
        return true;
    }
};

} // namespace chainrule::detail
