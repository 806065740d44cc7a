// SPDX-License-Identifier: BSL-1.0
//
// Parts of a computation in several threads. Each group of parts records on a tape of its own; on the tape of the
// inputs all parts are one operation, whose sweep runs in several threads too.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/threads.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/tape/derivatives/forward_runs.hpp>
#include <chainrule/tape/derivatives/kept_tape.hpp>
#include <chainrule/tape/derivatives/numbers_within.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <ranges>
#include <tuple>

namespace chainrule::tape {

namespace parts {

/// The most groups. They do not depend on the number of threads, and so neither do results.
inline constexpr std::size_t most_groups = 128;

/// Empty tapes for the next call, which then need not allocate.
template <class T>
class spare_tapes {
public:
    /// Of all of them together. The system may take the memory of those beyond `most_bytes_held`, and those beyond
    /// `most_bytes` are not kept.
    static constexpr std::size_t most_bytes_held = std::size_t{1} << 28, most_bytes = std::size_t{1} << 30;

    [[nodiscard]] static std::unique_ptr<basic_tape<T>> take() {
        {
            const std::lock_guard lock(all().mutex_);
            if (!all().tapes_.empty()) {
                auto taken = std::move(all().tapes_.back());
                all().tapes_.pop_back();
                all().bytes_ -= taken->memory().bytes_reserved;
                return taken;
            }
        }
        return std::make_unique<basic_tape<T>>();
    }
    static void give_back(std::unique_ptr<basic_tape<T>> used) {
        make_as_new(*used);
        const std::size_t bytes = used->memory().bytes_reserved;
        const std::lock_guard lock(all().mutex_);
        if (all().bytes_ + bytes > most_bytes) return;
        if (all().bytes_ + bytes > most_bytes_held && !used->offer_to_system()) return;
        all().tapes_.push_back(std::move(used));
        all().bytes_ += bytes;
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<basic_tape<T>>> tapes_;
    std::size_t bytes_ = 0;

    // Never destroyed, since tapes of static lifetime may be destroyed later.
    static spare_tapes& all() {
        static spare_tapes& s = *new spare_tapes;
        return s;
    }
};

/// Calls work(0), ..., work(groups - 1) in several threads.
template <class Threads, class Work>
void for_each_group(const Threads& threads, std::size_t groups, const Work& work) {
    const auto* const run = points::run_in_progress::innermost;
    threads.for_each_task(groups, [&](std::size_t group) {
        const points::part_of_run part(run);
        work(group);
    });
}
/// Calls work(i) for each part of a group.
template <class Work>
void for_each_part(std::size_t count, std::size_t groups, std::size_t group, const Work& work) {
    for (std::size_t i = count * group / groups; i < count * (group + 1) / groups; ++i) work(i);
}

/// An argument or a result that does not refer to numbers elsewhere.
template <class Given>
[[nodiscard]] auto owned(Given&& x) {
    using X = std::remove_cvref_t<Given>;
    if constexpr (within::is_unassigned<X>) {
        return within::assigned(x);
    } else if constexpr (matrix_object<X>) {
        return typename X::PlainObject(std::forward<Given>(x));
    } else if constexpr (std::is_array_v<X>) {
        return std::to_array(x);
    } else if constexpr (std::ranges::view<X>) {
        using element = std::ranges::range_value_t<X>;
        if constexpr (std::same_as<decltype(within::types<element>()), core::type_list<>>)
            return X(x);
        else
            return std::vector<element>(std::ranges::begin(x), std::ranges::end(x));
    } else {
        return X(std::forward<Given>(x));
    }
}

/// While this thread computes a part, it records on tapes of the part alone. Before and afterwards it reads the head of
/// no tape, since another thread may record there.
template <class T>
class part_of_tapes {
public:
    part_of_tapes() : outside_(now) {
        static std::atomic<std::uint64_t> last{0};
        now = ++last;
        heads<T>::expect(&no_head<T>);
    }
    ~part_of_tapes() {
        heads<T>::expect(&no_head<T>);
        now = outside_;
    }
    part_of_tapes(const part_of_tapes&) = delete;
    part_of_tapes& operator=(const part_of_tapes&) = delete;

private:
    std::uint64_t outside_;
};

/// The recordings of all groups, as an operation on the tape of the inputs keeps them.
template <class T, class Threads>
class recordings {
public:
    using number = active<T>;

    recordings(Threads threads, std::size_t groups) : threads_(threads), groups_(groups) {}
    ~recordings() {
        for (group& g : groups_)
            if (g.tape != nullptr) {
                CHAINRULE_TRY { spare_tapes<T>::give_back(std::move(g.tape)); }
                CHAINRULE_CATCH(...) {}
            }
    }
    recordings(const recordings&) = delete;
    recordings& operator=(const recordings&) = delete;

