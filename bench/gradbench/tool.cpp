// SPDX-License-Identifier: BSL-1.0
//
// One call of GradBench's protocol: reads an eval's numbers, runs one of its functions as often as asked, and writes
// the result and the time of each run. protocol.py starts it and translates JSON.
//
//   tool MODULE (primal | gradient)  < least runs, least seconds, the eval
//
// Writes the result in one line, then the nanoseconds that preparing took, then those of each run.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "contestants.hpp"

namespace {

using namespace gradbench;
using seconds = std::chrono::steady_clock;

long since(seconds::time_point begin) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(seconds::now() - begin).count();
}

/// The objective: one number; for ba the residuals, then the errors of the weights; for ode the solution.
template <class Eval>
answering primal(const Eval& eval) {
    if constexpr (std::is_same_v<Eval, ba>)
        return [&eval](numbers& result) {
            result.resize(3 * eval.p);
            for (std::size_t i = 0; i < eval.p; ++i) {
                const auto x = eval.of_observation(i);
                const auto residual = workloads::reprojection::ordinary<double>(eval.seen(), x.data());
                result[2 * i] = residual[0];
                result[2 * i + 1] = residual[1];
                result[2 * eval.p + i] = 1.0 - x[14] * x[14];
            }
        };
    else if constexpr (std::is_same_v<Eval, ode>)
        return [&eval](numbers& result) { result = eval.solution(eval.point); };
    else
        return [&eval](numbers& result) { result.assign(1, eval(eval.point)); };
}

/// The kernel; without one, a replayed recording where operations repeat, else the tape.
template <class Eval>
answering derivatives(const Eval& eval) {
    if (auto kernel = by_kernel(eval)) return *std::move(kernel);
    if constexpr (std::is_same_v<Eval, det> || std::is_same_v<Eval, ode>) return *by_replay(eval);
    return by_tape(eval);
}

template <class Eval>
int answer(bool differentiates) {
    int least_runs = 1;
    double least_seconds = 0.0;
    std::cin >> least_runs >> least_seconds;
    const Eval eval = Eval::read(std::cin);
    if (!std::cin) {
        std::fprintf(stderr, "tool: the input of %s ends early or is not numbers\n", Eval::name);
        return EXIT_FAILURE;
    }
    const auto begin = seconds::now();
    const answering run = differentiates ? derivatives(eval) : primal(eval);
    const long preparing = since(begin);
    numbers result;
    std::vector<long> times;
    for (double spent = 0.0; static_cast<int>(times.size()) < least_runs || spent < least_seconds;) {
        const auto start = seconds::now();
        run(result);
        times.push_back(since(start));
        spent += static_cast<double>(times.back()) * 1e-9;
    }
    for (const double x : result) std::printf("%.17g ", x);
    std::printf("\n%ld\n", preparing);
    for (const long time : times) std::printf("%ld ", time);
    std::printf("\n");
    return EXIT_SUCCESS;
}

template <class... Eval>
int answer_module(const char* module, bool differentiates) {
    int status = -1;
    ((std::strcmp(module, Eval::name) == 0 ? void(status = answer<Eval>(differentiates)) : void()), ...);
    if (status < 0) std::fprintf(stderr, "tool: there is no eval '%s'\n", module);
    return status < 0 ? EXIT_FAILURE : status;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::fprintf(stderr, "tool: give the eval and primal or gradient\n");
        return EXIT_FAILURE;
    }
    return answer_module<ba, det, gmm, kmeans, llsq, lse, lstm, ode>(arguments[1],
                                                                     std::strcmp(arguments[2], "primal") != 0);
}
