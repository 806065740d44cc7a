// SPDX-License-Identifier: BSL-1.0
//
// save(r, out): a recording as text, in the form of tape/replay/saved_recording.hpp. Include this header in addition to
// chainrule/tape.hpp; tape/load.hpp reads the text.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/replay/saved_recording.hpp>

#include <ostream>

namespace chainrule::tape {

namespace saving {

/// The lines of a recording. Results share memory in a program, so the values are numbered in the order in which they
/// are computed.
template <class T>
class writer {
public:
    writer(const replays::program<T>& from, bool returns_number) : from_(from), number_(from.size) {
        line(std::string(first_line));
        line("computes " + std::string(name_of_number<T>) + (returns_number ? " number" : " list"));
        line("inputs " + std::to_string(from.inputs));
        for (std::size_t i = 0; i < from.inputs; ++i) number_[i] = values_++;
        for (std::size_t i = 0; i < from.constants.size(); ++i) {
            line("= " + exact_text(from.constants[i]));
            number_[from.inputs + i] = values_++;
        }
        for (const replays::run<T>& r : from.runs)
            for (replays::slot k = 0; k < r.count; ++k) add(r, k);
        // What was read, and what the function returns, keeps its memory to the end.
        for (const replays::reading<T>& r : from.readings)
            line("read " + std::to_string(number_[r.of]) + ' ' + exact_text(r.found));
        for (const replays::slot s : from.outputs) line("returns " + std::to_string(number_[s]));
        text_sum sum;
        sum.add(text_);
        line("end " + sum.text());
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    const replays::program<T>& from_;
    std::vector<std::uint64_t> number_; // by slot
    std::uint64_t values_ = 0;
    std::string text_;

    void line(const std::string& text) { (text_ += text) += '\n'; }
    void add(const replays::run<T>& r, replays::slot k) {
        if (r.what->code == replays::no_code)
            core::raise(
                std::invalid_argument("save: the recording calls the custom function '" + std::string(r.what->name) +
                                      "', which a file cannot hold; write the function with those of the library"));
        std::string text = r.what->name;
        for (unsigned i = 0; i < r.what->arity; ++i)
            (text += ' ') += std::to_string(number_[r.operands[i].at(from_.slots.data(), k)]);
        line(text);
        number_[r.result + k] = values_++;
    }
};

} // namespace saving

/// Writes a recording as text, which tape/load.hpp reads. Throws std::invalid_argument if it calls a custom function,
/// and std::runtime_error if the stream cannot be written.
/// Example: `std::ofstream out("energy.recording"); save(r, out)`
template <class T, class F, class Values>
void save(const recorded_function<T, F, Values>& r, std::ostream& out) {
    const saving::writer<T> made(r.recording().what(), std::same_as<Values, T>);
    out.write(made.text().data(), static_cast<std::streamsize>(made.text().size()));
    out.flush();
    if (!out)
        core::raise(
            std::runtime_error("save: the stream cannot be written; check that it is open and the disk not full"));
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
