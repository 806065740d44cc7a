// SPDX-License-Identifier: BSL-1.0
//
// The Hessian of a recording from the program of its gradient on numbers with tangents (codegen/tangent_program.hpp),
// as a program on vectors for code in C.
#pragma once

#include <chainrule/codegen/tangent_program.hpp>
#include <chainrule/codegen/unpacked_vectors.hpp>
#include <chainrule/differentiate/partials.hpp>
#include <chainrule/kernel/emit_tangents.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace chainrule::tape {

/// Writes the program. Its outputs are those of the gradient's program, and from number `first` on the elements of the
/// Hessian, row by row: what it writes left of the diagonal are not elements.
class tangents_in_vectors {
    using code = codegen::unpacked_vector_program;

public:
    using opcode = codegen::opcode;
    using vector_opcode = codegen::vector_opcode;

    /// For a program that computes one value and its gradient with respect to so many variables. `zeros`: whether
    /// elements are zero that no group of variables reaches, and are not written.
    tangents_in_vectors(const codegen::unpacked_program& gradient, int columns, int first, bool zeros)
        : from_(gradient), columns_(columns), groups_(codegen::group_count(columns, code::lanes)), first_(first),
          zeros_(zeros) {}

    /// The program, if it exists and has fewer instructions than `most`; else its size is 0.
    [[nodiscard]] code write(int most) {
        if (columns_ > codegen::most_tangents || from_.constant_count + from_.size >= most_slots ||
            from_.size * (1 + groups_) > most_steps || !std::ranges::all_of(from_.body, has_tangents))
            return {};
        std::vector<codegen::packed> body = codegen::packed_instructions(from_);
        for (codegen::packed& i : body)
            if (const auto s = codegen::unpack(i); s.what == opcode::output && s.b > columns_)
                i = codegen::pack({opcode::refresh, 0, 0, 0, 0}); // not an entry of the gradient
        const auto steps = std::make_unique<program>();
        std::make_unique<codegen::tangent_writing<most_slots, most_steps>>(
            body.data(), from_.size, from_.constant_count, columns_, code::lanes, 1)
            ->write(*steps);
        if (from_.size + steps->operations >= most || selects(*steps)) return {};
        write(*steps);
        return finished();
    }

private:
    // Compilers limit the steps of kernels; here longer texts would take the C compiler minutes.
    static constexpr int most_slots = 1 << 16, most_steps = 1 << 17;
    using program = codegen::tangent_program<most_slots, most_steps>;

    const codegen::unpacked_program& from_;
    int columns_, groups_, first_;
    bool zeros_;
    // Operands are instructions here, by number, or constants: -1 - the number.
    std::vector<codegen::instruction> body_;
    std::vector<codegen::coefficient> constants_;
    std::vector<int> place_, tangents_;   // by slot; by slot and group
    std::unordered_map<int, int> spread_; // numbers, and vectors that have them in all lanes
    int zero_ = 0;
    enum : int { none = -1 << 30 };

    // As in kernels, a function whose derivative calls others has none.
    [[nodiscard]] static bool has_tangents(const codegen::instruction& i) {
        return i.what != opcode::call ||
               (i.function < graph::first_custom_function && slopes_of_functions[i.function] != nullptr);
    }
    static bool selects(const program& steps) {
        for (int k = 0; k < steps.size; ++k)
            if (codegen::unpack(steps.instructions[k]).what == opcode::select &&
                codegen::tangent_tag::unpack(steps.tags[k]).computes_tangents)
                return true;
        return false;
    }

    int put(opcode what, int a = 0, int b = 0, int c = 0) {
        body_.push_back({what, 0, a, b, c});
        return static_cast<int>(body_.size()) - 1;
    }
    int put(vector_opcode what, int a = 0, int b = 0, int c = 0) { return put(static_cast<opcode>(what), a, b, c); }
    int on_vectors(opcode what, int a, int b = 0, int c = 0) {
        return put(static_cast<opcode>(static_cast<int>(vector_opcode::arithmetic) + static_cast<int>(what)), a, b, c);
    }
    int constant(const codegen::coefficient& value) {
        constants_.push_back(value);
        return -static_cast<int>(constants_.size());
    }

    // A number of the program, or a constant if there is no program. Its operators write instructions.
    struct number {
        using plain_number = double;
        tangents_in_vectors* in = nullptr;
        int slot = 0;
        codegen::coefficient value;
        bool negative = false; // the number is minus that in the slot

        number(int n) : value(core::integer{n}) {}
        explicit number(double n) : value(core::double_word{n, 0}) {}
        number(tangents_in_vectors& w, int s) : in(&w), slot(s) {}

