// SPDX-License-Identifier: BSL-1.0
//
// Programs in which packs of instructions (codegen/pack_selection.hpp) are one instruction on vectors: their form,
// which programs with grouped calls share, and how they are written. kernel/emit_vectors.hpp turns them into machine
// code.
#pragma once

#include <chainrule/codegen/pack_selection.hpp>

namespace chainrule::codegen {

/// The operations of packed programs beside those of the table of instructions. `v` are numbers, `w` vectors; a slot
/// has one of each.
enum class vector_opcode : unsigned char {
    arithmetic = 128,     // a formula of the table, on vectors
    load_variables = 192, // the inputs from a on
    load_numbers,         // the stored numbers from a on
    spread,               // v[a] in all lanes
    gather,               // the numbers of as many slots before this one
    shuffle,              // lanes of w[a] and w[b], as c says: three bits for each
    lane,                 // v: lane b of w[a]
    copy,                 // v: v[a]
    store,                // w[a] to the outputs from b on
    calls                 // of codegen/call_groups.hpp: the function of c numbers from v[a] on, in place
};

/// The number of slots that such an instruction reads: the first of a and b. A gather reads those before it.
[[nodiscard]] constexpr int slots_read(vector_opcode what) {
    if (what < vector_opcode::arithmetic) return codegen::slots_read(static_cast<opcode>(what));
    if (what < vector_opcode::load_variables)
        return codegen::slots_read(
            static_cast<opcode>(static_cast<int>(what) - static_cast<int>(vector_opcode::arithmetic)));
    if (what <= vector_opcode::load_numbers || what == vector_opcode::gather) return 0;
    return what == vector_opcode::shuffle ? 2 : 1;
}

[[nodiscard]] constexpr vector_opcode vector_operation_of(const instruction& i) {
    return static_cast<vector_opcode>(i.what);
}
/// Whether the result is a vector.
[[nodiscard]] constexpr bool is_vector(vector_opcode what) {
    return what >= vector_opcode::arithmetic && what != vector_opcode::lane && what != vector_opcode::copy &&
           what != vector_opcode::store && what != vector_opcode::calls;
}

/// A program with these, or none if its size is 0.
template <int Capacity>
struct vector_program {
    int size = 0;
    packed body[static_cast<std::size_t>(Capacity < 1 ? 1 : Capacity)]{};
    const int* address = &core::anchor;

    constexpr vector_program() = default;
    /// None if they do not fit, or if their slots cannot be numbered.
    constexpr vector_program(const core::list<packed>& written, int constants) {
        if (written.count > Capacity || constants + written.count >= 65536) return;
        for (int k = 0; k < written.count; ++k) body[static_cast<std::size_t>(k)] = written.items[k];
        size = written.count;
    }
};

/// Its instructions as template arguments.
template <int Lanes, packed... I>
struct vector_body {};

/// The part of an instruction that its template is an instance for: the operation, the function, and the pattern of a
/// shuffle or the number of calls.
[[nodiscard]] constexpr packed instance_of(packed i) {
    const auto what = static_cast<vector_opcode>(i & 255);
    return what == vector_opcode::shuffle || what == vector_opcode::calls ? i & 0xFFFF00000000FFFFull : i & 65535;
}

/// Writes the packed form of a program.
class vector_packing : public pack_selection {
public:
    using pack_selection::pack_selection;

    /// The instructions of the packed program.
    constexpr const core::list<packed>& write() {
        place_.resize(size_, -1);
        spread_.resize(size_, -1);
        for (int i = 0; i < first_; ++i) place_.items[i] = i;
        next_place_ = first_;
        for (int i = first_; i < size_; ++i) {
            const slot& s = at_.items[i];
            if (s.what == opcode::variable || s.what == opcode::number) continue;
            if (s.what == opcode::output) {
                const int p = pack_of(s.a);
                if (p >= 0 && packs_.items[p].outputs >= 0 && output_of(s.a) == i) {
                    if (--packs_.items[p].stores != 0) continue;
                    demand(-1 - p);
                    emit(vector_opcode::store, 0, packs_.items[p].place, packs_.items[p].outputs, 0);
                    continue;
                }
            }
            const int p = pack_of(i);
            if (p < 0)
                demand(i);
            else if (packs_.items[p].last == i)
                demand(-1 - p);
        }
        return written_;
    }

private:
    int next_place_ = 0;
    core::list<int> place_, spread_;
    core::list<packed> written_;

