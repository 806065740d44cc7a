// SPDX-License-Identifier: BSL-1.0
//
// The growing graph of traced code, and the nodes of the plain numbers in it.
#pragma once

#include <chainrule/graph/lower.hpp>
#include <chainrule/trace/plain_number.hpp>

namespace chainrule::tracing {

/// The errors of traced code.
enum class fault : unsigned char { none, output_not_written, returned_false, branch_on_equality };

template <class T>
class number;

class recorder;
// Not constexpr, so that an evaluation ends here. Compilers print these lines.
inline void branch_on_numbers() {}          // the traced code branches on a == b: choose with select(a == b, c, d)
inline void unended_recursion(recorder&) {} // select computes both arms: end a recursion by a count, as in if (n == 0)

/// The growing graph of a traced function. clang counts the statements of a constant evaluation, so the functions here
/// use few.
class recorder {
public:
    graph::canonical_graph g;
    fault found = fault::none;
    // Whether the code has failed, and the compiler is to state why.
    bool explains = false;

    constexpr recorder() : places_(64) { g.grow_fast(); }

    /// The inputs of the function, which are the first nodes of the graph.
    template <class Number = number<void>>
    [[nodiscard]] constexpr core::list<Number> inputs(int count) {
        core::list<Number> list;
        list.reserve(count);
        for (int i = 0; i < count; ++i) list.push_back({*this, g.variable(i)});
        return list;
    }
    /// Makes a number stand for a node, where constant() would find it.
    constexpr void represent(double number, int node) { (void)insert({number, 0, node}, place_of(number)); }
    /// The node of the constant high + low.
    [[nodiscard]] constexpr int constant(double high, double low) {
        int place = place_of(high);
        for (; places_.items[place].node >= 0; place = (place + 1) & (places_.count - 1))
            if (places_.items[place].is(high, low)) return places_.items[place].node;
        return insert({high, low, node_of(high, low)}, place);
    }

    /// Whether code that fails seems to recur without end: it has compared four results in a row in the same way, each
    /// computed after the comparison before, without a choice or a conjunction. (g++ would list 500 calls.)
    [[nodiscard]] constexpr bool recurs(graph::relation what, int left, int right) {
        for (; known_ < g.nodes.count; ++known_)
            if (const graph::node n = g.nodes.items[known_];
                n.what == graph::kind::select ||
                (n.what == graph::kind::condition && n.function >= static_cast<unsigned>(graph::relation::conjunction)))
                alike_ = 0;
        const bool is_alike =
            what == what_ && ((left == left_ && right >= after_) || (right == right_ && left >= after_));
        alike_ = is_alike ? alike_ + 1 : 0;
        what_ = what, left_ = left, right_ = right, after_ = known_;
        return alike_ == 3;
    }

private:
    // The last comparison, the count of nodes then, and how many before are like it.
    graph::relation what_{};
    int left_ = -1, right_ = -1, after_ = 0, known_ = 0, alike_ = 0;

    struct plain_number {
        double high = 0;
        double low = 0;
        int node = -1;
        [[nodiscard]] constexpr bool is(double h, double l) const {
            return std::bit_cast<std::uint64_t>(high) == std::bit_cast<std::uint64_t>(h) && low == l;
        }
    };
    core::list<plain_number> places_; // open addressing
    int count_ = 0;

    [[nodiscard]] constexpr int place_of(double high) const {
        return static_cast<int>(std::bit_cast<std::uint64_t>(high) * 0x9E3779B97F4A7C15u >> 40) & (places_.count - 1);
    }
    [[nodiscard]] constexpr int node_of(double high, double low) {
        if (high == 0 && std::bit_cast<std::uint64_t>(high) != 0) return g.negate(g.constant(0));
        return g.constant(exact_value(high, low));
    }
    constexpr int insert(plain_number number, int place) {
        places_.items[place] = number;
        if (4 * ++count_ > 3 * places_.count) {
            core::list<plain_number> old((count_ < 200 ? 2 : 4) * places_.count);
            old.swap(places_);
            count_ = 0;
            for (const plain_number& n : old)
                if (n.node >= 0) (void)constant_known(n);
        }
        return number.node;
    }
    constexpr int constant_known(plain_number n) {
        int place = place_of(n.high);
        while (places_.items[place].node >= 0) place = (place + 1) & (places_.count - 1);
        places_.items[place] = n;
        return ++count_;
    }
};

} // namespace chainrule::tracing
