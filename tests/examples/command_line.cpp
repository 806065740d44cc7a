// SPDX-License-Identifier: BSL-1.0
//
// The options of the examples: values set, defaults kept, and answers to mistakes.
#include "catch.hpp"
#include "../sentence.hpp"

#include <data/command_line.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace {

struct settings {
    std::string optimiser = "sgd", folder;
    std::uint64_t seed = 1;
    double rate = 0.1;
    bool is_static = false;
};

examples::command_line line_of(settings& chosen) {
    examples::command_line line("train", "Trains.");
    line.option("--optimiser", chosen.optimiser, "sgd or adam");
    line.option("--seed", chosen.seed, "any number");
    line.option("--rate", chosen.rate, "the learning rate");
    line.flag("--static", chosen.is_static, "all fused");
    line.argument("folder", chosen.folder, "where the data is");
    return line;
}
bool read(settings& chosen, std::vector<const char*> words) {
    words.insert(words.begin(), "train");
    return line_of(chosen).read(static_cast<int>(words.size()), words.data());
}
std::string fault_of(const std::vector<const char*>& words) {
    settings chosen;
    return sentence_of([&] { static_cast<void>(read(chosen, words)); });
}

} // namespace

TEST_CASE("options set what they are bound to", "[examples][command_line]") {
    settings chosen;
    CHECK(read(chosen, {}));
    CHECK(chosen.optimiser == "sgd");
    CHECK(chosen.rate == 0.1);
    CHECK_FALSE(chosen.is_static);

    CHECK(read(chosen, {"--rate", "-2.5e-3", "--static", "somewhere", "--seed", "18446744073709551615", "--optimiser",
                        "adam"}));
    CHECK(chosen.rate == -2.5e-3);
    CHECK(chosen.is_static);
    CHECK(chosen.folder == "somewhere");
    CHECK(chosen.seed == 18446744073709551615u);
    CHECK(chosen.optimiser == "adam");
}

TEST_CASE("what is not known on a command line has its sentence", "[examples][command_line]") {
    CHECK(fault_of({"--sed", "1"}) == "train: '--sed' is not known; --help shows what is");
    CHECK(fault_of({"one", "two"}) == "train: 'two' is not known; --help shows what is");
    CHECK(fault_of({"--seed"}) == "train: --seed has no value; give one after it");
    for (const char* word : {"-1", "1.5", "x", "", "18446744073709551616"})
        CHECK(fault_of({"--seed", word}) ==
              "train: '" + std::string(word) + "' is not a value of --seed; give a number");
    CHECK(fault_of({"--rate", "0,1"}) == "train: '0,1' is not a value of --rate; give a number");
}

TEST_CASE("help shows options, meanings and what they are without being given", "[examples][command_line]") {
    settings chosen;
    const std::string help = line_of(chosen).help();
    CHECK(contains(help, "Trains.\n\n    train [option...] [folder]\n"));
    CHECK(contains(help, "    --optimiser ...   sgd or adam (sgd)\n"));
    CHECK(contains(help, "    --rate ...        the learning rate (0.1)\n"));
    CHECK(contains(help, "    --static          all fused\n"));
    CHECK(contains(help, "    folder            where the data is\n"));
}
