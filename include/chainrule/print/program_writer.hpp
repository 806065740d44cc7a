// SPDX-License-Identifier: BSL-1.0
//
// What all texts of a program share: the instructions, the names of inputs, outputs and functions, and characters that
// are first counted and then written.
#pragma once

#include <chainrule/entry/operation_count.hpp>
#include <chainrule/print/outline.hpp>
#include <chainrule/core/fixed_text.hpp>

namespace chainrule::detail {

struct named_function {
    const char* name;
    int arity;
};
/// The functions of a list; the last one stands for none.
template <class... F>
constexpr std::array<named_function, sizeof...(F) + 1> names_of_functions(type_list<F...>) {
    return {{{F::name, F::arity}..., {nullptr, 0}}};
}

/// What the names in a program's text depend on.
struct listing_names {
    const char* const* inputs;
    int input_count;
    int values; // outputs by request
    int wrt;
    unsigned request;
    const named_function* own_functions; // that are not in the table, in the order of their numbers
    const char* title;
    int own_function_count;
};

// Names that the text gives must not be those of variables: it appends _ to a prefix until no variable has the prefix
// alone or with a number behind it.
constexpr int underscores(char prefix, const listing_names& names) {
    int count = 0;
    for (int i = 0; i < names.input_count; ++i) {
        const char* c = names.inputs[i];
        if (*c++ != prefix) continue;
        int here = 0;
        for (; *c == '_'; ++c) ++here;
        while ('0' <= *c && *c <= '9') ++c;
        if (*c == '\0' && here >= count) {
            count = here + 1;
            i = -1;
        }
    }
    return count;
}

/// Writes to `to`, or only measures where it is null.
template <class Code>
class program_writer {
public:
    [[nodiscard]] constexpr int size() const { return size_; }

protected:
    const Code& code_;
    const listing_names& names_;
    char* to_;
    int size_ = 0;

    constexpr program_writer(const Code& code, const listing_names& names, char* to) : code_(code), names_(names), to_(to) {
        for (int i = 0; i < 5; ++i) underscores_[i] = underscores(prefixes[i], names);
    }

    [[nodiscard]] constexpr instruction at(int i) const { return kernel::unpack(code_.body[static_cast<std::size_t>(i)]); }
    static constexpr bool is_arithmetic(const instruction& s) {
        return operation::add <= s.what && s.what <= operation::divide;
    }
    static constexpr const char* signs[4] = {" + ", " - ", " * ", " / "};
    [[nodiscard]] constexpr int operand_count(const instruction& s) const {
        return s.what == operation::call ? arity(s.function) : slots_read(s.what);
    }
    [[nodiscard]] constexpr int arity(unsigned function) const {
        constexpr int arities[] = {
#define CHAINRULE_ROW(NAME, ...) functions::NAME::arity,
            CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
        };
        return function < first_own_function ? arities[function] : names_.own_functions[function - first_own_function].arity;
    }
    [[nodiscard]] constexpr const char* name_of_function(unsigned function) const {
        return function < first_own_function ? function_names[function] : names_.own_functions[function - first_own_function].name;
    }

    // clang counts the statements of an evaluation, also those that a switch skips, but not its expressions, and gives up
    // after 2^20: few statements for each character, and frequent cases before a switch.
    constexpr void put(char c) { to_ == nullptr ? void(++size_) : void(to_[size_++] = c); }
    constexpr void put(const char* text, int length) {
        if (to_ != nullptr) {
#if defined(__clang__)
            __builtin_memcpy(to_ + size_, text, static_cast<std::size_t>(length));
#else
            for (int i = 0; i < length; ++i) to_[size_ + i] = text[i];
#endif
        }
        size_ += length;
    }
    constexpr void put(const char* text) { put(text, static_cast<int>(__builtin_strlen(text))); }
    constexpr void put(int number) {
        number < 10 ? void() : put(number / 10), put(static_cast<char>('0' + number % 10));
    }
    enum prefix : int { of_value, of_temporary, of_number, of_sine, of_cosine };
    static constexpr char prefixes[5] = {'f', 't', 'n', 's', 'c'};
    int underscores_[5] = {};

    constexpr void put_prefix(prefix p) { put(prefixes[p]), underscores_[p] > 0 ? put_underscores(underscores_[p]) : void(); }
    constexpr void put_underscores(int count) {
        for (; count > 0; --count) put('_');
    }
    constexpr void put_prefix(prefix p, int number) {
        put_prefix(p);
        put(number);
    }

    constexpr void put_value_name(int i) {
        put_prefix(of_value);
        if (names_.values > 1) put(i + 1);
    }
    constexpr void put_output(int k) {
        if ((names_.request & values) != 0) {
            if (k < names_.values) return put_value_name(k);
            k -= names_.values;
        }
        if ((names_.request & jacobians) != 0) {
            if (k < names_.values * names_.wrt) {
                put('d');
                put_value_name(k / names_.wrt);
                put("/d");
                put(names_.inputs[k % names_.wrt]);
                return;
            }
            k -= names_.values * names_.wrt;
        }
        const int triangle = names_.wrt * (names_.wrt + 1) / 2;
        int row = 0, column = k % triangle;
        for (; column >= names_.wrt - row; ++row) column -= names_.wrt - row;
        put("d2");
        put_value_name(k / triangle);
        put("/d");
        put(names_.inputs[row]);
        if (column == 0) return put('2');
        put(" d");
        put(names_.inputs[row + column]);
    }
};

/// A program for a request to a positional_function, written by Format::writer.
template <class Format, unsigned Request, class F>
struct written_program;
template <class Format, unsigned Request, class... E, class... V, class... Bindings, bool Scalar>
struct written_program<Format, Request, positional_function<type_list<E...>, type_list<V...>, parameters<Bindings...>, Scalar>> {
private:
    using compiled_program = typename positional_function<type_list<E...>, type_list<V...>, parameters<Bindings...>,
                                                          Scalar>::template code<Request>;
    static constexpr const char* input_names[] = {V::text..., Bindings::variable::text..., nullptr};
    static constexpr auto own_functions = names_of_functions(typename compiled_program::own_functions{});
    static constexpr listing_names names{input_names,   static_cast<int>(sizeof...(V) + sizeof...(Bindings)),
                                         sizeof...(E),  sizeof...(V),
                                         Request,       own_functions.data(),
                                         Format::title, static_cast<int>(own_functions.size()) - 1};
    using writer = typename Format::template writer<std::remove_cvref_t<decltype(compiled_program::code)>>;

    static constexpr auto write() {
        constexpr int size = writer(compiled_program::code, names, nullptr).size();
        fixed_text<static_cast<std::size_t>(size)> text;
        text.resize(static_cast<std::size_t>(size));
        (void)writer(compiled_program::code, names, text.data());
        return text;
    }

public:
    static constexpr auto value = write();
};

inline constexpr fixed_text<0> no_text;

} // namespace chainrule::detail
