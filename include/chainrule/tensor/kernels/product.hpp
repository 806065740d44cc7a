// SPDX-License-Identifier: BSL-1.0
//
// Matrix products by the kernel of product_kernel.hpp if they are small, and otherwise by a library: Eigen, or the
// linked CBLAS if CHAINRULE_USE_CBLAS is defined.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/kernels/product_kernel.hpp>
#include <chainrule/tensor/storage/memory.hpp>

#if defined(CHAINRULE_USE_CBLAS)
#include <cblas.h>
#elif __has_include(<Eigen/Core>)
#include <Eigen/Core>
#elif __has_include(<eigen3/Eigen/Core>)
#include <eigen3/Eigen/Core>
#else
#error "chainrule/tensor.hpp: no matrix library; install Eigen (libeigen3-dev), or set CHAINRULE_USE_CBLAS and link one"
#endif

#include <concepts>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace chainrule::tensor::kernels {

#if !defined(CHAINRULE_USE_CBLAS)
/// The blocks that Eigen's product packs, in memory from the reserve of the thread.
template <class T>
class blocking : public Eigen::internal::level3_blocking<T, T> {
public:
    blocking(std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t depth) {
        this->m_mc = rows;
        this->m_nc = columns;
        this->m_kc = depth;
        Eigen::internal::computeProductBlockingSizes<T, T, 1>(this->m_kc, this->m_mc, this->m_nc, Eigen::Index{1});
        bytes_a_ = static_cast<std::size_t>(this->m_mc * this->m_kc) * sizeof(T);
        bytes_b_ = static_cast<std::size_t>(this->m_kc * this->m_nc) * sizeof(T);
        this->m_blockA = static_cast<T*>(storage::take(bytes_a_));
        CHAINRULE_TRY { this->m_blockB = static_cast<T*>(storage::take(bytes_b_)); }
        CHAINRULE_CATCH(...) {
            storage::give_back(this->m_blockA, bytes_a_);
            CHAINRULE_RETHROW;
        }
    }
    blocking(const blocking&) = delete;
    blocking& operator=(const blocking&) = delete;
    ~blocking() {
        storage::give_back(this->m_blockA, bytes_a_);
        storage::give_back(this->m_blockB, bytes_b_);
    }

private:
    std::size_t bytes_a_ = 0, bytes_b_ = 0;
};

// Eigen is called with column-major matrices: the transposes of the row-major matrices here.
template <class T, int OrderOfA, int OrderOfB>
void add_by_eigen(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, T alpha, const T* a, std::ptrdiff_t a_row,
                  const T* b, std::ptrdiff_t b_row, T* c, std::ptrdiff_t c_row) {
    blocking<T> blocks(n, m, k);
    Eigen::internal::general_matrix_matrix_product<std::ptrdiff_t, T, OrderOfB, false, T, OrderOfA, false,
                                                   Eigen::ColMajor, 1>::run(n, m, k, b, b_row, a, a_row, c, 1, c_row,
                                                                            alpha, blocks);
}
#endif

/// Whether product() is faster than the library, as measured on AVX2 and AVX-512 machines: see bench/tensor.
[[nodiscard]] constexpr bool small(std::size_t m, std::size_t n, std::size_t k) noexcept {
    return m <= 4 || n <= 4 || k <= 4 || m * n * k <= 32 * 32 * 32;
}

/// Up to this number of multiplications the plainest loops are fastest: choosing a kernel takes longer.
inline constexpr std::ptrdiff_t tiny = 256;

/// A strided matrix: element (i, j) is numbers[i * down + j * across].
template <class T>
struct strided {
    T* numbers;
    std::ptrdiff_t down, across;
};

/// Multiplies columns of C from column j on, as many at a time as a vector has lanes, then the rest with narrower
/// vectors. B is row-major.
template <std::size_t Lanes, bool Adds, class T>
[[gnu::always_inline]] inline void multiply_columns(std::ptrdiff_t j, std::ptrdiff_t m, std::ptrdiff_t n,
                                                    std::ptrdiff_t k, T alpha, strided<const T> a, strided<const T> b,
                                                    strided<T> c) {
    constexpr auto width = static_cast<std::ptrdiff_t>(Lanes);
    for (; j + width <= n; j += width) {
        const T *of_a = a.numbers, *const of_b = b.numbers + j;
        T* to = c.numbers + j;
        if (k == 1) {
            const auto row = alpha * load<Lanes>(of_b);
            for (std::ptrdiff_t i = 0; i < m; ++i, of_a += a.down, to += c.down)
                store(to, Adds ? load<Lanes>(to) + *of_a * row : *of_a * row);
        } else {
            for (std::ptrdiff_t i = 0; i < m; ++i, of_a += a.down, to += c.down) {
                lanes<T, Lanes> sum{};
                const T *x = of_a, *row = of_b;
                for (std::ptrdiff_t p = 0; p < k; ++p, x += a.across, row += b.down) sum += *x * load<Lanes>(row);
                store(to, Adds ? load<Lanes>(to) + alpha * sum : alpha * sum);
            }
        }
    }
    if constexpr (Lanes > 1)
        if (j < n) multiply_columns<Lanes / 2, Adds>(j, m, n, k, alpha, a, b, c);
}
template <bool Adds, class T>
void multiply_tiny(operand op_b, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, T alpha, strided<const T> a,
                   strided<const T> b, strided<T> c) {
    if (op_b == operand::as_is) return multiply_columns<native_lanes<T>, Adds>(0, m, n, k, alpha, a, b, c);
    for (std::ptrdiff_t i = 0; i < m; ++i, a.numbers += a.down, c.numbers += c.down) {
        const T* of_b = b.numbers;
        for (std::ptrdiff_t j = 0; j < n; ++j, of_b += b.down) {
            T sum = 0;
            const T* x = a.numbers;
            for (std::ptrdiff_t p = 0; p < k; ++p, x += a.across) sum = plus_product(sum, *x, of_b[p]);
            c.numbers[j] = Adds ? plus_product(c.numbers[j], alpha, sum) : static_cast<T>(alpha * sum);
        }
    }
}

