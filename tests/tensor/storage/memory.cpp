// SPDX-License-Identifier: BSL-1.0
//
// A repeated training step allocates nothing, and all memory is returned, by threads too.
#include "../allocations.hpp"
#include "catch.hpp"

#include <chainrule/tensor.hpp>

#include <new>
#include <optional>
#include <thread>

namespace {

namespace ct = chainrule::tensor;
namespace layers = ct::layers;
using ct::tensor;

/// Allocations in one call after some like it.
template <class F>
std::size_t allocations_of(F f) {
    for (int i = 0; i < 3; ++i) f();
    const std::size_t before = counted::allocations, blocks = ct::memory_used().allocations;
    for (int i = 0; i < 3; ++i) f();
    CHECK(ct::memory_used().allocations == blocks);
    return counted::allocations - before;
}

template <class F>
void in_thread(F f) {
    std::thread(f).join();
}

} // namespace

TEST_CASE("a training step that was done once before allocates nothing", "[tensor][memory]") {
    ct::generator random(1);
    const std::vector<unsigned char> labels{0, 1, 2, 0};
    const auto train = [&](auto net, const tensor<float>& x, auto rule) {
        ct::optimiser training(ct::parameters(net), rule);
        const auto step = [&] {
            training.zero_grad();
            const tensor<float> loss = cross_entropy(net(x), labels);
            loss.backward();
            training.step();
        };
        CHECK(allocations_of(step) == 0);
        CHECK(allocations_of([&] { training.minimise(cross_entropy(net(x), labels)); }) == 0);
    };
    const auto dense = [&] {
        return layers::sequential(layers::linear<float>(5, 70, random), layers::relu{},
                                  layers::linear<float>(70, 70, random), layers::tanh{}, layers::dropout(0.5, random),
                                  layers::linear<float>(70, 3, random));
    };
    const tensor<float> x = ct::ones<float>({4, 5});
    train(dense(), x, ct::optimisers::sgd<float>(0.1f));
    train(dense(), x, ct::optimisers::sgd<float>(0.1f, 0.9f, 1e-3f));
    train(dense(), x, ct::optimisers::adam<float>());
    train(layers::sequential(layers::convolution<float>(1, 3, 3, random, {.padding = 1}), layers::relu{},
                             layers::max_pool{2}, layers::flatten{}, layers::linear<float>(48, 3, random)),
          ct::ones<float>({4, 1, 8, 8}), ct::optimisers::sgd<float>(0.1f));
    // A product large enough for the library of matrices.
    train(layers::sequential(layers::linear<float>(300, 200, random), layers::relu{},
                             layers::linear<float>(200, 3, random)),
          ct::ones<float>({4, 300}), ct::optimisers::sgd<float>(0.1f));
}

TEST_CASE("operations of all kinds take their memory from the reserve", "[tensor][memory]") {
    tensor<double> x = ct::ones<double>({3, 4}), row = ct::ones<double>({4});
    x.requires_grad(true);
    row.requires_grad(true);
    const tensor<ct::index> positions{2, 0};
    CHECK(allocations_of([&] {
              x.zero_grad();
              row.zero_grad();
              tensor<double> y = exp(x * row) / 2 + transpose(reshape(x, {4, 3}));
              y += 1;
              y = max(take(softmax(y), positions), 1, ct::keepdim) * mean(x, 0) + variance(x) + slice(x, 0, -1, 0, -1);
              sum(where(y > 0, y, 0)).backward();
          }) == 0);
}

TEST_CASE("where memory runs out in a training step, weights and gradients are as before", "[tensor][memory]") {
    ct::release_memory();
    const std::size_t before = ct::memory_used().bytes_in_use;
    const auto run = [](auto rule, bool minimises, ct::index width) {
        ct::generator random(1);
        layers::sequential net(layers::linear<float>(6, width, random), layers::relu{},
                               layers::linear<float>(width, width, random), layers::tanh{},
                               layers::linear<float>(width, 3, random));
        ct::optimiser training(ct::parameters(net), rule);
        const tensor<float> x = ct::ones<float>({40, 6});
        const std::vector<int> labels(40, 1);
        const auto numbers = [&] {
            std::vector<std::vector<float>> all;
            for (auto& [name, weights] : ct::parameters(net)) {
                all.push_back(weights.values());
                if (!minimises) all.push_back(weights.grad().values());
            }
            return all;
        };
        for (int round = 0; round < 2; ++round) {
            std::size_t failures = 0;
            for (std::size_t number = 1;; ++number) {
                const auto old = numbers();
                tensor<float> hidden = net.template layer<0>()(x);
                hidden.retain_grad();
                const tensor<float> loss =
                    cross_entropy(net.template layer<4>()(tanh(net.template layer<2>()(relu(hidden)))), labels);
                ct::release_memory();
                counted::fails_at = counted::allocations + number;
                try {
                    if (minimises)
                        training.minimise(loss);
                    else
                        loss.backward();
                    counted::fails_at = 0;
                    CHECK(numbers() != old);
                    break;
                } catch (const std::bad_alloc&) {
                    counted::fails_at = 0;
                    ++failures;
                    CHECK(numbers() == old);
                    CHECK_FALSE(hidden.has_grad());
                }
            }
            CHECK(failures > 3);
            // step() takes what its rule remembers before it changes anything.
            for (std::size_t number = 1; !minimises; ++number) {
                const auto old = numbers();
                counted::fails_at = counted::allocations + number;
                try {
                    training.step();
                    counted::fails_at = 0;
                    CHECK(numbers() != old);
                    break;
                } catch (const std::bad_alloc&) {
                    counted::fails_at = 0;
                    CHECK(numbers() == old);
                }
            }
        }
    };
    for (const ct::index width : {8, 70}) { // the second takes a library for its products
        run(ct::optimisers::sgd<float>(0.1f), true, width);
        run(ct::optimisers::sgd<float>(0.1f), false, width);
        run(ct::optimisers::adam<float>(), true, width);
        run(ct::optimisers::sgd<float>(0.1f, 0.9f), false, width);
        run(ct::optimisers::adam<float>(), false, width);
    }
    CHECK(ct::memory_used().bytes_in_use == before);
}

