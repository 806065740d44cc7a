// SPDX-License-Identifier: BSL-1.0
//
// The operation behind matmul and linear: a product of matrices, vectors or stacks of matrices, with an optional bias
// and relu.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/kernels/product.hpp>
#include <chainrule/tensor/operations/elementwise.hpp>
#include <chainrule/tensor/operations/matrix_operand.hpp>

namespace chainrule::tensor::operations {

template <arithmetic T>
class matrix_product final : public operation<matrix_product<T>, T, 3> {
public:
    static constexpr const char* called = "matmul";

    matrix_product() { this->is_product = true; }

    void compute(const node<T>& a, const node<T>& b) {
        plan(a, b);
        multiply_into(this->numbers, a, b, false);
        record(*this, reading::first | reading::second, a, b);
        look_for_infinities();
    }
    void compute(const node<T>& a, const node<T>& b, const node<T>& bias) {
        plan(a, b);
        begin_with(bias);
        multiply_into(this->numbers, a, b, true);
        record(*this, reading::first | reading::second, a, b, bias);
        look_for_infinities();
        has_bias_ = true;
    }

    /// Whether this product can take a tensor of this shape as its bias.
    [[nodiscard]] bool takes_bias(const node<T>& bias) const {
        return !has_bias_ && !rectified_ && this->shape.rank() >= 1 && bias.shape.rank() == 1 &&
               bias.shape[0] == this->shape.back() && bias.count != 0 && bias.dense;
    }
    void add_bias(const node<T>& bias) {
        check_current<T>(*this, bias);
        const index columns = bias.count;
        for (T* row = this->numbers; row != this->numbers + this->count; row += columns)
            for (index j = 0; j < columns; ++j) row[j] = kernels::plus(row[j], bias.numbers[j]);
        has_bias_ = true;
        if (!recording || !(this->wants_gradient || bias.wants_gradient)) return;
        if (!this->wants_gradient) {
            // Only the bias requires a gradient, so the operands of the product are not recorded.
            this->wants_gradient = true;
            this->version = this->values->version;
            only_bias_ = true;
        }
        add_argument<T>(*this, bias);
    }
    [[nodiscard]] bool takes_relu() const { return !rectified_; }
    void rectify() {
        const T* const products = this->numbers;
        kernels::consecutive_run(
            kernels::overwrite{}, [](T x) { return functions::relu::value(x); }, this->count, this->numbers, products);
        rectified_ = true;
        this->reads |= reading::result;
    }

