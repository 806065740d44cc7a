// SPDX-License-Identifier: BSL-1.0
//
// Who multiplies matrices? Small products the kernel of product_kernel.hpp, which needs no packing; all others a library:
// Eigen, or, where CHAINRULE_USE_CBLAS is defined, the CBLAS that is linked to the program.
// Next: matmul.hpp.
#pragma once

#include <chainrule/tensor/memory.hpp>
#include <chainrule/tensor/product_kernel.hpp>

#if defined(CHAINRULE_USE_CBLAS)
#include <cblas.h>
#elif __has_include(<Eigen/Core>)
#include <Eigen/Core>
#elif __has_include(<eigen3/Eigen/Core>)
#include <eigen3/Eigen/Core>
#else
#error "chainrule/tensor.hpp: no library for matrix products is found; install Eigen (Debian: libeigen3-dev) or define CHAINRULE_USE_CBLAS and link a CBLAS"
#endif

#include <concepts>
#include <cstddef>
#include <cstring>

namespace chainrule::tensor::products {

#if !defined(CHAINRULE_USE_CBLAS)
/// Eigen's product, whose packed blocks come from the thread's reserve.
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
        this->m_blockA = static_cast<T*>(memory::take(bytes_a_));
        try {
            this->m_blockB = static_cast<T*>(memory::take(bytes_b_));
        } catch (...) {
            memory::give_back(this->m_blockA, bytes_a_);
            throw;
        }
    }
    blocking(const blocking&) = delete;
    blocking& operator=(const blocking&) = delete;
    ~blocking() {
        memory::give_back(this->m_blockA, bytes_a_);
        memory::give_back(this->m_blockB, bytes_b_);
    }

private:
    std::size_t bytes_a_ = 0, bytes_b_ = 0;
};

// Eigen counts columns first: what is row-major here is the transpose, column-major, there.
template <class T, int OrderOfA, int OrderOfB>
void add_by_eigen(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, const T* a, std::ptrdiff_t a_row, const T* b,
                  std::ptrdiff_t b_row, T* c, std::ptrdiff_t c_row) {
    blocking<T> blocks(n, m, k);
    Eigen::internal::general_matrix_matrix_product<std::ptrdiff_t, T, OrderOfB, false, T, OrderOfA, false, Eigen::ColMajor,
                                                   1>::run(n, m, k, b, b_row, a, a_row, c, 1, c_row, T(1), blocks);
}
#endif

/// Whether the own kernel is faster, as measured on AVX2 and AVX-512 machines: see bench/tensor.
[[nodiscard]] constexpr bool small(std::size_t m, std::size_t n, std::size_t k) noexcept {
    return m <= 4 || n <= 4 || k <= 4 || m * n * k <= 32 * 32 * 32;
}

/// Up to so many multiplications are done at once by the plainest loops: deciding on more takes longer.
inline constexpr std::ptrdiff_t tiny = 256;

