// SPDX-License-Identifier: BSL-1.0
//
// Products and sparse derivatives by chainrule's kernels. What has thousands of variables is a loop around the kernel
// of a term, which adds its Hessian to the places of its variables; data are summed in SIMD lanes.
#include <chainrule/batch/sum.hpp>
#include <chainrule/chainrule.hpp>

#include <new>

#include "contestant.hpp"

namespace second_order {
namespace {

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto alone = "chainrule compile-time", in_a_loop = "chainrule compile-time and a loop";

template <class Problem>
struct kernel_or_loop;

constexpr auto u = cr::variable<"u">;
constexpr auto v = cr::variable<"v">;
constexpr auto valley = cr::function(100_c * square(v - u * u) + square(1_c - u), cr::wrt(u, v));

template <>
struct kernel_or_loop<rosenbrock_product> {
    static constexpr auto name = in_a_loop;
    numbers x = rosenbrock_product::at(), along = rosenbrock_product::direction(), product = numbers(x.size());

    void compute() {
        double carried = 0.0;
        for (std::size_t i = 0; i + 1 < x.size(); ++i) {
            const auto its = valley.hvp(std::array{x[i], x[i + 1]}, std::array{along[i], along[i + 1]});
            product[i] = carried + its[0];
            carried = its[1];
        }
        product.back() = carried;
    }
    [[nodiscard]] bench::answer answer() const { return product_answer(product); }
};

template <>
struct kernel_or_loop<logistic_regression_product> {
    static constexpr auto name = alone;
    using workload = workloads::logistic_regression;
    static constexpr auto w = cr::variables<"w", workload::weights>;
    static constexpr auto x = cr::variables<"x", workload::weights>;
    static constexpr auto label = cr::variable<"label">;
    static constexpr auto loss = workload::loss<workloads::expressions>(1_c, label, dot(w, x));
    workloads::point<workload::weights> at = workload::at, along{}, product{};

    kernel_or_loop() {
        const numbers direction = logistic_regression_product::direction();
        std::copy(direction.begin(), direction.end(), along.begin());
    }
    void compute() {
        const auto& seen = given<workload>;
        product = cr::mean(loss, cr::over(x = seen.x, label = seen.label), cr::wrt(w)).hvp(at, along);
    }
    [[nodiscard]] bench::answer answer() const { return product_answer(product); }
};

template <>
struct kernel_or_loop<rosenbrock_sparse<50>> {
    static constexpr auto name = alone;
    static constexpr auto function = workloads::rosenbrock_of<50>::function();
    std::array<double, 50> x;
    std::array<double, function.hessian_sparsity().size()> entries{};

    kernel_or_loop() {
        const numbers at = rosenbrock_sparse<50>::at();
        std::copy(at.begin(), at.end(), x.begin());
    }
    void compute() { ::new (&entries) auto(function.sparse_hessian(x)); }
    [[nodiscard]] bench::answer answer() const {
        return sparse_answer<rosenbrock_sparse<50>>(entries_of(function.hessian_sparsity(), entries));
    }
};

/// The lower triangle row by row: in each row the entry beside the diagonal, then the diagonal.
template <std::size_t N>
requires(N > 50)
struct kernel_or_loop<rosenbrock_sparse<N>> {
    static constexpr auto name = in_a_loop;
    numbers x = rosenbrock_sparse<N>::at(), entries = numbers(2 * N - 1);

