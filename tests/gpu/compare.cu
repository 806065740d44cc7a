// SPDX-License-Identifier: BSL-1.0
//
// Runs the kernels of kernels.cu: the library's answers must be those of the hand-written twins. On a GPU also prints
// the time of each kernel over that of its twin, with the GPU's name: 21 rounds of both in turns, each of 5 launches
// between two events of the device, medians; ± is half the interquartile range of the rounds' ratios. A C++ compiler
// that knows no device compiles the same kernels for the processor, where each thread is a round of a loop, and only
// compares answers.
//
// Ends with 77 where there is no GPU.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#if defined(__CUDACC__)
#define RUNS_ON_DEVICE
namespace device {
inline void require(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
    std::exit(1);
}
inline std::string name() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return "";
    cudaDeviceProp properties{};
    require(cudaGetDeviceProperties(&properties, 0));
    return properties.name;
}
inline void* allocate(std::size_t bytes) {
    void* memory = nullptr;
    require(cudaMalloc(&memory, bytes));
    return memory;
}
inline void release(void* memory) { require(cudaFree(memory)); }
inline void upload(void* to, const void* from, std::size_t bytes) {
    require(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}
inline void download(void* to, const void* from, std::size_t bytes) {
    require(cudaGetLastError()); // of the launch
    require(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}
template <class... P, class... A>
void launch(void (*kernel)(P...), int threads, A... arguments) {
    kernel<<<(threads + 255) / 256, 256>>>(arguments...);
}
constexpr int points = 10'000'000;
} // namespace device
#else
#define __global__
#define __device__
namespace {
struct index_in_grid {
    unsigned x = 0;
};
index_in_grid blockIdx, threadIdx, blockDim{256};
} // namespace
namespace device {
inline std::string name() { return "the processor"; }
inline void* allocate(std::size_t bytes) { return std::malloc(bytes); }
inline void release(void* memory) { std::free(memory); }
inline void upload(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
inline void download(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
template <class... P, class... A>
void launch(void (*kernel)(P...), int threads, A... arguments) {
    for (blockIdx.x = 0; blockIdx.x < static_cast<unsigned>(threads + 255) / 256; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < 256; ++threadIdx.x) kernel(arguments...);
}
constexpr int points = 10'240;
} // namespace device
#endif

#include "kernels.cu"

namespace {

/// Memory of the device with a copy on the host.
template <class T>
class column {
public:
    explicit column(std::size_t size)
        : on_host_(size), on_device_(static_cast<T*>(device::allocate(size * sizeof(T)))) {}
    column(const column&) = delete;
    column& operator=(const column&) = delete;
    ~column() { device::release(on_device_); }
    [[nodiscard]] T* data() const { return on_device_; }
    [[nodiscard]] std::size_t size() const { return on_host_.size(); }
    T operator[](std::size_t i) const { return on_host_[i]; }

    /// Numbers between low and high, the same in every run.
    void fill(double low, double high, unsigned seed) {
        unsigned long long state = 6364136223846793005ull * (seed + 1);
        for (T& number : on_host_) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            number = static_cast<T>(low + (high - low) * static_cast<double>(state >> 11) * 0x1p-53);
        }
        upload();
    }
    /// A number that no kernel writes: one that is left shows.
    void poison() {
        std::fill(on_host_.begin(), on_host_.end(), T(-77));
        upload();
    }
    void download() { device::download(on_host_.data(), on_device_, on_host_.size() * sizeof(T)); }

private:
    void upload() { device::upload(on_device_, on_host_.data(), on_host_.size() * sizeof(T)); }

    std::vector<T> on_host_;
    T* on_device_;
};

bool failed = false;

/// Whether all results agree to the tolerance, relative to the larger of 1 and the hand-written result.
template <class T>
void compare(const char* name, const column<T>& library, const column<T>& hand, double tolerance) {
    for (std::size_t i = 0; i < hand.size(); ++i) {
        const double a = static_cast<double>(library[i]), b = static_cast<double>(hand[i]);
        if (std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b))) continue;
        std::printf("%s: result %zu is %.17g, by hand %.17g\n", name, i, a, b);
        failed = true;
        return;
    }
    std::printf("%s: %zu results agree to %g\n", name, hand.size(), tolerance);
}

#if defined(RUNS_ON_DEVICE)
constexpr int rounds = 21, launches = 5;

struct spread {
    double median, half_range;
};
spread spread_of(std::vector<double> numbers) {
    std::sort(numbers.begin(), numbers.end());
    const std::size_t n = numbers.size();
    return {numbers[n / 2], (numbers[n - 1 - n / 4] - numbers[n / 4]) / 2};
}

/// Milliseconds of one launch.
template <class F>
double time_of(const F& launch) {
    cudaEvent_t begin, end;
    device::require(cudaEventCreate(&begin));
    device::require(cudaEventCreate(&end));
    device::require(cudaEventRecord(begin));
    for (int i = 0; i < launches; ++i) launch();
    device::require(cudaEventRecord(end));
    device::require(cudaEventSynchronize(end));
    float milliseconds = 0;
    device::require(cudaEventElapsedTime(&milliseconds, begin, end));
    device::require(cudaEventDestroy(begin));
    device::require(cudaEventDestroy(end));
    return static_cast<double>(milliseconds) / launches;
}
#endif

/// Runs both twins, and compares what they wrote and, on a device, their times.
template <class T, class Library, class Hand>
void measure(const char* name, column<T>& by_library, column<T>& by_hand, double tolerance, const Library& library,
             const Hand& hand) {
    by_library.poison();
    by_hand.poison();
    library(by_library.data());
    hand(by_hand.data());
    by_library.download();
    by_hand.download();
    compare(name, by_library, by_hand, tolerance);
#if defined(RUNS_ON_DEVICE)
    std::vector<double> times, ratios;
    for (int round = 0; round < rounds; ++round) {
        times.push_back(time_of([&] { library(by_library.data()); }));
        ratios.push_back(times.back() / time_of([&] { hand(by_hand.data()); }));
    }
    const spread ratio = spread_of(ratios);
    std::printf("%s: %.3f ms, %.3f +- %.3f of the time by hand\n", name, spread_of(times).median, ratio.median,
                ratio.half_range);
#endif
}

} // namespace

