// SPDX-License-Identifier: BSL-1.0
//
// One call of GradBench's protocol: reads an eval's numbers, runs one of its functions as often as asked, and writes
// the result and the time of each run. protocol.py starts it and translates JSON.
//
//   tool MODULE (primal | gradient | ff | fr | rf | rr)  < least runs, least seconds, the eval
//
// The pairs of letters are the modes of nested derivatives, the outer one first: forward or reverse.
//
// Writes the result in one line, then the nanoseconds that preparing took, then those of each run.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "contestants.hpp"

namespace {

using namespace gradbench;
using seconds = std::chrono::steady_clock;

long since(seconds::time_point begin) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(seconds::now() - begin).count();
}

/// The objective: one number; for ba the residuals, then the errors of the weights; for ht the residuals; for ode the
/// solution.
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
    else if constexpr (std::is_same_v<Eval, ht>)
        return [&eval](numbers& result) { result = eval(eval.point); };
    else
        return [&eval](numbers& result) { result.assign(1, eval(eval.point)); };
}

/// A descent, by the modes that the function's two letters name.
template <class Eval>
answering nested(const Eval& eval, const std::string& function) {
    using enum mode;
    if (function == "ff") return [&eval](numbers& result) { eval.template by_modes<forward, forward>(result); };
    if (function == "fr") return [&eval](numbers& result) { eval.template by_modes<forward, reverse>(result); };
    if (function == "rf") return [&eval](numbers& result) { eval.template by_modes<reverse, forward>(result); };
    return [&eval](numbers& result) { eval.template by_modes<reverse, reverse>(result); };
}

/// The kernel; without one, a replayed recording where operations repeat, else the tape.
template <class Eval>
answering derivatives(const Eval& eval) {
    if (auto kernel = by_kernel(eval)) return *std::move(kernel);
    if constexpr (std::is_same_v<Eval, det> || std::is_same_v<Eval, ode>) return *by_replay(eval);
    return by_tape(eval);
}

/// What a function of an eval computes.
template <class Eval>
answering asked(const Eval& eval, const std::string& function) {
    if constexpr (is_descent<Eval>)
        return nested(eval, function);
    else
        return function == "primal" ? primal(eval) : derivatives(eval);
}

template <class Eval>
int answer(const std::string& function) {
    int least_runs = 1;
    double least_seconds = 0.0;
    std::cin >> least_runs >> least_seconds;
    const Eval eval = Eval::read(std::cin);
    if (!std::cin) {
        std::fprintf(stderr, "tool: the input of %s ends early or is not numbers\n", Eval::name);
        return EXIT_FAILURE;
    }
    const auto begin = seconds::now();
    const answering run = asked(eval, function);
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
int answer_module(const std::string& module, const std::string& function) {
    int status = -1;
    ((module == Eval::name ? void(status = answer<Eval>(function)) : void()), ...);
    if (status < 0) std::fprintf(stderr, "tool: there is no eval '%s'\n", module.c_str());
    return status < 0 ? EXIT_FAILURE : status;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::fprintf(stderr, "tool: give the eval and primal, gradient or two modes\n");
        return EXIT_FAILURE;
    }
    return answer_module<ba, det, gmm, hello, ht, kmeans, llsq, lse, lstm, ode, particle, saddle>(arguments[1],
                                                                                                  arguments[2]);
}