    /// Computes all parts: those of a group on its tape. results[i] is part i.
    template <class Result, class F, class Arguments>
    void run(std::vector<std::optional<Result>>& results, const F& f, const Arguments& arguments) {
        std::apply(
            [this](const auto&... x) { (within::for_each_active<T>(x, [this](const number& v) { take(v); }), ...); },
            arguments);
        for_each_group(threads_, groups_.size(), [&](std::size_t k) {
            group& g = groups_[k];
            const part_of_tapes<T> part;
            g.tape = spare_tapes<T>::take();
            Arguments own = arguments;
            g.inputs.reserve(inputs_.size());
            const auto make_variable = [&g](number& v) {
                if (v.is_recorded()) g.inputs.push_back(v = g.tape->variable(v.value()));
            };
            std::apply([&](auto&... x) { (within::for_each_active<T>(x, make_variable), ...); }, own);
            for_each_part(results.size(), groups_.size(), k, [&](std::size_t i) {
                std::apply([&](const auto&... x) { results[i].emplace(parts::owned(std::invoke(f, i, x...))); }, own);
                within::for_each_active<T>(*results[i], [&g](const number& y) {
                    if (y.recorder() == g.tape.get()) g.outputs.push_back(y);
                });
            });
        });
    }

    /// Records one operation, and makes its results those of the parts.
    template <class Result>
    static void join(const std::shared_ptr<recordings>& all, std::vector<std::optional<Result>>& results) {
        std::vector<T> values;
        for (const group& g : all->groups_)
            for (const number& y : g.outputs) values.push_back(y.value());
        const std::vector<number> joined = all->on_->operation(
            std::span<const T>(values),
            [all](std::span<const number> outputs, const adjoint_view<T>& adjoints) { all->sweep(outputs, adjoints); });
        std::size_t next = 0;
        for (std::size_t k = 0; k < all->groups_.size(); ++k)
            for_each_part(results.size(), all->groups_.size(), k, [&](std::size_t i) {
                within::for_each_active<T>(*results[i], [&](number& y) {
                    if (y.recorder() == all->groups_[k].tape.get()) y = joined[next++];
                });
            });
    }

private:
    struct group {
        std::unique_ptr<basic_tape<T>> tape;
        std::vector<number> inputs, outputs; // those of the group's tape
        std::vector<T> derivatives;          // with respect to the inputs, after a sweep
    };
    Threads threads_;
    basic_tape<T>* on_ = nullptr;
    std::vector<number> inputs_;
    std::vector<group> groups_;

    void take(const number& input) {
        if (!input.is_recorded()) return;
        if (on_ == nullptr) on_ = input.recorder();
        if (on_ == nullptr || input.recorder() != on_)
            core::raise(std::logic_error("parallel: the arguments have numbers of two tapes, or of one that is "
                                         "destroyed; record all of them on one tape"));
        static_cast<void>(on_->number_of(input)); // throws if it is no longer recorded
        inputs_.push_back(input);
    }

