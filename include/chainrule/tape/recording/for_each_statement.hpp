// SPDX-License-Identifier: BSL-1.0
//
// A walk over the statements of a recording.
#pragma once

#include <chainrule/tape/recording/recording.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace chainrule::tape::sweeping {

// The partial derivatives of a block. A list of statements without numbers has its operands in their place.
template <class Block>
[[nodiscard]] const auto* partials_of(const Block& block) {
    if constexpr (requires { block.partials(); })
        return static_cast<const std::remove_pointer_t<decltype(block.partials())>*>(block.partials());
    else
        return static_cast<const index*>(block.operands());
}

/// Calls statement(operands, partials) for every statement, in the order of recording. Operands carry the mark of the
/// last one; 0 is nobody. A Recording is that of a tape, or has as much of its interface as is used here.
template <class Recording, class F>
[[gnu::always_inline]] inline void for_each_statement(const Recording& from, const F& statement) {
    using T = std::remove_cvref_t<decltype(*partials_of(from[0]))>;
    std::vector<index> operands_across; // of a statement that goes on in the next block
    std::vector<T> partials_across;
    for (std::size_t b = 0; b < from.block_count(); ++b) {
        const index* const operands = from[b].operands();
        const T* const partials = partials_of(from[b]);
        const std::size_t size = from.entries(b);
        std::size_t first = 0;
        const auto carry = [&, operands, partials](std::size_t begin, std::size_t end) {
            operands_across.insert(operands_across.end(), operands + begin, operands + end);
            partials_across.insert(partials_across.end(), partials + begin, partials + end);
        };
        for (std::size_t i = 0; i < size; ++i) {
            if ((operands[i] & Recording::last_operand) == 0) continue;
            if (operands_across.empty()) {
                statement(std::span(operands + first, i + 1 - first), partials + first);
            } else {
                carry(first, i + 1);
                statement(std::span<const index>(operands_across), static_cast<const T*>(partials_across.data()));
                operands_across.clear();
                partials_across.clear();
            }
            first = i + 1;
        }
        carry(first, size);
    }
}

} // namespace chainrule::tape::sweeping
