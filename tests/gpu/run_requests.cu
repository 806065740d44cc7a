// SPDX-License-Identifier: BSL-1.0
//
// Runs the kernels of requests.cu at 256 points: the device's answers must be the processor's. Ends with 77 where there
// is no GPU.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace requests {

class results;
struct registered {
    std::string_view name;
    void (*on_device)(const double*, double*);
    void (*run)(const double*, results&);
};
std::vector<registered>& all_cases() {
    static std::vector<registered> all;
    return all;
}
#define REGISTER_CASE(NAME)                                                                                            \
    const bool NAME##_is_registered = (all_cases().push_back({#NAME, on_device<NAME>, NAME::run}), true);

} // namespace requests

#include "requests.cu"

namespace {

using requests::inputs, requests::most_outputs;
constexpr int points = 256;

void require(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
    std::exit(1);
}

bool agrees(const requests::registered& request, const std::vector<double>& at, double* device_at, double* device_out) {
    const char* const name = request.name.data();
    const double unwritten = -77.125, tolerance = request.name == "single_precision" ? 1e-4 : 1e-12;
    std::vector<double> here(std::size_t{points} * most_outputs, unwritten), there = here;
    const std::size_t bytes = here.size() * sizeof(double);
    require(cudaMemcpy(device_out, there.data(), bytes, cudaMemcpyHostToDevice));
    request.on_device<<<1, points>>>(device_at, device_out);
    if (const cudaError_t status = cudaDeviceSynchronize(); status != cudaSuccess) {
        std::printf("%s: %s\n", name, cudaGetErrorString(status));
        std::exit(1); // no later kernel would run
    }
    require(cudaMemcpy(there.data(), device_out, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < points; ++i) {
        requests::results to(here.data() + most_outputs * i);
        request.run(at.data() + inputs * i, to);
    }
    std::size_t written = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
        if (here[i] != unwritten) ++written;
        if (std::fabs(here[i] - there[i]) <= tolerance * std::fmax(1.0, std::fabs(here[i]))) continue;
        std::printf("%s: result %zu is %.17g on the device, %.17g on the processor\n", name, i, there[i], here[i]);
        return false;
    }
    std::printf("%s: %zu results agree\n", name, written);
    return written > 0;
}

bool arguments_agree(const std::vector<double>& at, double* device_at, double* device_out) {
    std::vector<double> here(most_outputs), there(most_outputs);
    const auto size = requests::pass_arguments(device_at, device_out) - device_out;
    require(cudaDeviceSynchronize());
    require(cudaMemcpy(there.data(), device_out, static_cast<std::size_t>(size) * sizeof(double), cudaMemcpyDeviceToHost));
    requests::for_each_argument(here.data(), [&](const auto& f, double* next) {
        for (const double g : f.gradient(at[0], at[1], at[2])) *next++ = g;
    });
    for (std::size_t i = 0; i < here.size(); ++i)
        if (!(std::fabs(here[i] - there[i]) <= 1e-12)) {
            std::printf("arguments: result %zu is %.17g on the device, %.17g on the processor\n", i, there[i], here[i]);
            return false;
        }
    std::printf("arguments: %td results agree\n", size);
    return size > 0;
}

} // namespace

int main() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("no GPU: nothing is run");
        return 77;
    }
    std::vector<double> at(std::size_t{points} * inputs);
    unsigned long long state = 1;
    for (double& number : at) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        number = 0.2 + 0.7 * static_cast<double>(state >> 11) * 0x1p-53;
    }
    double *device_at = nullptr, *device_out = nullptr;
    require(cudaMalloc(&device_at, at.size() * sizeof(double)));
    require(cudaMalloc(&device_out, std::size_t{points} * most_outputs * sizeof(double)));
    require(cudaMemcpy(device_at, at.data(), at.size() * sizeof(double), cudaMemcpyHostToDevice));
    bool all = true;
    for (const requests::registered& request : requests::all_cases())
        all = agrees(request, at, device_at, device_out) && all;
    all = arguments_agree(at, device_at, device_out) && all;
    require(cudaFree(device_at));
    require(cudaFree(device_out));
    return all ? 0 : 1;
}
