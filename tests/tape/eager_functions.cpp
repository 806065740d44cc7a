// SPDX-License-Identifier: BSL-1.0
//
// Every function of the table with eager numbers, against active ones: values, derivatives and statements, also with a
// plain number as one of the arguments. A new row is tested without an edit here.
#include "tape/replay/functions.hpp"

#include <chainrule/tape/eager.hpp>

namespace {

using eager = tape::eager<double>;
using active = tape::active<double>;

/// A function of N arguments in both number types.
template <std::size_t N>
struct both {
    eager (*of_eager)(const std::array<eager, N>&);
    active (*of_active)(const std::array<active, N>&);
};
/// The value where argument Plain is a plain number; of no argument if that is N.
template <class Row, std::size_t Plain, class T, std::size_t N>
T with_plain(const std::array<T, N>& x) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) -> T {
        const auto argument = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
            if constexpr (K == Plain)
                return x[K].value();
            else
                return x[K];
        };
        return call<Row>::of(argument(std::integral_constant<std::size_t, I>{})...);
    }(std::make_index_sequence<N>{});
}

template <class T, std::size_t N>
std::array<T, N> halves(const std::array<active, N>& x) {
    std::array<T, N> result;
    for (std::size_t i = 0; i < N; ++i) result[i] = 0.5 * T(x[i]);
    return result;
}
template <std::size_t N>
void check_both(const both<N>& f, const std::array<functions::interval, N>& domain) {
    for (const double share : {0.05, 0.23, 0.41, 0.6, 0.77, 0.95}) {
        tape::tape t;
        std::array<active, N> x;
        const auto at = inside(domain, share);
        for (std::size_t i = 0; i < N; ++i) x[i] = t.variable(2.0 * at[i]);
        const auto arguments = halves<eager>(x);
        const auto before = t.memory().statements;
        const eager found = f.of_eager(arguments);
        const auto statements = t.memory().statements - before;
        const active expected = f.of_active(halves<active>(x));
        CHECK(statements == 1);
        CHECK(std::bit_cast<std::uint64_t>(found.value()) == std::bit_cast<std::uint64_t>(expected.value()));
        t.backward(found);
        std::array<double, N> slopes;
        for (std::size_t i = 0; i < N; ++i) slopes[i] = x[i].gradient();
        t.backward(expected);
        for (std::size_t i = 0; i < N; ++i) CHECK(slopes[i] == near(x[i].gradient()).epsilon(1e-15));
    }
}
template <class Row>
void check_row_of_both() {
    constexpr std::size_t n = Row::arity;
    INFO(Row::name);
    [&]<std::size_t... Plain>(std::index_sequence<Plain...>) {
        for (const auto& box : functions::boxes_of<Row>)
            (check_both<n>({&with_plain<Row, Plain, eager, n>, &with_plain<Row, Plain, active, n>}, box), ...);
    }(std::conditional_t < n == 1, std::index_sequence<1>, std::make_index_sequence < n + 1 >> {});
}

} // namespace

TEST_CASE("functions of the table with eager numbers", "[tape][table]") {
    []<class... Rows>(functions::row_list<Rows...>) { (check_row_of_both<Rows>(), ...); }(functions::all{});
}