/// Puts the memory that multiply() needs for these sizes into the reserve of the thread.
template <class T>
void take_memory([[maybe_unused]] std::ptrdiff_t m, [[maybe_unused]] std::ptrdiff_t n,
                 [[maybe_unused]] std::ptrdiff_t k) {
#if !defined(CHAINRULE_USE_CBLAS)
    if constexpr (std::floating_point<T> && !std::same_as<T, long double>)
        if (m != 0 && n != 0 &&
            !small(static_cast<std::size_t>(m), static_cast<std::size_t>(n), static_cast<std::size_t>(k)))
            const blocking<T> blocks(n, m, k);
#endif
}

/// The inner size up to which products are added as the kernels do it; a larger one is halved, since the kernels add
/// them one after the other. Libraries begin anew with each block that they pack.
[[nodiscard]] constexpr std::ptrdiff_t deepest(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k) noexcept {
    return small(static_cast<std::size_t>(m), static_cast<std::size_t>(n), static_cast<std::size_t>(k)) ? 512 : 16384;
}
template <class T>
[[nodiscard]] constexpr bool is_deep(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k) noexcept {
    return std::is_floating_point_v<T> && k > deepest(m, n, k);
}

template <class T>
void multiply(operand op_a, operand op_b, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k,
              std::type_identity_t<T> alpha, const T* a, std::ptrdiff_t a_row, const T* b, std::ptrdiff_t b_row,
              bool adds, T* c, std::ptrdiff_t c_row);

/// The same as multiply() for a large inner size. `spare` has m n numbers for each time that it is halved.
template <class T>
void multiply_halves(operand op_a, operand op_b, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, T alpha,
                     const T* a, std::ptrdiff_t a_row, const T* b, std::ptrdiff_t b_row, bool adds, T* c,
                     std::ptrdiff_t c_row, T* spare) {
    if (!is_deep<T>(m, n, k)) return multiply<T>(op_a, op_b, m, n, k, alpha, a, a_row, b, b_row, adds, c, c_row);
    const std::ptrdiff_t half = k / 2;
    multiply_halves(op_a, op_b, m, n, half, alpha, a, a_row, b, b_row, adds, c, c_row, spare);
    const T* const rest_of_a = a + (op_a == operand::as_is ? half : half * a_row);
    const T* const rest_of_b = b + (op_b == operand::as_is ? half * b_row : half);
    multiply_halves(op_a, op_b, m, n, k - half, alpha, rest_of_a, a_row, rest_of_b, b_row, false, spare, n,
                    spare + m * n);
    for (std::ptrdiff_t i = 0; i < m; ++i)
        for (std::ptrdiff_t j = 0; j < n; ++j) c[i * c_row + j] += spare[i * n + j];
}
template <class T>
[[gnu::noinline]] void multiply_deep(operand op_a, operand op_b, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k,
                                     T alpha, const T* a, std::ptrdiff_t a_row, const T* b, std::ptrdiff_t b_row,
                                     bool adds, T* c, std::ptrdiff_t c_row) {
    std::ptrdiff_t times = 0;
    for (std::ptrdiff_t left = k; is_deep<T>(m, n, left); left -= left / 2) ++times;
    const storage::buffer_reference spare(storage::buffer::make(static_cast<std::size_t>(times * m * n) * sizeof(T)));
    multiply_halves(op_a, op_b, m, n, k, alpha, a, a_row, b, b_row, adds, c, c_row, spare->template numbers<T>());
}