    void compute() {
        double carried = 0.0;
        double* to = entries.data();
        for (std::size_t i = 0; i + 1 < N; ++i) {
            const auto its = valley.hessian(x[i], x[i + 1]);
            *to++ = carried + its[0][0];
            *to++ = its[1][0];
            carried = its[1][1];
        }
        *to = carried;
    }
    [[nodiscard]] bench::answer answer() const { return {entries, 0, 1}; }
};

/// The lower triangle, of each point four places: by the points below it, below and to the right, to the left, itself.
template <>
struct kernel_or_loop<minimal_surface> {
    static constexpr auto name = in_a_loop;
    static constexpr std::size_t side = minimal_surface::side;
    static constexpr auto triangle = cr::function([](auto corner, auto p, auto q) {
        constexpr double scale = minimal_surface::over_width_squared;
        return 0.5 / scale * sqrt(1.0 + scale * (square(p - corner) + square(q - corner)));
    });
    numbers x = minimal_surface::at(), entries = numbers(4 * side * side);

    void compute() {
        std::fill(entries.begin(), entries.end(), 0.0);
        // The entries of a triangle, where those beside the diagonal belong to the later of each pair.
        const auto add = [](const auto& its, double* c, double* a, double* b, double* by_a, double* by_b,
                            double* both) {
            *c += its[0][0];
            *a += its[1][1];
            *b += its[2][2];
            *by_a += its[1][0];
            *by_b += its[2][0];
            *both += its[2][1];
        };
        for (std::size_t i = 0; i + 1 < side; ++i)
            for (std::size_t j = 0; j + 1 < side; ++j) {
                const std::size_t k = i * side + j;
                double* const here = entries.data() + 4 * k;
                double* const right = here + 4;
                double* const above = here + 4 * side;
                double* const across = above + 4;
                add(triangle.hessian(x[k], x[k + 1], x[k + side]), here + 3, right + 3, above + 3, right + 2, above + 0,
                    above + 1);
                add(triangle.hessian(x[k + side + 1], x[k + side], x[k + 1]), across + 3, above + 3, right + 3,
                    across + 2, across + 0, above + 1);
            }
    }
    [[nodiscard]] bench::answer answer() const { return surface_answer(entries); }
};

template <>
struct kernel_or_loop<bratu<8>> {
    static constexpr auto name = alone;
    static constexpr auto function = cr::function<64>([](const auto& all) {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return std::array{bratu<8>::equation_of(all, K / 8, K % 8)...};
        }(std::make_index_sequence<64>{});
    });
    std::array<double, 64> x;
    std::array<double, function.jacobian_sparsity().columns.size()> entries{};

    kernel_or_loop() {
        const numbers at = bratu<8>::at();
        std::copy(at.begin(), at.end(), x.begin());
    }
    void compute() { ::new (&entries) auto(function.sparse_jacobian(x)); }
    [[nodiscard]] bench::answer answer() const { return {{entries.begin(), entries.end()}, 0, 1}; }
};

/// Row by row, as in compressed rows: above, left, itself, right, below.
template <>
struct kernel_or_loop<bratu<50>> {
    static constexpr auto name = in_a_loop;
    static constexpr std::size_t side = 50;
    static constexpr auto equation = cr::function<5>([](const auto& all) {
        const auto& [above, left, here, right, below] = all;
        return 4.0 * here - bratu<50>::width_squared * exp(here) - above - left - right - below;
    });
    numbers x = bratu<50>::at(), entries = numbers(5 * side * side - 4 * side);

    void compute() {
        double* to = entries.data();
        for (std::size_t i = 0; i < side; ++i)
            for (std::size_t j = 0; j < side; ++j) {
                // The border is zero, and no variable.
                const std::size_t k = i * side + j;
                const bool has[] = {i > 0, j > 0, true, j + 1 < side, i + 1 < side};
                const auto its = equation.gradient(has[0] ? x[k - side] : 0.0, has[1] ? x[k - 1] : 0.0, x[k],
                                                   has[3] ? x[k + 1] : 0.0, has[4] ? x[k + side] : 0.0);
                for (std::size_t l = 0; l < 5; ++l)
                    if (has[l]) *to++ = its[l];
            }
    }
    [[nodiscard]] bench::answer answer() const { return {entries, 0, 1}; }
};

} // namespace

contestant loops() { return contestant_of<kernel_or_loop>(); }

} // namespace second_order
