// SPDX-License-Identifier: BSL-1.0
//
// A program without exceptions: kernels and tapes compute, and what would be thrown goes to the handler that was set.
#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <vector>

namespace cr = chainrule;

namespace {

std::jmp_buf place;
char heard[256];

[[noreturn]] void hear(const char* sentence) {
    std::snprintf(heard, sizeof heard, "%s", sentence);
    std::longjmp(place, 1);
}
int failures = 0;
void check(bool holds, const char* what) {
    if (holds) return;
    std::printf("failed: %s, heard: %s\n", what, heard);
    ++failures;
}

constexpr auto F = cr::function([](auto x, auto y) { return x * x * y; });
const std::vector<double> three{1.0, 2.0, 3.0};

} // namespace

int main() {
    check(F.gradient(2.0, 3.0)[0] == 12.0, "a kernel computes");
    cr::tape::tape t;
    const auto x = t.variable(2.0);
    const cr::tape::active<double> y = x * x + sin(x);
    t.backward(y);
    check(x.gradient() > 3.5 && x.gradient() < 3.6, "a tape computes");

    check(cr::set_failure_handler(hear) == nullptr, "there is no handler at first");
    if (setjmp(place) == 0) {
        static_cast<void>(F(three));
        check(false, "a point of three numbers is refused");
    }
    check(std::strstr(heard, "the point does not have one number per variable") != nullptr,
          "the sentence of a point is heard");
    heard[0] = '\0';
    cr::tape::tape other;
    static_cast<void>(other.variable(1.0));
    if (setjmp(place) == 0) {
        t.rewind(other.mark());
        check(false, "a mark of another tape is refused");
    }
    check(std::strcmp(heard, "rewind: the mark belongs to another tape; use one of this tape") == 0,
          "the sentence of a tape is heard");
    check(cr::set_failure_handler(nullptr) == hear, "the handler before is returned");
    return failures;
}