/// C = alpha op(A) op(B), or C += alpha op(A) op(B) if it adds, for row-major matrices whose rows are a_row, b_row and
/// c_row apart. Flags tell which operand is transposed; strides cannot tell for matrices with one column.
template <class T>
void multiply(operand op_a, operand op_b, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k,
              std::type_identity_t<T> alpha, const T* a, std::ptrdiff_t a_row, const T* b, std::ptrdiff_t b_row,
              bool adds, T* c, std::ptrdiff_t c_row) {
    if (m == 0 || n == 0) return;
    if (m * n * k <= tiny) {
        const strided<const T> of_a =
            op_a == operand::as_is ? strided<const T>{a, a_row, 1} : strided<const T>{a, 1, a_row};
        if (adds) return multiply_tiny<true, T>(op_b, m, n, k, alpha, of_a, {b, b_row, 1}, {c, c_row, 1});
        return multiply_tiny<false, T>(op_b, m, n, k, alpha, of_a, {b, b_row, 1}, {c, c_row, 1});
    }
    if constexpr (std::floating_point<T>)
        if (is_deep<T>(m, n, k)) [[unlikely]]
            return multiply_deep<T>(op_a, op_b, m, n, k, alpha, a, a_row, b, b_row, adds, c, c_row);
    const auto size = [](std::ptrdiff_t count) { return static_cast<std::size_t>(count); };
    if (!std::floating_point<T> || std::same_as<T, long double> || small(size(m), size(n), size(k)))
        return product(op_a, op_b, size(m), size(n), size(k), alpha, a, size(a_row), b, size(b_row), adds ? T(1) : T(0),
                       c, size(c_row));
#if defined(CHAINRULE_USE_CBLAS)
    const auto flag = [](operand op) { return op == operand::transposed ? CblasTrans : CblasNoTrans; };
    const auto count = [](std::ptrdiff_t number) { return static_cast<int>(number); };
    if constexpr (std::same_as<T, float>)
        cblas_sgemm(CblasRowMajor, flag(op_a), flag(op_b), count(m), count(n), count(k), alpha, a, count(a_row), b,
                    count(b_row), adds ? 1.0F : 0.0F, c, count(c_row));
    else if constexpr (std::same_as<T, double>)
        cblas_dgemm(CblasRowMajor, flag(op_a), flag(op_b), count(m), count(n), count(k), alpha, a, count(a_row), b,
                    count(b_row), adds ? 1.0 : 0.0, c, count(c_row));
#else
    if constexpr (std::floating_point<T>) {
        if (!adds)
            for (std::ptrdiff_t row = 0; row < m; ++row) std::fill_n(c + row * c_row, n, T(0));
        constexpr int as_is = Eigen::ColMajor, transposed = Eigen::RowMajor;
        if (op_a == operand::as_is && op_b == operand::as_is)
            add_by_eigen<T, as_is, as_is>(m, n, k, alpha, a, a_row, b, b_row, c, c_row);
        else if (op_a == operand::as_is)
            add_by_eigen<T, as_is, transposed>(m, n, k, alpha, a, a_row, b, b_row, c, c_row);
        else if (op_b == operand::as_is)
            add_by_eigen<T, transposed, as_is>(m, n, k, alpha, a, a_row, b, b_row, c, c_row);
        else
            add_by_eigen<T, transposed, transposed>(m, n, k, alpha, a, a_row, b, b_row, c, c_row);
    }
#endif
}

/// The same for signed integers: unsigned ones have the same bits and wrap around, in vectors too.
template <std::signed_integral T>
void multiply(operand op_a, operand op_b, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k,
              std::type_identity_t<T> alpha, const T* a, std::ptrdiff_t a_row, const T* b, std::ptrdiff_t b_row,
              bool adds, T* c, std::ptrdiff_t c_row) {
    using bits = std::make_unsigned_t<T>;
    multiply(op_a, op_b, m, n, k, static_cast<bits>(alpha), reinterpret_cast<const bits*>(a), a_row,
             reinterpret_cast<const bits*>(b), b_row, adds, reinterpret_cast<bits*>(c), c_row);
}

/// The same as multiply(), except that a zero of the operand that is a gradient contributes 0 even if the other factor
/// is infinite or NaN.
template <class T>
[[gnu::noinline, gnu::cold]] void multiply_gradient(bool gradient_is_a, operand op_a, operand op_b, std::ptrdiff_t m,
                                                    std::ptrdiff_t n, std::ptrdiff_t k, T alpha, const T* a,
                                                    std::ptrdiff_t a_row, const T* b, std::ptrdiff_t b_row, bool adds,
                                                    T* c, std::ptrdiff_t c_row) {
    for (std::ptrdiff_t i = 0; i < m; ++i)
        for (std::ptrdiff_t j = 0; j < n; ++j) {
            T sum = 0;
            for (std::ptrdiff_t p = 0; p < k; ++p) {
                const T x = op_a == operand::as_is ? a[i * a_row + p] : a[p * a_row + i];
                const T y = op_b == operand::as_is ? b[p * b_row + j] : b[j * b_row + p];
                if ((gradient_is_a ? x : y) != T(0)) sum = plus_product(sum, x, y);
            }
            T& to = c[i * c_row + j];
            to = adds ? plus_product(to, alpha, sum) : static_cast<T>(alpha * sum);
        }
}

} // namespace chainrule::tensor::kernels
