// SPDX-License-Identifier: BSL-1.0
// expect: columns: the accessor of a std::mdspan computes its numbers, which are thus not in memory; copy them, or pass a std::mdspan with the default accessor
#include <chainrule/batch.hpp>
#include <cstddef>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
const std::vector<double> xs(10);

template <class Reference, std::size_t Rank>
struct span {
    using reference = Reference;
    static constexpr std::size_t rank() { return Rank; }
    const double* data_handle() const { return xs.data(); }
    std::size_t extent(std::size_t d) const { return d == 0 ? 5 : 2; }
    std::size_t stride(std::size_t d) const { return d == 0 ? 2 : 1; }
};
[[maybe_unused]] constexpr span<const double&, 1> one{};
[[maybe_unused]] constexpr span<double, 1> computed{};

#ifdef CHAINRULE_BAD
auto all = cr::sum(x, cr::over(x = computed));
#else
auto all = cr::sum(x, cr::over(x = one));
#endif
