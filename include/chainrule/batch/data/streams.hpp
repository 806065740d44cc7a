// SPDX-License-Identifier: BSL-1.0
//
// The inputs and outputs of a kernel that runs over many points: each a stream of numbers, read or written a register
// at a time. The last points, if they do not fill a register, are copied to a buffer and run through the same machine
// code, so that a result does not depend on how many points there are.
#pragma once

#include <chainrule/batch/data/columns.hpp>
#include <chainrule/batch/lanes/lanes.hpp>
#include <chainrule/kernel/emit.hpp>

#include <array>
#include <utility>

namespace chainrule::batches {

/// Where each input is, and how far apart its numbers are.
template <class T, layout... Layouts>
struct input_streams {
    static constexpr std::size_t count = sizeof...(Layouts);
    static constexpr layout layouts[count + 1] = {Layouts...};
    const T* first[count + 1];
    std::ptrdiff_t stride[count + 1];

    template <class L>
    [[gnu::always_inline]] L read(std::size_t i, std::size_t point) const {
        if (layouts[i] == layout::contiguous) return load<L>(first[i] + point);
        if (layouts[i] == layout::common) return L(*first[i]);
        return gather<L>(first[i] + static_cast<std::ptrdiff_t>(point) * stride[i], stride[i]);
    }
};

/// The same streams from another point on.
template <class Streams>
[[nodiscard]] constexpr Streams from_point(Streams streams, std::size_t point) {
    for (std::size_t i = 0; i < Streams::count; ++i)
        streams.first[i] += static_cast<std::ptrdiff_t>(point) * streams.stride[i];
    return streams;
}

/// Where each output goes. Places[k] are the streams that output k of the program is written to, one or two.
template <class T, layout... Layouts>
struct output_streams {
    static constexpr std::size_t count = sizeof...(Layouts);
    static constexpr layout layouts[count + 1] = {Layouts...};
    T* first[count + 1];
    std::ptrdiff_t stride[count + 1];

    template <class L>
    [[gnu::always_inline]] void write(const L& lanes, std::size_t i, std::size_t point) const {
        if (layouts[i] == layout::contiguous)
            store(lanes, first[i] + point);
        else
            scatter(lanes, first[i] + static_cast<std::ptrdiff_t>(point) * stride[i], stride[i]);
    }
};

/// The streams that an output of a program is written to: one, or those of all entries of a symmetric matrix that are
/// equal.
template <std::size_t Most>
struct destination {
    std::size_t count;
    std::array<std::size_t, Most> places;
};

// What a kernel reads and writes at the points of one register. From input `Shared` on, set number `set` is read.
template <class L, class Streams, std::size_t Shared, std::size_t PerSet>
struct inputs_at {
    const Streams& streams;
    std::size_t point;
    std::size_t set;
    [[gnu::always_inline]] L operator[](std::size_t i) const {
        return streams.template read<L>(i < Shared ? i : i + set * PerSet, point);
    }
    [[gnu::always_inline]] void refresh() {}
};
template <class L, class Streams, class Destinations>
struct outputs_at {
    struct output {
        const outputs_at& at;
        std::size_t k;
        [[gnu::always_inline]] void operator=(const L& lanes) const { at.write(lanes, k, 0); }
    };
    const Streams& streams;
    std::size_t point;

    [[gnu::always_inline]] output operator[](std::size_t k) const { return {*this, k}; }
    [[gnu::always_inline]] void write(const L& lanes, std::size_t k, std::size_t set) const {
        const auto to = Destinations::of[k];
        const std::size_t before = set * Destinations::places;
        [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
            ((I < to.count ? streams.write(lanes, before + to.places[I], point) : void()), ...);
        }(std::make_index_sequence<Destinations::most>{});
    }
};
template <class L>
struct broadcast_numbers {
    const element<L>* first;
    [[gnu::always_inline]] L operator[](std::size_t i) const { return L(first[i]); }
    [[gnu::always_inline]] void refresh() { kernel::forget(first); }
};

/// A program at many points of type T. The inputs from `Shared` on are sets of `PerSet` inputs, as the directions of
/// derivatives: the program runs once with each, and the compiler merges what these runs have in common.
template <class Program, class T, class Inputs, class Outputs, class Destinations, std::size_t Shared = Inputs::count,
          std::size_t PerSet = 0>
struct loop {
    using L = widest<T>;
    static constexpr std::size_t lanes = lane_count<L>;
    static constexpr std::size_t sets = PerSet == 0 ? 1 : (Inputs::count - Shared) / PerSet;

