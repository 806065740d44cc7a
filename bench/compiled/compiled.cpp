// SPDX-License-Identifier: BSL-1.0
//
// Recordings compiled at run time: their time, that of the compile-time kernel of the same function, of the replay and,
// where CppAD is installed, of its optimised tape; and the time of compilation. Contestants alternate, answers are
// compared before and after, the least time of many rounds counts. Compile with -O3 -march=native.
#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/compile.hpp>

#if __has_include(<cppad/cppad.hpp>)
#define BENCH_CPPAD
#include "../peers/cppad_of_tmb.hpp"
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "../workloads/answers.hpp"
#include "../workloads/black_scholes.hpp"
#include "../workloads/helmholtz.hpp"
#include "../workloads/log_product_sine.hpp"
#include "../workloads/mixed_operations.hpp"
#include "../workloads/reprojection.hpp"
#include "../workloads/rosenbrock.hpp"

namespace {

namespace tape = chainrule::tape;

bool quick = false; // --quick: one round, to see that answers are equal
tape::compile_options options{.keep = false};

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Where the kernel has exact constants, those of the recording are known too.
template <class Workload>
struct recorded_form {
    using type = Workload;
    static auto data() { return typename Workload::data{}; }
};
template <>
struct recorded_form<workloads::helmholtz_exact> {
    using type = workloads::helmholtz_stored;
    static auto data() { return type::data{}; }
};

/// The recorded function.
template <class Workload>
struct code_of {
    using form = recorded_form<Workload>;
    template <class X>
    auto operator()(const X& x) const {
        using T = std::remove_cvref_t<decltype(x[0])>;
        return form::type::template ordinary<T>(form::data(), x.data());
    }
};

void compare(const char* name, const std::vector<double>& a, const std::vector<double>& b) {
    bool wrong = a.size() != b.size();
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        wrong = wrong || !(std::abs(a[i] - b[i]) <= 1e-10 * (1e-6 + std::abs(a[i])));
    if (!wrong) return;
    std::fprintf(stderr, "%s: the answers differ\n", name);
    std::exit(1);
}

template <bool Jacobian, class F, class Point>
[[gnu::noinline]] auto ask(F& f, const Point& point) {
    if constexpr (Jacobian)
        return f.value_and_jacobian(point);
    else
        return f.value_and_gradient(point);
}

template <bool Jacobian, class F, class Point>
double once(F& f, Point& point, int times) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) {
        workloads::forget(point);
        auto answer = ask<Jacobian>(f, point);
        workloads::forget(answer);
    }
    return 1e9 * seconds_since(begin) / times;
}

#if defined(BENCH_CPPAD)
/// CppAD's tape after its optimiser, with a reverse sweep for each value.
template <class Workload>
class cppad_tape {
    static constexpr std::size_t n = Workload::at.size();
    CppAD::ADFun<double> f_;
    CppAD::vector<double> point_ = CppAD::vector<double>(n), values_, weights_, row_, derivatives_;

public:
    cppad_tape() {
        CppAD::thread_alloc::hold_memory(true);
        using number = CppAD::AD<double>;
        std::vector<number> x(Workload::at.begin(), Workload::at.end()), y;
        CppAD::Independent(x);
        const auto result = code_of<Workload>{}(x);
        if constexpr (requires { result.size(); })
            y.assign(result.begin(), result.end());
        else
            y.push_back(result);
        f_.Dependent(x, y);
        f_.optimize();
    }
    struct answer {
        std::span<const double> values, derivatives;
    };
    /// Nothing allocates: CppAD's own vectors keep their memory.
    answer value_and_gradient(const workloads::point<n>& at) {
        std::copy(at.begin(), at.end(), &point_[0]);
        values_ = f_.Forward(0, point_);
        const std::size_t m = values_.size();
        derivatives_.resize(m * n);
        weights_.resize(m);
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t k = 0; k < m; ++k) weights_[k] = k == i ? 1.0 : 0.0;
            row_ = f_.Reverse(1, weights_);
            std::copy(&row_[0], &row_[0] + n, &derivatives_[i * n]);
        }
        return {{&values_[0], m}, {&derivatives_[0], m * n}};
    }
};
#endif

template <class Workload>
void contest() {
    auto kernel = Workload::function(typename Workload::data{});
    auto point = Workload::at;
    constexpr bool jacobian =
        requires(decltype(Workload::by_hand(typename Workload::data{}, Workload::at)) answer) { answer.jacobian; };
    const auto begin = std::chrono::steady_clock::now();
    auto replay = tape::record(code_of<Workload>{}, point);
    auto compiled = tape::compile(replay, options);
    const double seconds = seconds_since(begin);
    constexpr std::size_t contestants = 4;
    double least[contestants];
    std::fill_n(least, contestants, 1e30);
#if defined(BENCH_CPPAD)
    cppad_tape<Workload> cppad;
#endif
    const auto check = [&] {
        const auto expected = workloads::all_numbers(ask<jacobian>(kernel, point));
        compare(Workload::name, expected, workloads::all_numbers(ask<jacobian>(compiled, point)));
        compare(Workload::name, expected, workloads::all_numbers(ask<jacobian>(replay, point)));
#if defined(BENCH_CPPAD)
        compare(Workload::name, expected, workloads::all_numbers(ask<false>(cppad, point)));
#endif
    };
    check();
    const int times = quick ? 1 : static_cast<int>(2e5 / std::max(20.0, once<jacobian>(kernel, point, 1000))) + 1;
    for (int round = 0; round < (quick ? 1 : 400); ++round) {
        least[0] = std::min(least[0], once<jacobian>(kernel, point, times));
        least[1] = std::min(least[1], once<jacobian>(compiled, point, times));
        least[2] = std::min(least[2], once<jacobian>(replay, point, times / 8 + 1));
#if defined(BENCH_CPPAD)
        least[3] = std::min(least[3], once<false>(cppad, point, times / 8 + 1));
#endif
    }
    check(); // no answer may depend on what was computed before
    std::printf("%-42s%9.1f%9.1f%7.3f%9.2f%9.2f%9.2f%9.2f\n", Workload::name, least[0], least[1], least[1] / least[0],
                least[2] / least[0], least[3] < 1e30 ? least[3] / least[0] : 0.0, compiled.compile_seconds(), seconds);
}

} // namespace

int main(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--quick")
            quick = true;
        else if (argument.rfind("--compiler=", 0) == 0)
            options.compiler = argument.substr(11);
        else if (argument.rfind("-", 0) == 0)
            options.flags.push_back(argument);
    }
    std::printf("%-42s%9s%9s%7s%9s%9s%9s%9s\n", "", "kernel ns", "compiled", "ratio", "replay", "CppAD", "cc s",
                "all s");
    contest<workloads::log_product_sine>();
    contest<workloads::mixed_operations>();
    contest<workloads::black_scholes>();
    contest<workloads::helmholtz_exact>();
    contest<workloads::reprojection>();
    contest<workloads::rosenbrock>();
}
