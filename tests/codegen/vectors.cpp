// SPDX-License-Identifier: BSL-1.0
//
// Packing into vectors: random programs of repeated terms, some different, give the same bits packed and unpacked.
#include "catch.hpp"

#include <chainrule/codegen/vectors.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

namespace codegen = chainrule::codegen;
using codegen::instruction;
using codegen::opcode;
using codegen::packed;
using codegen::vector_opcode;

constexpr int input_count = 23, number_count = 19, constant_count = 3;

/// A value that each input, number and constant has.
double leaf(int kind, std::uint64_t i) {
    return 0.3 + 0.37 * static_cast<double>(kind) + 0.011 * static_cast<double>(i * i % 97);
}

/// A program that is written instruction by instruction.
struct writer {
    std::vector<packed> body;

    int emit(opcode what, int a = 0, int b = 0, int c = 0, unsigned char function = 0) {
        body.push_back(codegen::pack(instruction{what, function, a, b, c}));
        return constant_count + static_cast<int>(body.size()) - 1;
    }
};

double formula(opcode what, const std::vector<double>& v, std::size_t a, std::size_t b, std::size_t c) {
    switch (what) {
#define FORMULA(NAME, SLOTS, COUNTED, SIGN, TEXT, BY_A, BY_B, BY_C, ...)                                               \
    case opcode::NAME: return __VA_ARGS__;
#define OTHER(...)
        CHAINRULE_INSTRUCTIONS(FORMULA, OTHER)
#undef FORMULA
#undef OTHER
    default: throw std::logic_error("no formula");
    }
}

/// Runs a program, packed or not: its outputs. A slot that is read before it is written is NaN, and gives a wrong one.
template <int Lanes>
std::vector<double> run(const packed* body, int size, int outputs) {
    const double unwritten = std::numeric_limits<double>::quiet_NaN();
    const auto slots = static_cast<std::size_t>(constant_count + size);
    std::vector<double> v(slots, unwritten), result(static_cast<std::size_t>(outputs), unwritten);
    std::vector<std::vector<double>> w(static_cast<std::size_t>(Lanes), v); // by lane
    std::vector<bool> c(slots, false);
    for (std::size_t i = 0; i < constant_count; ++i) v[i] = leaf(2, i);
    for (std::size_t k = 0; k < static_cast<std::size_t>(size); ++k) {
        const packed p = body[k];
        const std::size_t slot = constant_count + k, a = p >> 16 & 65535, b = p >> 32 & 65535, d = p >> 48;
        const auto what = static_cast<vector_opcode>(p & 255);
        const auto each = [&](auto lane) {
            for (std::size_t l = 0; l < Lanes; ++l) w[l][slot] = lane(l);
        };
        if (what >= vector_opcode::load_variables) {
            switch (what) {
            case vector_opcode::load_variables: each([&](std::size_t l) { return leaf(0, a + l); }); break;
            case vector_opcode::load_numbers: each([&](std::size_t l) { return leaf(1, a + l); }); break;
            case vector_opcode::spread: each([&](std::size_t) { return v[a]; }); break;
            case vector_opcode::gather: each([&](std::size_t l) { return v[slot - Lanes + l]; }); break;
            case vector_opcode::shuffle:
                each([&](std::size_t l) {
                    const std::size_t from = d >> 3 * l & 7;
                    return from < Lanes ? w[from][a] : w[from - Lanes][b];
                });
                break;
            case vector_opcode::lane: v[slot] = w[b][a]; break;
            case vector_opcode::copy: v[slot] = v[a]; break;
            case vector_opcode::store:
                for (std::size_t l = 0; l < Lanes; ++l) result.at(b + l) = w[l][a];
                break;
            default: throw std::logic_error("no operation");
            }
        } else if (what >= vector_opcode::arithmetic) {
            const auto of = static_cast<opcode>((p & 255) - static_cast<packed>(vector_opcode::arithmetic));
            each([&](std::size_t l) { return formula(of, w[l], a, b, d); });
        } else {
            switch (const auto of = static_cast<opcode>(p & 255)) {
            case opcode::variable: v[slot] = leaf(0, a); break;
            case opcode::number: v[slot] = leaf(1, a); break;
            case opcode::output: result.at(b) = v[a]; break;
            case opcode::condition: c[slot] = v[a] < v[b]; break;
            case opcode::select: v[slot] = c[a] ? v[b] : v[d]; break;
            case opcode::call: v[slot] = 1 / (1 + v[a] * v[a]); break;
            case opcode::refresh: break;
            default: v[slot] = formula(of, v, a, b, d);
            }
        }
    }
    return result;
}

