// SPDX-License-Identifier: BSL-1.0
//
// Keeps the state of a compilation out of object files.
#pragma once

#include <chainrule/core/rooms.hpp>

namespace chainrule::core {

/// The base class of an evaluation that makes a state: the constant that Evaluation::make() returns, in a variable of a
/// function that nothing calls. Without optimisation g++ emits each constant of a class or a namespace whose type has
/// no external linkage, such as that of a lambda; and a state (codegen/saved.hpp) has 45 MB.
template <class Evaluation>
struct unnamed_state {
private:
    static auto hold() {
        static constexpr auto made = Evaluation::make();
        struct holder {
            static constexpr const auto& get() { return made; }
        };
        return holder{};
    }

public:
    [[nodiscard]] static constexpr const auto& state() { return decltype(hold())::get(); }
};

} // namespace chainrule::core
