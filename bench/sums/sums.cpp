// SPDX-License-Identifier: BSL-1.0
//
// Sums over data: times of reductions with all derivatives, of plain scalar code, and of the best hand-written vector
// code that we know. Contestants alternate, and answers are compared first. Prints nanoseconds of the scalar code and
// the others' times as ratios to it. Compile with -march=native.
#include <chainrule/batch/chunks.hpp>
#include <chainrule/batch/sum.hpp>
#include <chainrule/batch/threads.hpp>
#include <chainrule/chainrule.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../workloads/in_lanes.hpp"

namespace cr = chainrule;
namespace batches = chainrule::batches;
using namespace cr::literals;

namespace {

using workloads::lanes, workloads::width;

constexpr auto x = cr::variable<"x">;
constexpr auto mu = cr::variable<"mu">;
constexpr auto sigma = cr::variable<"sigma">;

/// A value, then the derivatives with respect to all numbers, then those with respect to further parameters.
struct answer {
    double value = 0.0;
    std::vector<double> gradient;
    double mu = 0.0, sigma = 0.0;
};

bool quick = false; // --quick: one round, to see that answers are equal

void compare(const char* name, const answer& a, const answer& b) {
    const auto differ = [](double p, double q) { return !(std::abs(p - q) <= 1e-11 * (1e-3 + std::abs(p))); };
    bool wrong = differ(a.value, b.value) || differ(a.mu, b.mu) || differ(a.sigma, b.sigma) ||
                 a.gradient.size() != b.gradient.size();
    for (std::size_t i = 0; !wrong && i < a.gradient.size(); ++i) wrong = wrong || differ(a.gradient[i], b.gradient[i]);
    if (!wrong) return;
    std::fprintf(stderr, "%s: the answers differ: %.17g and %.17g\n", name, a.value, b.value);
    std::exit(1);
}

template <class Contestant>
double once(const Contestant& contestant, answer& to, int times) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) {
        contestant(to);
        asm volatile("" : : "r"(&to), "r"(to.gradient.data()) : "memory");
    }
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / times;
}