/// A term of input i: the instructions of `shape`, the same for each i except what `differ` changes.
class term {
public:
    term(writer& to, std::mt19937& shape, std::mt19937& differ, int i, int shared)
        : to_(to), shape_(shape), differ_(differ), values_{to.emit(opcode::variable, i % input_count),
                                                           to.emit(opcode::variable, (i + 1) % input_count),
                                                           to.emit(opcode::number, i % number_count),
                                                           shared,
                                                           0,
                                                           2} {
        for (int n = 4 + draw(6); n > 0; --n) grow();
    }
    int result() const { return values_.back(); }
    int before() const { return values_[values_.size() - 2]; }

private:
    int draw(unsigned below) { return static_cast<int>(shape_() % below); }
    int any() {
        const int n = draw(static_cast<unsigned>(values_.size()));
        const bool other = differ_() % 60 == 0;
        return values_[other ? static_cast<std::size_t>(differ_() % values_.size()) : static_cast<std::size_t>(n)];
    }
    void grow() {
        static constexpr opcode formulas[] = {opcode::add,      opcode::subtract,     opcode::multiply,
                                              opcode::multiply, opcode::multiply_add, opcode::negative_multiply_add,
                                              opcode::divide,   opcode::negate};
        const int kind = draw(14), a = any(), b = any(), c = any();
        if (kind == 0)
            values_.push_back(to_.emit(opcode::call, a, a, a, 3));
        else if (kind == 1)
            values_.push_back(to_.emit(opcode::select, to_.emit(opcode::condition, a, b), b, c));
        else
            values_.push_back(to_.emit(formulas[draw(8)], a, b, c));
    }

    writer& to_;
    std::mt19937& shape_;
    std::mt19937& differ_;
    std::vector<int> values_;
};

/// A random program, and the number of its outputs.
writer random_program(unsigned seed, int& outputs) {
    std::mt19937 choose(seed), differ(seed + 1);
    writer w;
    const int terms = 5 + static_cast<int>(choose() % 9);
    const int shared = w.emit(opcode::multiply, w.emit(opcode::variable, 1), 1);
    int sum = shared, last = shared;
    std::vector<int> results;
    for (int i = 0; i < terms; ++i) {
        std::mt19937 shape(seed); // the same for each
        if (i == 4) w.emit(opcode::refresh);
        const term t(w, shape, differ, i, choose() % 40 == 0 ? last : shared);
        last = t.before();
        sum = w.emit(opcode::add, sum, t.result());
        results.push_back(t.before());
        if (seed % 3 == 0) results.push_back(w.emit(opcode::subtract, t.result(), last));
    }
    outputs = 0;
    if (seed % 2 == 0) w.emit(opcode::output, sum, outputs++);
    for (const int r : results) w.emit(opcode::output, r, outputs++);
    if (seed % 2 == 1) w.emit(opcode::output, sum, outputs++);
    return w;
}

template <int Lanes>
void check_programs() {
    int found = 0;
    for (unsigned seed = 0; seed < 3000; ++seed) {
        int outputs = 0;
        const writer w = random_program(seed, outputs);
        const int size = static_cast<int>(w.body.size());
        const auto made = codegen::pack_into_vectors<1000>(Lanes, w.body.data(), size, constant_count);
        if (made.size == 0) continue;
        ++found;
        const std::vector<double> expected = run<Lanes>(w.body.data(), size, outputs),
                                  got = run<Lanes>(made.body, made.size, outputs);
        CAPTURE(seed, Lanes);
        for (std::size_t k = 0; k < expected.size(); ++k)
            REQUIRE(std::bit_cast<std::uint64_t>(got[k]) == std::bit_cast<std::uint64_t>(expected[k]));
    }
    CHECK(found > 300);
}

} // namespace

