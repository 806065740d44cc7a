// SPDX-License-Identifier: BSL-1.0
//
// Programs that are made at run time, with instructions on vectors (codegen/vectors.hpp).
#pragma once

#include <chainrule/codegen/unpacked_program.hpp>
#include <chainrule/codegen/vectors.hpp>

#include <vector>

namespace chainrule::codegen {

/// A program with instructions of codegen/vectors.hpp, or none if its size is 0. Compilers split vectors that are
/// longer than those of the processor.
struct unpacked_vector_program : unpacked_program {
    enum : int { lanes = 4 };
};

/// The instructions of a program that codegen/packs.hpp reads: none if their slots cannot be numbered in 16 bits.
[[nodiscard]] inline std::vector<packed> packed_instructions(const unpacked_program& p) {
    std::vector<packed> body;
    if (p.constant_count + p.size >= 65536) return body;
    body.reserve(p.body.size());
    for (const instruction& i : p.body) body.push_back(pack(i));
    return body;
}

/// The longest program that is packed at run time: the search takes some microseconds for each instruction.
inline constexpr int most_instructions_packed_now = 20000;

/// The program with equal parts on vectors, if there are enough of them.
[[nodiscard]] inline unpacked_vector_program packed_now(const unpacked_program& p) {
    unpacked_vector_program made;
    if (p.size < fewest_instructions_packed || p.size > most_instructions_packed_now) return made;
    const std::vector<packed> body = packed_instructions(p);
    vector_packing packing(unpacked_vector_program::lanes, body.data(), static_cast<int>(body.size()),
                           p.constant_count);
    if (body.empty() || !packing.find()) return made;
    const core::list<packed>& written = packing.write();
    if (p.constant_count + written.count >= 65536) return made;
    static_cast<unpacked_program&>(made) = p;
    made.body.clear();
    for (int k = 0; k < written.count; ++k) made.body.push_back(unpack(written.items[k]));
    made.size = written.count;
    return made;
}

} // namespace chainrule::codegen
