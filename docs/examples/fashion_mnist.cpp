// SPDX-License-Identifier: BSL-1.0
//
// Trains a network to classify clothes: 784 pixels, 128 hidden units, 10 classes, on the 60 000 images of Fashion-MNIST
// (Debian: dataset-fashion-mnist). Prints the accuracy on 10 000 test images and the confusion matrix, draws the loss
// and wrongly classified images, and saves the weights in a file. If the data set is not installed, the program uses
// the digits of scikit-learn. `--help` shows the options. digits.cpp is a shorter program of this kind.
#include "data/classification.hpp"
#include "data/command_line.hpp"
#include "data/digits.hpp"
#include "data/loss_curve.hpp"

#include <chainrule/tensor.hpp>
#include <chainrule/tensor/static_network/weights_file.hpp>
#include <chainrule/tensor/training/progress.hpp>

#include <cstdio>
#include <optional>

namespace {

namespace tensor = chainrule::tensor;
using examples::samples;
using matrix = tensor::tensor<float>;
using classes = tensor::tensor<tensor::index>;

constexpr std::size_t hidden = 128, outputs = 10, batch_size = 32;

struct settings {
    std::string folder, optimiser = "sgd";
    std::filesystem::path out;
    std::size_t epochs = 3, pictures = 60000;
    std::uint64_t seed = 1;
    double rate = 0, at_least = 0;
    bool has_static_shapes = false;
};

struct data_set {
    std::string name;
    std::vector<std::string> classes;
    examples::image_data images;
};

std::optional<data_set> find_data(const std::string& folder) {
    const std::filesystem::path place = folder.empty() ? examples::fashion_mnist_folder : folder;
    if (!folder.empty() || examples::is_readable(place / "train-images-idx3-ubyte"))
        return data_set{"Fashion-MNIST", examples::fashion_mnist_classes, examples::read_mnist(place)};
    if (examples::is_readable(examples::digits_file))
        return data_set{"scikit-learn's digits, since Fashion-MNIST is not installed (Debian: dataset-fashion-mnist)",
                        {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
                        examples::divided(examples::read_digits())};
    return std::nullopt;
}

/// Layers of tensors, with arbitrary shapes that are known at run time.
template <class Rule>
class dynamic_model {
public:
    dynamic_model(std::size_t inputs, std::uint64_t seed, const Rule& rule)
        : net_(layers_of(static_cast<tensor::index>(inputs), tensor::generator(seed))),
          training_(tensor::parameters(net_), rule) {}

    /// One step on a batch, and the loss before it.
    double step(const matrix& x, const classes& y) {
        const matrix loss = cross_entropy(net_(x), y);
        training_.minimise(loss);
        return static_cast<double>(loss.item());
    }
    matrix scores(const matrix& x) {
        const tensor::no_grad unrecorded;
        return net_(x);
    }
    void save(const std::filesystem::path& file) { tensor::save(file, net_); }
    void load(const std::filesystem::path& file) { tensor::load(file, net_); }

private:
    static auto layers_of(tensor::index inputs, tensor::generator random) {
        namespace layers = tensor::layers;
        // Braces, since the layers draw their weights in the order in which they are written.
        return layers::sequential{layers::linear<float>(inputs, hidden, random), layers::relu{},
                                  layers::linear<float>(hidden, outputs, random)};
    }
    decltype(layers_of(0, tensor::generator(0))) net_;
    tensor::optimiser<float, Rule> training_;
};

/// The same with static shapes, everything fused.
template <std::size_t Inputs, class Rule>
class static_model {
public:
    static_model(std::size_t, std::uint64_t seed, const Rule& rule) : net_(seed), rule_(rule) {}

    double step(const matrix& x, const classes& y) {
        return static_cast<double>(net_.train_step(x.span(), y.span(), rule_));
    }
    matrix scores(const matrix& x) { return {{x.size(0), tensor::index{outputs}}, net_.forward(x.span())}; }
    void save(const std::filesystem::path& file) const { tensor::save(file, net_); }
    void load(const std::filesystem::path& file) { tensor::load(file, net_); }

private:
    tensor::static_network<Inputs, hidden, outputs> net_;
    Rule rule_;
};

/// Trains with a bar for each epoch. Returns the loss of each step.
template <class Model>
std::vector<double> train(Model& model, const samples& training, const samples& test, const settings& chosen) {
    std::vector<double> losses;
    tensor::batches all(std::min(training.size(), chosen.pictures), batch_size, chosen.seed);
    for (std::size_t epoch = 0; epoch < chosen.epochs; ++epoch) {
        tensor::progress bar("epoch " + std::to_string(epoch + 1) + " of " + std::to_string(chosen.epochs),
                             all.count());
        for (const std::span<const std::size_t> batch : all.shuffled(epoch)) {
            const matrix x = take(training.pixels, batch);
            const classes y = take(training.labels, batch);
            // The accuracy takes a separate forward pass, so it is computed only from time to time.
            const bool asks_accuracy = losses.size() % 16 == 0;
            const double right = asks_accuracy ? accuracy(model.scores(x), y.span()) : 0;
            losses.push_back(model.step(x, y));
            if (asks_accuracy)
                bar.advance({{"loss", losses.back()}, {"accuracy", right}});
            else
                bar.advance({{"loss", losses.back()}});
        }
        bar.finish({{"test accuracy", accuracy(model.scores(test.pixels), test.labels.span())}});
    }
    return losses;
}

/// Draws the loss and the wrongly classified images, and prints the confusion matrix. Returns the accuracy.
double report(const data_set& data, const matrix& scores, const std::vector<double>& losses, const settings& chosen) {
    const examples::answers answered(scores);
    const examples::confusion_matrix table = answered.compared_with(data.images.test, data.classes.size());
    std::printf("\n%s\ntest accuracy %.4f\n", table.text(data.classes).c_str(), table.accuracy());

    const std::filesystem::path loss = chosen.out / "loss.svg", wrong = chosen.out / "wrong.svg";
    const std::vector<double> smooth = examples::running_mean(losses, 100);
    examples::svg::write(loss, examples::loss_curve({examples::over_steps("of a batch", losses),
                                                     examples::over_steps("mean of 100", smooth)},
                                                    {.title = "Cross-entropy while training"}));
    examples::svg::write(wrong, answered.wrong_ones(data.images.test, data.classes));
    std::printf("written: %s, %s\n", loss.c_str(), wrong.c_str());
    return table.accuracy();
}

/// Trains, reports and saves. Returns false if the accuracy is less than required.
template <class Model, class Rule>
bool run(const data_set& data, const settings& chosen, const Rule& rule) {
    samples training(data.images.training), test(data.images.test);
    const matrix grey = mean(training.pixels); // training is faster with values around 0
    training.pixels -= grey;
    test.pixels -= grey;

    const auto inputs = static_cast<std::size_t>(training.pixels.size(1));
    Model model(inputs, chosen.seed, rule), again(inputs, chosen.seed + 1, rule);
    const std::vector<double> losses = train(model, training, test, chosen);
    const matrix scores = model.scores(test.pixels);
    const double reached = report(data, scores, losses, chosen);

    const std::filesystem::path weights = chosen.out / "weights.npz";
    model.save(weights);
    again.load(weights);
    const bool is_same = again.scores(test.pixels) == scores;
    std::printf("written: %s, which gives the same scores when loaded: %s\n", weights.c_str(), is_same ? "yes" : "no");
    return is_same && reached >= chosen.at_least;
}

template <class Rule>
bool run(const data_set& data, const settings& chosen, const Rule& rule) {
    if (!chosen.has_static_shapes) return run<dynamic_model<Rule>>(data, chosen, rule);
    if (data.images.training.image(0).size() == 784) return run<static_model<784, Rule>>(data, chosen, rule);
    return run<static_model<64, Rule>>(data, chosen, rule);
}

} // namespace

int main(int count, char** arguments) {
    try {
        settings chosen;
        std::string out = ".";
        examples::command_line line("fashion_mnist", "Trains a network to tell the pictures of Fashion-MNIST apart.");
        line.option("--optimiser", chosen.optimiser, "sgd, or adam");
        line.option("--rate", chosen.rate, "the learning rate; 0 for 0.1 with sgd, 0.001 with adam");
        line.option("--epochs", chosen.epochs, "how often each picture is seen");
        line.option("--pictures", chosen.pictures, "learn from so many only");
        line.option("--seed", chosen.seed, "of first weights and of the order of pictures");
        line.flag("--static", chosen.has_static_shapes, "shapes known to the compiler, instead of layers of tensors");
        line.option("--out", out, "folder for pictures and weights");
        line.option("--at-least", chosen.at_least, "fail where the accuracy in the end is less");
        line.argument("folder", chosen.folder, "where the four files are");
        if (!line.read(count, arguments)) return 0;
        chosen.out = out;
        if (chosen.epochs == 0 || chosen.pictures == 0)
            throw std::invalid_argument("fashion_mnist: nothing is learned from; give 1 epoch and 1 picture or more");

        const std::optional<data_set> data = find_data(chosen.folder);
        if (!data) {
            std::printf("There is no data to learn from; install dataset-fashion-mnist or python3-sklearn, or name a "
                        "folder.\n");
            return 0;
        }
        std::printf("%s: %zu pictures to learn from, %zu to test with\n", data->name.c_str(),
                    data->images.training.size(), data->images.test.size());
        if (chosen.optimiser == "sgd")
            return !run(*data, chosen,
                        tensor::optimisers::sgd<float>(chosen.rate != 0 ? static_cast<float>(chosen.rate) : 0.1f));
        if (chosen.optimiser == "adam")
            return !run(*data, chosen,
                        tensor::optimisers::adam<float>(chosen.rate != 0 ? static_cast<float>(chosen.rate) : 0.001f));
        throw std::invalid_argument("fashion_mnist: there is no optimiser '" + chosen.optimiser +
                                    "'; give sgd or adam");
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
