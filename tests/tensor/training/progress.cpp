// SPDX-License-Identifier: BSL-1.0
//
// The progress bar on a stream, a clock and a width of the test: what a terminal would show, and the plain lines.
#include "catch.hpp"

#include <chainrule/tensor/training/progress.hpp>

#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace chainrule::tensor;

struct fixture {
    std::ostringstream stream;
    double time = 1000;
    std::size_t columns = 80;

    progress_display display(bool on_terminal, bool in_colour = false) {
        return {.stream = &stream,
                .on_terminal = on_terminal,
                .in_colour = in_colour,
                .width = [this] { return columns; },
                .seconds = [this] { return time; }};
    }
    // The output since the last call.
    std::string written() {
        std::string text = stream.str();
        stream.str("");
        return text;
    }
};

} // namespace

TEST_CASE("on a terminal one line is drawn over", "[tensor][progress]") {
    fixture f;
    progress bar("epoch 1 of 3", 8, f.display(true));
    CHECK(f.written() == "\repoch 1 of 3 [........................................]   0 %\x1b[K");
    f.time += 2;
    bar.advance({{"loss", 0.5}, {"accuracy", 0.25}});
    CHECK(f.written() == "\repoch 1 of 3 [##...............]  12 %  loss 0.5000  accuracy 0.2500  14 s left\x1b[K");
    f.time += 2;
    bar.advance({{"loss", 0.25}, {"accuracy", 0.75}}); // means over the steps
    CHECK(f.written() == "\repoch 1 of 3 [####.............]  25 %  loss 0.3750  accuracy 0.5000  12 s left\x1b[K");
    f.time += 0.04;
    bar.advance({{"loss", 0.0}});
    CHECK(f.written().empty()); // too soon to be drawn again
    f.time += 0.06;
    bar.advance();
    CHECK(f.written() == "\repoch 1 of 3 [########........]  50 %  loss 0.2500  accuracy 0.5000  4.1 s left\x1b[K");
    f.time += 0.2;
    bar.advance(); // the text is shorter, the bar is not longer
    CHECK(f.written() == "\repoch 1 of 3 [##########......]  62 %  loss 0.2500  accuracy 0.5000  2.6 s left\x1b[K");
    f.columns = 90;
    f.time += 10;
    bar.advance();
    CHECK(f.written() ==
          "\repoch 1 of 3 [###################.......]  75 %  loss 0.2500  accuracy 0.5000  4.8 s left\x1b[K");
    bar.finish({{"test accuracy", 0.5125}});
    CHECK(f.written() == "\repoch 1 of 3: 6 steps in 14 s, loss 0.2500, accuracy 0.5000, test accuracy 0.5125\x1b[K\n");
    bar.finish();
    CHECK(f.written().empty());
}

TEST_CASE("the line fits the terminal, whatever its width", "[tensor][progress]") {
    for (std::size_t columns = 0; columns < 200; ++columns) {
        CAPTURE(columns);
        fixture f;
        f.columns = columns;
        progress bar("\xc3\xa9poque 1", 100, f.display(true, true));
        for (int i = 0; i < 50; ++i) {
            f.time += 1;
            bar.advance({{"loss", 0.5}, {"accuracy", 0.25}});
        }
        std::string last = f.written();
        last = last.substr(last.rfind('\r') + 1);
        std::size_t visible = 0;
        bool in_sequence = false;
        for (const char c : last) {
            if (c == '\x1b')
                in_sequence = true;
            else if (in_sequence)
                in_sequence = c == '[' || (c >= '0' && c <= '9');
            else
                visible += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
        }
        CHECK(visible <= std::max<std::size_t>(columns, 2) - 1);
        CHECK((columns < 80 || last.find("50 %  loss 0.5000  accuracy 0.2500  50 s left") != std::string::npos));
    }
}

TEST_CASE("the width may change and the bar may be green", "[tensor][progress]") {
    fixture f;
    progress bar("e", 2, f.display(true, true));
    f.written();
    f.time += 1;
    bar.advance();
    CHECK(f.written() == "\re [\x1b[32m####################\x1b[0m....................]  50 %  1.0 s left\x1b[K");
    f.columns = 20;
    f.time += 1;
    bar.advance();
    CHECK(f.written() == "\re 100 %  0.0 s left\x1b[K");
}

TEST_CASE("anywhere else there are plain lines", "[tensor][progress]") {
    fixture f;
    {
        progress bar("epoch 1 of 3", 8, f.display(false));
        for (int i = 0; i < 8; ++i) {
            f.time += 10;
            bar.advance({{"loss", 0.5}});
        }
        CHECK(f.written().empty());
        bar.finish();
        CHECK(f.written() == "epoch 1 of 3: 8 steps in 1:20 min, loss 0.5000\n");
    }
    CHECK(f.written().empty());

    progress_display four = f.display(false);
    four.lines = 4;
    progress bar("e", 10, four);
    for (int i = 0; i < 10; ++i) {
        f.time += 1;
        bar.advance({{"loss", 0.5}});
    }
    bar.finish();
    CHECK(f.written() == "e: 3 of 10 steps, loss 0.5000, 7.0 s left\n"
                         "e: 5 of 10 steps, loss 0.5000, 5.0 s left\n"
                         "e: 8 of 10 steps, loss 0.5000, 2.0 s left\n"
                         "e: 10 steps in 10 s, loss 0.5000\n");
}

TEST_CASE("a bar that is left ends its line", "[tensor][progress]") {
    fixture f;
    try {
        progress bar("e", 10, f.display(true));
        f.written();
        throw std::runtime_error("loss is not finite");
    } catch (const std::runtime_error&) {
        CHECK(f.written() == "\n");
    }
}

TEST_CASE("none, too many and odd steps", "[tensor][progress]") {
    fixture f;
    progress none("none", 0, f.display(true));
    none.finish();
    CHECK(f.written() ==
          "\rnone [########################################] 100 %\x1b[K\rnone: 0 steps in 0.0 s\x1b[K\n");
    progress more("more", 1, f.display(true));
    f.written();
    f.time += 1;
    more.advance({{"loss", std::numeric_limits<double>::quiet_NaN()}, {"rate", 1e-5}, {"norm", 1e12}, {"zero", 0.0}});
    f.time += 1;
    more.advance();
    f.written();
    more.finish();
    CHECK(f.written() == "\rmore: 2 steps in 2.0 s, loss nan, rate 1.000e-05, norm 1.000e+12, zero 0.0000\x1b[K\n");
}

TEST_CASE("durations in words", "[tensor][progress]") {
    CHECK(training::duration_text(0) == "0.0 s");
    CHECK(training::duration_text(-1) == "0.0 s");
    CHECK(training::duration_text(9.94) == "9.9 s");
    CHECK(training::duration_text(9.96) == "10 s");
    CHECK(training::duration_text(59.4) == "59 s");
    CHECK(training::duration_text(59.6) == "1:00 min");
    CHECK(training::duration_text(185) == "3:05 min");
    CHECK(training::duration_text(3599.6) == "1:00:00 h");
    CHECK(training::duration_text(7385) == "2:03:05 h");
    CHECK(training::duration_text(1e300) == "277777777777:46:40 h");
}
