// SPDX-License-Identifier: BSL-1.0
//
// Each request of a function, and other code that kernels are made of, in a kernel of its own. What a device cannot
// run, clang refuses to compile for it, and nvcc turns into a trap or leaves out: check.cmake compiles this without a
// GPU, and run_requests.cu compares the device's answers with the processor's.
#include <chainrule/chainrule.hpp>
#include <chainrule/custom_function.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/fixed_matrix.hpp>

#include <array>
#include <span>
#include <tuple>
#include <type_traits>

namespace cr = chainrule;
using namespace cr::literals;

namespace requests {

constexpr int inputs = 4, most_outputs = 64;

/// Where a case writes its results. It is given four numbers between 0.2 and 0.9.
class results {
public:
    __host__ __device__ explicit results(double* next) : next_(next) {}
    template <class T>
    __host__ __device__ void operator()(const T& result) {
        if constexpr (std::is_arithmetic_v<T>)
            *next_++ = static_cast<double>(result);
        else
            for (const auto& each : result) (*this)(each);
    }

private:
    double* next_;
};

template <class Case>
__global__ void on_device(const double* at, double* out) {
    const int i = static_cast<int>(threadIdx.x);
    results to(out + most_outputs * i);
    Case::run(at + inputs * i, to);
}

#define VARIABLES                                                                                                      \
    constexpr auto x = cr::variable<"x">;                                                                              \
    constexpr auto y = cr::variable<"y">;                                                                              \
    constexpr auto z = cr::variable<"z">;
#if !defined(REGISTER_CASE) // what run_requests.cu does with each
#define REGISTER_CASE(NAME)
#endif
#define CASE(NAME)                                                                                                     \
    struct NAME {                                                                                                      \
        __host__ __device__ static void run(const double* at, results& out);                                           \
    };                                                                                                                 \
    template __global__ void on_device<NAME>(const double*, double*);                                                  \
    REGISTER_CASE(NAME)                                                                                                \
    __host__ __device__ inline void NAME::run([[maybe_unused]] const double* at, results& out)

// (clang takes the deduction guide in std::array{...} for the host's.)
template <std::size_t Size>
using numbers = std::array<double, Size>;

constexpr auto energy = [](const auto& x, const auto& y, const auto& z) {
    const auto inverse = 1 / (x * x + y * y + z * z);
    return exp(-x * y) * inverse + sin(z) * pow(y, 3) - sqrt(inverse);
};
constexpr auto rows = [](const auto& x, const auto& y, const auto& z) {
    return std::array{x * y + cos(z), exp(x) / z, y * y * sin(x), z + log(y)};
};

// Functions as arguments of kernels
template <class F>
__global__ void gradient_of_argument(F f, const double* at, double* out) {
    const auto g = f.gradient(at[0], at[1], at[2]);
    for (std::size_t i = 0; i < g.size(); ++i) out[i] = g[i];
}
struct wave { // nvcc takes no lambda of the host in the type of such an argument
    template <class T>
    constexpr T operator()(T x, T y, T z) const {
        return sin(x * y) * exp(-z);
    }
};
// Not in the template below: what nvcc writes for it names the types before the function that makes them.
namespace arguments {
VARIABLES
constexpr auto w = cr::variable<"w">;
constexpr auto without_numbers = cr::function(sin(x * y) * exp(-z), cr::wrt(x, y, z));
constexpr auto of_code = cr::function(wave{});
constexpr auto with_parameter = cr::function(w * sin(x * y) * exp(-z), cr::wrt(x, y, z), cr::given(w = 0.75));
constexpr auto with_number = cr::function(1.25 * x * y * z, cr::wrt(x, y, z));
} // namespace arguments
/// Calls visit(F, next) for each, with room for its gradient, and returns the end.
template <class Visitor>
double* for_each_argument(double* next, Visitor visit) {
    const auto one = [&](const auto& f) { visit(f, next), next += 3; };
    one(arguments::without_numbers);
    one(arguments::of_code);
    one(arguments::with_parameter);
    one(arguments::with_number);
    return next;
}
inline double* pass_arguments(const double* at, double* out) {
    return for_each_argument(
        out, [&](const auto& f, double* next) { gradient_of_argument<<<1, 1>>>(f, at, next); });
}

// Functions of several values
CASE(values) {
    constexpr auto F = cr::function(rows);
    out(F(at[0], at[1], at[2]));
}
CASE(jacobian) {
    constexpr auto F = cr::function(rows);
    out(F.jacobian(at[0], at[1], at[2]));
}
CASE(value_and_jacobian) {
    constexpr auto F = cr::function(rows);
    const auto all = F.value_and_jacobian(at[0], at[1], at[2]);
    out(all.values);
    out(all.jacobian);
}
CASE(sparse_jacobian) {
    constexpr auto F = cr::function(rows);
    out(F.sparse_jacobian(at[0], at[1], at[2]));
}
CASE(products_with_a_jacobian) {
    constexpr auto F = cr::function(rows);
    const numbers<3> point{at[0], at[1], at[2]}, direction{at[3], 0.5, -1.0};
    out(F.jvp(point, direction));
    out(F.vjp(point, numbers<4>{at[3], 0.5, -1.0, 2.0}));
}
CASE(weighted_hessian) {
    constexpr auto F = cr::function(rows);
    const numbers<3> point{at[0], at[1], at[2]};
    const numbers<4> weights{at[3], 0.5, -1.0, 2.0};
    out(F.lagrangian_hessian(point, weights));
    out(F.sparse_lagrangian_hessian(point, weights));
}

// Functions of one value
CASE(value) {
    constexpr auto F = cr::function(energy);
    out(F(at[0], at[1], at[2]));
}
CASE(gradient) {
    constexpr auto F = cr::function(energy);
    out(F.gradient(at[0], at[1], at[2]));
}
CASE(hessian) {
    constexpr auto F = cr::function(energy);
    out(F.hessian(at[0], at[1], at[2]));
}
CASE(value_gradient_and_hessian) {
    constexpr auto F = cr::function(energy);
    const auto all = F.value_gradient_and_hessian(at[0], at[1], at[2]);
    out(all.value);
    out(all.gradient);
    out(all.hessian);
}
CASE(sparse_hessian) {
    constexpr auto F = cr::function<4>([](const auto& x) { return x[0] * sin(x[1]) + exp(x[2] * x[3]) + x[0] * x[0]; });
    out(F.sparse_hessian(numbers<4>{at[0], at[1], at[2], at[3]}));
}
CASE(hessian_product) {
    constexpr auto F = cr::function(energy);
    out(F.hvp(numbers<3>{at[0], at[1], at[2]}, numbers<3>{at[3], 0.5, -1.0}));
}
CASE(third_derivatives) {
    constexpr auto F = cr::function(energy);
    out(F.third_derivatives(at[0], at[1], at[2]));
}
CASE(hessian_of_seven) {
    constexpr auto F = cr::function<7>([](const auto& x) {
        auto sum = 0.0 * x[0];
        for (std::size_t i = 0; i < 6; ++i) sum += sin(x[i]) * x[i + 1] * x[(i + 3) % 7];
        return sum;
    });
    out(F.hessian(numbers<7>{at[0], at[1], at[2], at[3], 0.5, 0.7, 0.3}));
}
CASE(points_in_spans) {
    constexpr auto F = cr::function(energy);
    const std::span<const double> point(at, 3), direction(at + 1, 3);
    out(F.gradient(point));
    out(F.hvp(point, direction));
}
CASE(single_precision) {
    constexpr auto F = cr::function(energy);
    const auto f = [&](int i) { return static_cast<float>(at[i]); };
    out(F.hessian(f(0), f(1), f(2)));
    out(F.gradient(f(0), f(1), f(2)));
}

// Expressions
CASE(by_name) {
    VARIABLES
    constexpr auto f = log(x) + x * y - sin(y * z);
    out(f(x = at[0], y = at[1], z = at[2]));
    const auto g = cr::gradient(f)(x = at[0], y = at[1], z = at[2]);
    out(g[x] + 2 * g[y] + 3 * g[z]);
    const auto h = cr::hessian(f)(x = at[0], y = at[1], z = at[2]);
    out(h(x, y) + 2 * h(y, z) + 3 * h(z, z));
}
CASE(taylor_coefficients) {
    constexpr auto x = cr::variable<"x">;
    constexpr auto y = cr::variable<"y">;
    out(cr::taylor<4>(exp(x) * sin(x * y), x)(x = at[0], y = at[1]));
}
CASE(parameters) {
    VARIABLES
    constexpr auto fixed = cr::function(x * exp(-z * y), cr::wrt(x, y), cr::given(z = 0.5));
    auto F = fixed;
    F.set(z = at[2]);
    out(F.gradient(at[0], at[1]));
}
CASE(conditionals) {
    VARIABLES
    constexpr auto f = select(x < y, sin(x) * y, cr::piecewise(z < 0.5, x * z, y * y));
    constexpr auto F = cr::function(f + abs(x - z) + max(y, z) + clamp(x, 0.3, 0.6), cr::wrt(x, y, z));
    out(F.value_and_gradient(at[0], at[1], at[2]).gradient);
    out(F(at[0], at[1], at[2]));
}
CASE(vectors_and_matrices) {
    VARIABLES
    constexpr auto v = cr::vector(x, y, z);
    constexpr auto A = cr::matrix(cr::vector(2_c + x, y), cr::vector(z, 3_c));
    constexpr auto F = cr::function(
        norm(v) + dot(v, cross(v, cr::vector(y, z, x))) + determinant(A) + inverse(A)[0_c][1_c], cr::wrt(x, y, z));
    out(F.gradient(at[0], at[1], at[2]));
}
CASE(functions_of_the_table) {
    VARIABLES
    constexpr auto f = exp(x) + expm1(x) + log1p(y) + cbrt(z) + hypot(x, y) + atan2(y, z) + tanh(x) + asin(y / 2) +
                       erf(z) + normal_cdf(x) + sigmoid(y) + softplus(z) + pow(x, y) + lgamma(1 + x) * 0 +
                       tgamma(1 + y) * 0 + sinpi(x) + cospi(y) + exp2(z) + log10(x) + log2(y) + acosh(1 + z) + sinc(x) +
                       xlogy(x, y) + log_sum_exp(x, z) + tan(x) + erfc(y) + erfcx(z) + fma(x, y, z) + lerp(x, y, z) +
                       floor(3 * x) + remainder(5 * y, z) + copysign(x, -y) + ldexp(x, 3) + pow(x, -3) + sqrt(y) +
                       acos(z / 2);
    constexpr auto F = cr::function(f, cr::wrt(x, y, z));
    out(F(at[0], at[1], at[2]));
    constexpr auto smooth = cr::function(exp(x) * erf(y) + atan2(y, z) * tanh(x * z) + pow(x, y) + log_sum_exp(x, z) +
                                             softplus(y * z) + hypot(x, y, z) + sinc(x * y),
                                         cr::wrt(x, y, z));
    out(smooth.gradient(at[0], at[1], at[2]));
}
CASE(numbers_in_expressions) {
    VARIABLES
    const float weight = static_cast<float>(at[3]);
    constexpr auto F = cr::function(0.25 * x + sin(1.5 * y) - z / 3, cr::wrt(x, y, z));
    out(F.value_and_gradient(at[0], at[1], at[2]).gradient);
    out(F(at[0], at[1], at[2]));
    out(cr::function(at[3] * x * y, cr::wrt(x, y)).gradient(at[0], at[1]));
    out(cr::function(cr::vector(weight * x, y * weight), cr::wrt(x, y)).jacobian(0.5f, 0.25f));
    out((at[3] * x + 0.5)(x = at[0]));
}
CASE(vectors_of_parameters) {
    constexpr auto v = cr::variables<"v", 3>;
    constexpr auto w = cr::variables<"w", 3>;
    auto F = cr::function(sin(dot(v, w)) + dot(v, v) * w[1_c], cr::wrt(v), cr::given(w = numbers<3>{1, 2, 3}));
    out(F.gradient(numbers<3>{at[0], at[1], at[2]}));
    F.set(w = numbers<3>{at[3], at[2], at[1]});
    out(F.hessian(numbers<3>{at[0], at[1], at[2]}));
}
CASE(rewritten_expressions) {
    VARIABLES
    out(simplify(x * y * z / x + pow(sqrt(y), 2_c))(x = at[0], y = at[1], z = at[2]));
    out(expand((x + y) * (x - z))(x = at[0], y = at[1], z = at[2]));
    out(implicit_derivative(x * x + y * y * z - 1_c, y, x)(x = at[0], y = at[1], z = at[2]));
}
CASE(rotations) {
    VARIABLES
    constexpr auto F = cr::function(rotate(cr::vector(x, y, z), cr::vector(z, x, y)), cr::wrt(x, y, z));
    out(F.jacobian(at[0], at[1], at[2]));
}
CASE(relaxed_values) {
    VARIABLES
    constexpr auto F = cr::function(cr::relaxed(x / z + y / z + x * y / (x + y)), cr::wrt(x, y, z));
    out(F(at[0], at[1], at[2]));
}

// Traced code
CASE(loops) {
    constexpr auto F = cr::function<4>([](const auto& x) {
        auto sum = x[0];
        for (int i = 0; i < 10; ++i) sum = sin(sum) * x[1] + x[2] * sum;
        return sum + x[3];
    });
    out(F.gradient(numbers<4>{at[0], at[1], at[2], at[3]}));
}
CASE(branches) {
    constexpr auto F = cr::function([](auto x, auto y) {
        return select(x < y && x > 0.3, x * exp(y), select(!(y > 0.5) || x > 0.8, y / x, x * y * y));
    });
    out(F.gradient(at[0], at[1]));
}
struct line_through_points {
    template <class T>
    constexpr bool operator()(const T* line, const T* point, T* residual) const {
        residual[0] = line[0] + line[1] * sin(point[0]) - point[1];
        return true;
    }
};
CASE(pointers) {
    constexpr auto F = cr::function<cr::inputs<2, 2>>(line_through_points{});
    out(F.jacobian(at[0], at[1], at[2], at[3]));
}
template <class T>
struct state {
    std::array<T, 2> position;
    T mass;
};
CASE(numbers_of_structs) {
    constexpr auto F =
        cr::function<state<double>>([](const auto& s) { return s.mass * sin(s.position[0]) * s.position[1]; });
    const auto g = F.gradient(state<double>{{at[0], at[1]}, at[2]});
    out(g.position);
    out(g.mass);
}
template <class T>
using two_by_two = cr::fixed_matrix<T, 2, 2>;
template <class T>
struct pulse {
    T amplitude, width;
};
CASE(several_structs) {
    constexpr auto F = cr::function<state<double>, pulse<double>>([](const auto& s, const auto& p) {
        return s.mass * sin(s.position[0] * p.width) * s.position[1] + p.amplitude / p.width;
    });
    const state<double> s{{at[0], at[1]}, at[2]};
    const pulse<double> p{at[3], at[0]};
    const auto [value, gradient] = F.value_and_gradient(s, p);
    out(value);
    out(std::get<0>(gradient).position);
    out(std::get<0>(gradient).mass);
    out(std::get<1>(gradient).amplitude);
    out(std::get<1>(gradient).width);
    const auto point = std::make_tuple(s, p);
    const auto direction = std::make_tuple(state<double>{{at[1], 0.5}, -1.0}, pulse<double>{2.0, at[2]});
    out(F.jvp(point, direction));
    const auto product = F.hvp(point, direction);
    out(std::get<0>(product).position);
    out(std::get<1>(product).width);
}
CASE(functions_of_matrices) {
    constexpr auto F = cr::function<two_by_two<double>>([](const auto& a) { return log_det(a) + trace(inverse(a)); });
    out(F.gradient(two_by_two<double>{{2 + at[0], at[1]}, {at[1], 1 + at[2]}}));
}
CASE(results_of_structs) {
    constexpr auto F = cr::function<state<double>>([](const auto& s) {
        return state<std::remove_cvref_t<decltype(s.mass)>>{{s.position[1], -s.position[0] * s.mass}, s.mass * s.mass};
    });
    out(F.jacobian(state<double>{{at[0], at[1]}, at[2]}));
}
CASE(a_function_in_another) {
    constexpr auto F = cr::function([](auto x, auto y) {
        constexpr auto inner = cr::function([](auto a, auto b) { return sin(a * b) + a; });
        return inner(x + y, x) * y;
    });
    out(F.gradient(at[0], at[1]));
}

// Beside kernels
CASE(dual_numbers) {
    using dual = cr::dual<double, 2>;
    const auto x = dual::variable(at[0], 0), y = dual::variable(at[1], 1);
    const dual f = sin(x) * y + exp(x * y) / (x + y);
    out(f.value);
    out(f.tangents);
}
CASE(fixed_matrices) {
    cr::fixed_matrix<double, 3, 3> A{{2 + at[0], at[1], 0.1}, {at[2], 3, at[3]}, {0.2, at[0], 2}};
    const cr::fixed_vector<double, 3> b{at[0], at[1], at[2]};
    out(solve(A, b));
    out(determinant(A));
    out(inverse(A) * b);
}
CASE(tried_roots) {
    VARIABLES
    out(cr::try_newton(x * x * x - y * z, x, 1.0, y = at[0], z = at[1]).value);
}
CASE(roots) {
    VARIABLES
    out(cr::newton(cos(x) - z * x - y, x, 0.5, y = at[0], z = at[1]));
}

CASE(larger_matrices) {
    cr::fixed_matrix<double, 4, 4> a;
    cr::fixed_vector<double, 4> b;
    for (std::size_t i = 0; i < 4; ++i) {
        b[i] = at[i];
        for (std::size_t j = 0; j < 4; ++j) a(i, j) = (i == (j + 1) % 4 ? 4.0 : 0.0) + at[(i * j + i) % 4];
    }
    const auto s = transpose(a) * a + cr::fixed_matrix<double, 4, 4>::identity();
    out(solve(cholesky(s), b));
    out(log_det(cholesky(s)));
    out(inverse(a));
    out(determinant(a));
}

// In the namespace of its kernels, which is still open there.
struct softened_function : cr::custom_function<softened_function, 1> {
    static constexpr char name[] = "softened";
    template <class T>
    static constexpr T value(const T& x) {
        return sqrt(1 + x * x);
    }
    template <int K, class T>
    static constexpr auto derivative(const T& x, const T& r) {
        return x / r;
    }
};
CASE(custom_functions) {
    VARIABLES
    constexpr softened_function softened{};
    constexpr auto F = cr::function(softened(x * y) * z, cr::wrt(x, y, z));
    out(F.gradient(at[0], at[1], at[2]));
}

CASE(custom_functions_of_dual_numbers) {
    constexpr softened_function softened{};
    const auto f = softened(cr::dual<double, 1>::variable(at[0], 0));
    out(f.value);
    out(f.tangents);
}

} // namespace requests
