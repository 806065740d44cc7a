// SPDX-License-Identifier: BSL-1.0
//
// A recording as machine code: programs that the passes of the compiler make at run time, written in C, compiled by the
// compiler of the machine and loaded.
#pragma once

#include <chainrule/tape/recorded_function.hpp>
#include <chainrule/tape/recorded_program.hpp>
#include <chainrule/tape/shared_library.hpp>

#include <cmath>

namespace chainrule::tape {

namespace points {
/// Whether the numbers of a list are of type double and follow one another in memory.
template <class X>
inline constexpr bool are_doubles_in_a_row = false;
template <class X>
requires(!matrix_object<X> && std::ranges::contiguous_range<const X>)
inline constexpr bool are_doubles_in_a_row<X> = std::same_as<std::ranges::range_value_t<const X>, double>;
template <matrix_object X>
requires std::same_as<X, typename X::PlainObject>
inline constexpr bool are_doubles_in_a_row<X> = std::same_as<typename X::Scalar, double>;
} // namespace points

/// A recording that was compiled. It holds where the comparisons on which the function branches come out as when it was
/// recorded; elsewhere, calls throw comparison_changed. Copies share the code and may be used by other threads; one
/// object has one thread at a time, since its memory is kept from call to call. Points and results are laid out as
/// those of the recording.
template <class Values>
class compiled_function {
    static constexpr bool one = std::same_as<Values, double>;
    template <class X>
    using gradient_like = typename points::layout<X>::template with<double>;

public:
    template <class F>
    compiled_function(const recorded_function<double, F, Values>& r, const compile_options& options)
        : replay_(r.recording()), shape_(r.layout_of_values()), hessians_(options.hessians) {
        const replays::recorded_graph graph = replays::graph_builder(replay_.what()).take();
        std::vector<libraries::source> sources;
        const auto add = [&](const char* name, unsigned request) {
            const codegen::unpacked_program program = replays::program_of(graph, request);
            replays::check_functions(program);
            sources.push_back({name, replays::text_in_c(program, name, graph, request, true)});
        };
        add("f_values", request::values);
        add("f_derivatives", request::values | request::jacobians);
        if (hessians_) add("f_hessians", request::values | request::jacobians | request::hessians);
        made_ = libraries::made(sources, options);
        values_ = made_.loaded->template function<code>("f_values");
        derivatives_ = made_.loaded->template function<code>("f_derivatives");
        if (hessians_) second_ = made_.loaded->template function<code>("f_hessians");
        const std::size_t n = inputs();
        results_.resize(outputs() * (1 + n + (hessians_ ? n * (n + 1) / 2 : 0)) + comparisons());
    }

    /// How many numbers it takes and returns, and on how many comparisons and values read by value() it depends.
    [[nodiscard]] std::size_t inputs() const { return replay_.what().inputs; }
    [[nodiscard]] std::size_t outputs() const { return replay_.what().outputs.size(); }
    [[nodiscard]] std::size_t comparisons() const { return replay_.what().readings.size(); }
    /// The seconds that the C compiler took, and whether the library was compiled before.
    [[nodiscard]] double compile_seconds() const { return made_.seconds; }
    [[nodiscard]] bool was_kept() const { return made_.was_kept; }

    /// The value, or the values laid out as the function returns them.
    template <class... X>
    requires points::point<X...>
    [[nodiscard]] auto operator()(const X&... x) {
        return replays::listed<double>(
            [this](const auto& at) {
                run(values_, outputs(), at);
                return all_values();
            },
            x...);
    }
    /// The values, into memory of the caller.
    template <points::list_of_numbers X>
    void values(const X& x, std::span<double> to) {
        replays::check("values", "values", outputs(), to.size());
        run(values_, outputs(), x);
        std::copy_n(results_.data(), to.size(), to.data());
    }

    /// The gradient of a function of one value.
    template <class... X>
    requires points::point<X...>
    [[nodiscard]] auto gradient(const X&... x) {
        return value_and_gradient(x...).gradient;
    }
    template <points::list_of_numbers X>
    void gradient(const X& x, std::span<double> to) {
        static_cast<void>(value_and_gradient(x, to));
    }
    /// The value and the gradient: `.value`, `.gradient`.
    template <class... X>
    requires points::point<X...>
    [[nodiscard]] auto value_and_gradient(const X&... x) {
        check_one();
        return replays::listed<double>(
            [this]<class At>(const At& at) {
                value_and_gradient_of<double, gradient_like<At>> result;
                if (derive_into(result, at)) return result;
                derive(at);
                result = {results_[0], gradient_at(at)};
                return result;
            },
            x...);
    }
    /// Writes the gradient into memory of the caller and returns the value.
    template <points::list_of_numbers X>
    double value_and_gradient(const X& x, std::span<double> to) {
        check_one();
        replays::check("gradient", "elements of the gradient", inputs(), to.size());
        derive(x);
        std::copy_n(results_.data() + 1, to.size(), to.data());
        return results_[0];
    }

