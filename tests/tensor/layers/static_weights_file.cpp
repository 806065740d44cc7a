// SPDX-License-Identifier: BSL-1.0
//
// The weights of static networks in files: there and back, shared with networks of layers, and all or nothing.
#include "catch.hpp"
#include "scratch_folder.hpp"
#include "sentence.hpp"

#include <chainrule/tensor.hpp>
#include <chainrule/tensor/static_network/weights_file.hpp>

#include <vector>

namespace {

namespace tensor = chainrule::tensor;
namespace layers = tensor::layers;
using network = tensor::static_network<5, 7, 3>;

auto layers_of(std::uint64_t seed) {
    tensor::generator random(seed);
    return layers::sequential{layers::linear<float>(5, 7, random), layers::relu{}, layers::linear<float>(7, 3, random)};
}
std::vector<float> rows() {
    std::vector<float> numbers(4 * 5);
    tensor::generator(3).fill_uniform(numbers, -1.0f, 1.0f);
    return numbers;
}

} // namespace

TEST_CASE("static networks come back from a file", "[tensor][static_network][archive]") {
    const scratch_folder folder;
    network written(1), read(2);
    const std::vector<float> biases{0.5f, -1, 2};
    written.set_biases(1, biases);
    REQUIRE(read.weights(0) != written.weights(0));
    tensor::save(folder.path / "w.npz", written);
    tensor::load(folder.path / "w.npz", read);
    for (const std::size_t k : {0u, 1u}) {
        CHECK(read.weights(k) == written.weights(k));
        CHECK(read.biases(k) == written.biases(k));
    }
    CHECK(read.forward(rows()) == written.forward(rows()));
}

TEST_CASE("a network of layers and a static one read each other's files", "[tensor][static_network][archive]") {
    const scratch_folder folder;
    const tensor::no_grad unrecorded;
    auto net = layers_of(1);
    tensor::parameters(net)[3].second.fill(0.25f); // the last bias
    network fixed(2);
    tensor::save(folder.path / "layers.npz", net);
    tensor::load(folder.path / "layers.npz", fixed);
    const std::vector<float> from_layers = net({{4, 5}, rows()}).values();
    const std::vector<float> from_fixed = fixed.forward(rows());
    for (std::size_t i = 0; i < from_layers.size(); ++i) CHECK(from_fixed[i] == Approx(from_layers[i]).margin(1e-5));

    auto other = layers_of(7);
    tensor::save(folder.path / "static.npz", fixed);
    tensor::load(folder.path / "static.npz", other);
    CHECK(other({{4, 5}, rows()}) == net({{4, 5}, rows()}));
}

TEST_CASE("a file of another network leaves a static one as it is", "[tensor][static_network][archive]") {
    const scratch_folder folder;
    tensor::save(folder.path / "w.npz", tensor::static_network<5, 7, 4>(1));
    network kept(2);
    const std::vector<float> before = kept.forward(rows());
    CHECK(contains(sentence_of([&] { tensor::load(folder.path / "w.npz", kept); }),
                   "array '2.weights' in " + (folder.path / "w.npz").string() + " has the shape (7, 4), not (7, 3);"));
    CHECK(kept.forward(rows()) == before);
    CHECK_THROWS_AS(tensor::load(folder.path / "none.npz", kept), tensor::archive_error);
}
