// SPDX-License-Identifier: BSL-1.0
// expect: residuals: the data come in chunks, and results of single rows have no place; write them chunk by chunk, or use gauss_newton(...)
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/residuals.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto q = cr::variables<"q", 3>;
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
#include <chainrule/batch/chunks.hpp>
const std::array<decltype(cr::over(x = xs)), 1> chunks = {cr::over(x = xs)};
std::vector<double> to(10);
void write() { cr::residuals(a * x, cr::over_chunks(chunks), cr::wrt(a)).values(std::array{1.0}, to); }
#else
std::vector<double> to(10);
void write() { cr::residuals(a * x, cr::over(x = xs), cr::wrt(a)).values(std::array{1.0}, to); }
#endif