/// Runs the contestants in turn and prints the medians; the first is the measure of the others.
template <class... Contestant>
void measure(const std::string& name, std::size_t size, const Contestant&... contestants) {
    answer first{0, std::vector<double>(size), 0, 0};
    std::vector<double> times[sizeof...(Contestant)];
    bool is_first = true;
    const auto check = [&](const auto& contestant) {
        answer found{0, std::vector<double>(size), 0, 0};
        contestant(found);
        if (std::exchange(is_first, false))
            first = found;
        else
            compare(name.c_str(), first, found);
    };
    (check(contestants), ...);
    answer to = first;
    const auto each = [](const auto& contestant, answer& a) { return once(contestant, a, 3); };
    double longest = 0.0;
    ((longest = std::max(longest, each(contestants, to))), ...);
    const std::size_t rounds = quick ? 1 : longest > 1e8 ? 5 : 41;
    const int repeats = std::max(1, static_cast<int>((quick ? 0 : 300'000) / longest));
    for (std::size_t round = 0; round < rounds; ++round) {
        std::size_t place = 0;
        (times[place++].push_back(once(contestants, to, repeats)), ...);
    }
    (check(contestants), ...); // no answer may depend on what was computed before
    double scalar = 0.0;
    std::printf("%-32s", name.c_str());
    for (auto& all : times) {
        std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rounds / 2), all.end());
        const double median = all[rounds / 2];
        if (scalar == 0.0) {
            scalar = median;
            std::printf("%12.0f ns", median);
        } else {
            std::printf("%12.3f", median / scalar);
        }
    }
    std::printf("\n");
}

/// Four sums side by side, so that an addition need not wait for the one before.
template <class Term>
double summed(std::size_t n, const Term& term) {
    lanes sums[4] = {0.0, 0.0, 0.0, 0.0};
    for (std::size_t i = 0; i < n; i += 4 * width)
        for (std::size_t k = 0; k < 4; ++k) sums[k] += term(i + k * width);
    return batches::sum_of((sums[0] + sums[1]) + (sums[2] + sums[3]));
}
lanes at(const std::vector<double>& numbers, std::size_t i) { return batches::load<lanes>(&numbers[i]); }

void sum_of_numbers(const std::vector<double>& numbers) {
    const std::size_t n = numbers.size();
    const auto total = cr::sum(x, cr::over(x = numbers));
    measure(
        "sum, " + std::to_string(n), n,
        [&](answer& a) {
            double all = 0.0;
            for (const double number : numbers) all += number;
            a.value = all;
            for (double& slope : a.gradient) slope = 1.0;
        },
        [&](answer& a) {
            a.value = summed(n, [&](std::size_t i) {
                batches::store(lanes(1.0), &a.gradient[i]);
                return at(numbers, i);
            });
        },
        [&](answer& a) { a.value = total.value_and_column_gradient(x, a.gradient); });
}

void product_of_numbers(const std::vector<double>& numbers) {
    const std::size_t n = numbers.size();
    const auto total = cr::prod(x, cr::over(x = numbers));
    measure(
        "prod, " + std::to_string(n), n,
        [&](answer& a) {
            double all = 1.0;
            for (const double number : numbers) all *= number;
            a.value = all;
            for (std::size_t i = 0; i < n; ++i) a.gradient[i] = all / numbers[i];
        },
        [&](answer& a) {
            lanes all[4] = {1.0, 1.0, 1.0, 1.0};
            for (std::size_t i = 0; i < n; i += 4 * width)
                for (std::size_t k = 0; k < 4; ++k) all[k] = all[k] * at(numbers, i + k * width);
            const lanes product = a.value = batches::product_of((all[0] * all[1]) * (all[2] * all[3]));
            for (std::size_t i = 0; i < n; i += width) batches::store(product / at(numbers, i), &a.gradient[i]);
        },
        [&](answer& a) { a.value = total.value_and_column_gradient(x, a.gradient); });
}

void normal_log_density(const std::vector<double>& numbers) {
    const std::size_t n = numbers.size();
    double m = 0.3, s = 1.7;
    asm volatile("" : "+m"(m), "+m"(s)); // else compilers put the logarithm into the code by hand
    const auto z = (x - mu) * (1_c / sigma);
    const auto total = cr::sum(-0.5_c * z * z - log(sigma), cr::over(x = numbers), cr::wrt(mu, sigma));
    measure(
        "normal log density, " + std::to_string(n), n,
        [&](answer& a) {
            const double inverse = 1 / s;
            double squares = 0.0, sum = 0.0;
            for (std::size_t i = 0; i < n; ++i) {
                const double of = (numbers[i] - m) * inverse;
                squares += of * of;
                sum += of;
                a.gradient[i] = -of * inverse;
            }
            a.value = -0.5 * squares - static_cast<double>(n) * std::log(s);
        },
        [&](answer& a) {
            const lanes inverse = 1 / s;
            const double squares = summed(n, [&](std::size_t i) {
                const lanes of = (at(numbers, i) - lanes(m)) * inverse;
                batches::store(-of * inverse, &a.gradient[i]);
                return of * of;
            });
            a.value = -0.5 * squares - static_cast<double>(n) * std::log(s);
        },
        [&](answer& a) { a.value = total.value_and_column_gradient(x, a.gradient, m, s); });
}

void log_sum_exp(const std::vector<double>& numbers) {
    const std::size_t n = numbers.size();
    const auto total = cr::log_sum_exp(x, cr::over(x = numbers));
    measure(
        "log_sum_exp, " + std::to_string(n), n,
        [&](answer& a) {
            const double greatest = *std::max_element(numbers.begin(), numbers.end());
            double sum = 0.0;
            for (std::size_t i = 0; i < n; ++i) sum += a.gradient[i] = std::exp(numbers[i] - greatest);
            a.value = greatest + std::log(sum);
            for (double& slope : a.gradient) slope /= sum;
        },
        [&](answer& a) {
            lanes most[4] = {at(numbers, 0), at(numbers, 0), at(numbers, 0), at(numbers, 0)};
            for (std::size_t i = 0; i < n; i += 4 * width)
                for (std::size_t k = 0; k < 4; ++k) {
                    const lanes here = at(numbers, i + k * width);
                    most[k] = select(most[k] < here, here, most[k]);
                }
            for (std::size_t k = 1; k < 4; ++k) most[0] = select(most[0] < most[k], most[k], most[0]);
            const auto each = batches::to_array<lanes>(most[0]);
            const double greatest = *std::max_element(std::begin(each.values), std::end(each.values));
            const double sum = summed(n, [&](std::size_t i) {
                const lanes power = exp(at(numbers, i) - lanes(greatest));
                batches::store(power, &a.gradient[i]);
                return power;
            });
            a.value = greatest + std::log(sum);
            for (double& slope : a.gradient) slope *= 1 / sum;
        },
        [&](answer& a) { a.value = total.value_and_column_gradient(x, a.gradient); });
}

void logistic_regression() {
    using workload = workloads::logistic_regression;
    constexpr std::size_t weights = workload::weights;
    constexpr auto w = cr::variables<"w", weights>;
    constexpr auto features = cr::variables<"x", weights>;
    constexpr auto label = cr::variable<"label">;
    constexpr auto loss = log(1_c + exp(-label * dot(w, features)));
    static const workload::data seen;
    std::vector<std::vector<double>> columns(weights, std::vector<double>(workload::points));
    for (std::size_t i = 0; i < workload::points; ++i)
        for (std::size_t j = 0; j < weights; ++j) columns[j][i] = seen.x[i][j];
    const auto of_rows = cr::mean(loss, cr::over(features = seen.x, label = seen.label), cr::wrt(w));
    const auto of_columns = cr::mean(loss, cr::over(features = columns, label = seen.label), cr::wrt(w));
    const auto put = [](answer& a, const auto& found) {
        a.value = found.value;
        std::copy(found.gradient.begin(), found.gradient.end(), a.gradient.begin());
    };
    measure(
        "logistic regression, 10000 x 8", weights,
        [&](answer& a) {
            double sum = 0.0;
            std::array<double, weights> slopes{};
            for (std::size_t i = 0; i < workload::points; ++i) {
                double product = 0.0;
                for (std::size_t j = 0; j < weights; ++j) product += workload::at[j] * seen.x[i][j];
                const double power = std::exp(-seen.label[i] * product);
                sum += std::log(1.0 + power);
                const double slope = -seen.label[i] * (power / (1.0 + power));
                for (std::size_t j = 0; j < weights; ++j) slopes[j] += slope * seen.x[i][j];
            }
            a.value = sum / workload::points;
            for (std::size_t j = 0; j < weights; ++j) a.gradient[j] = slopes[j] / workload::points;
        },
        [&](answer& a) { put(a, workloads::in_lanes<workload>::by_hand(seen, workload::at)); },
        [&](answer& a) { put(a, of_rows.value_and_gradient(workload::at)); },
        [&](answer& a) { put(a, of_columns.value_and_gradient(workload::at)); });
}

void two_threads() {
    const std::size_t n = 2'000'000;
    std::vector<double> numbers(n);
    workloads::seeded random(3);
    for (double& number : numbers) number = random.between(-2.0, 2.0);
    const auto loss = log(1_c + exp(mu + sigma * x));
    const auto data = cr::over(x = numbers);
    const auto one = cr::sum(loss, data, cr::wrt(mu, sigma));
    const auto two = cr::sum(loss, data, cr::wrt(mu, sigma), cr::threads(2));
    const auto put = [](answer& a, const auto& found) {
        a.value = found.value;
        a.mu = found.gradient[0];
        a.sigma = found.gradient[1];
    };
    measure(
        "two threads, 2000000 rows", 0, [&](answer& a) { put(a, one.value_and_gradient(0.5, 1.5)); },
        [&](answer& a) { put(a, two.value_and_gradient(0.5, 1.5)); });
}

/// Rows in chunks of at most a million, all of them the same memory, as a reader of a file would give them.
struct chunks_of_one_buffer {
    const std::vector<double>& buffer;
    std::size_t rows;
    struct iterator {
        const chunks_of_one_buffer* of;
        std::size_t first;
        auto operator*() const {
            const std::size_t left = of->rows - first;
            return cr::over(x = std::span(of->buffer).first(std::min(left, of->buffer.size())));
        }
        void operator++() { first = std::min(of->rows, first + of->buffer.size()); }
        bool operator!=(const iterator& other) const { return first != other.first; }
    };
    [[nodiscard]] iterator begin() const { return {this, 0}; }
    [[nodiscard]] iterator end() const { return {this, rows}; }
};

void growth() {
    std::vector<double> buffer(1'000'000);
    workloads::seeded random(5);
    for (double& number : buffer) number = random.between(0.0, 2.0);
    for (std::size_t n = 10'000; n <= (quick ? 100'000u : 100'000'000u); n *= 10) {
        const chunks_of_one_buffer chunks{buffer, n};
        const auto total = cr::sum(mu * exp(-sigma * x), cr::over_chunks(chunks), cr::wrt(mu, sigma));
        measure(
            "in chunks, " + std::to_string(n), 0,
            [&](answer& a) {
                a.value = a.mu = a.sigma = 0.0;
                for (std::size_t first = 0; first < n; first += buffer.size())
                    for (std::size_t i = 0; i < std::min(buffer.size(), n - first); ++i) {
                        const double power = std::exp(-1.25 * buffer[i]);
                        a.mu += power;
                        a.sigma -= 0.5 * power * buffer[i];
                    }
                a.value = 0.5 * a.mu;
            },
            [&](answer& a) {
                // Blocks of 10000 rows, so that rounding errors do not grow with the number of rows.
                constexpr std::size_t block = 10'000;
                static_assert(block % width == 0);
                a.mu = a.sigma = 0.0;
                for (std::size_t first = 0; first < n; first += block) {
                    const double* const from = &buffer[first % buffer.size()];
                    lanes powers = 0.0, slopes = 0.0;
                    for (std::size_t i = 0; i < block; i += width) {
                        const lanes number = batches::load<lanes>(from + i), power = exp(lanes(-1.25) * number);
                        powers += power;
                        slopes += power * number;
                    }
                    a.mu += batches::sum_of(powers);
                    a.sigma -= 0.5 * batches::sum_of(slopes);
                }
                a.value = 0.5 * a.mu;
            },
            [&](answer& a) {
                const auto [value, gradient] = total.value_and_gradient(0.5, 1.25);
                a.value = value;
                a.mu = gradient[0];
                a.sigma = gradient[1];
            });
    }
}

} // namespace

int main(int count, char** arguments) {
    quick = count > 1 && std::string(arguments[1]) == "--quick";
    std::printf(
        "%zu lanes. Columns: plain scalar code, by hand with vectors, chainrule (for the regression by rows and by "
        "columns; for threads one and two)\n",
        width);
    for (const std::size_t n : {256u, 1024u}) {
        std::vector<double> numbers(n);
        workloads::seeded random(1);
        for (double& number : numbers) number = random.between(0.9, 1.1);
        sum_of_numbers(numbers);
        product_of_numbers(numbers);
        normal_log_density(numbers);
        log_sum_exp(numbers);
    }
    logistic_regression();
    two_threads();
    growth();
}
