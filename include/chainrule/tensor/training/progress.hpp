// SPDX-License-Identifier: BSL-1.0
//
// Progress of a training: on a terminal a bar with metrics and the remaining time, elsewhere, as in a log file, one
// plain line per bar.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/ioctl.h>
#include <unistd.h>
#endif

namespace chainrule::tensor {

/// A number to show, a name and a value: {"loss", 0.41}.
struct metric {
    std::string_view name;
    double value;
};

/// Where and how to show progress.
struct progress_display {
    /// Where to write.
    std::ostream* stream = &std::cerr;
    /// Whether a line can be redrawn.
    bool on_terminal = false;
    /// Whether the bar is green.
    bool in_colour = false;
    /// Returns the number of columns; called before each drawing.
    std::function<std::size_t()> width = [] { return std::size_t{80}; };
    /// Returns the time in seconds since any moment.
    std::function<double()> seconds = [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    /// Where there is no terminal: how many lines a bar leads to, the last when it is finished.
    std::size_t lines = 1;

    /// The standard error stream, with what it can do: a terminal unless TERM is `dumb`, and in colour unless NO_COLOR
    /// is set (https://no-color.org).
    [[nodiscard]] static progress_display standard_error() {
        progress_display display;
#if defined(__unix__) || defined(__APPLE__)
        const auto variable = [](const char* name) {
            const char* const value = std::getenv(name);
            return std::string_view(value == nullptr ? "" : value);
        };
        display.on_terminal = isatty(STDERR_FILENO) == 1 && variable("TERM") != "dumb";
        display.in_colour = display.on_terminal && variable("NO_COLOR").empty();
        display.width = [] {
            winsize size{};
            const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
            return known ? std::size_t{size.ws_col} : std::size_t{80};
        };
#endif
        return display;
    }
};

namespace training {

/// A duration in words: 4.2 s, 42 s, 3:05 min, 2:03:05 h.
[[nodiscard]] inline std::string duration_text(double seconds) {
    char text[40];
    if (!(seconds >= 9.95)) {
        std::snprintf(text, sizeof text, "%.1f s", std::max(seconds, 0.0));
    } else if (seconds < 59.5) {
        std::snprintf(text, sizeof text, "%.0f s", seconds);
    } else {
        const auto all = static_cast<unsigned long long>(std::min(seconds, 1e15) + 0.5);
        if (all < 3600)
            std::snprintf(text, sizeof text, "%llu:%02llu min", all / 60, all % 60);
        else
            std::snprintf(text, sizeof text, "%llu:%02llu:%02llu h", all / 3600, all / 60 % 60, all % 60);
    }
    return text;
}

} // namespace training

/// The progress of so many steps.
///
///     progress bar("epoch 1 of 3", all.count());
///     for (const auto batch : all.shuffled(0)) {
///         ...
///         bar.advance({{"loss", loss}, {"accuracy", accuracy}});
///     }
///     bar.finish({{"test accuracy", tested}});
class progress {
public:
    progress(std::string label, std::size_t steps, progress_display display = progress_display::standard_error())
        : label_(std::move(label)), steps_(steps), display_(std::move(display)), begin_(display_.seconds()) {
        if (display_.on_terminal) draw(begin_);
    }
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    /// Ends the line where the bar is not finished, so that a message about the reason begins a new one.
    ~progress() {
        if (finished_ || !display_.on_terminal) return;
        CHAINRULE_TRY { *display_.stream << '\n' << std::flush; }
        CHAINRULE_CATCH(...) { // a stream may be set to throw
        }
    }

    /// One step more. Of each metric the mean over all steps that gave it is shown. Drawn at most 20 times a second.
    void advance(std::initializer_list<metric> metrics = {}) {
        ++done_;
        for (const auto& [name, value] : metrics) add(name, value);
        const double now = display_.seconds();
        if (display_.on_terminal) {
            if (now - drawn_ >= 0.05) draw(now);
        } else if (done_ < steps_ && display_.lines > 1 && line_number(done_) > line_number(done_ - 1)) {
            write(label_ + ": " + std::to_string(done_) + " of " + std::to_string(steps_) + " steps" +
                  metrics_text(", ") + ", " + training::duration_text(time_left(now)) + " left\n");
        }
    }

