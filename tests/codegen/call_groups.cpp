// SPDX-License-Identifier: BSL-1.0
//
// Groups of calls: random programs give the same bits grouped as not, and the groups are those that can be.
#include "catch.hpp"

#include <chainrule/codegen/call_groups.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#if defined(CHAINRULE_HAS_LIBMVEC) // else there are no groups

namespace {

namespace codegen = chainrule::codegen;
namespace functions = chainrule::functions;
using codegen::instruction;
using codegen::opcode;
using codegen::packed;
using codegen::vector_opcode;

constexpr int input_count = 11, constant_count = 3;

/// A program that is written instruction by instruction.
struct writer {
    std::vector<packed> body;
    int pair_places = 0;

    int emit(opcode what, int a = 0, int b = 0, int c = 0, unsigned char function = 0) {
        body.push_back(codegen::pack(instruction{what, function, a, b, c}));
        return constant_count + static_cast<int>(body.size()) - 1;
    }
    int call(unsigned function, int a) { return emit(opcode::call, a, a, a, static_cast<unsigned char>(function)); }
    /// A sine and a cosine: the slot of a value that adds them.
    int sine_and_cosine(int a) {
        const int place = pair_places;
        pair_places += 2;
        const int pair = emit(opcode::sine_cosine, a, place);
        const int cosine = emit(opcode::cosine_of_pair, pair);
        const int x = emit(opcode::reload, pair, place), y = emit(opcode::reload, cosine, place + 1);
        return emit(opcode::multiply_add, x, x, y);
    }
};

double function_of(unsigned position, double x, double y) {
    switch (static_cast<functions::index>(position)) {
    case functions::index::sin: return std::sin(x);
    case functions::index::cos: return std::cos(x);
    case functions::index::exp: return std::exp(-x * x);
    case functions::index::log: return std::log(1 + x * x);
    case functions::index::atan2: return std::atan2(x, y);
    case functions::index::digamma: return x / (1 + x * x);
    default: throw std::logic_error("no such function");
    }
}

/// Runs a program, grouped or not: its outputs. A slot that is read before it is written is NaN, and gives a wrong one.
std::vector<double> run(const packed* body, int size, int outputs) {
    const double unwritten = std::numeric_limits<double>::quiet_NaN();
    const auto slots = static_cast<std::size_t>(constant_count + size);
    std::vector<double> v(slots, unwritten), result(static_cast<std::size_t>(outputs), unwritten);
    std::vector<double> memory(2 * slots, unwritten);
    for (std::size_t i = 0; i < constant_count; ++i) v[i] = 0.4 + 0.3 * static_cast<double>(i);
    for (std::size_t k = 0; k < static_cast<std::size_t>(size); ++k) {
        const packed p = body[k];
        const std::size_t slot = constant_count + k, a = p >> 16 & 65535, b = p >> 32 & 65535, c = p >> 48;
        const auto function = static_cast<unsigned>(p >> 8 & 255);
        if (static_cast<vector_opcode>(p & 255) == vector_opcode::copy) {
            v[slot] = v[a];
        } else if (static_cast<vector_opcode>(p & 255) == vector_opcode::calls) {
            for (std::size_t l = a; l < a + c; ++l) v[l] = function_of(function, v[l], v[l]);
        } else {
            switch (static_cast<opcode>(p & 255)) {
            case opcode::variable: v[slot] = 0.1 + 0.07 * static_cast<double>(a * a % 13); break;
            case opcode::call: v[slot] = function_of(function, v[a], v[b]); break;
            case opcode::sine_cosine:
                memory[b] = std::sin(v[a]);
                memory[b + 1] = std::cos(v[a]);
                break;
            case opcode::cosine_of_pair: break;
            case opcode::reload: v[slot] = memory[b]; break;
            case opcode::output: result[b] = v[a]; break;
            case opcode::add: v[slot] = v[a] + v[b]; break;
            case opcode::multiply: v[slot] = v[a] * v[b] / (1 + v[a] * v[a]); break;
            case opcode::multiply_add: v[slot] = v[a] * v[b] + v[c]; break;
            default: throw std::logic_error("no such instruction");
            }
        }
    }
    return result;
}

struct counts {
    int calls = 0, groups = 0, members = 0, largest = 0;
};

template <int Lanes>
counts check(const writer& w, int outputs) {
    const int size = static_cast<int>(w.body.size());
    codegen::call_grouping<Lanes> grouping(w.body.data(), size, constant_count);
    counts found;
    if (!grouping.find()) {
        for (const packed p : w.body) found.calls += static_cast<opcode>(p & 255) == opcode::call;
        return found;
    }
    const auto& written = grouping.write();
    for (const packed p : written) {
        if (static_cast<vector_opcode>(p & 255) == vector_opcode::calls) {
            const int members = static_cast<int>(p >> 48);
            ++found.groups;
            found.members += members;
            found.largest = members > found.largest ? members : found.largest;
            CHECK(members >= codegen::fewest_at_once(static_cast<unsigned>(p >> 8 & 255)));
            CHECK(members <= Lanes);
        }
        found.calls += static_cast<opcode>(p & 255) == opcode::call;
    }
    const std::vector<double> as_written = run(w.body.data(), size, outputs),
                              grouped = run(written.begin(), written.count, outputs);
    bool same = true;
    for (std::size_t i = 0; i < as_written.size(); ++i)
        same = same && std::bit_cast<std::uint64_t>(as_written[i]) == std::bit_cast<std::uint64_t>(grouped[i]);
    CHECK(same);
    return found;
}

} // namespace

