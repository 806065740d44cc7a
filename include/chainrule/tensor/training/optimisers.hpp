// SPDX-License-Identifier: BSL-1.0
//
// Update rules (SGD, Adam): settings, which may be changed between steps, and state. They update one vector register of
// weights at a time, for tensors (layers/optimiser.hpp) and static networks.
#pragma once

#include <chainrule/tensor/kernels/lanes.hpp>
#include <chainrule/tensor/storage/aligned_numbers.hpp>

#include <cmath>

namespace chainrule::tensor::training {

/// Prefetches a number that will be read and written.
template <class T>
[[gnu::always_inline]] inline void prefetch(const T* at) {
    __builtin_prefetch(at, 1);
}

/// An "update" that only stores the derivatives.
template <class T>
struct store_derivatives {
    T* derivatives;

    [[gnu::always_inline]] void prepare(std::size_t at) const { prefetch(derivatives + at); }
    template <class Vector>
    [[gnu::always_inline]] void operator()(std::size_t at, const Vector& derivative) const {
        kernels::store(derivatives + at, derivative);
    }
};

} // namespace chainrule::tensor::training

namespace chainrule::tensor::optimisers {

/// Stochastic gradient descent: v = momentum v + g, w -= rate v, where g is the derivative plus weight_decay w. With
/// momentum an object belongs to one network.
template <class T>
class sgd {
public:
    T rate, momentum, weight_decay;

    explicit sgd(T its_rate, T its_momentum = 0, T its_weight_decay = 0)
        : rate(its_rate), momentum(its_momentum), weight_decay(its_weight_decay) {}

    /// The rate if a step is w -= rate g, otherwise 0.
    [[nodiscard]] T descent() const { return momentum == 0 && weight_decay == 0 ? rate : T(0); }

    struct plain_update {
        T rate;
        T* parameters;

        [[gnu::always_inline]] void prepare(std::size_t at) const { training::prefetch(parameters + at); }
        template <class Vector>
        [[gnu::always_inline]] void operator()(std::size_t at, const Vector& derivative) const {
            kernels::store(parameters + at,
                           kernels::load<sizeof(Vector) / sizeof(T)>(parameters + at) - rate * derivative);
        }
    };
    struct full_update {
        T rate, momentum, weight_decay;
        T *parameters, *velocity;

        [[gnu::always_inline]] void prepare(std::size_t at) const {
            training::prefetch(parameters + at);
            training::prefetch(velocity + at);
        }
        template <class Vector>
        [[gnu::always_inline]] void operator()(std::size_t at, const Vector& derivative) const {
            constexpr std::size_t lanes = sizeof(Vector) / sizeof(T);
            const Vector w = kernels::load<lanes>(parameters + at);
            const Vector v = momentum * kernels::load<lanes>(velocity + at) + (derivative + weight_decay * w);
            kernels::store(velocity + at, v);
            kernels::store(parameters + at, w - rate * v);
        }
    };
    /// Takes the memory that step() needs for so many parameters. After it, step() does not fail.
    void prepare(std::size_t count) {
        if ((momentum != 0 || weight_decay != 0) && velocity_.size() != count)
            velocity_ = storage::aligned_numbers<T>(count);
    }
    /// Calls f(update), where update.prepare(place) prefetches and update(place, derivatives) updates one register of
    /// parameters.
    template <class F>
    void step(T* parameters, std::size_t count, const F& f) {
        if (momentum == 0 && weight_decay == 0) {
            f(plain_update{rate, parameters});
        } else {
            prepare(count);
            f(full_update{rate, momentum, weight_decay, parameters, velocity_.data()});
        }
    }

private:
    storage::aligned_numbers<T> velocity_;
};

/// Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015), algorithm 1, with weight_decay w added to
/// the derivative: rate, first_decay, second_decay and epsilon are its alpha, beta_1, beta_2 and epsilon. An object
/// belongs to one network.
template <class T>
class adam {
public:
    T rate, first_decay, second_decay, epsilon, weight_decay;

    explicit adam(T its_rate = T(1e-3), T its_first_decay = T(0.9), T its_second_decay = T(0.999),
                  T its_epsilon = T(1e-8), T its_weight_decay = 0)
        : rate(its_rate), first_decay(its_first_decay), second_decay(its_second_decay), epsilon(its_epsilon),
          weight_decay(its_weight_decay) {}

    /// One step, of the parameters from position `at` on.
    struct update {
        T rate, first_decay, second_decay, epsilon, weight_decay, second_scale;
        T *parameters, *first, *second;

        [[gnu::always_inline]] void prepare(std::size_t at) const {
            training::prefetch(parameters + at);
            training::prefetch(first + at);
            training::prefetch(second + at);
        }
        template <class Vector>
        [[gnu::always_inline]] void operator()(std::size_t at, const Vector& derivative) const {
            constexpr std::size_t lanes = sizeof(Vector) / sizeof(T);
            const Vector w = kernels::load<lanes>(parameters + at);
            const Vector g = derivative + weight_decay * w;
            const Vector m = first_decay * kernels::load<lanes>(first + at) + (1 - first_decay) * g;
            const Vector v = second_decay * kernels::load<lanes>(second + at) + (1 - second_decay) * (g * g);
            kernels::store(first + at, m);
            kernels::store(second + at, v);
            kernels::store(parameters + at, w - rate * m / (kernels::square_root<T>(v) * second_scale + epsilon));
        }
    };
    /// Takes the memory that step() needs for so many parameters. After it, step() does not fail.
    void prepare(std::size_t count) {
        if (first_.size() == count) return;
        storage::aligned_numbers<T> first(count), second(count);
        first_ = std::move(first);
        second_ = std::move(second);
        first_power_ = second_power_ = 1;
    }
    /// The same: f calls the update with the derivatives of all parameters.
    template <class F>
    void step(T* parameters, std::size_t count, const F& f) {
        prepare(count);
        first_power_ *= static_cast<double>(first_decay);
        second_power_ *= static_cast<double>(second_decay);
        f(update{static_cast<T>(static_cast<double>(rate) / (1 - first_power_)), first_decay, second_decay, epsilon,
                 weight_decay, static_cast<T>(1 / std::sqrt(1 - second_power_)), parameters, first_.data(),
                 second_.data()});
    }

private:
    storage::aligned_numbers<T> first_, second_;
    double first_power_ = 1, second_power_ = 1; // of the decays, for the bias correction
};

} // namespace chainrule::tensor::optimisers
