// SPDX-License-Identifier: BSL-1.0
//
// What an eval is: GradBench's name for a function and its inputs. Each header beside this one has one, a struct with
//   point                  the numbers of differentiation, and members for the rest of the input
//   operator()(x)          the objective, for a list of numbers of any type
//   by_hand(result)        its derivatives as an expert writes them; as are the following, into `result`
//   by_tape(result)        by the tape, where that is not the gradient of the objective
//   by_kernel(result)      by a kernel, a sum or repeated steps, where that is what we advise; false for other sizes.
//                          The bodies of these two are in by_chainrule.cpp and by_kernels.cpp
//   read(in)               an eval whose sizes and numbers are in a stream, in the order of protocol.py
// contestants.hpp and peers/peer.hpp call them.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <istream>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "../workloads/results.hpp"

namespace gradbench {

using numbers = std::vector<double>;

/// Derivatives of an eval by some way, as a function that writes them into a list.
using answering = std::function<void(numbers&)>;

/// The type of the numbers in a list.
template <class List>
using number_of = std::remove_cvref_t<decltype(std::declval<const List&>()[0])>;

inline numbers random_numbers(std::size_t count, double low = 0.0, double high = 1.0) {
    workloads::seeded random(31337);
    numbers result(count);
    for (double& x : result) x = random.between(low, high);
    return result;
}

inline std::size_t read_size(std::istream& in) {
    std::size_t size = 0;
    in >> size;
    return size;
}
inline numbers read_numbers(std::istream& in, std::size_t count) {
    numbers result(count);
    for (double& x : result) in >> x;
    return result;
}

} // namespace gradbench