TEST_CASE("packed programs compute the same bits", "[vectors]") {
    check_programs<2>();
    check_programs<4>();
}

TEST_CASE("equal terms of inputs in order become vectors, and what has none stays as it is", "[vectors]") {
    // r[i] = x[i] * x[i + 1] - n[i] / x[i], for 8 i
    writer w;
    for (int i = 0; i < 8; ++i) {
        const int x = w.emit(opcode::variable, i), y = w.emit(opcode::variable, i + 1);
        const int quotient = w.emit(opcode::divide, w.emit(opcode::number, i), x);
        const int scaled = w.emit(opcode::multiply, quotient, 1);
        w.emit(opcode::output, w.emit(opcode::multiply_subtract, x, y, scaled), i);
    }
    const auto made =
        codegen::pack_into_vectors<200>(4, w.body.data(), static_cast<int>(w.body.size()), constant_count);
    // Twice: two divisions' inputs and two more, the constant, three formulas and a store.
    int stores = 0, others = 0;
    for (int k = 0; k < made.size; ++k) {
        const auto what = static_cast<vector_opcode>(made.body[k] & 255);
        stores += what == vector_opcode::store ? 1 : 0;
        others += what < vector_opcode::arithmetic || what == vector_opcode::lane ? 1 : 0;
    }
    CHECK(stores == 2);
    CHECK(others == 0);

    // A chain has no equal parts.
    writer chain;
    int last = chain.emit(opcode::variable, 0);
    for (int i = 1; i < 20; ++i) last = chain.emit(opcode::multiply_add, last, chain.emit(opcode::variable, i), last);
    chain.emit(opcode::output, last, 0);
    CHECK(codegen::pack_into_vectors<200>(4, chain.body.data(), static_cast<int>(chain.body.size()), constant_count)
              .size == 0);
}

TEST_CASE("a chain of vectors begins with numbers that were computed one by one", "[vectors]") {
    // (A + transposed A) x for a stored matrix: along a row, the numbers of neighbouring results do not lie in order
    writer w;
    constexpr int n = 8;
    std::vector<int> inputs;
    for (int k = 0; k < n; ++k) inputs.push_back(w.emit(opcode::variable, k));
    for (int i = 0; i < n; ++i) {
        int r = 1;
        for (int k = 0; k < n; ++k)
            r = w.emit(opcode::multiply_add, inputs[static_cast<std::size_t>(k)], w.emit(opcode::number, n * i + k), r);
        for (int k = 0; k < n; ++k)
            r = w.emit(opcode::multiply_add, inputs[static_cast<std::size_t>(k)], w.emit(opcode::number, n * k + i), r);
        w.emit(opcode::output, r, i);
    }
    const int size = static_cast<int>(w.body.size());
    const auto made = codegen::pack_into_vectors<400>(4, w.body.data(), size, constant_count);
    int vectors = 0, scalars = 0, gathers = 0;
    for (int k = 0; k < made.size; ++k) {
        const auto what = static_cast<vector_opcode>(made.body[k] & 255);
        vectors += what >= vector_opcode::arithmetic && what < vector_opcode::load_variables ? 1 : 0;
        scalars += (made.body[k] & 255) == static_cast<packed>(opcode::multiply_add) ? 1 : 0;
        gathers += what == vector_opcode::gather ? 1 : 0;
    }
    CHECK(vectors == n * n / 4);
    CHECK(scalars == n * n);
    CHECK(gathers == n / 4);
    CHECK(run<4>(made.body, made.size, n) == run<4>(w.body.data(), size, n));
}
