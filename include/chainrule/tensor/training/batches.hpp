// SPDX-License-Identifier: BSL-1.0
//
// Mini-batches: spans of sample numbers, in an order that depends only on the seed and the number of the epoch.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/training/random.hpp>

#include <algorithm>
#include <iterator>
#include <span>
#include <stdexcept>

namespace chainrule::tensor {

/// What to do with the samples that are left over if the batch size does not divide their number.
enum class last_batch {
    keep, ///< they are a shorter batch
    drop  ///< they are left out, others in each epoch
};

/// The batches of one epoch: a forward range of std::span<const std::size_t>, valid until its `batches` object is
/// reordered or destroyed.
class batch_range {
public:
    /// Consecutive spans of `size` numbers; the last one may be shorter. Throws std::invalid_argument for size 0.
    batch_range(std::span<const std::size_t> order, std::size_t size) : order_(order), size_(size) {
        if (size == 0) core::raise(std::invalid_argument("batch_range: a batch has 0 samples; give 1 or more"));
    }

    /// The number of batches.
    [[nodiscard]] std::size_t size() const { return order_.size() / size_ + (order_.size() % size_ == 0 ? 0 : 1); }
    [[nodiscard]] bool empty() const { return order_.empty(); }
    /// Batch number i < size().
    [[nodiscard]] std::span<const std::size_t> operator[](std::size_t i) const {
        return order_.subspan(i * size_, std::min(size_, order_.size() - i * size_));
    }

    class iterator {
    public:
        using value_type = std::span<const std::size_t>;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag; // operator* returns no reference
        using iterator_concept = std::forward_iterator_tag;
        using reference = value_type;
        using pointer = void;

        iterator() = default;
        iterator(std::span<const std::size_t> order, std::size_t size) : rest_(order), size_(size) {}

        [[nodiscard]] value_type operator*() const { return rest_.first(std::min(size_, rest_.size())); }
        iterator& operator++() {
            rest_ = rest_.subspan(std::min(size_, rest_.size()));
            return *this;
        }
        iterator operator++(int) {
            iterator before = *this;
            ++*this;
            return before;
        }
        [[nodiscard]] friend bool operator==(const iterator& a, const iterator& b) {
            return a.rest_.size() == b.rest_.size();
        }

    private:
        value_type rest_;
        std::size_t size_ = 1;
    };
    [[nodiscard]] iterator begin() const { return {order_, size_}; }
    [[nodiscard]] iterator end() const { return {order_.last(0), size_}; }

private:
    std::span<const std::size_t> order_;
    std::size_t size_;
};

/// Mini-batches over the samples 0 to samples - 1. Memory is allocated once, when the object is made.
///
///     batches all(images, 32, seed);
///     for (std::size_t epoch = 0; epoch < 3; ++epoch)
///         for (std::span<const std::size_t> batch : all.shuffled(epoch)) train(batch);
class batches {
public:
    /// Throws std::invalid_argument if the size is 0, or if the last batch is dropped and is the only one.
    batches(std::size_t samples, std::size_t size, std::uint64_t seed, last_batch last = last_batch::keep)
        : size_(size), seed_(seed), last_(last) {
        if (size == 0) core::raise(std::invalid_argument("batches: the batch size is 0; give 1 or more"));
        if (samples / size == 0 && last == last_batch::drop)
            core::raise(std::invalid_argument("batches: " + std::to_string(samples) +
                                              " samples do not fill a batch of " + std::to_string(size) +
                                              "; take smaller batches, or keep the last one"));
        order_.resize(samples);
    }

    /// The number of batches of an epoch.
    [[nodiscard]] std::size_t count() const { return used().size(); }
    /// The number of samples.
    [[nodiscard]] std::size_t samples() const { return order_.size(); }
    /// The number of samples of a batch, except for a shorter last one.
    [[nodiscard]] std::size_t size() const { return size_; }

    /// The batches of an epoch, with the samples in random order. Independent of the epochs requested before, so that a
    /// resumed training sees the same batches.
    [[nodiscard]] batch_range shuffled(std::size_t epoch) & {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        generator(seed_, epoch).shuffle(std::span(order_));
        return used();
    }
    /// The batches with the samples in their original order, for example for tests.
    [[nodiscard]] batch_range in_order() & {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        return used();
    }
    batch_range shuffled(std::size_t) && = delete; // the range would outlive the order
    batch_range in_order() && = delete;

private:
    [[nodiscard]] batch_range used() const {
        const std::span<const std::size_t> all(order_);
        return {all.first(last_ == last_batch::drop ? all.size() / size_ * size_ : all.size()), size_};
    }
    std::vector<std::size_t> order_;
    std::size_t size_;
    std::uint64_t seed_;
    last_batch last_;
};

} // namespace chainrule::tensor

/// Iterators stay valid after the range is destroyed.
template <>
inline constexpr bool std::ranges::enable_borrowed_range<chainrule::tensor::batch_range> = true;

#include <chainrule/core/names_end.inc>