TEST_CASE("memory_used counts what lives, release_memory gives the rest back", "[tensor][memory]") {
    ct::release_memory();
    CHECK(ct::memory_used().bytes_in_reserve == 0);
    const ct::memory_statistics before = ct::memory_used();
    const std::ptrdiff_t blocks = counted::aligned_blocks;
    {
        const tensor<double> x = ct::zeros<double>({1000});
        const tensor<double> view = reshape(x, {10, 100});
        CHECK(ct::memory_used().bytes_in_use >= before.bytes_in_use + 8000);
        CHECK(ct::memory_used().bytes_in_use <= before.bytes_in_use + 8000 * 5 / 4 + 2 * 1024);
        CHECK(ct::memory_used().allocations == before.allocations + 3);
        CHECK(counted::aligned_blocks == blocks + 3);
    }
    CHECK(ct::memory_used().bytes_in_use == before.bytes_in_use);
    CHECK(ct::memory_used().bytes_in_reserve >= 8000);
    CHECK(counted::aligned_blocks == blocks + 3);
    ct::release_memory();
    CHECK(ct::memory_used().bytes_in_reserve == 0);
    CHECK(counted::aligned_blocks == blocks);
}

TEST_CASE("wide graphs and long chains are given back whole", "[tensor][memory]") {
    const std::size_t before = ct::memory_used().bytes_in_use;
    {
        tensor<double> x(1.0);
        x.requires_grad(true);
        std::vector<tensor<double>> parts;
        for (int i = 0; i < 20000; ++i) parts.push_back(x * i);
        tensor<double> y = sum(stack(std::span<const tensor<double>>(parts)));
        for (int i = 0; i < 20000; ++i) y = y + parts[static_cast<std::size_t>(i)];
        y.backward();
        CHECK(x.grad().item() == 2 * 19999.0 * 10000);
    }
    CHECK(ct::memory_used().bytes_in_use == before);
}

TEST_CASE("size classes hold the requested size and waste little", "[tensor][memory]") {
    using ct::storage::size_class;
    for (std::size_t bytes = 1; bytes < 20000; ++bytes) {
        const std::size_t held = size_class::bytes(size_class::of(bytes));
        if (held < bytes || held % ct::storage::alignment != 0 || held > bytes * 5 / 4 + 64)
            FAIL_CHECK(bytes << " bytes are held by " << held);
    }
    CHECK(size_class::bytes(size_class::of(std::size_t{1} << 40)) == std::size_t{1} << 40);
    const tensor<float> x = ct::zeros<float>({3});
    CHECK(reinterpret_cast<std::uintptr_t>(x.span().data()) % ct::storage::alignment == 0);
}

TEST_CASE("a thread gives its memory back when it ends", "[tensor][memory]") {
    const std::ptrdiff_t blocks = counted::aligned_blocks;
    in_thread([] {
        tensor<double> x = ct::ones<double>({100});
        x.requires_grad(true);
        sum(x * x).backward();
    });
    CHECK(counted::aligned_blocks == blocks);
}

TEST_CASE("tensors may be made in one thread and destroyed in another, which gives their memory back",
          "[tensor][memory]") {
    ct::release_memory();
    const std::ptrdiff_t blocks = counted::aligned_blocks;
    std::optional<tensor<double>> made;
    in_thread([&made] { made = ct::ones<double>({100}); });
    CHECK(sum(*made).item() == 100);
    in_thread([&made] {
        made.reset(); // a thread that has made none
        CHECK(ct::memory_used().bytes_in_use == 0);
        CHECK(ct::memory_used().bytes_in_reserve > 0);
        ct::release_memory();
        CHECK(ct::memory_used().bytes_in_use == 0);
        CHECK(ct::memory_used().bytes_in_reserve == 0);
        made = ct::ones<double>({100});
    });
    in_thread([&made] { made.reset(); });
    ct::release_memory();
    CHECK(counted::aligned_blocks == blocks);
}

TEST_CASE("tensors of a thread's own storage outlive its reserve", "[tensor][memory]") {
    const std::ptrdiff_t blocks = counted::aligned_blocks;
    in_thread([] {
        static thread_local std::optional<tensor<double>> late; // destroyed after what is made later
        late.reset();
        late = ct::ones<double>({100});
        late = *late * 2;
    });
    CHECK(counted::aligned_blocks == blocks);
}

TEST_CASE("what is recorded, or not, is the affair of each thread", "[tensor][memory]") {
    tensor<double> x{1};
    x.requires_grad(true);
    const ct::no_grad here;
    in_thread([&x] { CHECK((x * 2).requires_grad()); });
    CHECK_FALSE((x * 2).requires_grad());
}