    constexpr int emit(opcode what, unsigned char function, int a, int b, int c) {
        written_.push_back(pack(instruction{what, function, a, b, c}));
        return next_place_++;
    }
    constexpr int emit(vector_opcode what, unsigned char function, int a, int b, int c) {
        return emit(static_cast<opcode>(what), function, a, b, c);
    }

    // Whether a slot, or the pack -1 - i, has a place; else it is demanded first.
    constexpr bool placed(int i) {
        if ((i >= 0 ? place_.items[i] : packs_.items[-1 - i].place) >= 0) return true;
        stack_.push_back(i);
        return false;
    }
    constexpr void demand(int what) {
        stack_.truncate(0);
        (void)placed(what);
        while (stack_.count != 0) {
            const int i = stack_.back();
            const int before = stack_.count;
            if ((i >= 0 ? place_.items[i] : packs_.items[-1 - i].place) >= 0) {
                --stack_.count;
                continue;
            }
            if (i >= 0)
                demand_operands(i);
            else
                demand_operands(packs_.items[-1 - i]);
            if (stack_.count != before) continue;
            --stack_.count;
            if (i >= 0)
                place_.items[i] = emit_slot(i);
            else
                packs_.items[-1 - i].place = emit_pack(packs_.items[-1 - i]);
        }
    }
    constexpr void demand_operands(int i) {
        const slot& s = at_.items[i];
        if (pack_of(i) >= 0) {
            (void)placed(-1 - pack_of(i));
            return;
        }
        if (s.operands > 2) (void)placed(s.c);
        if (s.operands > 1) (void)placed(s.b);
        if (s.operands > 0) (void)placed(s.a);
    }
    constexpr void demand_operands(const pack_state& p) {
        for (int k = at_.items[p.lane[0]].operands - 1; k >= 0; --k) {
            const operand o = find_operand(p, k);
            if (o.from == source::same_pack || o.from == source::shuffle) (void)placed(-1 - o.first);
            if (o.from == source::shuffle) (void)placed(-1 - o.second);
            if (o.from == source::spread) (void)placed(o.first);
            if (o.from == source::gather)
                for (int l = lanes_ - 1; l >= 0; --l) (void)placed(operand_of(p.lane[l], k));
        }
    }
    constexpr int emit_slot(int i) {
        const slot& s = at_.items[i];
        if (const int p = pack_of(i); p >= 0)
            return emit(vector_opcode::lane, 0, packs_.items[p].place, lane_of(p, i), 0);
        return emit(s.what, s.function, s.operands > 0 ? place_.items[s.a] : s.a,
                    s.operands > 1 ? place_.items[s.b] : s.b, s.operands > 2 ? place_.items[s.c] : s.c);
    }
    constexpr int emit_pack(const pack_state& p) {
        const slot& s = at_.items[p.lane[0]];
        int w[3]{};
        for (int k = 0; k < s.operands; ++k) w[k] = emit_operand(p, k);
        return emit(static_cast<opcode>(static_cast<int>(vector_opcode::arithmetic) + static_cast<int>(s.what)), 0,
                    w[0], w[1], w[2]);
    }
    constexpr int emit_operand(const pack_state& p, int k) {
        const operand o = find_operand(p, k);
        switch (o.from) {
        case source::same_pack: return packs_.items[o.first].place;
        case source::spread:
            if (spread_.items[o.first] < 0)
                spread_.items[o.first] = emit(vector_opcode::spread, 0, place_.items[o.first], 0, 0);
            return spread_.items[o.first];
        case source::variables: return emit(vector_opcode::load_variables, 0, o.first, 0, 0);
        case source::numbers: return emit(vector_opcode::load_numbers, 0, o.first, 0, 0);
        case source::shuffle:
            return emit(vector_opcode::shuffle, 0, packs_.items[o.first].place, packs_.items[o.second].place,
                        o.pattern);
        case source::constants:
        case source::gather:
            for (int l = 0; l < lanes_; ++l) emit(vector_opcode::copy, 0, place_.items[operand_of(p.lane[l], k)], 0, 0);
            return emit(vector_opcode::gather, 0, 0, 0, 0);
        }
        return 0;
    }
};

/// A program packed for vectors of so many lanes.
template <int Capacity>
[[nodiscard]] constexpr vector_program<Capacity> pack_into_vectors(int lanes, const packed* body, int size,
                                                                   int constants) {
    vector_packing packing(lanes, body, size, constants);
    if (!packing.find()) return {};
    return vector_program<Capacity>(packing.write(), constants);
}

} // namespace chainrule::codegen