    void propagate() {
        storage::buffer_reference separate;
        const T* const g = rectified_ ? masked(separate) : this->gradient_numbers();
        if (only_bias_) return propagate_to_bias(this->at(0), g);
        if (has_bias_ && this->argument_count == 3 && this->wanted(2)) propagate_to_bias(this->at(2), g);
        const node<T>&a = this->at(0), &b = this->at(1);
        if (this->wanted(0)) propagate_to<0>(b, g);
        if (this->wanted(1)) propagate_to<1>(a, g);
    }
    /// Puts the memory that descend() needs into the reserve.
    void prepare_descent() override {
        matrix_operand<T> o;
        read(o, this->at(0), 0);
        kernels::take_memory<T>(inner_, columns_, rows_);
    }
    void descend() noexcept override {
        const T* const g = this->gradient_numbers();
        if ((this->left_over & leaving::descent_of_bias) != 0) {
            node<T>& bias = this->at(only_bias_ ? 0 : 2);
            ++bias.values->version;
            add_rows(g, bias.descent, bias.numbers);
        }
        if ((this->left_over & leaving::descent_of_weights) == 0) return;
        node<T>& to = this->at(1);
        matrix_operand<T> o;
        read(o, this->at(0), 0);
        ++to.values->version;
        multiply_gradient<1>(to.descent, o.numbers, o, g, true, to.numbers);
    }

private:
    [[gnu::always_inline]] void plan(const node<T>& a, const node<T>& b) {
        const std::size_t rank_a = a.shape.rank(), rank_b = b.shape.rank();
        if (rank_a == 2 && rank_b == 2 && a.shape[1] == b.shape[0]) [[likely]] {
            rows_ = a.shape[0];
            inner_ = a.shape[1];
            columns_ = b.shape[1];
            this->make_matrix(rows_, columns_);
        } else {
            plan_any(a, b, rank_a, rank_b);
        }
    }
    [[gnu::noinline]] void plan_any(const node<T>& a, const node<T>& b, std::size_t rank_a, std::size_t rank_b) {
        if (rank_a == 0 || rank_b == 0)
            core::raise(shape_error(storage::sentence("matmul: shapes ", a.shape, " and ", b.shape,
                                                      "; a scalar is not a matrix, use a * b")));
        rows_ = rank_a > 1 ? a.shape[rank_a - 2] : 1;
        inner_ = a.shape.back();
        columns_ = rank_b > 1 ? b.shape.back() : 1;
        const index inner_b = b.shape[rank_b > 1 ? rank_b - 2 : 0];
        if (inner_ != inner_b)
            core::raise(shape_error(storage::sentence("matmul: shapes ", a.shape, " and ", b.shape,
                                                      " do not fit: the inner sizes are ", inner_, " and ", inner_b,
                                                      "; the last axis of the first must be as long as the ",
                                                      rank_b > 1 ? "last but one" : "only one", " of the second")));
        const std::size_t stack_a = rank_a > 2 ? rank_a - 2 : 0, stack_b = rank_b > 2 ? rank_b - 2 : 0;
        const extents batch_a(std::span<const index>(a.shape.data(), stack_a)),
            batch_b(std::span<const index>(b.shape.data(), stack_b));
        batch_ = storage::broadcast_shape(called, batch_a, batch_b);
        extents product_shape(batch_.rank() + (rank_a > 1) + (rank_b > 1), 0);
        std::copy(batch_.begin(), batch_.end(), product_shape.begin());
        if (rank_a > 1) product_shape[batch_.rank()] = rows_;
        if (rank_b > 1) product_shape[product_shape.rank() - 1] = columns_;
        // A stack of matrices times one matrix is one tall matrix times it.
        if (stack_a != 0 && stack_b == 0 && a.dense) {
            rows_ *= batch_.count();
            batch_ = {};
        }
        this->make_dense(product_shape);
    }

    /// The strides of the last two axes; those of the equivalent matrix for a vector.
    struct axes_of {
        index rows, columns, row_stride, column_stride;
    };
    [[nodiscard]] axes_of last_axes(const node<T>& x, int position) const {
        const std::size_t rank = x.shape.rank();
        if (rank == 1)
            return position == 0 ? axes_of{1, inner_, inner_ * x.strides[0], x.strides[0]}
                                 : axes_of{inner_, 1, x.strides[0], 1};
        const bool tall = position == 0 && batch_.rank() + 2 < rank;
        return {position == 0 ? rows_ : inner_, position == 0 ? inner_ : columns_, tall ? inner_ : x.strides[rank - 2],
                x.strides[rank - 1]};
    }

    /// An operand in a form that kernels take: as it is, or copied.
    [[gnu::always_inline]] void read(matrix_operand<T>& r, const node<T>& x, int position) const {
        r.numbers = x.numbers;
        if (x.shape.rank() == 2 && batch_.rank() == 0 && r.fits(x.shape[0], x.shape[1], x.strides[0], x.strides[1]))
            [[likely]]
            return;
        read_any(r, x, position);
    }
    [[gnu::noinline]] void read_any(matrix_operand<T>& r, const node<T>& x, int position) const {
        const axes_of axis = last_axes(x, position);
        if (r.fits(axis.rows, axis.columns, axis.row_stride, axis.column_stride)) return;
        r.copy.reset(storage::buffer::make(x.bytes()));
        r.numbers = r.copy->template numbers<T>();
        r.row = std::max<index>(axis.columns, 1);
        kernels::copy(x.shape, r.copy->template numbers<T>(), storage::dense_strides(x.shape), x.numbers, x.strides);
    }