int main() {
    const std::string name = device::name();
    if (name.empty()) {
        std::puts("no GPU: nothing is run");
        return 77;
    }
    std::printf("on %s, %d points\n", name.c_str(), device::points);
    constexpr int n = device::points;
    constexpr std::size_t size = n;
    {
        column<double> x(size), y(size);
        x.fill(0.1, 50, 1);
        y.fill(-3, 3, 2);
        column<double> a(3 * size), b(3 * size);
        measure(
            "gradient", a, b, 1e-14,
            [&](double* out) {
                device::launch(gradient_by_library, n, x.data(), y.data(), out, out + size, out + 2 * size, n);
            },
            [&](double* out) {
                device::launch(gradient_by_hand, n, x.data(), y.data(), out, out + size, out + 2 * size, n);
            });
    }
    {
        column<double> spot(size), strike(size), time(size), volatility(size);
        spot.fill(80, 120, 3);
        strike.fill(80, 120, 4);
        time.fill(0.1, 2, 5);
        volatility.fill(0.1, 0.5, 6);
        column<double> a(6 * size), b(6 * size);
        const auto with = [&](auto* kernel, double* out) {
            device::launch(kernel, n, spot.data(), strike.data(), time.data(), volatility.data(), 0.02, out, n);
        };
        // d1 and d2 have relative errors near 0, where log(s / k) loses digits; they are multiplied by vegas up to 80.
        measure(
            "greeks", a, b, 1e-12, [&](double* out) { with(greeks_by_library, out); },
            [&](double* out) { with(greeks_by_hand, out); });
    }
    {
        column<double> eccentricity(size), anomaly(size);
        eccentricity.fill(0, 0.9, 7);
        anomaly.fill(0, 3, 8);
        column<double> a(size), b(size);
        measure(
            "newton", a, b, 1e-13,
            [&](double* out) { device::launch(newton_by_library, n, eccentricity.data(), anomaly.data(), out, n); },
            [&](double* out) { device::launch(newton_by_hand, n, eccentricity.data(), anomaly.data(), out, n); });
    }
    {
        column<float> q(8 * size);
        q.fill(-1, 1, 9);
        column<float> a(8 * size), b(8 * size);
        // Terms up to 1200 cancel, in float.
        measure(
            "chain", a, b, 5e-4, [&](float* out) { device::launch(chain_by_library, n, q.data(), out, n); },
            [&](float* out) { device::launch(chain_by_hand, n, q.data(), out, n); });
    }
    {
        column<double> apart(3 * size);
        apart.fill(0.6, 2, 11);
        column<double> a(10 * size), b(10 * size);
        // Up to 1e9 where three small distances meet; the two terms of the potential cancel near its minimum.
        measure(
            "pairs", a, b, 1e-11, [&](double* out) { device::launch(pairs_by_library, n, apart.data(), out, n); },
            [&](double* out) { device::launch(pairs_by_hand, n, apart.data(), out, n); });
    }
    {
        constexpr int steps = 50, paths = (n / 50 + 255) / 256 * 256;
        constexpr std::size_t many = paths;
        column<float> normals(many * steps);
        normals.fill(-1.73205, 1.73205, 10); // mean 0 and variance 1 are what the kernels need of them
        column<float> a(3 * many), b(3 * many);
        measure(
            "paths", a, b, 1e-5,
            [&](float* out) { device::launch(paths_by_library, paths, normals.data(), out, steps, 1.0f, 0.2f, 0.14f); },
            [&](float* out) { device::launch(paths_by_hand, paths, normals.data(), out, steps, 1.0f, 0.2f, 0.14f); });
    }
    return failed ? 1 : 0;
}
