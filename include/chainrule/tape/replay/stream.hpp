// SPDX-License-Identifier: BSL-1.0
//
// A replay as a stream of tasks. A long run is one task, a call of its loop (tape/replay/loops.hpp). A call for one or
// two operations would take longer than they do, so the arithmetic of short runs is interpreted here, in the order of
// the runs and with the bits of their loops.
#pragma once

#include <chainrule/tape/replay/loops.hpp>

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

namespace chainrule::tape::replays {

/// What a task does. `clear` is for adjoints of results that do not vary, which nobody reads.
enum class task_kind : unsigned char { call, clear, negate, add, subtract, multiply, divide, square };

/// A task of a run forwards.
struct value_task {
    unsigned char code; // the kind times 4, plus 1 if x is the result before, plus 2 if y is: it is in a register still
    slot result, x, y;  // of a call: x is the run
};
/// A task of a sweep back.
struct adjoint_task {
    unsigned char code; // the kind times 8, plus the operands that vary, as bits, plus 4 if `from` is in a register
    slot result, x, y;  // values; of a call: x is the run; of clear: x is how many
    slot from, to_x, to_y;
};

template <class T>
class stream_builder {
public:
    stream_builder(std::span<const run<T>> runs, const slot* slots, std::size_t inputs) : slots_(slots) {
        for (slot i = 0; i < runs.size(); ++i) {
            const run<T>& r = runs[i];
            if (kind_of(r) == task_kind::call) {
                values.push_back({0, 0, i, 0});
                before_ = none;
            } else {
                for (slot k = 0; k < r.count; ++k) add_value(r, k);
            }
        }
        before_ = none;
        for (auto i = static_cast<slot>(runs.size()); i-- > 0;) {
            const run<T>& r = runs[i];
            if (r.varying == 0) {
                if (r.result_adjoint > inputs)
                    adjoints.push_back({code(task_kind::clear, 8), 0, r.count, 0, r.result_adjoint, 0, 0});
                before_ = none;
            } else if (kind_of(r) == task_kind::call)
                adjoints.push_back({0, 0, i, 0, static_cast<slot>(inputs), 0, 0}), before_ = none;
            else
                for (slot k = r.count; k-- > 0;) add_adjoint(r, k);
        }
    }

    std::vector<value_task> values;
    std::vector<adjoint_task> adjoints;

private:
    static constexpr slot longest = 6; // runs of more are calls
    static constexpr slot none = ~slot{0};
    const slot* slots_;
    slot before_ = none; // what the task before has written last

