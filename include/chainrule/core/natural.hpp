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
        for (int i = 0; i < size_; carry >>= 32) {
            carry += std::uint64_t{limbs_[i]} * factor;
            limbs_[i++] = static_cast<std::uint32_t>(carry);
        }
        if (carry != 0) limbs_[size_++] = static_cast<std::uint32_t>(carry);
    }
    constexpr void shift(int bits) {
        for (; bits >= 31; bits -= 31) multiply(std::uint32_t{1} << 31);
        multiply(std::uint32_t{1} << bits);
    }
    constexpr void multiply_by_power_of_ten(int exponent) {
        for (; exponent >= 9; exponent -= 9) multiply(1'000'000'000);
        if (exponent > 0) multiply(power_of_ten(exponent));
    }
    /// Divides; false if there is a remainder.
    constexpr bool divide_by_power_of_ten(int exponent) {
        bool exact = true;
        for (; exponent >= 9; exponent -= 9) exact = divide(1'000'000'000) == 0 && exact;
        return (exponent <= 0 || divide(power_of_ten(exponent)) == 0) && exact;
    }
    /// The quotient by 2^bits without its fraction, if it is below 2^64.
    [[nodiscard]] constexpr std::uint64_t quotient_by_power_of_two(int bits) const {
        const int limb = bits / 32, rest = bits % 32;
        const std::uint64_t low = limb_at(limb) | limb_at(limb + 1) << 32;
        return rest == 0 ? low : low >> rest | limb_at(limb + 2) << (64 - rest);
    }
    [[nodiscard]] constexpr bool has_bits_below(int bits) const {
        int i = 0;
        for (; i < bits / 32; ++i)
            if (limb_at(i) != 0) return true;
        return (limb_at(i) & ((std::uint64_t{1} << bits % 32) - 1)) != 0;
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
    /// Below zero, zero or above zero, as *this is less than, equal to or greater than other.
    [[nodiscard]] constexpr int compare(const natural& other) const {
        if (size_ != other.size_) return size_ < other.size_ ? -1 : 1;
        for (int i = size_ - 1; i >= 0; --i)
            if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
        return 0;
    }

private:
    [[nodiscard]] static constexpr std::uint32_t power_of_ten(int exponent) {
        constexpr std::uint32_t powers[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
        return powers[exponent];
    }
    [[nodiscard]] constexpr std::uint64_t limb_at(int i) const { return i < size_ ? limbs_[i] : 0; }

    std::uint32_t limbs_[64] = {};
    int size_ = 0;
};

} // namespace chainrule::core
