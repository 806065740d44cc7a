// SPDX-License-Identifier: BSL-1.0
// expect: columns: a std::mdspan that is a column must have rank 1; pass columns(m) or rows(m) for a matrix of rank 2
#include <chainrule/batch.hpp>
#include <cstddef>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
const std::vector<double> xs(10);

struct span {
    static constexpr std::size_t rank() { return 2; }
    const double* data_handle() const { return xs.data(); }
    std::size_t extent(std::size_t d) const { return d == 0 ? 10 : 1; }
    std::size_t stride(std::size_t) const { return 1; }
};
constexpr span matrix{};
const auto b = cr::batch(cr::function(x * x, cr::wrt(x)));

#ifdef CHAINRULE_BAD
auto values = b.values(cr::columns(x = matrix));
#else
auto values = b.values(cr::columns(matrix));
#endif
