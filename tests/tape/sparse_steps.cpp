// SPDX-License-Identifier: BSL-1.0
//
// How many steps patterns take: as many as there are operations and entries, times a logarithm, also if partial sums
// depend on many inputs.
#include "catch.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/sparse.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace {

namespace tape = chainrule::tape;
using number = tape::active<double>;
using numbers = std::vector<number>;

constexpr std::size_t inputs = 4000;
constexpr std::size_t steps_of_operand = 16; // the logarithm is 6

std::vector<tape::index> numbers_of(const tape::tape& on, const numbers& of) {
    std::vector<tape::index> result;
    for (const auto& v : of) result.push_back(on.number_of(v));
    return result;
}
/// The pattern by sets of indices; none if that takes too many steps. It must be that by sets of bits.
tape::sparsity_pattern pattern_in_few_steps(const tape::tape& on, const numbers& outputs, const numbers& of) {
    const auto rows = numbers_of(on, outputs), columns = numbers_of(on, of);
    const std::span<const tape::index> from(rows), to(columns);
    tape::sparsity_pattern found(of.size()), expected(of.size());
    const std::size_t allowed = steps_of_operand * on.entries().operand_count();
    if (!tape::sweeping::sets_of_indices(on.entries(), from, to, allowed, found)) return {};
    tape::sweeping::sets_of_bits(on.entries(), from, to, expected);
    CHECK(found == expected);
    return found;
}
/// The number of entries of the Jacobian of f, 0 if that takes too many steps.
template <class F>
std::size_t entries(F f, std::size_t size = inputs) {
    tape::tape on;
    numbers x;
    for (std::size_t i = 0; i < size; ++i) x.push_back(on.variable(0.5 + 0.01 * static_cast<double>(i % 40)));
    return pattern_in_few_steps(on, f(x), x).size();
}
/// The same of the Hessian, recorded as hessian_sparsity(f, x) does.
template <class F>
std::size_t second_entries(F f) {
    tape::tape inner;
    tape::basic_tape<number> outer;
    numbers x, gradient;
    std::vector<tape::active<number>> at;
    for (std::size_t i = 0; i < inputs; ++i) {
        x.push_back(inner.variable(0.5));
        at.push_back(outer.variable(x.back()));
    }
    outer.backward(f(at));
    for (const auto& v : at) gradient.push_back(v.gradient());
    return pattern_in_few_steps(inner, gradient, x).size();
}

const auto arrow = [](const auto& x) {
    std::remove_cvref_t<decltype(x[0])> s = 0.0;
    for (std::size_t i = 1; i < x.size(); ++i) s += sin(x[0] * x[i]);
    return s;
};

} // namespace

