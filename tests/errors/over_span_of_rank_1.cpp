// SPDX-License-Identifier: BSL-1.0
// expect: over: a std::mdspan of another rank than 2 is no matrix; bind one whose rows are those of the data
#include <chainrule/batch.hpp>
#include <cstddef>
#include <vector>

namespace cr = chainrule;
constexpr auto w = cr::variables<"w", 2>;
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
[[maybe_unused]] constexpr span<const double&, 2> two{};

#ifdef CHAINRULE_BAD
auto all = cr::sum(squared_norm(w), cr::over(w = one));
#else
auto all = cr::sum(squared_norm(w), cr::over(w = two));
#endif