    [[nodiscard]] static unsigned char code(task_kind k, unsigned times, unsigned more = 0) {
        return static_cast<unsigned char>(times * static_cast<unsigned>(k) + more);
    }
    [[nodiscard]] static task_kind kind_of(const run<T>& r) {
        if (r.count > longest) return task_kind::call;
        switch (r.what->code) {
        case replays::negate::code: return task_kind::negate;
        case replays::add::code: return task_kind::add;
        case replays::subtract::code: return task_kind::subtract;
        case replays::multiply::code: return task_kind::multiply;
        case replays::divide::code: return task_kind::divide;
        case functions::square::code: return task_kind::square;
        default: return task_kind::call;
        }
    }
    void add_value(const run<T>& r, slot k) {
        const slot x = r.operands[0].at(slots_, k), y = r.what->arity == 2 ? r.operands[1].at(slots_, k) : x;
        const unsigned more = (x == before_ ? 1u : 0u) + (r.what->arity == 2 && y == before_ ? 2u : 0u);
        before_ = r.result + k;
        values.push_back({code(kind_of(r), 4, more), before_, x, y});
    }
    void add_adjoint(const run<T>& r, slot k) {
        const auto of = [&](const slot_list& list, unsigned operand) {
            return operand < r.what->arity ? list.at(slots_, k) : 0;
        };
        const auto to = [&](unsigned operand) {
            return (r.varying >> operand & 1) != 0 ? of(r.adjoints[operand], operand) : 0;
        };
        const slot from = r.result_adjoint + k;
        adjoints.push_back({code(kind_of(r), 8, r.varying + (from == before_ ? 4u : 0u)), r.result + k,
                            of(r.operands[0], 0), of(r.operands[1], 1), from, to(0), to(1)});
        before_ = to((r.varying & 2) != 0 ? 1 : 0);
    }
};

/// Runs a stream forwards.
template <class T, class Call>
void run_stream(std::span<const value_task> stream, T* v, Call call) {
    T last(0);
    for (const value_task& t : stream) {
        switch (t.code) {
#define CHAINRULE_TASK(ROW, MORE, ...)                                                                                 \
    case 4 * static_cast<int>(task_kind::ROW) + MORE:                                                                  \
        last = __VA_ARGS__;                                                                                            \
        v[t.result] = last;                                                                                            \
        break;
#define CHAINRULE_TASKS(ROW)                                                                                           \
    CHAINRULE_TASK(ROW, 0, replays::ROW::value(v[t.x], v[t.y]))                                                        \
    CHAINRULE_TASK(ROW, 1, replays::ROW::value(last, v[t.y]))                                                          \
    CHAINRULE_TASK(ROW, 2, replays::ROW::value(v[t.x], last))                                                          \
    CHAINRULE_TASK(ROW, 3, replays::ROW::value(last, last))
            CHAINRULE_TASKS(add)
            CHAINRULE_TASKS(subtract)
            CHAINRULE_TASKS(multiply)
            CHAINRULE_TASKS(divide)
            CHAINRULE_TASK(negate, 0, replays::negate::value(v[t.x]))
            CHAINRULE_TASK(negate, 1, replays::negate::value(last))
            CHAINRULE_TASK(square, 0, functions::square::value(v[t.x]))
            CHAINRULE_TASK(square, 1, functions::square::value(last))
#undef CHAINRULE_TASKS
#undef CHAINRULE_TASK
        default: call(t.x);
        }
    }
}

/// Sweeps back over a stream. A task sets the adjoints that it has read to zero, as later ones need their memory.
template <class T, class Call>
void sweep_stream(std::span<const adjoint_task> stream, const T* v, T* adjoint, Call call) {
    T last(0);
    const auto add = [&](auto row, auto number, slot to, const T& w, const auto&... x) __attribute__((always_inline)) {
        constexpr int operand = number;
        using which = typename decltype(row)::type;
        last = adjoint[to];
        replays::add_share<operand, which>(last, functions::derivative<operand, which>(x...), w);
        adjoint[to] = last;
    };
    constexpr std::type_identity<replays::add> row_add{};
    constexpr std::type_identity<subtract> row_subtract{};
    constexpr std::type_identity<multiply> row_multiply{};
    constexpr std::type_identity<divide> row_divide{};
    constexpr std::type_identity<negate> row_negate{};
    constexpr std::type_identity<functions::square> row_square{};
    constexpr std::integral_constant<int, 0> first{};
    constexpr std::integral_constant<int, 1> second{};
    for (const adjoint_task& t : stream) {
        switch (t.code) {
#define CHAINRULE_TASK(KIND, MORE, W, ...)                                                                             \
    case 8 * static_cast<int>(task_kind::KIND) + MORE: {                                                               \
        const T w = W;                                                                                                 \
        adjoint[t.from] = T(0);                                                                                        \
        __VA_ARGS__                                                                                                    \
        break;                                                                                                         \
    }
#define CHAINRULE_TASKS(ROW, MORE, W)                                                                                  \
    CHAINRULE_TASK(ROW, MORE + 1, W, add(row_##ROW, first, t.to_x, w, v[t.x], v[t.y], v[t.result]);)                   \
    CHAINRULE_TASK(ROW, MORE + 2, W, add(row_##ROW, second, t.to_y, w, v[t.x], v[t.y], v[t.result]);)                  \
    CHAINRULE_TASK(ROW, MORE + 3, W, add(row_##ROW, first, t.to_x, w, v[t.x], v[t.y], v[t.result]);                    \
                   add(row_##ROW, second, t.to_y, w, v[t.x], v[t.y], v[t.result]);)
#define CHAINRULE_BINARY_TASKS(ROW) CHAINRULE_TASKS(ROW, 0, adjoint[t.from]) CHAINRULE_TASKS(ROW, 4, last)
#define CHAINRULE_UNARY_TASKS(ROW)                                                                                     \
    CHAINRULE_TASK(ROW, 1, adjoint[t.from], add(row_##ROW, first, t.to_x, w, v[t.x], v[t.result]);)                    \
    CHAINRULE_TASK(ROW, 5, last, add(row_##ROW, first, t.to_x, w, v[t.x], v[t.result]);)
            CHAINRULE_BINARY_TASKS(add)
            CHAINRULE_BINARY_TASKS(subtract)
            CHAINRULE_BINARY_TASKS(multiply)
            CHAINRULE_BINARY_TASKS(divide)
            CHAINRULE_UNARY_TASKS(negate)
            CHAINRULE_UNARY_TASKS(square)
#undef CHAINRULE_BINARY_TASKS
#undef CHAINRULE_UNARY_TASKS
#undef CHAINRULE_TASKS
#undef CHAINRULE_TASK
        case 8 * static_cast<int>(task_kind::clear): std::fill_n(adjoint + t.from, t.x, T(0)); break;
        default: call(t.x);
        }
    }
}

} // namespace chainrule::tape::replays