    // Strides of stacks of matrices, 0 along repeated axes.
    [[nodiscard]] extents stack_strides(const extents& sizes, const extents& steps) const {
        const std::size_t rank = sizes.rank() > 2 ? sizes.rank() - 2 : 0;
        return storage::broadcast_strides(extents(std::span<const index>(sizes.data(), rank)),
                                          extents(std::span<const index>(steps.data(), rank)), batch_);
    }
    [[nodiscard]] extents stack_of(const matrix_operand<T>& r, const node<T>& x) const {
        return stack_strides(x.shape, r.copy ? storage::dense_strides(x.shape) : x.strides);
    }
    [[nodiscard]] extents stack_of_result() const {
        extents steps = storage::dense_strides(batch_);
        for (index& step : steps) step *= rows_ * columns_;
        return steps;
    }

    [[gnu::always_inline]] void multiply_into(T* product_numbers, const node<T>& a, const node<T>& b, bool adds) const {
        matrix_operand<T> x, y;
        read(x, a, 0);
        read(y, b, 1);
        if (batch_.rank() == 0) [[likely]]
            multiply(x, y, adds, product_numbers);
        else
            multiply_stacks(x, y, a, b, adds, product_numbers);
    }
    [[gnu::always_inline]] void multiply(const matrix_operand<T>& x, const matrix_operand<T>& y, bool adds, T* to,
                                         index at_x = 0, index at_y = 0) const {
        kernels::multiply(x.form, y.form, rows_, columns_, inner_, T(1), x.numbers + at_x, x.row, y.numbers + at_y,
                          y.row, adds, to, columns_);
    }
    [[gnu::noinline]] void multiply_stacks(const matrix_operand<T>& x, const matrix_operand<T>& y, const node<T>& a,
                                           const node<T>& b, bool adds, T* to) const {
        kernels::for_each(
            batch_, [&](index at_a, index at_b, index at) { multiply(x, y, adds, to + at, at_a, at_b); },
            stack_of(x, a), stack_of(y, b), stack_of_result());
    }

    // Before a bias or a relu hides them.
    void look_for_infinities() {
        if (!this->wants_gradient) return;
        for (index at = 0; at < this->count && !has_infinities_; at += rows_ * columns_)
            has_infinities_ = kernels::shows_infinity(this->numbers + at, rows_, columns_);
    }

    /// dA = G B^T and dB = A^T G, summed over repetitions of an operand.
    template <int K>
    [[gnu::always_inline]] void propagate_to(const node<T>& other, const T* g) {
        node<T>& to = this->at(K);
        // The numbers of a shared leaf may be updated at the end of the pass themselves. A product of many rows takes
        // memory, which that update must not.
        if (K == 1 && waits_for_descent(to) && batch_.rank() == 0 && !kernels::is_deep<T>(inner_, columns_, rows_) &&
            (other.values.unique() || !other.owner().leaf())) {
            this->left_over |= leaving::descent_of_weights;
            if (!other.dense || rows_ * inner_ * columns_ > kernels::tiny) this->left_over |= leaving::memory;
            return;
        }
        matrix_operand<T> o;
        read(o, other, 1 - K);
        if (batch_.rank() != 0) [[unlikely]]
            return propagate_stacks<K>(to, o, other, g);
        const auto [target, adds] = to.take_gradient();
        multiply_gradient<K>(T(1), o.numbers, o, g, adds, target);
    }
    template <int K>
    [[gnu::always_inline]] void multiply_gradient(T alpha, const T* of_other, const matrix_operand<T>& other,
                                                  const T* g, bool adds, T* target) const {
        if (has_infinities_) [[unlikely]]
            return multiply_gradient_by_infinities<K>(alpha, of_other, other, g, adds, target);
        if constexpr (K == 0)
            kernels::multiply(operand::as_is, other.flipped(), rows_, inner_, columns_, alpha, g, columns_, of_other,
                              other.row, adds, target, inner_);
        else
            kernels::multiply(other.flipped(), operand::as_is, inner_, columns_, rows_, alpha, of_other, other.row, g,
                              columns_, adds, target, columns_);
    }
    template <int K>
    [[gnu::noinline]] void multiply_gradient_by_infinities(T alpha, const T* of_other, const matrix_operand<T>& other,
                                                           const T* g, bool adds, T* target) const {
        if constexpr (K == 0)
            kernels::multiply_gradient(true, operand::as_is, other.flipped(), rows_, inner_, columns_, alpha, g,
                                       columns_, of_other, other.row, adds, target, inner_);
        else
            kernels::multiply_gradient(false, other.flipped(), operand::as_is, inner_, columns_, rows_, alpha, of_other,
                                       other.row, g, columns_, adds, target, columns_);
    }
    template <int K>
    [[gnu::noinline]] void propagate_stacks(node<T>& to, const matrix_operand<T>& o, const node<T>& other,
                                            const T* g) const {
        const extents into = stack_strides(to.shape, storage::dense_strides(to.shape));
        const bool repeated = std::count(into.begin(), into.end(), 0) != 0;
        const gradient_target<T> whole = repeated ? gradient_target<T>{to.add_to_gradient(), true} : to.take_gradient();
        kernels::for_each(
            batch_,
            [&, whole](index at_other, index at, index at_target) {
                multiply_gradient<K>(T(1), o.numbers + at_other, o, g + at, whole.adds, whole.numbers + at_target);
            },
            stack_of(o, other), stack_of_result(), into);
    }

