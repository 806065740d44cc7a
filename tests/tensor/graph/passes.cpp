// SPDX-License-Identifier: BSL-1.0
//
// Backward passes: with any gradients kept, in every round, and unchanged state after a failure; moved-from tensors;
// spans.
#include "sentence.hpp"
#include "../gradients.hpp"

namespace {

using namespace gradients;
using doubles = std::vector<double>;

template <class T>
doubles numbers_of(const tensor<T>& x) {
    const std::vector<T> numbers = x.values();
    return doubles(numbers.begin(), numbers.end());
}
template <class T>
tensor<T> leaf(const tensor<T>& x) {
    return x.clone().requires_grad(true);
}

/// Operations of h and v of shape (n,): all that hand a gradient on as it is, and others beside them.
template <class T>
std::vector<tensor<T> (*)(const tensor<T>&, const tensor<T>&)> operations() {
    using t = const tensor<T>&;
    return {[](t h, t v) { return h + v; },
            [](t h, t v) { return v + h; },
            [](t h, t v) { return h - v; },
            [](t h, t v) { return v - h; },
            [](t h, t) { return h + h; },
            [](t h, t) { return h - h * T(3); },
            [](t h, t v) { return (h + v) + (v - h) + h; },
            [](t h, t) { return h + T(1); },
            [](t h, t) { return -h; },
            [](t h, t v) { return h * v; },
            [](t h, t v) { return v / h; },
            [](t h, t) { return exp(h * T(0.1)); },
            [](t h, t v) { return reshape(h, {-1, 1}) + reshape(v, {-1, 1}); },
            [](t h, t) { return flatten(expand_dims(h, 0)); },
            [](t h, t) { return slice(h, 0, -1, ct::to_the_end, -1); },
            [](t h, t v) { return slice(h, 0, 0) + v; },
            [](t h, t) { return broadcast_to(h, {3, h.count()}); },
            [](t h, t) { return contiguous(transpose(broadcast_to(h, {2, h.count()}))); },
            [](t h, t v) { return ct::concatenate({h, v, h}); },
            [](t h, t v) { return ct::stack({v, h}); },
            [](t h, t) { return take(h, {0, -1, 0}); },
            [](t h, t v) { return where(h > v, h, v); },
            [](t h, t) { return relu(h); },
            [](t h, t) { return softmax(h); },
            [](t h, t v) { return matmul(h, v); },
            [](t h, t v) { return relu(matmul(reshape(v, {-1, 1}), reshape(h, {1, -1})) + h); },
            [](t h, t) { return sum(h) + max(h); },
            [](t h, t v) {
                tensor<T> y = v * T(2);
                y += h;
                y -= h * T(0.5);
                return y;
            }};
}

template <class T>
void check_kept_gradients(ct::index size) {
    const tensor<T> start = ct::arange<T>(size) / static_cast<T>(size) + T(1.5);
    const auto all = operations<T>();
    for (std::size_t number = 0; number < all.size(); ++number) {
        CAPTURE(size, number);
        const auto loss = [&](const tensor<T>& h, const tensor<T>& v) {
            const tensor<T> y = all[number](h, v);
            return sum(y * y);
        };
        // What one pass gives h, as a leaf, and v through both ways.
        const tensor<T> alone = leaf(start * start), of_h = leaf(start), of_both = leaf(start);
        loss(alone, start).backward();
        loss(of_both * of_both, of_both).backward();
        doubles by_h = numbers_of(alone.grad()), by_v = numbers_of(of_both.grad());
        const auto times = [](doubles once, double k) {
            for (double& x : once) x *= k;
            return once;
        };
        const tensor<T> v = leaf(start);
        tensor<T> h = v * v;
        h.retain_grad();
        const tensor<T> y = loss(h, v);
        for (int round = 1; round <= 3; ++round) {
            y.backward();
            compare(h.grad(), times(by_h, round), 1e-5);
            compare(v.grad(), times(by_v, round), 1e-5);
        }
        // Other graphs of the same tensor, and a gradient that is kept above it.
        h.zero_grad();
        for (int round = 1; round <= 2; ++round) {
            tensor<T> again = all[number](h, v);
            again.retain_grad();
            sum(again * again).backward();
            compare(h.grad(), times(by_h, round), 1e-5);
            compare(again.grad(), times(numbers_of(again), 2), 1e-5);
        }
    }
}

} // namespace