        [[nodiscard]] int written(tangents_in_vectors& to) const {
            if (in == nullptr) return to.constant(value);
            if (!negative) return slot;
            if (slot >= 0) return to.put(opcode::negate, slot);
            return to.constant(codegen::coefficient(-1) * to.constants_[static_cast<std::size_t>(-1 - slot)]);
        }
        // One of the two is in a program: what consists of constants is one.
        static number write(opcode what, const number& x, const number& y) {
            tangents_in_vectors& to = x.in != nullptr ? *x.in : *y.in;
            const int a = x.written(to), b = y.written(to);
            return {to, to.put(what, a, b)};
        }
        friend number operator+(const number& x, const number& y) { return write(opcode::add, x, y); }
        friend number operator-(const number& x, const number& y) { return write(opcode::subtract, x, y); }
        friend number operator*(const number& x, const number& y) { return write(opcode::multiply, x, y); }
        friend number operator/(const number& x, const number& y) { return write(opcode::divide, x, y); }
        number operator-() const {
            number opposite = *this;
            if (in == nullptr)
                opposite.value = codegen::coefficient(-1) * value;
            else
                opposite.negative = !negative;
            return opposite;
        }
    };
    struct numbers {
        tangents_in_vectors& in;
        number operator[](int slot) const { return {in, in.place_[static_cast<std::size_t>(slot)]}; }
    };

    // The derivatives of the table's functions: null for those that have none here, or call functions.
    using slope_of_function = number (*)(const number&, const number&);
    template <unsigned Function>
    static constexpr slope_of_function slope_of() {
        if constexpr (kernel::has_tangents<static_cast<codegen::packed>(opcode::call) | Function << 8>())
            return [](const number& x, const number& r) { return kernel::unary_slopes::of<Function>(x, r); };
        else
            return nullptr;
    }
    static const std::array<slope_of_function, static_cast<std::size_t>(functions::index::count)> slopes_of_functions;
    template <std::size_t... F>
    static constexpr auto all_slopes(std::index_sequence<F...>) {
        return std::array<slope_of_function, sizeof...(F)>{slope_of<unsigned{F}>()...};
    }

    number slopes_[3] = {0, 0, 0}; // of the instruction in a slot, by operand
    bool is_known_[3] = {};        // which of these
    int slot_of_slopes_ = -1;

    // The derivative of the instruction in a slot with respect to operand k.
    [[nodiscard]] number slope([[maybe_unused]] int slot, const codegen::instruction& i, int k) {
        const numbers v{*this};
        const int a = i.a, b = i.b, c = i.c;
        switch (i.what) {
#define CHAINRULE_FORMULA(NAME, SLOTS, COUNTED, SIGN, TEXT, BY_A, BY_B, BY_C, ...)                                     \
    case opcode::NAME: return k == 0 ? number(BY_A) : k == 1 ? number(BY_B) : number(BY_C);
#define CHAINRULE_OTHER(...)
            CHAINRULE_INSTRUCTIONS(CHAINRULE_FORMULA, CHAINRULE_OTHER)
#undef CHAINRULE_FORMULA
#undef CHAINRULE_OTHER
        case opcode::call: return slopes_of_functions[i.function](v[a], v[slot]);
        case opcode::reload: { // that of the other one of the pair
            const int of = from_.body[static_cast<std::size_t>(slot - from_.constant_count)].a;
            return c == 0 ? v[of + 1] : -v[of - 1];
        }
        default: static_cast<void>(b); return 1;
        }
    }

    void write(const program& steps) {
        constants_ = from_.constants;
        for (int k = 0; k < from_.constant_count; ++k) place_.push_back(-1 - k);
        const int slots = from_.constant_count + from_.size;
        place_.resize(static_cast<std::size_t>(slots));
        tangents_.resize(place_.size() * static_cast<std::size_t>(groups_), none);
        zero_ = constant(0);
        for (int k = 0; k < steps.size; ++k)
            if (const auto tag = codegen::tangent_tag::unpack(steps.tags[k]); tag.computes_tangents)
                write_tangents(codegen::unpack(steps.instructions[k]), tag, steps.moving);
            else
                copy(tag.slot);
    }
    // An instruction of the gradient's program.
    void copy(int slot) {
        codegen::instruction i = from_.body[static_cast<std::size_t>(slot - from_.constant_count)];
        int* const operands[] = {&i.a, &i.b, &i.c};
        for (int o = 0; o < codegen::slots_read(i.what); ++o)
            *operands[o] = place_[static_cast<std::size_t>(*operands[o])];
        body_.push_back(i);
        place_[static_cast<std::size_t>(slot)] = static_cast<int>(body_.size()) - 1;
    }
    void write_tangents(const codegen::instruction& i, const codegen::tangent_tag& tag,
                        const codegen::variable_set* moving) {
        if (tag.slot != slot_of_slopes_) std::fill(std::begin(is_known_), std::end(is_known_), false);
        slot_of_slopes_ = tag.slot;
        const int operands[] = {i.a, i.b, i.c};
        int sum = none;
        for (int o = 0; o < (i.what == opcode::call ? 1 : 3); ++o) { // a call repeats its argument
            if (tag.of[o] == codegen::tangent_kind::zero) continue;
            if (!is_known_[o]) slopes_[o] = slope(tag.slot, i, o);
            is_known_[o] = true;
            const codegen::variable_set lanes = moving[operands[o]] >> tag.group * code::lanes;
            sum = add(sum, slopes_[o], operands[o], tag.group, tag.of[o], static_cast<unsigned>(lanes));
        }
        if (i.what == opcode::output)
            write_row(i.b, tag.group, sum);
        else
            tangents_of(tag.slot, tag.group) = sum;
    }
    [[nodiscard]] int& tangents_of(int slot, int group) {
        return tangents_[static_cast<std::size_t>(slot) * static_cast<std::size_t>(groups_) +
                         static_cast<std::size_t>(group)];
    }