    void sweep(std::span<const number> outputs, const adjoint_view<T>& adjoints) {
        std::vector<T> weights;
        for (const number& y : outputs) weights.push_back(adjoints[y]);
        std::vector<std::size_t> first(groups_.size());
        for (std::size_t k = 1; k < groups_.size(); ++k) first[k] = first[k - 1] + groups_[k - 1].outputs.size();
        for_each_group(threads_, groups_.size(), [&](std::size_t k) {
            group& g = groups_[k];
            g.derivatives.clear();
            const std::span<const T> its_weights(weights.data() + first[k], g.outputs.size());
            if (std::ranges::all_of(its_weights, [](const T& w) { return core::is_structural_zero(w); })) return;
            g.tape->backward(std::span<const number>(g.outputs), its_weights);
            g.derivatives.reserve(g.inputs.size());
            for (const number& x : g.inputs) g.derivatives.push_back(g.tape->gradient(x));
        });
        for (const group& g : groups_)
            for (std::size_t i = 0; i < g.derivatives.size(); ++i)
                if (!core::is_structural_zero(g.derivatives[i]))
                    adjoints[inputs_[i]] = adjoints[inputs_[i]] + g.derivatives[i];
    }
};

/// Whether numbers of type T may be computed in several threads: those on a tape that another thread records on too
/// may not.
template <class T>
inline constexpr bool in_threads = std::floating_point<T>;
template <class T, std::size_t N>
inline constexpr bool in_threads<dual<T, N>> = in_threads<T>;

/// Whether all types in a list are T, or hide numbers.
template <class T, class... All>
[[nodiscard]] consteval bool is_only(core::type_list<All...>) {
    return (true && ... && (std::same_as<All, T> || std::same_as<All, within::closed>));
}

/// Whether any number is recorded. Throws if an argument refers to numbers elsewhere, which would be replaced there.
template <class T, class... X>
[[nodiscard]] bool any_recorded(const std::tuple<X...>& arguments) {
    bool any = false;
    std::vector<const void*> at;
    const auto visit = [&](const active<T>& v) {
        any = any || v.is_recorded();
        at.push_back(&v);
    };
    std::apply([&](const auto&... x) { (within::for_each_active<T>(x, visit), ...); }, arguments);
    const std::tuple<X...> copy = arguments;
    std::size_t next = 0;
    const auto compare = [&](const active<T>& v) {
        if (at[next++] == &v)
            core::raise(std::invalid_argument("parallel: an argument refers to numbers elsewhere, as a pointer or a "
                                              "view in a struct does; pass the list of the numbers"));
    };
    std::apply([&](const auto&... x) { (within::for_each_active<T>(x, compare), ...); }, copy);
    return any;
}

template <class Executor, class F, class... X>
[[nodiscard]] auto run(const Executor& threads, std::size_t count, const F& f, const std::tuple<X...>& arguments) {
    using result = decltype(parts::owned(std::declval<std::invoke_result_t<const F&, std::size_t, const X&...>>()));
    constexpr auto numbers = (core::type_list<>{} + ... + within::types<X>());
    using T = typename decltype(within::first(numbers))::type;
    constexpr bool hidden =
        within::has<within::closed>(numbers) || within::has<within::closed>(within::types<result>());
    // Numbers of two types are on two tapes.
    constexpr bool on_tapes = in_threads<T> && is_only<T>(numbers);
    static_assert(!(on_tapes && hidden), "parallel: an argument or the function's result hides numbers in a class; use "
                                         "numbers, and lists, tuples or structs of them, and capture data");

    std::vector<std::optional<result>> results(count);
    const std::size_t groups = std::min(count, most_groups);
    const auto compute = [&](std::size_t i) {
        std::apply([&](const auto&... x) { results[i].emplace(parts::owned(std::invoke(f, i, x...))); }, arguments);
    };
    const auto compute_group = [&](std::size_t k) {
        const part_of_tapes<std::conditional_t<on_tapes, T, double>> part;
        for_each_part(count, groups, k, compute);
    };
    if constexpr (on_tapes && !hidden) {
        if (any_recorded<T>(arguments)) {
            const auto all = std::make_shared<recordings<T, Executor>>(threads, groups);
            all->run(results, f, arguments);
            recordings<T, Executor>::join(all, results);
        } else {
            for_each_group(threads, groups, compute_group);
        }
    } else if constexpr (std::same_as<decltype(numbers), const core::type_list<>>) {
        for_each_group(threads, groups, compute_group);
    } else {
        for (std::size_t i = 0; i < count; ++i) compute(i);
    }
    std::vector<result> all;
    all.reserve(count);
    for (auto& part : results) all.push_back(std::move(*part));
    return all;
}

} // namespace parts

/// f(0, x...), ..., f(count - 1, x...) in a std::vector, computed by several threads: `threads(n)`, or an execution
/// policy or `openmp(n)` with their headers. f returns a number, or a list, a tuple or a struct of numbers. It is
/// called by several threads at the same time, with copies of the arguments; all active numbers that it uses are among
/// these. Its parts record on up to 128 tapes with variables for all numbers in x; on the tape of x they are one
/// operation. Results and derivatives do not depend on the number of threads.
///
/// One thread computes, in order, numbers that are on two tapes at once (of type active<active<T>>), active numbers of
/// two types, replayable ones, and arguments that hide their numbers. Throws what f throws, std::logic_error if f
/// computes with an active number that it captures, and std::invalid_argument if an argument refers to numbers
/// elsewhere. The tape is as before then.
///
/// Example: `auto terms = parallel(threads(4), 100, [&](std::size_t i, const auto& p) { return term(data[i], p); },
/// p);`
template <class Threads, class F, class... X>
[[nodiscard]] auto parallel(const Threads& threads, std::size_t count, const F& f, const X&... x) {
    using executor = typename batches::executor_of<Threads>::type;
    constexpr bool in_threads = !std::is_void_v<executor>;
    static_assert(in_threads, "parallel: the first argument is not one of threads(n), an execution policy and "
                              "openmp(n), or its header is missing; write parallel(threads(4), count, f, x)");
    constexpr bool called = std::is_invocable_v<const F&, std::size_t, const decltype(parts::owned(x))&...>;
    static_assert(called, "parallel: the function does not take the index of a part and the arguments; write "
                          "[&](std::size_t i, const auto& x) { ...; return y; }");
    if constexpr (in_threads && called) {
        using returned = std::invoke_result_t<const F&, std::size_t, const decltype(parts::owned(x))&...>;
        static_assert(!std::is_void_v<returned>,
                      "parallel: the function returns nothing; return the numbers of a part");
        if constexpr (!std::is_void_v<returned>)
            return parts::run(executor(threads), count, f,
                              std::tuple<decltype(parts::owned(x))...>(parts::owned(x)...));
    }
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
