// SPDX-License-Identifier: BSL-1.0
//
// One workload, to be run under callgrind by measure.py. Without arguments: compares the answers. With "derived 100" or
// "hand_written 100": calls that function 100 times. The workload is chosen by -DHEADER="rosenbrock.hpp"
// -DWORKLOAD=rosenbrock.
#include HEADER
#include "answers.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using workload = workloads::WORKLOAD;

int main(int count, char** arguments) {
    if (count == 1) {
        const double difference = workloads::largest_difference<workload>();
        std::printf("%s\n%.1e\n", workload::name, difference);
        return difference < workloads::tolerance ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    workload::data data{};
    workloads::forget(data);
    auto function = workload::function(data);
    workloads::forget(function);
    auto point = workload::at;
    const bool derived = std::string_view(arguments[1]) == "derived";
    for (int calls = std::atoi(arguments[2]); calls > 0; --calls) {
        workloads::forget(point);
        if (derived) {
            auto answer = workloads::derived<workload>(function, point);
            workloads::forget(answer);
        } else {
            auto answer = workloads::hand_written<workload>(data, point);
            workloads::forget(answer);
        }
    }
}
