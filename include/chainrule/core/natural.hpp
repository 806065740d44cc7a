// SPDX-License-Identifier: BSL-1.0
//
// Multi-word natural numbers for the exact conversion between decimal and binary numbers at compile time.
// expression/number_literal.hpp reads decimals with them, print/decimal.hpp writes them.
#pragma once

#include <chainrule/core/rooms.hpp>

#include <bit>
#include <cstdint>

namespace chainrule::core {

/// A natural number below 2^2048: enough for every double times or over a power of ten, and for decimals of 150 digits
/// in the range of double.
class natural {
public:
    constexpr explicit natural(std::uint64_t value) {
        for (; value != 0; value >>= 32) limbs_[size_++] = static_cast<std::uint32_t>(value);
    }
    [[nodiscard]] constexpr int bit_width() const {
        return size_ == 0 ? 0 : 32 * (size_ - 1) + static_cast<int>(std::bit_width(limbs_[size_ - 1]));
    }
    /// The number, if it is below 2^64.
    [[nodiscard]] constexpr std::uint64_t value() const {
        return (size_ > 0 ? std::uint64_t{limbs_[0]} : 0) | (size_ > 1 ? std::uint64_t{limbs_[1]} << 32 : 0);
    }
    constexpr void multiply(std::uint32_t factor, std::uint32_t summand = 0) {
        std::uint64_t carry = summand;
        for (int i = 0; i < size_; ++i) {
            carry += std::uint64_t{limbs_[i]} * factor;
            limbs_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry != 0) limbs_[size_++] = static_cast<std::uint32_t>(carry);
    }
    constexpr void shift(int bits) {
        for (; bits >= 31; bits -= 31) multiply(std::uint32_t{1} << 31);
        multiply(std::uint32_t{1} << bits);
    }
    constexpr void multiply_by_power_of_ten(int exponent) {
        for (; exponent >= 9; exponent -= 9) multiply(1'000'000'000);
        for (; exponent > 0; --exponent) multiply(10);
    }
    /// Divides, and returns the remainder.
    constexpr std::uint32_t divide(std::uint32_t divisor) {
        std::uint64_t rest = 0;
        for (int i = size_ - 1; i >= 0; --i) {
            rest = rest << 32 | limbs_[i];
            limbs_[i] = static_cast<std::uint32_t>(rest / divisor);
            rest %= divisor;
        }
        while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
        return static_cast<std::uint32_t>(rest);
    }
    constexpr void subtract(const natural& other) {
        std::uint64_t borrow = 0;
        for (int i = 0; i < size_; ++i) {
            const std::uint64_t difference =
                std::uint64_t{limbs_[i]} - (i < other.size_ ? other.limbs_[i] : 0) - borrow;
            limbs_[i] = static_cast<std::uint32_t>(difference);
            borrow = difference >> 63;
        }
        while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
    }
    constexpr void add(const natural& other) {
        std::uint64_t carry = 0;
        for (int i = 0; i < size_ || i < other.size_ || carry != 0; ++i) {
            if (i == size_) limbs_[size_++] = 0;
            carry += std::uint64_t{limbs_[i]} + (i < other.size_ ? other.limbs_[i] : 0);
            limbs_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }
    /// Below zero, zero or above zero, as *this is less than, equal to or greater than other.
    [[nodiscard]] constexpr int compare(const natural& other) const {
        if (size_ != other.size_) return size_ < other.size_ ? -1 : 1;
        for (int i = size_ - 1; i >= 0; --i)
            if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
        return 0;
    }

private:
    std::uint32_t limbs_[64] = {};
    int size_ = 0;
};

} // namespace chainrule::core
