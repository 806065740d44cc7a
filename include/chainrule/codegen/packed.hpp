// SPDX-License-Identifier: BSL-1.0
//
// A program as template arguments: an instruction is one integer, a constant is its words.
#pragma once

#include <chainrule/codegen/code.hpp>
#include <chainrule/core/step.hpp>
#include <chainrule/graph/words.hpp>

#include <concepts>
#include <cstdint>

namespace chainrule::codegen {

using packed = std::uint64_t;

/// One instruction in 64 bits: operation, function, and three 16-bit slots.
[[nodiscard]] constexpr packed pack(const codegen::instruction& i) {
    return static_cast<packed>(i.what) | static_cast<packed>(i.function) << 8 | static_cast<packed>(i.a) << 16 |
           static_cast<packed>(i.b) << 32 | static_cast<packed>(i.c) << 48;
}
[[nodiscard]] constexpr codegen::instruction unpack(packed p) {
    return {static_cast<codegen::opcode>(p & 255), static_cast<unsigned char>(p >> 8 & 255),
            static_cast<int>(p >> 16 & 65535), static_cast<int>(p >> 32 & 65535), static_cast<int>(p >> 48)};
}

/// A program that is made at run time does not pack its instructions.
[[nodiscard]] constexpr const codegen::instruction& unpack(const codegen::instruction& i) { return i; }

/// A constant as template arguments: its words.
template <core::integer... Words>
struct constant_slot {
    template <class T>
    CHAINRULE_STEP static constexpr T as() {
        if constexpr (core::coefficient::has_many_digits<T>) {
            return value().template as<T>();
        } else {
            // Left to run time, clang would divide numerators by denominators for every register of lanes.
            constexpr auto number = value().template as<typename core::coefficient::made_from<T>::type>();
            return static_cast<T>(number);
        }
    }

private:
    static constexpr core::coefficient value() {
        constexpr core::integer words[] = {Words...};
        return graph::words_of<core::coefficient>::get(words);
    }
};

template <class... Constants>
struct constant_slots {};
/// `Relaxed`: all outputs are, so calls may be made together.
template <int PairPlaces, bool Conditional, bool Relaxed, packed... I>
struct instructions {};

/// A program, which kernel/emit.hpp defines and turns into machine code. Its constants occupy the first slots. `Own`
/// are the custom functions.
template <class Constants, class Instructions, class Own>
struct packed_program;

} // namespace chainrule::codegen
