// SPDX-License-Identifier: BSL-1.0
//
// Mini-batches: every sample once an epoch, in an order of the seed and the epoch; and the rates of every schedule at
// the steps where they are known.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/tensor/training/batches.hpp>
#include <chainrule/tensor/training/schedules.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace {

using namespace chainrule::tensor;

std::vector<std::size_t> samples_of(const batch_range& range) {
    std::vector<std::size_t> samples;
    for (const std::span<const std::size_t> batch : range) samples.insert(samples.end(), batch.begin(), batch.end());
    return samples;
}

static_assert(std::ranges::forward_range<batch_range> && std::ranges::sized_range<batch_range>);

} // namespace

TEST_CASE("an epoch has every sample once", "[tensor][batches]") {
    batches all(103, 10, 7);
    CHECK(all.count() == 11);
    CHECK(all.samples() == 103);
    CHECK(all.size() == 10);
    const batch_range epoch = all.shuffled(0);
    CHECK(epoch.size() == 11);
    std::size_t number = 0;
    for (const std::span<const std::size_t> batch : epoch) {
        CHECK(batch.size() == (number < 10 ? 10 : 3));
        CHECK(batch.data() == epoch[number].data());
        CHECK(batch.size() == epoch[number].size());
        ++number;
    }
    CHECK(number == 11);
    std::vector<std::size_t> samples = samples_of(epoch);
    CHECK(!std::ranges::is_sorted(samples));
    std::ranges::sort(samples);
    REQUIRE(samples.size() == 103);
    for (std::size_t i = 0; i < samples.size(); ++i) REQUIRE(samples[i] == i);

    CHECK(samples_of(all.in_order()) == samples);
}

TEST_CASE("the order is that of the seed and the epoch", "[tensor][batches]") {
    batches one(50, 8, 7), other(50, 8, 8), again(50, 8, 7);
    const auto first = samples_of(one.shuffled(0)), second = samples_of(one.shuffled(1));
    CHECK(first != second);
    CHECK(first != samples_of(other.shuffled(0)));
    // In another order of calls, which leaves the samples in another order.
    CHECK(samples_of(again.shuffled(1)) == second);
    CHECK(samples_of(again.shuffled(0)) == first);
}

TEST_CASE("a short last batch can be dropped", "[tensor][batches]") {
    batches all(103, 10, 7, last_batch::drop);
    CHECK(all.count() == 10);
    std::vector<bool> seen(103);
    for (std::size_t epoch = 0; epoch < 20; ++epoch) {
        const batch_range range = all.shuffled(epoch);
        CHECK(range.size() == 10);
        for (const auto batch : range) {
            CHECK(batch.size() == 10);
            for (const std::size_t sample : batch) seen[sample] = true;
        }
    }
    CHECK(std::ranges::count(seen, true) == 103); // others are left out each time
    CHECK(batches(100, 10, 7, last_batch::drop).count() == 10);
}

TEST_CASE("batches of no samples are refused", "[tensor][batches]") {
    const std::vector<std::size_t> order{2, 0, 1};
    CHECK(sentence_of([&] { (void)batch_range(order, 0); }) == "batch_range: a batch has 0 samples; give 1 or more");
}

TEST_CASE("few or no samples", "[tensor][batches]") {
    batches none(0, 4, 1), one(1, 4, 1);
    CHECK(none.shuffled(0).empty());
    CHECK(none.count() == 0);
    CHECK(samples_of(one.shuffled(5)) == std::vector<std::size_t>{0});
    CHECK(sentence_of([] { batches(5, 0, 1); }) == "batches: the batch size is 0; give 1 or more");
    CHECK(sentence_of([] { batches(5, 6, 1, last_batch::drop); }) ==
          "batches: 5 samples do not fill a batch of 6; take smaller batches, or keep the last one");
}

TEST_CASE("learning rates at known steps", "[tensor][schedules]") {
    CHECK(schedules::constant{0.1}(12345) == 0.1);

    const schedules::step_decay decay{.first = 0.1, .factor = 0.5, .every = 10};
    CHECK(decay(0) == 0.1);
    CHECK(decay(9) == 0.1);
    CHECK(decay(10) == Approx(0.05));
    CHECK(decay(35) == Approx(0.0125));

    const schedules::exponential exponential{.first = 0.1, .factor = 0.9};
    CHECK(exponential(0) == 0.1);
    CHECK(exponential(2) == Approx(0.081));

    const schedules::inverse_time inverse{.first = 0.1, .decay = 0.5};
    CHECK(inverse(0) == 0.1);
    CHECK(inverse(6) == Approx(0.025));

    const schedules::linear line{.first = 0.1, .last = 0.02, .steps = 8};
    CHECK(line(0) == 0.1);
    CHECK(line(4) == Approx(0.06));
    CHECK(line(8) == Approx(0.02));
    CHECK(line(1000) == Approx(0.02));

    const schedules::cosine cosine{.highest = 0.1, .last = 0.01, .steps = 100, .warm_up = 4};
    CHECK(cosine(0) == Approx(0.02));
    CHECK(cosine(3) == Approx(0.08));
    CHECK(cosine(4) == Approx(0.1));
    CHECK(cosine(28) == Approx(0.01 + 0.045 * (1 + std::sqrt(0.5))));
    CHECK(cosine(52) == Approx(0.055));
    CHECK(cosine(100) == Approx(0.01));
    CHECK(cosine(101) == Approx(0.01));
    CHECK(schedules::cosine{.highest = 0.1, .steps = 10}(0) == Approx(0.1));

    const schedules::one_cycle cycle{.highest = 1.0, .steps = 100, .rise = 0.4};
    CHECK(cycle(0) == Approx(0.04));
    CHECK(cycle(20) == Approx(0.52));
    CHECK(cycle(40) == Approx(1.0));
    CHECK(cycle(70) == Approx(0.500002));
    CHECK(cycle(100) == Approx(4e-6));
    CHECK(cycle(500) == Approx(4e-6));
    CHECK(schedules::one_cycle{.highest = 1.0, .steps = 10, .rise = 0.0}(0) == Approx(1.0));
    CHECK(schedules::one_cycle{.highest = 1.0, .steps = 10, .rise = 1.0}(10) == Approx(4e-6));
}

TEST_CASE("warm-up, rise and fall are monotone", "[tensor][schedules]") {
    const schedules::cosine cosine{.highest = 0.1, .steps = 100, .warm_up = 17};
    const schedules::one_cycle cycle{.highest = 0.1, .steps = 100};
    for (std::size_t step = 0; step < 100; ++step) {
        CAPTURE(step);
        CHECK((step < 17 ? cosine(step) < cosine(step + 1) : cosine(step) > cosine(step + 1)));
        CHECK((step < 30 ? cycle(step) < cycle(step + 1) : cycle(step) > cycle(step + 1)));
    }
}

TEST_CASE("members that make no schedule are answered", "[tensor][schedules]") {
    CHECK(sentence_of([] { (void)schedules::step_decay{.first = 0.1, .every = 0}(3); }) ==
          "step_decay: the interval has 0 steps; set .every to 1 or more");
    CHECK(sentence_of([] { (void)schedules::cosine{.highest = 0.1, .steps = 5, .warm_up = 6}(3); }) ==
          "cosine: the warm-up is longer than the schedule; set .warm_up to fewer than .steps");
    CHECK(sentence_of([] { (void)schedules::one_cycle{.highest = 0.1, .steps = 5, .rise = 1.5}(3); }) ==
          "one_cycle: the rise is not a fraction of the steps; set .rise between 0 and 1");
}
