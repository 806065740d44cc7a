// SPDX-License-Identifier: BSL-1.0
// expect: columns: an argument is neither a number nor a range with data() and size(); pass std::vectors, std::arrays, std::spans or Eigen vectors, or column(pointer, n)
#include <chainrule/batch.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
const auto b = cr::batch(cr::function(x * y, cr::wrt(x, y)));

// As a vector of Boost.uBLAS, whose data() is its storage and no pointer.
struct wrapped {
    std::vector<double> storage = std::vector<double>(10);
    const std::vector<double>& data() const { return storage; }
    std::size_t size() const { return storage.size(); }
    const double& operator[](std::size_t i) const { return storage[i]; }
};
const wrapped xs;

#ifdef CHAINRULE_BAD
auto values = b.values(cr::columns(xs, 2.0));
#else
auto values = b.values(cr::columns(cr::column(&xs[0], xs.size()), 2.0));
#endif
