// SPDX-License-Identifier: BSL-1.0
//
// Whether two functions have the same program, instruction for instruction: programs are types, and a program's type
// lists its instructions.
#pragma once

#include <chainrule/chainrule.hpp>

#include <type_traits>

namespace {

/// Whether F and G have the same program for a request, such as request::values | request::jacobians.
template <unsigned Request, class F, class G>
constexpr bool same_program(const F&, const G&) {
    return std::is_same_v<typename F::template code<Request>::program, typename G::template code<Request>::program>;
}
/// The same for values, values and first derivatives, second derivatives, and all of them.
template <class F, class G>
constexpr bool same_programs(const F& f, const G& g) {
    using namespace chainrule::request;
    return same_program<values>(f, g) && same_program<(values | jacobians)>(f, g) && same_program<hessians>(f, g) &&
           same_program<(values | jacobians | hessians)>(f, g);
}

} // namespace