TEST_CASE("gradients that are kept are right beside every operation, in every round", "[tensor]") {
    for (const ct::index size : {1, 2, 100}) {
        check_kept_gradients<double>(size);
        check_kept_gradients<float>(size);
    }
}

TEST_CASE("a pass that fails leaves every gradient as it was", "[tensor]") {
    const tensor<double> w = leaf(tensor<double>{1, 2}), fresh = leaf(tensor<double>{3, 4});
    tensor<double> kept = w * 2, bad = exp(w * 1.0);
    kept.retain_grad();
    sum(kept * w).backward(); // a gradient from before
    const tensor<double> handle = w.grad();
    const doubles before = handle.values(), kept_before = kept.grad().values();
    // The operations of higher level come first: leaves and `kept` have got theirs when exp finds its result changed.
    const tensor<double> y = sum(bad * 1.0) + sum(exp(exp(kept * 0.1)) * fresh * w);
    bad += 1;
    for (int round = 0; round < 2; ++round) {
        CHECK_THROWS_AS(y.backward(), ct::gradient_error);
        CHECK(w.grad().values() == before);
        CHECK(handle.values() == before);
        CHECK(kept.grad().values() == kept_before);
        CHECK_FALSE(fresh.has_grad());
        CHECK(fresh.grad().values() == doubles{0, 0});
    }
    sum(kept * fresh).backward();
    CHECK(w.grad().values() == doubles{before[0] + 6, before[1] + 8});
    CHECK(kept.grad().values() == doubles{kept_before[0] + 3, kept_before[1] + 4});
    CHECK(fresh.grad().values() == doubles{2, 4});
}

TEST_CASE("a step of minimise that fails changes no weight", "[tensor]") {
    tensor<double> first = leaf(tensor<double>{{1, 2}, {3, 4}}), second = leaf(tensor<double>{{1}, {2}}),
                   bias = leaf(tensor<double>{0.5});
    ct::optimiser<double, ct::optimisers::sgd<double>> training({first, second, bias},
                                                                ct::optimisers::sgd<double>(0.1));
    tensor<double> x{{1, 2}};
    const auto loss_of = [&](const tensor<double>& early) { return sum(linear(matmul(early, first), second, bias)); };
    {
        const tensor<double> early = exp(x);
        tensor<double> changed = early.clone();
        const tensor<double> loss = loss_of(changed); // the product with `second` passes its gradient on before
        changed += 1;
        CHECK_THROWS_AS(training.minimise(loss), ct::gradient_error);
        CHECK(first == tensor<double>{{1, 2}, {3, 4}});
        CHECK(second == tensor<double>{{1}, {2}});
        CHECK(bias == tensor<double>{0.5});
    }
    training.minimise(loss_of(x));
    CHECK(bias.item() == Approx(0.4));
    CHECK(second(0, 0) == Approx(1 - 0.1 * 7));
    CHECK(first(1, 1) == Approx(4 - 0.1 * 4));
}

TEST_CASE("minimise computes with the weights from before the step, whoever shares their numbers", "[tensor]") {
    const auto step = [](bool at_once) {
        tensor<double> a = leaf(tensor<double>{{1, 2}, {3, 4}}), b = leaf(tensor<double>{{1, -1}, {2, 1}});
        const tensor<double> of_a = a.detach();
        const tensor<double> loss =
            sum(matmul(of_a, b)) + sum(matmul(tensor<double>{{5, 6}}, a)) + sum(square(of_a) * matmul(of_a, of_a));
        ct::optimiser<double, ct::optimisers::sgd<double>> training({a, b}, ct::optimisers::sgd<double>(0.1));
        if (at_once) {
            training.minimise(loss);
        } else {
            loss.backward();
            training.step();
        }
        return std::pair(a.values(), b.values());
    };
    CHECK(step(true) == step(false));
    CHECK(step(true).second == doubles{1 - 0.1 * 4, -1 - 0.1 * 4, 2 - 0.1 * 6, 1 - 0.1 * 6});
}

