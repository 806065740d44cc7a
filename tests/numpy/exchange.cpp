// SPDX-License-Identifier: BSL-1.0
//
// The C++ side of exchange.py:
//
//     numpy_exchange write FILE     writes the arrays listed in written(), as .npz or .npy
//     numpy_exchange print FILE     prints name, type, shape and numbers of each array of a file, or the sentence of
//     its fault
#include <chainrule/tensor/files/archive.hpp>

#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace chainrule::tensor;

archive written() {
    archive arrays;
    std::vector<float> weights(12);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i) / 7.0f;
    arrays.add("layer1.weight", {3, 4}, weights);
    arrays.add("scalar", {}, std::vector<double>{-0.1});
    arrays.add("cube", {2, 1, 3}, std::vector<std::int64_t>{1, -2, 3, -4, 5, std::numeric_limits<std::int64_t>::max()});
    arrays.add("bytes", {4}, std::vector<std::uint8_t>{0, 1, 128, 255});
    arrays.add("short", {2}, std::vector<std::int16_t>{-32768, 32767});
    arrays.add("unsigned", {1}, std::vector<std::uint64_t>{std::numeric_limits<std::uint64_t>::max()});
    arrays.add("mask", {3}, std::array<bool, 3>{true, false, true});
    arrays.add("empty", {0, 5}, std::vector<float>{});
    arrays.add("d\xc3\xa9j\xc3\xa0 vu", {1}, std::vector<double>{std::numeric_limits<double>::infinity()});
    return arrays;
}

void print(const std::string& name, const stored_array& array) {
    std::printf("%s %s %s", name.c_str(), std::string(names_of(array.type()).name).c_str(),
                shape_text(array.shape()).c_str());
    with_type_of(array.type(), [&]<class T>(T) {
        for (const T x : array.values<T>()) {
            if constexpr (std::is_floating_point_v<T>)
                std::printf(" %.17g", static_cast<double>(x));
            else
                std::printf(" %s", std::to_string(x).c_str());
        }
    });
    std::printf("\n");
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const std::string_view command = argv[1];
    const std::filesystem::path file = argv[2];
    try {
        const bool single = file.extension() == ".npy";
        if (command == "write") {
            if (single)
                write_npy(file, written()["layer1.weight"]);
            else
                write_npz(file, written());
        } else if (single) {
            print("array", read_npy(file));
        } else {
            const archive arrays = read_npz(file);
            for (const auto& [name, array] : arrays) print(name, array);
        }
    } catch (const archive_error& e) {
        std::printf("%s\n", e.what());
    }
}