    static void run(const Inputs& inputs, const Outputs& outputs, const T* numbers, std::size_t points) {
        const std::size_t whole = points / lanes * lanes;
        if (whole != 0) run_whole(inputs, outputs, numbers, whole);
        if (whole != points) run_last(inputs, outputs, numbers, whole, points - whole);
    }

private:
    // The only instance of the kernel: the same instructions for all points.
    [[gnu::noinline]] static void run_whole(const Inputs& from, const Outputs& to, const T* numbers,
                                            std::size_t points) {
        const Inputs inputs = from; // no store can change a local copy
        const Outputs outputs = to;
        for (std::size_t point = 0; point < points; point += lanes) {
            outputs_at<L, Outputs, Destinations> at{outputs, point};
            if constexpr (sets == 1)
                run_set(inputs, numbers, point, 0, at);
            else
                run_sets(inputs, numbers, point, at, std::make_index_sequence<sets>{});
        }
    }
    template <class To>
    [[gnu::always_inline]] static void run_set(const Inputs& inputs, const T* numbers, std::size_t point,
                                               std::size_t set, To& to) {
        kernel::runner<Program>::template run<L>(inputs_at<L, Inputs, Shared, PerSet>{inputs, point, set},
                                                 broadcast_numbers<L>{numbers}, to);
    }
    // The results are written last: a store between the runs would keep the compiler from merging them.
    template <class To, std::size_t... Set>
    [[gnu::always_inline]] static void run_sets(const Inputs& inputs, const T* numbers, std::size_t point, const To& to,
                                                std::index_sequence<Set...>) {
        L results[sets][Destinations::count];
        (run_set(inputs, numbers, point, Set, results[Set]), ...);
        for (std::size_t set = 0; set < sets; ++set)
            for (std::size_t k = 0; k < Destinations::count; ++k) to.write(results[set][k], k, set);
    }

    [[gnu::noinline]] static void run_last(Inputs inputs, Outputs outputs, const T* numbers, std::size_t first,
                                           std::size_t count) {
        T in[Inputs::count + 1][lanes], out[Outputs::count + 1][lanes];
        const Outputs to = outputs;
        for (std::size_t i = 0; i < Inputs::count; ++i) {
            if (Inputs::layouts[i] == layout::common) continue;
            const std::ptrdiff_t stride = Inputs::layouts[i] == layout::contiguous ? 1 : inputs.stride[i];
            const T* const begin = inputs.first[i] + static_cast<std::ptrdiff_t>(first) * stride;
            // The other lanes repeat the last point: they raise no floating-point exception of their own.
            for (std::size_t lane = 0; lane < lanes; ++lane)
                in[i][lane] = begin[static_cast<std::ptrdiff_t>(lane < count ? lane : count - 1) * stride];
            inputs.first[i] = in[i];
            inputs.stride[i] = 1;
        }
        for (std::size_t i = 0; i < Outputs::count; ++i) {
            outputs.first[i] = out[i];
            outputs.stride[i] = 1;
        }
        run_whole(inputs, outputs, numbers, lanes);
        for (std::size_t i = 0; i < Outputs::count; ++i) {
            const std::ptrdiff_t stride = Outputs::layouts[i] == layout::contiguous ? 1 : to.stride[i];
            for (std::size_t lane = 0; lane < count; ++lane)
                to.first[i][static_cast<std::ptrdiff_t>(first + lane) * stride] = out[i][lane];
        }
    }
};

} // namespace chainrule::batches
