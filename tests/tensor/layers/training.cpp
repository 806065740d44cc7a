// SPDX-License-Identifier: BSL-1.0
//
// Layers, update rules and weight files: rules against plain loops, one whole step against its parts, a small network
// that learns, and files that a network refuses while it keeps its weights.
#include "sentence.hpp"
#include "../gradients.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>

namespace {

using namespace gradients;
namespace layers = ct::layers;
namespace optimisers = ct::optimisers;
using doubles = std::vector<double>;

/// A file of this test alone, which goes with it.
class temporary_file {
public:
    explicit temporary_file(const std::string& name) : path_(std::filesystem::temp_directory_path() / name) {
        std::filesystem::remove(path_);
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    ~temporary_file() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

template <class T>
auto small_network(std::uint64_t seed) {
    ct::generator random(seed);
    return layers::sequential(layers::linear<T>(3, 8, random), layers::relu{}, layers::linear<T>(8, 5, random),
                              layers::tanh{}, layers::linear<T>(5, 2, random, layers::start::xavier_uniform));
}

template <class Network>
std::vector<doubles> weights_of(Network& network) {
    std::vector<doubles> all;
    for (const auto& [name, numbers] : ct::parameters(network)) {
        const auto values = numbers.values();
        all.emplace_back(values.begin(), values.end());
    }
    return all;
}

/// A layer whose weights are any two tensors.
struct two_tensors {
    using value_type = double;
    tensor<double> first, second;

    template <class Visit>
    void visit(Visit see) {
        see("first", first);
        see("second", second);
    }
    [[nodiscard]] std::vector<std::uint32_t> versions() const {
        return {first.node().values->version, second.node().values->version};
    }
};

constexpr ct::index count = 19; // whole registers and a rest

/// Steps of a rule on 0.5 sum(c w^2), whose gradient is c w, beside update(w, gradient, number of the element, step
/// from 1).
template <class Rule, class Update>
void check_rule(const Rule& rule, Update update) {
    const tensor<double> c = drawn({count}, 1, 0.1, 2);
    tensor<double> w = drawn({count}, 2), unreached = drawn({3}, 3);
    w.requires_grad(true);
    unreached.requires_grad(true);
    doubles expected = w.values();
    ct::optimiser training({w, unreached}, rule);
    for (int step = 1; step <= 5; ++step) {
        training.zero_grad();
        sum(c * w * w * 0.5).backward();
        training.step();
        for (std::size_t i = 0; i < expected.size(); ++i)
            update(expected[i], c(static_cast<ct::index>(i)) * expected[i], i, step);
        compare(w, expected, 1e-14);
    }
    CHECK(unreached.values() == drawn({3}, 3).values());
}

} // namespace

TEST_CASE("a layer that a network uses twice is trained once in each step", "[tensor][layers]") {
    ct::generator random(3);
    const auto shared = layers::linear<double>(2, 2, random);
    layers::sequential network{shared, layers::tanh{}, shared};
    ct::optimiser training(ct::parameters(network), optimisers::sgd<double>(0.5));
    const std::vector<doubles> before = weights_of(network);
    const ct::tensor<double> x{{0.5, -1.0}};
    ct::tensor<double> loss = sum(network(x));
    training.zero_grad();
    loss.backward();
    const auto gradient = ct::parameters(network)[0].second.grad().values();
    training.step();
    const std::vector<doubles> after = weights_of(network);
    CHECK(after[0] == after[2]);
    for (std::size_t i = 0; i < after[0].size(); ++i)
        CHECK(after[0][i] == Approx(before[0][i] - 0.5 * gradient[i]).epsilon(1e-14));
}

TEST_CASE("gradient descent follows its formula, with momentum and weight decay too", "[tensor]") {
    check_rule(optimisers::sgd<double>(0.1), [](double& w, double g, std::size_t, int) { w -= 0.1 * g; });
    check_rule(optimisers::sgd<double>(0.1, 0, 0.2),
               [](double& w, double g, std::size_t, int) { w -= 0.1 * (g + 0.2 * w); });
    doubles velocity(count);
    check_rule(optimisers::sgd<double>(0.1, 0.9, 0.01), [&](double& w, double g, std::size_t i, int) {
        velocity[i] = 0.9 * velocity[i] + (g + 0.01 * w);
        w -= 0.1 * velocity[i];
    });
}

TEST_CASE("Adam follows its formula, corrections of the first steps included", "[tensor]") {
    for (const double decay : {0.0, 0.05}) {
        doubles first(count), second(count);
        check_rule(optimisers::adam<double>(0.01, 0.9, 0.999, 1e-8, decay),
                   [&](double& w, double g, std::size_t i, int step) {
                       g += decay * w;
                       first[i] = 0.9 * first[i] + 0.1 * g;
                       second[i] = 0.999 * second[i] + 0.001 * g * g;
                       w -= 0.01 * (first[i] / (1 - std::pow(0.9, step))) /
                            (std::sqrt(second[i] / (1 - std::pow(0.999, step))) + 1e-8);
                   });
    }
}

TEST_CASE("a changed rate holds from the next step on", "[tensor]") {
    tensor<double> w{1};
    w.requires_grad(true);
    ct::optimiser training({w}, optimisers::sgd<double>(0.5));
    training.rate(0.25);
    w.backward(); // of itself: the gradient is 1
    training.step();
    CHECK(w.item() == 0.75);
}

TEST_CASE("an optimiser takes lists of tensors", "[tensor]") {
    const auto rule = optimisers::sgd<double>(0.5);
    tensors<double> list{tensor<double>{1, 2}, tensor<double>(3.0)};
    for (tensor<double>& w : list) w.requires_grad(true);
    const std::span<tensor<double>> span(list);
    const std::array<tensor<double>, 2> array{list[0], list[1]};
    ct::optimiser of_vector(list, rule), of_span(span, rule), of_array(array, rule), of_part(span.subspan(1), rule);
    const auto step = [&](auto& training) { training.minimise(sum(list[0]) + list[1]); };
    step(of_vector);
    step(of_span);
    step(of_array);
    step(of_part);
    CHECK(list[0].values() == std::vector<double>{-0.5, 0.5});
    CHECK(list[1].item() == 1);
    list.push_back(list[0]);
    CHECK_THROWS_AS(ct::optimiser(list, rule), std::invalid_argument);
}

TEST_CASE("minimise is zero_grad, backward and step, whoever reads the weights", "[tensor]") {
    const tensor<double> x = drawn({7, 4}, 1), c = drawn({4, 4}, 2);
    const auto check = [&](auto rule, auto loss) {
        tensors<double> whole, parts;
        for (tensors<double>* weights : {&whole, &parts})
            *weights = {drawn({4, 4}, 3).requires_grad(true), drawn({4}, 4).requires_grad(true)};
        ct::optimiser all_at_once({whole[0], whole[1]}, rule), in_parts({parts[0], parts[1]}, rule);
        for (int step = 0; step < 3; ++step) {
            all_at_once.minimise(loss(whole));
            in_parts.zero_grad();
            loss(parts).backward();
            in_parts.step();
            for (const std::size_t k : {0U, 1U}) compare(whole[k], parts[k].values(), 1e-13);
        }
        // Outside of minimise gradients are collected as ever.
        const doubles before = whole[0].values();
        all_at_once.zero_grad();
        loss(whole).backward();
        CHECK(whole[0].has_grad());
        CHECK(whole[0].values() == before);
    };
    const auto check_loss = [&](auto loss) {
        check(optimisers::sgd<double>(0.01), loss);
        check(optimisers::sgd<double>(0.01, 0.9), loss);
        check(optimisers::adam<double>(0.01), loss);
    };
    check_loss([&](const auto& w) { return mse(linear(x, w[0], w[1]), x); });
    check_loss([&](const auto& w) { return mse(relu(matmul(x, w[0]) + w[1]), x); });
    check_loss(
        [&](const auto& w) { return mse(relu(linear(linear(x, w[0], w[1]), w[0], w[1])), x); }); // each read twice
    check_loss([&](const auto& w) { return mse(linear(x, w[0], w[1]), x) + sum(w[0] * w[0]) + sum(exp(w[1])); });
    check_loss([&](const auto& w) { return mse(matmul(x, transpose(w[0])) + w[1], x); });
    check_loss([&](const auto& w) { return mse(matmul(w[0], c), c) + sum(w[1]); });
    check_loss([&](const auto& w) { return sum(matmul(w[0], w[0])) + sum(w[1] * w[1]); });
    check_loss([&](const auto& w) { return sum(exp(matmul(w[0].detach() * 0.1, w[0]) + w[1])); });
    check_loss([&](const auto& w) {
        return sum(exp(matmul(transpose(w[0].detach()), w[0]) * 0.1 + w[1]));
    }); // the same numbers twice
    check_loss([&](const auto& w) { return mse(linear(reshape(x, {7, 1, 4}), w[0], w[1]), reshape(x, {7, 1, 4})); });
}

TEST_CASE("layers have the shapes, starts and names that they promise", "[tensor]") {
    auto network = small_network<float>(1);
    std::vector<std::string> names;
    for (const auto& [name, numbers] : ct::parameters(network)) {
        names.push_back(name + ' ' + to_string(numbers.shape()));
        CHECK(numbers.requires_grad());
    }
    CHECK(names == std::vector<std::string>{"0.weights (3, 8)", "0.bias (8,)", "2.weights (8, 5)", "2.bias (5,)",
                                            "4.weights (5, 2)", "4.bias (2,)"});
    CHECK(network.layer<0>().bias == ct::zeros<float>({8}));
    CHECK(network(ct::ones<float>({4, 3})).shape() == extents{4, 2});
    CHECK(network(ct::ones<float>({6, 4, 3})).shape() == extents{6, 4, 2});
    auto same = small_network<float>(1), other = small_network<float>(2);
    CHECK(weights_of(same) == weights_of(network));
    CHECK(weights_of(other) != weights_of(network));

    ct::generator random(1);
    const layers::linear<double> wide(1000, 100, random);
    CHECK(std::sqrt(variance(wide.weights).item()) == Approx(std::sqrt(2.0 / 1000)).epsilon(0.02));
    layers::convolution<double> kernels(2, 3, 5, random, {.stride = 1, .padding = 2});
    CHECK(kernels.kernels.shape() == extents{3, 2, 5, 5});
    CHECK(kernels(ct::ones<double>({1, 2, 6, 6})).shape() == extents{1, 3, 6, 6});
    CHECK(layers::flatten()(ct::ones<double>({4, 2, 3})).shape() == extents{4, 6});
    CHECK(layers::flatten()(ct::ones<double>({0, 2, 3})).shape() == extents{0, 6});
    CHECK(layers::flatten()(ct::ones<double>({2, 0, 3})).shape() == extents{2, 0});
    CHECK(layers::flatten()(ct::ones<double>({0})).shape() == extents{0, 1});
    layers::sequential pictures(layers::convolution<double>(2, 3, 3, random), layers::relu(), layers::max_pool{2},
                                layers::flatten(), layers::linear<double>(3, 5, random));
    CHECK(pictures(ct::ones<double>({0, 2, 4, 4})).shape() == extents{0, 5});

    layers::sequential dropping(layers::dropout(0.5, random), layers::linear<double>(4, 4, random));
    const tensor<double> x = ct::ones<double>({1, 4});
    dropping.training(false);
    CHECK(dropping(x) == dropping(x));
    dropping.training(true);
    bool differs = false;
    for (int i = 0; i < 20; ++i) differs = differs || dropping(x) != dropping(x);
    CHECK(differs);
    // Each layer draws for itself.
    layers::dropout early(0.5, random), late(0.5, random);
    const tensor<double> many = ct::ones<double>({64});
    CHECK(early(many) != late(many));
    ct::generator first(7), again(7);
    CHECK(layers::dropout(0.5, first)(many) == layers::dropout(0.5, again)(many));
}

TEST_CASE("a network's gradient is right in every weight", "[tensor]") {
    auto network = small_network<double>(5);
    const tensor<double> x = drawn({6, 3}, 1);
    const std::vector<int> labels{0, 1, 1, 0, 1, 0};
    const auto loss = [&] { return cross_entropy(network(x), labels); };
    loss().backward();
    for (auto& [name, numbers] : ct::parameters(network)) {
        CAPTURE(name);
        const ct::no_grad unrecorded;
        doubles expected;
        for (double& w : numbers.mutable_span()) {
            const double before = w, step = 1e-4;
            const auto at = [&](double moved) {
                w = moved;
                const double value = loss().item();
                w = before;
                return value;
            };
            expected.push_back(
                (8 * (at(before + step) - at(before - step)) - (at(before + 2 * step) - at(before - 2 * step))) /
                (12 * step));
        }
        compare(numbers.grad(), expected, 1e-9);
    }
}

TEST_CASE("a small network learns exclusive or", "[tensor]") {
    ct::generator random(7);
    layers::sequential network(layers::linear<float>(2, 16, random), layers::relu{},
                               layers::linear<float>(16, 2, random));
    const tensor<float> x{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    const std::vector<int> labels{0, 1, 1, 0};
    ct::optimiser training(ct::parameters(network), optimisers::adam<float>(0.05f));
    for (int step = 0; step < 300; ++step) training.minimise(cross_entropy(network(x), labels));
    CHECK(ct::accuracy(network(x), labels) == 1);
    CHECK(cross_entropy(network(x), labels).item() < 0.05f);
    CHECK(ct::accuracy(tensor<float>{{1, 2}, {2, 1}}, std::vector<int>{1, 1}) == 0.5);
}

TEST_CASE("weights that were saved are loaded bit for bit", "[tensor]") {
    const temporary_file file("chainrule_weights.npz");
    auto network = small_network<float>(1), other = small_network<float>(2);
    ct::save(file.path(), network);
    ct::load(file.path(), other);
    CHECK(weights_of(other) == weights_of(network));
    CHECK(other.layer<0>().weights.requires_grad());
}

TEST_CASE("weights that are views are loaded where they lie", "[tensor]") {
    const temporary_file file("chainrule_views.npz");
    two_tensors saved{tensor<double>{{1, 2, 3}, {4, 5, 6}}, tensor<double>{{7, 8}, {9, 10}}};
    ct::save(file.path(), saved);
    tensor<double> behind = ct::zeros<double>({2, 5});
    two_tensors views{transpose(ct::zeros<double>({3, 2})), slice(behind, 1, 1, 5, 2)};
    views.first.requires_grad(true);
    ct::load(file.path(), views);
    CHECK(views.first == saved.first);
    CHECK(behind == tensor<double>{{0, 7, 0, 8, 0}, {0, 9, 0, 10, 0}});
    CHECK(views.versions() == std::vector<std::uint32_t>{1, 1});
}

TEST_CASE("weights that cannot be changed leave the others as they were", "[tensor]") {
    const temporary_file file("chainrule_unchangeable.npz");
    two_tensors saved{tensor<double>{1, 2}, tensor<double>{3, 4}};
    ct::save(file.path(), saved);
    tensor<double> leaf{5, 6};
    leaf.requires_grad(true);
    for (const auto& unchangeable : {leaf * 2, broadcast_to(tensor<double>(7.0), {2})}) {
        two_tensors network{tensor<double>{8, 9}, unchangeable};
        const std::vector<doubles> before = weights_of(network);
        const std::vector<std::uint32_t> versions = network.versions();
        CHECK(sentence_of([&] { ct::load(file.path(), network); }).starts_with("load: the tensor of shape (2,) "));
        CHECK(weights_of(network) == before);
        CHECK(network.versions() == versions);
    }
}

TEST_CASE("a damaged file, or one of another network, leaves the network as it was", "[tensor]") {
    const temporary_file file("chainrule_damaged.npz");
    auto network = small_network<float>(1);
    ct::save(file.path(), network);
    auto other = small_network<float>(2);
    const std::vector<doubles> before = weights_of(other);
    const auto refused = [&](auto& by) { return sentence_of([&] { ct::load(file.path(), by); }); };

    ct::generator random(3);
    layers::sequential wider(layers::linear<float>(3, 9, random), layers::relu{}, layers::linear<float>(9, 5, random));
    const std::vector<doubles> of_wider = weights_of(wider);
    const auto version = [&] { return wider.layer<0>().weights.node().values->version; };
    const std::uint32_t version_of_wider = version();
    CHECK_THROWS_AS(ct::load(file.path(), wider), ct::archive_error);
    CHECK(contains(refused(wider), "0.weights"));
    CHECK(weights_of(wider) == of_wider);
    CHECK(version() == version_of_wider);
    layers::sequential longer(layers::linear<float>(3, 8, random), layers::relu{}, layers::linear<float>(8, 5, random),
                              layers::tanh{}, layers::linear<float>(5, 2, random), layers::linear<float>(2, 2, random));
    const std::vector<doubles> of_longer = weights_of(longer);
    CHECK(contains(refused(longer), "5.weights"));
    CHECK(weights_of(longer) == of_longer);

    const std::uintmax_t size = std::filesystem::file_size(file.path());
    std::string whole(size, '\0');
    std::ifstream(file.path(), std::ios::binary).read(whole.data(), static_cast<std::streamsize>(size));
    for (const std::size_t length : {std::size_t{0}, std::size_t{10}, whole.size() / 2, whole.size() - 1}) {
        std::ofstream(file.path(), std::ios::binary | std::ios::trunc)
            .write(whole.data(), static_cast<std::streamsize>(length));
        CHECK_FALSE(refused(other).empty());
    }
    std::string flipped = whole;
    flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 1);
    std::ofstream(file.path(), std::ios::binary | std::ios::trunc)
        .write(flipped.data(), static_cast<std::streamsize>(size));
    CHECK_FALSE(refused(other).empty());
    CHECK(weights_of(other) == before);
    std::ofstream(file.path(), std::ios::binary | std::ios::trunc)
        .write(whole.data(), static_cast<std::streamsize>(size));
    CHECK(refused(other).empty());
    CHECK(weights_of(other) == weights_of(network));
}

TEST_CASE("weights are drawn from the distribution that is named, by their own fans", "[tensor]") {
    // Of layers with 400 and 100 inputs: variances 2 / in (He) and 2 / (in + out) (Xavier).
    const auto check_spread = [](const tensor<double>& weights, double expected, bool uniform) {
        CHECK(variance(weights).item() == Approx(expected).epsilon(0.1));
        CHECK(std::abs(mean(weights).item()) < 0.1 * std::sqrt(expected));
        const double largest = max(abs(weights)).item(), bound = std::sqrt(3 * expected);
        CHECK((uniform ? largest <= bound : largest > bound));
    };
    using layers::start;
    for (const start from : {start::he_normal, start::he_uniform, start::xavier_normal, start::xavier_uniform}) {
        const bool he = from == start::he_normal || from == start::he_uniform;
        const bool uniform = from == start::he_uniform || from == start::xavier_uniform;
        ct::generator random(5);
        check_spread(layers::linear<double>(400, 50, random, from).weights, he ? 2.0 / 400 : 2.0 / 450, uniform);
        check_spread(layers::convolution<double>(4, 60, 5, random, {}, from).kernels,
                     he ? 2.0 / 100 : 2.0 / (100 + 1500), uniform);
    }
}

TEST_CASE("one tensor is trained without a list around it", "[tensor]") {
    tensor<double> w{1, 2};
    w.requires_grad(true);
    ct::optimiser training(w, ct::optimisers::sgd<double>(0.1));
    training.minimise(sum(w * w));
    CHECK(w.values() == doubles{0.8, 1.6});
}