/// Columns of C, as many as a vector has lanes, from column j on; then the rest by narrower vectors.
template <std::size_t Lanes, class T>
[[gnu::always_inline]] inline void multiply_columns(std::ptrdiff_t j, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, const T* a,
                                                    std::ptrdiff_t a_down, std::ptrdiff_t a_across, const T* b,
                                                    std::ptrdiff_t b_row, bool adds, T* c, std::ptrdiff_t c_row) {
    constexpr auto width = static_cast<std::ptrdiff_t>(Lanes);
    for (; j + width <= n; j += width) {
        const T* of_a = a;
        T* to = c + j;
        for (std::ptrdiff_t i = 0; i < m; ++i, of_a += a_down, to += c_row) {
            lanes<T, Lanes> sum{};
            if (adds) sum = load<Lanes>(to);
            const T* of_b = b + j;
            for (std::ptrdiff_t p = 0; p < k; ++p, of_b += b_row) sum += broadcast<Lanes>(of_a[p * a_across]) * load<Lanes>(of_b);
            store(to, sum);
        }
    }
    if constexpr (Lanes > 1)
        if (j < n) multiply_columns<Lanes / 2>(j, m, n, k, a, a_down, a_across, b, b_row, adds, c, c_row);
}
template <class T>
void multiply_tiny(operand op_a, operand op_b, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, const T* a, std::ptrdiff_t a_row,
                   const T* b, std::ptrdiff_t b_row, bool adds, T* c, std::ptrdiff_t c_row) {
    const std::ptrdiff_t a_across = op_a == operand::as_is ? 1 : a_row, a_down = op_a == operand::as_is ? a_row : 1;
    if (op_b == operand::as_is)
        return multiply_columns<native_lanes<T>>(0, m, n, k, a, a_down, a_across, b, b_row, adds, c, c_row);
    for (std::ptrdiff_t i = 0; i < m; ++i, a += a_down, c += c_row) {
        const T* of_b = b;
        for (std::ptrdiff_t j = 0; j < n; ++j, of_b += b_row) {
            T sum = adds ? c[j] : T(0);
            for (std::ptrdiff_t p = 0; p < k; ++p) sum += a[p * a_across] * of_b[p];
            c[j] = sum;
        }
    }
}

/// C = op(A) op(B), or, where it adds, C += op(A) op(B), in row-major order with rows a_row, b_row and c_row apart. Flags say
/// which operand is transposed; nothing is guessed from strides.
template <class T>
void multiply(operand op_a, operand op_b, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, const T* a, std::ptrdiff_t a_row,
              const T* b, std::ptrdiff_t b_row, bool adds, T* c, std::ptrdiff_t c_row) {
    if (m == 0 || n == 0) return;
    if (m * n * k <= tiny) return multiply_tiny(op_a, op_b, m, n, k, a, a_row, b, b_row, adds, c, c_row);
    const auto size = [](std::ptrdiff_t count) { return static_cast<std::size_t>(count); };
    if (!std::floating_point<T> || std::same_as<T, long double> || small(size(m), size(n), size(k))) {
        product(op_a, op_b, size(m), size(n), size(k), T(1), a, size(a_row), b, size(b_row), adds ? T(1) : T(0), c, size(c_row));
        return;
    }
#if defined(CHAINRULE_USE_CBLAS)
    const auto flag = [](operand op) { return op == operand::transposed ? CblasTrans : CblasNoTrans; };
    const auto count = [](std::ptrdiff_t number) { return static_cast<int>(number); };
    if constexpr (std::same_as<T, float>)
        cblas_sgemm(CblasRowMajor, flag(op_a), flag(op_b), count(m), count(n), count(k), 1.0F, a, count(a_row), b, count(b_row),
                    adds ? 1.0F : 0.0F, c, count(c_row));
    else if constexpr (std::same_as<T, double>)
        cblas_dgemm(CblasRowMajor, flag(op_a), flag(op_b), count(m), count(n), count(k), 1.0, a, count(a_row), b, count(b_row),
                    adds ? 1.0 : 0.0, c, count(c_row));
#else
    if constexpr (std::floating_point<T>) {
        if (!adds)
            for (std::ptrdiff_t row = 0; row < m; ++row) std::fill_n(c + row * c_row, n, T(0));
        constexpr int as_is = Eigen::ColMajor, transposed = Eigen::RowMajor;
        if (op_a == operand::as_is && op_b == operand::as_is)
            add_by_eigen<T, as_is, as_is>(m, n, k, a, a_row, b, b_row, c, c_row);
        else if (op_a == operand::as_is)
            add_by_eigen<T, as_is, transposed>(m, n, k, a, a_row, b, b_row, c, c_row);
        else if (op_b == operand::as_is)
            add_by_eigen<T, transposed, as_is>(m, n, k, a, a_row, b, b_row, c, c_row);
        else
            add_by_eigen<T, transposed, transposed>(m, n, k, a, a_row, b, b_row, c, c_row);
    }
#endif
}

} // namespace chainrule::tensor::products
