// SPDX-License-Identifier: BSL-1.0
//
// select() and piecewise() in traced code: between arrays and structs of numbers, and by conditions that are known
// while the code is traced.
#include <chainrule/chainrule.hpp>
#include <chainrule/fixed_matrix.hpp>

#include <tuple>

namespace {

namespace cr = chainrule;

template <class T>
struct state {
    T angle, speed;
    std::array<T, 2> loads;
};

constexpr auto shapes = cr::function([](auto u, auto v) {
    using T = decltype(u);
    using pair = std::array<T, 2>;
    const auto above = u > v;
    return std::tuple{select(above, pair{u, v}, pair{v, u}),
                      cr::select(above, pair{u, v}, std::array{1.0, 2.0}),
                      select(above, std::array{1.0, 3.0}, std::array{1.0, 2.0}),
                      select(above, state<T>{u, v, {u, v}}, state<T>{v, u, {u, 2 * v}}),
                      select(above, std::tuple{u, 1.0}, std::tuple{u, v}),
                      select(above, std::pair{u, v}, std::pair{v, u * v}),
                      piecewise(above, pair{u, v}, u > 2 * v, pair{u, u}, pair{v, v}),
                      select(above, std::array<pair, 1>{{{u, v}}}, std::array<pair, 1>{{{v, u}}}),
                      select(above, cr::fixed_matrix<T, 1, 2>{{u, v}}, cr::fixed_matrix<T, 1, 2>{{v, u}})};
});
static_assert(shapes(1.0, 2.0) == std::array{2.0, 1.0, 1.0, 2.0, 1.0, 2.0, 2.0, 1.0, 1.0, 4.0,
                                             1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0, 2.0, 1.0});
static_assert(shapes(3.0, 2.0) == std::array{3.0, 2.0, 3.0, 2.0, 1.0, 3.0, 3.0, 2.0, 3.0, 2.0,
                                             3.0, 1.0, 3.0, 2.0, 3.0, 2.0, 3.0, 2.0, 3.0, 2.0});
// The derivatives are those of the chosen arm: u v behind 2 > 1, and v = 2 as second arm.
static_assert(shapes.jacobian(1.0, 2.0)[13] == std::array{2.0, 1.0});
static_assert(shapes.jacobian(1.0, 2.0)[9] == std::array{0.0, 2.0});
static_assert(shapes.jacobian(3.0, 2.0)[9] == std::array{0.0, 1.0});

// A choice of arrays is the choice of each number: the same program.
template <bool Whole>
constexpr auto chosen = cr::function([](auto u, auto v) {
    if constexpr (Whole) {
        return select(u > v, std::array{u * v, v}, std::array{v, u / v});
    } else {
        return std::array{select(u > v, u * v, v), select(u > v, v, u / v)};
    }
});
static_assert(cr::operation_count(chosen<true>).total == cr::operation_count(chosen<false>).total);

// A range that knows its length only while the code is traced.
template <class T, int Capacity>
class short_list {
public:
    constexpr short_list() = default;
    constexpr void push_back(const T& x) { items_[count_++] = x; }
    [[nodiscard]] constexpr const T* begin() const { return items_; }
    [[nodiscard]] constexpr const T* end() const { return items_ + count_; }
    [[nodiscard]] constexpr T* begin() { return items_; }
    [[nodiscard]] constexpr T* end() { return items_ + count_; }

private:
    T items_[Capacity]{};
    int count_ = 0;
};
template <int Length>
constexpr auto lists = cr::function([](auto u, auto v) {
    short_list<decltype(u), 4> a, b;
    for (int i = 0; i < Length; ++i) {
        a.push_back(u + i);
        b.push_back(v * i);
    }
    auto sum = 0.0 * u;
    for (const auto& x : select(u > v, a, b)) sum += x;
    return sum;
});
static_assert(lists<1>(3.0, 2.0) == 3.0 && lists<1>(1.0, 2.0) == 0.0);
static_assert(lists<3>(3.0, 2.0) == 12.0 && lists<3>(1.0, 2.0) == 6.0);

constexpr auto flags = cr::function<3>([](const auto& q) {
    using T = std::remove_cvref_t<decltype(q[0])>;
    T sum = 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
        sum += select(i == 1, q[i], -q[i]) + select(i == 1, q[i], 0.0) + cr::select(i == 2, 1, q[i]);
        sum += piecewise(i == 1, q[i], q[i] > 2, 10 * q[i], 0.5);
        sum += select(i > 0 && q[i] > 0, 100 * q[i], T(0)) + select(q[i] > 2 || i == 0, 1000, T(0));
        sum += select(i % 2 && q[i] > 0, T(1e4), T(0)) + select(!(q[i] > 0) || true, T(1e5), T(0));
    }
    return sum;
});
//                     -1+0+1 + .5 + 0+1000 + 0+1e5, 2+2+2 + 2 + 200+0 + 1e4+1e5, -3+0+1 + 30 + 300+1000 + 0+1e5
static_assert(flags(1.0, 2.0, 3.0) == 101000.5 + 110208.0 + 101328.0);
static_assert(flags.gradient(1.0, 2.0, 3.0) == std::array{0.0, 104.0, 109.0});

} // namespace
