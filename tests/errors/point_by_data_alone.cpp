// SPDX-License-Identifier: BSL-1.0
// expect: function: an argument is neither a number nor a range of numbers with begin() and end(); pass numbers, or a std::array, std::span or std::vector of them
#include <chainrule/chainrule.hpp>

#include <cstddef>
#include <span>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(x * y, cr::wrt(x, y));

// Whether its elements follow one another, nobody knows.
struct column {
    const double* first;
    const double* data() const { return first; }
    std::size_t size() const { return 2; }
};

#ifdef CHAINRULE_BAD
double value_at(const column& c) { return F.gradient(c)[0]; }
#else
double value_at(const column& c) { return F.gradient(std::span(c.data(), c.size()))[0]; }
#endif