    /// Initialises every row with the bias.
    [[gnu::always_inline]] void begin_with(const node<T>& bias) {
        const index columns = bias.count, step = bias.strides[0];
        if (columns == 0) return;
        for (T* row = this->numbers; row != this->numbers + this->count; row += columns)
            for (index j = 0; j < columns; ++j) row[j] = bias.numbers[j * step];
    }
    [[gnu::always_inline]] void propagate_to_bias(node<T>& bias, const T* g) {
        if (waits_for_descent(bias))
            this->left_over |= leaving::descent_of_bias;
        else if (bias.wants_gradient && bias.count != 0)
            add_rows(g, T(1), bias.add_to_gradient());
    }
    /// Whether the argument is updated at the end of the pass, which needs this masked gradient until then.
    [[nodiscard]] bool waits_for_descent(const node<T>& to) const noexcept {
        return to.descends() && !this->keeps_gradient && this->gradient.unique();
    }
    void add_rows(const T* g, T factor, T* sums) const {
        const index columns = this->shape.back();
        kernels::add_rows(g, this->count / columns, columns, factor, sums);
    }
    /// The gradient with respect to the argument of the relu; overwrites the other one unless it is still needed.
    [[nodiscard]] const T* masked(storage::buffer_reference& separate) {
        const bool reusable = !this->keeps_gradient && this->gradient.unique();
        if (!reusable) separate.reset(storage::buffer::make(this->bytes()));
        const T* const from = this->gradient_numbers();
        T* const to = (reusable ? this->gradient : separate)->template numbers<T>();
        const T* const results = this->numbers;
        if (kernels::are_finite(results, this->count)) [[likely]] // then passed_on() is a choice, which vectors make
            kernels::consecutive_run(
                kernels::overwrite{}, [](T g, T r) { return r > T(0) ? g : T(0); }, this->count, to, from, results);
        else
            for (index i = 0; i < this->count; ++i)
                to[i] = passed_on<of_table<functions::relu>>(
                    from[i], functions::derivative<0, functions::relu>(results[i], results[i]));
        return to;
    }

    index rows_ = 0, inner_ = 0, columns_ = 0;
    extents batch_;
    bool has_bias_ = false, rectified_ = false, only_bias_ = false, has_infinities_ = false;
};

template <arithmetic T>
[[nodiscard]] matrix_product<T>* unfinished_product(const tensor<T>& x) {
    const bool open = x.node().is_product && x.sole_owner() && !(x.requires_grad() && (x.node().leaf() || !recording));
    return open ? static_cast<matrix_product<T>*>(&x.node()) : nullptr;
}

} // namespace chainrule::tensor::operations