TEST_CASE("independent calls of one function are grouped") {
    writer w;
    for (int i = 0; i < 5; ++i) {
        const int x = w.emit(opcode::variable, i);
        w.emit(opcode::output, w.call(functions::sin::position, x), i);
    }
    const counts four = check<4>(w, 5);
    CHECK(four.calls == 1);
    CHECK(four.groups == 1);
    CHECK(four.largest == 4);
    const counts two = check<2>(w, 5);
    CHECK(two.calls == 1);
    CHECK(two.groups == 2);
}

TEST_CASE("calls that depend on each other, and calls of functions that gain nothing, stay alone") {
    writer w;
    int x = w.emit(opcode::variable, 0);
    for (int i = 0; i < 4; ++i) x = w.call(functions::sin::position, x);
    w.emit(opcode::output, x, 0);
    CHECK(check<4>(w, 1).groups == 0);

    writer two_logarithms;
    for (int i = 0; i < 2; ++i)
        two_logarithms.emit(opcode::output,
                            two_logarithms.call(functions::log::position, two_logarithms.emit(opcode::variable, i)), i);
    CHECK(check<4>(two_logarithms, 2).groups == 0);
    two_logarithms.emit(opcode::output,
                        two_logarithms.call(functions::log::position, two_logarithms.emit(opcode::variable, 2)), 2);
    CHECK(check<4>(two_logarithms, 3).groups == 1);

    writer others;
    for (int i = 0; i < 6; ++i) {
        const int a = others.emit(opcode::variable, i);
        others.emit(opcode::output, others.call(functions::digamma::position, a), 2 * i);
        others.emit(opcode::output,
                    others.emit(opcode::call, a, 1, a, static_cast<unsigned char>(functions::atan2::position)),
                    2 * i + 1);
    }
    CHECK(check<4>(others, 12).groups == 0);
}

TEST_CASE("sines with cosines are two groups") {
    writer w;
    for (int i = 0; i < 3; ++i) w.emit(opcode::output, w.sine_and_cosine(w.emit(opcode::variable, i)), i);
    const counts found = check<4>(w, 3);
    CHECK(found.groups == 2);
    CHECK(found.members == 6);
}

TEST_CASE("random programs give the same bits with groups") {
    std::mt19937 dice(20261125);
    int groups = 0;
    for (int round = 0; round < 120; ++round) {
        writer w;
        std::vector<int> slots;
        for (int i = 0; i < constant_count; ++i) slots.push_back(i);
        for (int i = 0; i < input_count; ++i) slots.push_back(w.emit(opcode::variable, i));
        const int size = round % 12 == 0 ? 1600 : 5 + round * 4;
        const std::size_t window = round % 3 == 0 ? 4 : 40; // short windows make deep programs
        int outputs = 0;
        while (static_cast<int>(w.body.size()) < size) {
            const auto any = [&] {
                const std::size_t near = std::min(window, slots.size());
                return slots[slots.size() - 1 - dice() % near];
            };
            const unsigned called[] = {functions::sin::position, functions::cos::position, functions::exp::position,
                                       functions::log::position, functions::digamma::position};
            switch (dice() % 8) {
            case 0: slots.push_back(w.emit(opcode::add, any(), any())); break;
            case 1: slots.push_back(w.emit(opcode::multiply, any(), any())); break;
            case 2: slots.push_back(w.emit(opcode::multiply_add, any(), any(), any())); break;
            case 3: slots.push_back(w.sine_and_cosine(any())); break;
            case 4: {
                const int a = any(), b = any();
                slots.push_back(w.emit(opcode::call, a, b, a, static_cast<unsigned char>(functions::atan2::position)));
                break;
            }
            case 5: w.emit(opcode::output, any(), outputs++); break;
            default: slots.push_back(w.call(called[dice() % 5], any()));
            }
        }
        w.emit(opcode::output, slots.back(), outputs++);
        groups += check<4>(w, outputs).groups + check<2>(w, outputs).groups;
    }
    CHECK(groups > 1000);
}

#endif