    // Adds a slope times an operand's tangents to a sum, or begins it. Lanes beside the set stay zero, even if the
    // slope is infinite.
    int add(int sum, const number& by, int operand, int group, codegen::tangent_kind kind, unsigned set) {
        const bool one = by.in == nullptr && by.value.as<double>() == 1,
                   minus_one = by.in == nullptr && by.value.as<double>() == -1;
        if (kind != codegen::tangent_kind::unit) {
            const int of = tangents_of(operand, group);
            if (one && sum == none) return of;
            if (one) return on_vectors(opcode::add, sum, of);
            if (minus_one) return sum == none ? on_vectors(opcode::negate, of) : on_vectors(opcode::subtract, sum, of);
            if (kind == codegen::tangent_kind::full && sum != none)
                return by.negative ? on_vectors(opcode::negative_multiply_add, spread(by.slot), of, sum)
                                   : on_vectors(opcode::multiply_add, spread(by.written(*this)), of, sum);
            int product = on_vectors(opcode::multiply, spread(by.written(*this)), of);
            if (kind == codegen::tangent_kind::partial) product = only(product, set);
            return sum == none ? product : on_vectors(opcode::add, sum, product);
        }
        const int slope = by.written(*this);
        for (int l = 0; l < code::lanes; ++l) put(vector_opcode::copy, (set >> l & 1) != 0 ? slope : zero_);
        const int of = put(vector_opcode::gather);
        return sum == none ? of : on_vectors(opcode::add, sum, of);
    }
    int spread(int slot) {
        const auto [found, is_new] = spread_.try_emplace(slot);
        if (is_new) found->second = put(vector_opcode::spread, slot);
        return found->second;
    }
    int only(int vector, unsigned set) {
        int pattern = 0;
        for (int l = 0; l < code::lanes; ++l) pattern |= ((set >> l & 1) != 0 ? l : code::lanes + l) << 3 * l;
        const int zeros = spread(zero_);
        return put(vector_opcode::shuffle, vector, zeros, pattern);
    }
    // The elements of a group.
    void write_row(int row, int group, int elements) {
        if (elements == none && zeros_) return;
        const int first = group * code::lanes, end = std::min(first + code::lanes, columns_);
        const int to = first_ + row * columns_;
        if (end == first + code::lanes) {
            put(vector_opcode::store, elements == none ? spread(zero_) : elements, to + first);
            return;
        }
        for (int column = std::max(first, row); column < end; ++column) {
            const int element = elements == none ? zero_ : put(vector_opcode::lane, elements, column - first);
            put(opcode::output, element, to + column);
        }
    }

    // The program with constants in the first slots.
    [[nodiscard]] code finished() {
        code made;
        made.constant_count = static_cast<int>(constants_.size());
        for (codegen::instruction i : body_) {
            const int count = codegen::slots_read(codegen::vector_operation_of(i));
            int* const operands[] = {&i.a, &i.b, &i.c};
            for (int k = 0; k < count; ++k)
                *operands[k] = *operands[k] < 0 ? -1 - *operands[k] : made.constant_count + *operands[k];
            made.body.push_back(i);
        }
        made.constants = std::move(constants_);
        made.size = static_cast<int>(made.body.size());
        return made;
    }
};
inline constexpr std::array<tangents_in_vectors::slope_of_function, static_cast<std::size_t>(functions::index::count)>
    tangents_in_vectors::slopes_of_functions =
        tangents_in_vectors::all_slopes(std::make_index_sequence<static_cast<std::size_t>(functions::index::count)>{});

} // namespace chainrule::tape
