// SPDX-License-Identifier: BSL-1.0
//
// A recording as machine code: calls of the functions in its library (tape/compiled/programs.hpp) with points and
// results in the layout of the recording.
#pragma once

#include <chainrule/tape/compiled/compiled_products.hpp>

#include <cmath>
#include <functional>

namespace chainrule::tape {

namespace points {
/// Whether the numbers of a list are of type double and follow one another in memory.
template <class X>
inline constexpr bool are_doubles_in_a_row = false;
template <class X>
requires(!matrix_object<X> && std::ranges::contiguous_range<const X>)
inline constexpr bool are_doubles_in_a_row<X> = std::same_as<std::ranges::range_value_t<const X>, double>;
template <matrix_object X>
requires(std::same_as<X, typename X::PlainObject> && !is_stored_by_rows<X>)
inline constexpr bool are_doubles_in_a_row<X> = std::same_as<typename X::Scalar, double>;
} // namespace points

/// A recording that was compiled. It holds where the comparisons on which the function branches come out as when it was
/// recorded; elsewhere, calls throw comparison_changed. Copies share the code and may be used by other threads; one
/// object has one thread at a time, since its memory is kept from call to call. Points and results are laid out as
/// those of the recording.
/// Parts are the layouts of the function's arguments if some of several are lists.
template <class Values, class Parts = std::tuple<>>
class compiled_function : public compiled_products<compiled_function<Values, Parts>, Values> {
    friend compiled_products<compiled_function, Values>;
    static constexpr bool one = std::same_as<Values, double>;
    template <class X>
    using gradient_like = typename points::layout<X>::template with<double>;
    template <class... X>
    static constexpr bool takes_point = replays::takes_point<Parts, X...>;

public:
    template <class F>
    compiled_function(const recorded_function<double, F, Values>& r, const compile_options& options)
        : replay_(r.recording()), shape_(r.layout_of_values()), parts_(r.layout_of_arguments()),
          programs_(replay_.what(), one, options) {
        const std::size_t n = inputs();
        results_.resize(outputs() * (1 + n + (options.hessians && options.sparse ? n * (n + 1) / 2 : 0)) +
                        comparisons());
    }

    /// How many numbers it takes.
    [[nodiscard]] std::size_t inputs() const { return replay_.what().inputs; }
    /// How many numbers it returns.
    [[nodiscard]] std::size_t outputs() const { return replay_.what().outputs.size(); }
    /// On how many comparisons and values read by value() it depends.
    [[nodiscard]] std::size_t comparisons() const { return replay_.what().readings.size(); }
    /// The seconds that the C compiler took.
    [[nodiscard]] double compile_seconds() const { return programs_.library.seconds; }
    /// Whether the library was there already, so that nothing was compiled.
    [[nodiscard]] bool was_kept() const { return programs_.library.was_kept; }

    /// The value, or the values laid out as the function returns them.
    template <class... X>
    requires takes_point<X...>
    [[nodiscard]] auto operator()(const X&... x) {
        return replays::listed<double>(
            parts_,
            [this](const auto& at) {
                run(programs_.values, outputs(), at);
                return all_values();
            },
            x...);
    }
    /// The values, into memory of the caller.
    template <points::list_of_numbers X>
    void values(const X& x, memory_of<double> to) {
        replays::check_memory("values", "values", 1, outputs(), to);
        run(programs_.values, outputs(), x);
        std::copy_n(results_.data(), to.size(), to.data());
    }