    /// Ends the bar with a line that stays: steps, time, metrics, and those given here as they are.
    void finish(std::initializer_list<metric> results = {}) {
        if (std::exchange(finished_, true)) return;
        std::string line = label_ + ": " + std::to_string(done_) + (done_ == 1 ? " step in " : " steps in ") +
                           training::duration_text(display_.seconds() - begin_) + metrics_text(", ");
        for (const auto& [name, value] : results) line += ", " + metric_text(name, value);
        write(display_.on_terminal ? '\r' + line + clear_rest + '\n' : line + '\n');
    }

private:
    struct mean {
        std::string name;
        double sum = 0;
        double count = 0;
    };

    std::string label_;
    std::size_t steps_, done_ = 0;
    progress_display display_;
    double begin_, drawn_ = 0;
    std::vector<mean> means_;
    std::size_t width_ = 0, bar_ = 0; // columns of the terminal and of the bar at the last drawing
    bool finished_ = false;

    static constexpr const char* clear_rest = "\x1b[K"; // after the text: clearing before would flicker

    void add(std::string_view name, double value) {
        auto place = std::ranges::find(means_, name, &mean::name);
        if (place == means_.end()) place = means_.insert(place, {.name = std::string(name)});
        place->sum += value;
        place->count += 1;
    }
    [[nodiscard]] static std::string metric_text(std::string_view name, double value) {
        char number[40];
        std::snprintf(number, sizeof number, value != 0 && (value > -1e-3 && value < 1e-3) ? " %.3e" : " %.4f", value);
        if (value >= 1e9 || value <= -1e9) std::snprintf(number, sizeof number, " %.3e", value);
        return std::string(name) + number;
    }
    [[nodiscard]] std::string metrics_text(const char* before_each) const {
        std::string text;
        for (const mean& m : means_) text += before_each + metric_text(m.name, m.sum / m.count);
        return text;
    }
    // Which of the lines belongs to a number of steps: it grows at as many of them as there are lines.
    [[nodiscard]] std::size_t line_number(std::size_t done) const {
        return done * display_.lines / std::max<std::size_t>(steps_, 1);
    }
    [[nodiscard]] double time_left(double now) const {
        const auto done = static_cast<double>(done_), all = static_cast<double>(std::max(steps_, done_));
        return (now - begin_) / done * (all - done);
    }
    // Columns of UTF-8, where each code point has one.
    [[nodiscard]] static std::size_t columns(std::string_view text) {
        return static_cast<std::size_t>(
            std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
    }
    [[nodiscard]] static std::string first_columns(std::string_view text, std::size_t most) {
        std::size_t end = 0;
        for (std::size_t used = 0; end < text.size(); ++end)
            if (columns(text.substr(end, 1)) == 1 && ++used > most) break;
        return std::string(text.substr(0, end));
    }

    void draw(double now) {
        drawn_ = now;
        const double fraction =
            steps_ == 0 ? 1.0 : static_cast<double>(std::min(done_, steps_)) / static_cast<double>(steps_);
        char percent[16];
        std::snprintf(percent, sizeof percent, " %3d %%", static_cast<int>(fraction * 100));
        std::string rest = percent + metrics_text("  ");
        if (done_ > 0) rest += "  " + training::duration_text(time_left(now)) + " left";

        // The last column stays free: some terminals begin a new line after it.
        const std::size_t width = std::max<std::size_t>(display_.width(), 2) - 1;
        const std::size_t used = columns(label_) + columns(rest) + 3; // with a space and brackets
        std::string line = "\r";
        if (used + 5 <= width) {
            // It gets shorter as the text gets longer, and no longer again, so as not to jump to and fro.
            if (std::exchange(width_, width) != width) bar_ = 40;
            bar_ = std::min(bar_, width - used);
            const auto filled = static_cast<std::size_t>(fraction * static_cast<double>(bar_));
            line += label_ + " [";
            line += display_.in_colour ? "\x1b[32m" + std::string(filled, '#') + "\x1b[0m" : std::string(filled, '#');
            line += std::string(bar_ - filled, '.') + ']' + rest;
        } else {
            line += first_columns(label_ + rest, width);
        }
        write(line + clear_rest);
    }
    // In one piece, so that no half of a line is seen.
    void write(const std::string& text) {
        display_.stream->write(text.data(), static_cast<std::streamsize>(text.size()));
        display_.stream->flush();
    }
};

} // namespace chainrule::tensor

#include <chainrule/core/names_end.inc>
