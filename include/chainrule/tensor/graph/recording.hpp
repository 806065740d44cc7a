// SPDX-License-Identifier: BSL-1.0
//
// The recording switch (no_grad), the flags for the values that a derivative reads, and gradient_error.
#pragma once

#include <chainrule/tensor/storage/extents.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace chainrule::tensor {

/// Thrown if a gradient cannot be computed. Nothing has changed when it is thrown.
class gradient_error : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// The element types of tensors: numbers and bool. Only floating-point tensors have gradients.
template <class T>
concept arithmetic = std::is_arithmetic_v<T>;

namespace graph {

/// The values that the derivative of an operation reads: argument k (bit k) and the result.
using values_read = std::uint32_t;
namespace reading {
inline constexpr values_read nothing = 0;
inline constexpr values_read first = 1;
inline constexpr values_read second = 2;
inline constexpr values_read result = values_read{1} << 31;
} // namespace reading
/// Whether a derivative reads argument k. Operations of any number of arguments read none.
[[nodiscard]] constexpr bool reads_argument(values_read reads, std::size_t k) {
    return reads != reading::nothing && (reads >> k & 1) != 0;
}

/// Whether operations of this thread are recorded: see no_grad.
inline thread_local constinit bool recording = true;

} // namespace graph

/// While a no_grad lives, operations of this thread are not recorded, and leaves that collect gradients may be changed
/// in place. Example: `{ no_grad guard; weights -= rate * weights.grad(); }`
class no_grad {
public:
    no_grad() noexcept : before_(std::exchange(graph::recording, false)) {}
    no_grad(const no_grad&) = delete;
    no_grad& operator=(const no_grad&) = delete;
    ~no_grad() { graph::recording = before_; }

private:
    bool before_;
};

} // namespace chainrule::tensor