TEST_CASE("a write through a span that was kept is noticed", "[tensor]") {
    const tensor<double> w = leaf(tensor<double>{1, 2, 3});
    tensor<double> x{4, 5, 6};
    const std::span<double> numbers = x.mutable_span();
    for (int step = 0; step < 3; ++step) { // filled anew for every step: right
        numbers[1] = step;
        sum(w * x).backward();
    }
    CHECK(w.grad().values() == doubles{12, 3, 18});
    const auto said = [](const tensor<double>& y) { return sentence_of([&] { y.backward(); }); };
    const std::string sentence =
        "backward: operator* needs argument 2 of shape (3,), which was changed through a mutable_span() after it was "
        "read; write before the tensor is read, or change a clone() instead";
    for (const std::size_t place : {0U, 1U, 2U}) {
        for (const double other : {-numbers[place], 0.0, std::nextafter(numbers[place], 100.0)}) {
            const double old = numbers[place];
            if (old == other) continue;
            const tensor<double> y = sum(w * x), of_view = sum(w * slice(x, 0, -1, ct::to_the_end, -1));
            numbers[place] = other;
            CHECK(said(y) == sentence);
            CHECK(contains(said(of_view), "changed through a mutable_span()"));
            numbers[place] = old;
            CHECK(said(y).empty());
        }
    }
    // What no derivative reads may change.
    const tensor<double> difference = sum(w - x);
    numbers[0] = 100;
    CHECK(said(difference).empty());
    // Weights that somebody else writes, and numbers in all places.
    tensor<double> weights = leaf(ct::ones<double>({100}));
    tensor<double> shared = weights.detach();
    const std::span<double> raw = shared.mutable_span();
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const tensor<double> y = sum(weights * weights);
        raw[i] = -raw[i];
        raw[(i + 8) % 100] = -raw[(i + 8) % 100];
        CHECK(contains(said(y), "changed through a mutable_span()"));
    }
}

TEST_CASE("a tensor that was moved from says so", "[tensor]") {
    const auto moved = [] {
        tensor<double> x{1, 2};
        const tensor<double> y = std::move(x);
        CHECK(y.values() == doubles{1, 2});
        return x;
    };
    const std::string sentence = "tensor: it was moved from and holds nothing; assign another to it before it is used";
    tensor<double> x = moved();
    const tensor<double> copy = x;
    CHECK(sentence_of([&] { static_cast<void>(x.shape()); }) == sentence);
    CHECK(sentence_of([&] { static_cast<void>(copy + 1); }) == sentence);
    CHECK(sentence_of([&] { static_cast<void>(matmul(copy, copy)); }) == sentence);
    CHECK(sentence_of([&] { static_cast<void>(ct::concatenate({x, x})); }) == sentence);
    CHECK(sentence_of([&] { static_cast<void>(x.detach()); }) == sentence);
    CHECK(sentence_of([&] { static_cast<void>(x.clone()); }) == sentence);
    CHECK(sentence_of([&] { static_cast<void>(x.shares_numbers_with(copy)); }) == sentence);
    CHECK(sentence_of([&] { x += 1; }) == sentence);
    CHECK(sentence_of([&] { x.fill(1); }) == sentence);
    CHECK(sentence_of([&] { x.backward(); }) == sentence);
    CHECK(sentence_of([&] { static_cast<void>(x.values()); }) == sentence);
    CHECK(sentence_of([&] { static_cast<void>(x.requires_grad()); }) == sentence);
    CHECK_THROWS_AS(x.zero_grad(), std::logic_error);
    x = tensor<double>{3};
    CHECK(x.item() == 3);
}
