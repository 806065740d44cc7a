// SPDX-License-Identifier: BSL-1.0
//
// The tapes that threads keep for their next call, whose memory the system may take.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/tape.hpp>

#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#include <sys/resource.h>
#endif

namespace {

namespace tape = chainrule::tape;
using number = tape::active<double>;

constexpr auto squares = [](const auto& x) {
    std::remove_cvref_t<decltype(x[0])> s = 0.0;
    for (const auto& each : x) s += each * each;
    return s;
};

#if defined(MADV_PAGEOUT) && defined(RUSAGE_THREAD) && !defined(CHAINRULE_TEST_SANITIZED)
/// Makes the system take all memory of the program that was offered to it.
void take_offered_memory() {
    std::ifstream regions("/proc/self/maps");
    for (std::string line; std::getline(regions, line);) {
        std::uintptr_t begin = 0, end = 0;
        char dash, access[4];
        std::istringstream(line) >> std::hex >> begin >> dash >> end >> access[0] >> access[1];
        if (access[1] == 'w') static_cast<void>(madvise(reinterpret_cast<void*>(begin), end - begin, MADV_PAGEOUT));
    }
}
long page_faults() {
    rusage used{};
    static_cast<void>(getrusage(RUSAGE_THREAD, &used));
    return used.ru_minflt;
}
#endif

} // namespace

TEST_CASE("the tape that a thread keeps", "[tape]") {
    const std::vector x{1.0, 2.0};
    // After an exception, it is as new; a number that leaves the function is found out.
    CHECK(sentence_of([&] {
              (void)tape::gradient(
                  [](const auto& v) {
                      v[0].recorder()->pause();
                      v[0].recorder()->limit_memory(1);
                      if (v[0] > 0) throw std::runtime_error("no value here");
                      return v[0];
                  },
                  x);
          }) == "no value here");
    number escaped;
    CHECK(tape::gradient(
              [&](const auto& v) {
                  escaped = v[0] * v[1];
                  number s = 0.0;
                  for (int i = 0; i < 1000; ++i) s += v[0] * v[1];
                  return s;
              },
              x) == std::vector{2000.0, 1000.0});
    CHECK(contains(sentence_of([&] { escaped = escaped * 2.0; }), "before the tape was rewound or cleared"));
    const auto* first = static_cast<const tape::tape*>(nullptr);
    const auto* again = first;
    (void)tape::gradient([&](const auto& v) { return first = v[0].recorder(), v[0]; }, x);
    (void)tape::gradient([&](const auto& v) { return again = v[0].recorder(), v[0]; }, x);
    CHECK(first == again);
    CHECK(again->memory().statements == 0);
    // Each thread has its own.
    std::vector<double> found(4);
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < found.size(); ++k)
        threads.emplace_back([&found, k] {
            for (int i = 0; i < 50; ++i)
                found[k] += tape::gradient(squares, std::vector{1.0 + static_cast<double>(k), 2.0})[0];
        });
    for (auto& thread : threads) thread.join();
    CHECK(found == std::vector{100.0, 200.0, 300.0, 400.0});
}

#if defined(MADV_PAGEOUT) && defined(RUSAGE_THREAD) && !defined(CHAINRULE_TEST_SANITIZED)
TEST_CASE("a thread keeps a large tape, whose memory the system may take", "[tape]") {
    // 3.1 million statements of 12 bytes for two operands each, and their adjoints: about 100 MB.
    const std::vector point(2000, 0.5);
    const auto many = [](const auto& x) {
        number s = 0.0;
        for (int round = 0; round < 1500; ++round)
            for (const number& each : x) s += each * each;
        return s;
    };
    const auto is_right = [&] {
        const auto found = tape::gradient(many, point);
        return std::ranges::all_of(found, [](double each) { return each == 1500.0; });
    };
    REQUIRE(is_right());
    const long before = page_faults();
    REQUIRE(is_right());
    CHECK(page_faults() - before < 20); // of the result
    take_offered_memory();
    CHECK(is_right());
    CHECK(tape::gradient(squares, std::vector{1.0, 2.0}) == std::vector{2.0, 4.0});
}
#endif