    /// The Jacobian of a function that returns a list: one row for each value.
    template <class... X>
    requires points::point<X...>
    [[nodiscard]] auto jacobian(const X&... x) {
        return value_and_jacobian(x...).jacobian;
    }
    /// Writes the Jacobian into memory of the caller, row by row.
    template <points::list_of_numbers X>
    void jacobian(const X& x, std::span<double> to) {
        replays::check("jacobian", "elements of the Jacobian", inputs() * outputs(), to.size());
        derive(x);
        std::copy_n(results_.data() + outputs(), to.size(), to.data());
    }
    /// The values and the Jacobian: `.values`, `.jacobian`.
    template <class... X>
    requires points::point<X...>
    [[nodiscard]] auto value_and_jacobian(const X&... x) {
        static_assert(!one, "compile: the function returns one number; use gradient, or return a list of numbers");
        if constexpr (!one)
            return replays::listed<double>(
                [this]<class At>(const At& at) {
                    using type = points::matrix_of<Values, gradient_like<At>, double>;
                    values_and_jacobian_of<Values, type> result;
                    if (derive_into(result, at)) return result;
                    derive(at);
                    const double* const j = results_.data() + outputs();
                    const auto of = [&](std::size_t row, std::size_t column) { return j[row * inputs() + column]; };
                    result = {all_values(), points::matrix_made<type, double>(outputs(), inputs(), of)};
                    return result;
                },
                x...);
        else
            return values_and_jacobian_of<double, double>{};
    }

    /// The value, the gradient and the Hessian: `.value`, `.gradient`, `.hessian`. For compile(r, {.hessians = true}).
    template <class... X>
    requires points::point<X...>
    [[nodiscard]] auto hessian(const X&... x) {
        check_one();
        if (second_ == nullptr)
            core::raise(std::logic_error("hessian: second derivatives were not compiled; ask for them: compile(r, "
                                         "{.hessians = true})"));
        return replays::listed<double>(
            [this]<class At>(const At& at) {
                const std::size_t n = inputs();
                run(second_, 1 + n + n * (n + 1) / 2, at);
                using type = points::matrix_of<gradient_like<At>, gradient_like<At>, double>;
                const double* const upper = results_.data() + 1 + n;
                const auto of = [&](std::size_t i, std::size_t j) {
                    const std::size_t row = std::min(i, j), column = std::max(i, j);
                    return upper[row * n - row * (row + 1) / 2 + column];
                };
                return second_derivatives<double, gradient_like<At>, type>{results_[0], gradient_at(at),
                                                                           points::matrix_made<type, double>(n, n, of)};
            },
            x...);
    }

private:
    using code = void(const double*, const double*, double*);

    replays::memory<double> replay_; // says what has changed
    Values shape_;
    bool hessians_;
    libraries::made_library made_;
    code *values_ = nullptr, *derivatives_ = nullptr, *second_ = nullptr;
    std::vector<double> point_, results_;

    static consteval void check_one() {
        static_assert(one, "compile: the function returns several numbers; use jacobian, or return one");
    }
    // Where the numbers of a point follow one another in memory, they are read there.
    template <class X>
    [[nodiscard]] const double* point_of(const X& x) {
        replays::check("replay", "numbers in its point", inputs(), points::size_of(x));
        if constexpr (points::are_doubles_in_a_row<X>) {
            return std::data(x);
        } else {
            decltype(auto) from = points::evaluated(x);
            point_.resize(inputs());
            for (std::size_t i = 0; i < inputs(); ++i) point_[i] = static_cast<double>(points::element(from, i));
            return point_.data();
        }
    }
    template <class X>
    void run(code* f, std::size_t results, const X& x) {
        const double* const at = point_of(x);
        f(at, nullptr, results_.data());
        const auto& readings = replay_.what().readings;
        for (std::size_t i = 0; i < readings.size(); ++i)
            if (!replays::same_number(results_[results + i], readings[i].found)) [[unlikely]]
                report_change(at, i);
    }
    template <class X>
    void derive(const X& x) {
        run(derivatives_, outputs() * (1 + inputs()), x);
    }
    // Writes a result that consists of arrays where it will be, if nothing else has to be read.
    template <class Result, class X>
    [[nodiscard]] bool derive_into(Result& result, const X& x) {
        if constexpr (std::is_trivially_copyable_v<Result> && std::is_standard_layout_v<Result>) {
            if (comparisons() != 0 || sizeof(Result) != outputs() * (1 + inputs()) * sizeof(double)) return false;
            derivatives_(point_of(x), nullptr, reinterpret_cast<double*>(&result));
            return true;
        } else {
            return false;
        }
    }
    [[noreturn, gnu::noinline]] void report_change(const double* at, std::size_t reading) {
        std::copy_n(at, inputs(), replay_.inputs());
        if (!replay_.run_values()) replay_.report_change();
        core::raise(comparison_changed("replay: comparison " + std::to_string(reading + 1) +
                                           " comes out otherwise in the compiled code than when the function was "
                                           "recorded, since its flags round otherwise; compile with -ffp-contract=off",
                                       reading + 1, 0));
    }

    [[nodiscard]] auto all_values() const {
        if constexpr (one)
            return results_[0];
        else
            return points::made<double>(shape_, [this](const auto&, std::size_t i) { return results_[i]; });
    }
    template <class X>
    [[nodiscard]] auto gradient_at(const X& x) const {
        return points::made<double>(x, [this](const auto&, std::size_t i) { return results_[1 + i]; });
    }
};

} // namespace chainrule::tape