TEST_CASE("shared sets are sets, and nothing is left of those that were released", "[tape]") {
    std::mt19937 random(5);
    tape::sweeping::shared_sets sets;
    std::vector<std::pair<tape::sweeping::shared_sets::set, std::set<int>>> all(40);
    for (int round = 0; round < 4000; ++round) {
        auto& [to, members] = all[random() % all.size()];
        const auto& [other, more] = all[random() % all.size()];
        const auto single = static_cast<int>(random() % (round % 3 == 0 ? 100 : 100'000));
        const auto both = round % 2 == 0 ? sets.unite(to, other) : sets.single(static_cast<std::size_t>(single));
        if (round % 2 == 0)
            members.insert(more.begin(), more.end());
        else
            members = {single};
        sets.release(to);
        to = both;
        std::vector<int> found;
        sets.append_members(to, found);
        if (!std::ranges::equal(found, members)) FAIL("differs in round " << round);
        for (const auto& [set, elements] : all) // equal sets are equal numbers
            if ((set == to) != (elements == members)) FAIL("is there twice in round " << round);
    }
    for (const auto& [set, members] : all) sets.release(set);
    CHECK(sets.size() == 0);
}

TEST_CASE("patterns of dense rows take steps in proportion to operations", "[tape]") {
    CHECK(entries([](const numbers& x) { // a sum
              number s = 0.0;
              for (const auto& v : x) s += v * v;
              return numbers{s};
          }) == inputs);
    CHECK(entries([](const numbers& x) { // a chain
              number s = 1.0;
              for (const auto& v : x) s = s + sin(v * s);
              return numbers{s};
          }) == inputs);
    CHECK(entries([](const numbers& x) { // a sum of sums, each used twice
              number s = 0.0, all = 0.0;
              for (const auto& v : x) {
                  s += v * v;
                  all += sin(s);
              }
              return numbers{all};
          }) == inputs);
    CHECK(entries([](const numbers& x) { // the same, later and backwards
              numbers sums{x[0]};
              for (std::size_t i = 1; i < x.size(); ++i) sums.push_back(sums.back() + x[i]);
              number all = 0.0;
              for (std::size_t i = x.size(); i-- > 0;) all += sin(sums[i]);
              return numbers{all};
          }) == inputs);
    CHECK(entries([](const numbers& x) { // two sets that interleave, in many products
              number even = 0.0, odd = 0.0, all = 0.0;
              for (std::size_t i = 0; i < x.size(); ++i) (i % 2 == 0 ? even : odd) += x[i];
              for (std::size_t i = 0; i < x.size(); ++i) all += even * odd;
              return numbers{all};
          }) == inputs);
    CHECK(entries([](const numbers& x) { // in another order than that of the inputs
              numbers shuffled = x;
              std::ranges::shuffle(shuffled, std::mt19937(1));
              number s = 0.0;
              for (const auto& v : shuffled) s += v * v;
              return numbers{s};
          }) == inputs);
}

TEST_CASE("patterns of several dense rows and columns take steps in proportion to operations and entries", "[tape]") {
    CHECK(entries([](const numbers& x) { // a dense row, a dense column, and a diagonal
              numbers y{x[0]};
              for (std::size_t i = 1; i < x.size(); ++i) {
                  y[0] += x[i] * x[i];
                  y.push_back(x[0] * x[i]);
              }
              return y;
          }) == 3 * inputs - 2);
    CHECK(entries([](const numbers& x) { // two dense layers
              numbers hidden, y;
              for (int k = 0; k < 20; ++k) {
                  number s = 0.0;
                  for (const auto& v : x) s += static_cast<double>(k + 1) * v;
                  hidden.push_back(tanh(s));
              }
              for (int k = 0; k < 20; ++k) {
                  number s = 0.0;
                  for (const auto& v : hidden) s += static_cast<double>(k + 1) * v;
                  y.push_back(s);
              }
              return y;
          }) == 20 * inputs);
    CHECK(entries(
              [](const numbers& x) { // a triangle
                  numbers y{x[0]};
                  for (std::size_t i = 1; i < x.size(); ++i) y.push_back(y.back() + x[i]);
                  return y;
              },
              1000) == 500'500);
}

TEST_CASE("patterns of Hessians take steps in proportion to operations and entries", "[tape]") {
    CHECK(second_entries(arrow) == 3 * inputs - 2);
    CHECK(second_entries([](const auto& x) { // with a tail of long chains
              auto s = arrow(x);
              for (std::size_t i = 1; i < x.size(); ++i) s = s + x[i] * x[i - 1];
              return s;
          }) >= 3 * inputs);
}

TEST_CASE("sparse Hessians of arrows, recorded and not, have the same pattern and few groups", "[tape]") {
    const std::vector<double> x(inputs, 0.5);
    auto r = tape::record(arrow, x);
    const auto of_recording = r.sparse_hessian(x), of_tape = tape::sparse_hessian(arrow, x);
    CHECK(of_recording.pattern == of_tape.pattern);
    CHECK(of_tape.pattern.size() == 3 * inputs - 2);
    CHECK(of_tape(0, 7) == Approx(std::cos(0.25) - 0.25 * std::sin(0.25)));
    CHECK(of_recording(0, 7) == Approx(of_tape(0, 7)));
    CHECK(tape::hessian_plan(of_tape.pattern).groups().count == 2);
}