    /// The gradient of a function of one value.
    template <class... X>
    requires takes_point<X...>
    [[nodiscard]] auto gradient(const X&... x) {
        return value_and_gradient(x...).gradient;
    }
    template <points::list_of_numbers X>
    void gradient(const X& x, memory_of<double> to) {
        static_cast<void>(value_and_gradient(x, to));
    }
    /// The value and the gradient: `.value`, `.gradient`.
    template <class... X>
    requires takes_point<X...>
    [[nodiscard]] auto value_and_gradient(const X&... x) {
        check_one();
        return replays::listed_in_parts<double>(
            parts_,
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
    double value_and_gradient(const X& x, memory_of<double> to) {
        check_one();
        replays::check_memory("gradient", "elements of the gradient", 1, inputs(), to);
        derive(x);
        std::copy_n(results_.data() + 1, to.size(), to.data());
        return results_[0];
    }

    /// The Jacobian of a function that returns a list: one row for each value.
    template <class... X>
    requires takes_point<X...>
    [[nodiscard]] auto jacobian(const X&... x) {
        return value_and_jacobian(x...).jacobian;
    }
    /// Writes the Jacobian into memory of the caller, row by row.
    template <points::list_of_numbers X>
    void jacobian(const X& x, memory_of<double> to) {
        replays::check_memory("jacobian", "elements of the Jacobian", outputs(), inputs(), to);
        derive(x);
        std::copy_n(results_.data() + outputs(), to.size(), to.data());
    }
    /// The values and the Jacobian: `.values`, `.jacobian`.
    template <class... X>
    requires takes_point<X...>
    [[nodiscard]] auto value_and_jacobian(const X&... x) {
        static_assert(!one, "compile: the function returns one number; use gradient, or return a list of numbers");
        if constexpr (!one)
            return replays::listed_in_parts<double>(
                parts_,
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
    requires takes_point<X...>
    [[nodiscard]] auto hessian(const X&... x) {
        return replays::listed_in_parts<double>(
            parts_,
            [this]<class At>(const At& at) {
                using type = points::matrix_of<gradient_like<At>, gradient_like<At>, double>;
                auto h = points::matrix_to_be_written<type, double>(inputs(), inputs());
                derive_twice(at, inputs() == 0 ? nullptr : &points::matrix_element<double>(h, 0, 0));
                return second_derivatives<double, gradient_like<At>, type>{results_[0], gradient_at(at), std::move(h)};
            },
            x...);
    }
    /// Writes the gradient and the Hessian, both halves row by row, into memory of the caller and returns the value.
    template <points::list_of_numbers X>
    double hessian(const X& x, memory_of<double> gradient, memory_of<double> to) {
        replays::check_memory("hessian", "elements of the gradient", 1, inputs(), gradient);
        replays::check_memory("hessian", "elements of the Hessian", inputs(), inputs(), to);
        if (comparisons() == 0) {
            derive_twice(x, to.data());
        } else { // nothing is written where one has changed
            matrix_.resize(to.size());
            derive_twice(x, matrix_.data());
            std::copy_n(matrix_.data(), to.size(), to.data());
        }
        std::copy_n(results_.data() + 1, gradient.size(), gradient.data());
        return results_[0];
    }

    /// The values at the points in the rows of a matrix, a row for each, in SIMD lanes: with the functions of libmvec,
    /// so that the last bits may differ from those at one point. For compile(r, {.points = true}).
    [[nodiscard]] matrix<double> operator()(const matrix<double>& x) {
        matrix<double> result(x.rows(), outputs());
        at_points(programs_.values_at_points, outputs(), x, [&](std::size_t row, const double* results) {
            double* const to = result.data() + row * outputs(); // without a check; a row may have no elements
            for (std::size_t i = 0; i < outputs(); ++i) to[i] = results[replays::points_in_c * i];
        });
        return result;
    }
    /// The gradients there, of a function of one value.
    [[nodiscard]] matrix<double> gradient(const matrix<double>& x) { return value_and_gradient(x).gradient; }
    /// The values and the gradients there: `.value`, a list, and `.gradient`, a row for each point.
    [[nodiscard]] auto value_and_gradient(const matrix<double>& x) {
        check_one();
        value_and_gradient_of<std::vector<double>, matrix<double>> result{std::vector<double>(x.rows()),
                                                                          matrix<double>(x.rows(), inputs())};
        at_points(programs_.derivatives_at_points, 1 + inputs(), x, [&](std::size_t row, const double* results) {
            result.value[row] = results[0];
            double* const to = result.gradient.data() + row * inputs();
            for (std::size_t i = 0; i < inputs(); ++i) to[i] = results[replays::points_in_c * (1 + i)];
        });
        return result;
    }

    /// The pattern of the Jacobian. For compile(r, {.sparse = true}).
    [[nodiscard]] const sparsity_pattern& jacobian_sparsity() const { return sparsity("jacobian_sparsity").jacobian; }
    /// The pattern of the Hessian. For compile(r, {.sparse = true, .hessians = true}).
    [[nodiscard]] const sparsity_pattern& hessian_sparsity() const {
        return sparsity_of_hessian("hessian_sparsity").hessian;
    }
    /// The entries of the Jacobian in its pattern.
    template <points::list_of_numbers X>
    [[nodiscard]] sparse_matrix<double> sparse_jacobian(const X& x) {
        const sparsity_pattern& pattern = sparsity("sparse_jacobian").jacobian;
        sparse_matrix<double> result{pattern, std::vector<double>(pattern.size())};
        sparse_jacobian(x, result.entries);
        return result;
    }
    /// The same in the order of the pattern, into memory of the caller.
    template <points::list_of_numbers X>
    void sparse_jacobian(const X& x, memory_of<double> to) {
        const sparsity_pattern& pattern = sparsity("sparse_jacobian").jacobian;
        replays::check_memory("sparse_jacobian", "entries in its pattern", 1, pattern.size(), to);
        run(programs_.sparse_jacobian, outputs() + pattern.size(), x);
        std::copy_n(results_.data() + outputs(), to.size(), to.data());
    }
    /// The entries of the Hessian of a function of one value, both halves.
    template <points::list_of_numbers X>
    [[nodiscard]] sparse_matrix<double> sparse_hessian(const X& x) {
        const sparsity_pattern& pattern = sparsity_of_hessian("sparse_hessian").hessian;
        sparse_matrix<double> result{pattern, std::vector<double>(pattern.size())};
        sparse_hessian(x, result.entries);
        return result;
    }
    /// The same in the order of the pattern, into memory of the caller.
    template <points::list_of_numbers X>
    void sparse_hessian(const X& x, memory_of<double> to) {
        const replays::compiled_sparsity& of = sparsity_of_hessian("sparse_hessian");
        replays::check_memory("sparse_hessian", "entries in its pattern", 1, of.hessian.size(), to);
        run(programs_.sparse_hessian, 1 + inputs() + of.upper_entries, x);
        for (std::size_t k = 0; k < to.size(); ++k) to[k] = results_[1 + inputs() + of.entry_of[k]];
    }

private:
    using code = replays::compiled_programs::code;

    replays::memory<double> replay_; // says what has changed
    Values shape_;
    Parts parts_;
    replays::compiled_programs programs_;
    std::vector<double> point_, results_, matrix_, points_, results_at_points_;

    [[nodiscard]] const replays::compiled_sparsity& sparsity(const char* call) const {
        static_cast<void>(replay_.what()); // one that was moved from has no patterns either
        if (programs_.sparsity == nullptr)
            core::raise(std::logic_error(std::string(call) + ": sparse derivatives were not compiled; ask for them: "
                                                             "compile(r, {.sparse = true})"));
        return *programs_.sparsity;
    }
    [[nodiscard]] const replays::compiled_sparsity& sparsity_of_hessian(const char* call) const {
        check_one();
        if (programs_.sparse_hessian == nullptr)
            core::raise(std::logic_error(std::string(call) + ": sparse second derivatives were not compiled; ask for "
                                                             "them: compile(r, {.hessians = true, .sparse = true})"));
        return sparsity(call);
    }

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
        run_at(f, results, point_of(x));
    }
    template <class Code, class... Memory>
    void run_at(Code* f, std::size_t results, const double* at, Memory*... memory) {
        f(at, nullptr, results_.data(), memory...);
        const auto& readings = replay_.what().readings;
        for (std::size_t i = 0; i < readings.size(); ++i)
            if (!replays::same_number(results_[results + i], readings[i].found)) [[unlikely]]
                report_change(at, i);
    }
    // The product of derivatives with a direction or weights, which the code reads after the point.
    template <class X, class D>
    void multiply(const char* call, code* f, const X& x, const D& along, std::span<double> to) {
        if (f == nullptr)
            core::raise(std::logic_error(std::string(call) + ": products were not compiled; ask for them: compile(r, "
                                                             "{.products = true}), and .hessians for those of the "
                                                             "Hessian"));
        replays::check("replay", "numbers in its point", inputs(), points::size_of(x));
        point_.clear();
        const auto add = [this](const auto& list) {
            decltype(auto) from = points::evaluated(list);
            for (std::size_t i = 0; i < points::size_of(list); ++i)
                point_.push_back(static_cast<double>(points::element(from, i)));
        };
        add(x), add(along);
        results_.resize(std::max(results_.size(), to.size() + comparisons()));
        run_at(f, to.size(), point_.data());
        std::copy_n(results_.data(), to.size(), to.data());
    }
    // Passes each row with its results, which are as far apart as there are points at once, to use(row, results).
    template <class Use>
    void at_points(code* f, std::size_t results, const matrix<double>& x, Use use) {
        constexpr std::size_t width = replays::points_in_c;
        if (f == nullptr)
            core::raise(std::logic_error("compile: code for the rows of a matrix was not compiled; ask for it: "
                                         "compile(r, {.points = true})"));
        replays::check("replay", "numbers in its point", inputs(), x.columns());
        const auto& readings = replay_.what().readings;
        points_.resize(width * inputs());
        results_at_points_.resize(width * std::max<std::size_t>(results + readings.size(), 1));
        replays::for_parts<width>(x.rows(), [&](std::size_t first, std::size_t count) {
            for (std::size_t k = 0; k < width; ++k) {
                const auto from = x.row(first + std::min(k, count - 1));
                for (std::size_t i = 0; i < from.size(); ++i) points_[width * i + k] = from[i];
            }
            f(points_.data(), nullptr, results_at_points_.data());
            for (std::size_t k = 0; k < count; ++k) {
                for (std::size_t i = 0; i < readings.size(); ++i)
                    if (!replays::same_number(results_at_points_[width * (results + i) + k], readings[i].found))
                        [[unlikely]] {
                        replay_.run_points(first + k, 1, [&](std::size_t j, std::size_t) { return x(first + k, j); });
                        report_rounding(i, first + k);
                    }
                use(first + k, results_at_points_.data() + k);
            }
        });
    }
    template <class X>
    void derive(const X& x) {
        if (programs_.derivatives != nullptr) return run(programs_.derivatives, outputs() * (1 + inputs()), x);
        run(programs_.sparse_jacobian, outputs() + sparsity("jacobian").jacobian.size(), x);
        spread(outputs(), outputs() * inputs(), programs_.sparsity->jacobian_places);
    }
    // Writes both halves of the Hessian.
    template <class X>
    void derive_twice(const X& x, double* to) {
        check_one();
        const std::size_t n = inputs();
        if (programs_.hessians != nullptr) {
            const double* at = point_of(x);
            if (std::less<>{}(at, to + n * n) && std::less<>{}(to, at + n)) { // the code writes before it has read all
                point_.assign(at, at + n);
                at = point_.data();
            }
            return run_at(programs_.hessians, 1 + n, at, to);
        }
        if (programs_.sparse_hessian == nullptr)
            core::raise(std::logic_error("hessian: second derivatives were not compiled; ask for them: compile(r, "
                                         "{.hessians = true})"));
        const replays::compiled_sparsity& of = *programs_.sparsity;
        run(programs_.sparse_hessian, 1 + n + of.upper_entries, x);
        std::fill_n(to, n * n, 0.0);
        auto entry = of.entry_of.begin();
        for (std::size_t i = 0; i < n; ++i)
            for (const int j : of.hessian.row(i)) to[i * n + static_cast<std::size_t>(j)] = results_[1 + n + *entry++];
    }
    // From the entries in a pattern to all of a matrix, the last first: no entry has an earlier place than before.
    void spread(std::size_t first, std::size_t count, const std::vector<int>& places) {
        for (std::size_t i = first + count; i-- > first;)
            results_[i] = places[i] < 0 ? 0 : results_[static_cast<std::size_t>(places[i])];
    }
    // Writes a result that consists of arrays where it will be, if nothing else has to be read.
    template <class Result, class X>
    [[nodiscard]] bool derive_into(Result& result, const X& x) {
        if constexpr (std::is_trivially_copyable_v<Result> && std::is_standard_layout_v<Result>) {
            if (programs_.derivatives == nullptr || comparisons() != 0 ||
                sizeof(Result) != outputs() * (1 + inputs()) * sizeof(double))
                return false;
            programs_.derivatives(point_of(x), nullptr, reinterpret_cast<double*>(&result));
            return true;
        } else {
            return false;
        }
    }
    [[noreturn, gnu::noinline]] void report_change(const double* at, std::size_t reading) {
        std::copy_n(at, inputs(), replay_.inputs());
        if (!replay_.run_values()) replay_.report_change();
        report_rounding(reading, 0);
    }
    [[noreturn, gnu::noinline]] static void report_rounding(std::size_t reading, std::size_t point) {
        core::raise(comparison_changed("replay: comparison " + std::to_string(reading + 1) +
                                           " has another outcome in the compiled code than in the recording, since "
                                           "the flags change its rounding; compile with -ffp-contract=off",
                                       reading + 1, point));
    }

    [[nodiscard]] const Values& layout_of_values() const { return shape_; }
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
