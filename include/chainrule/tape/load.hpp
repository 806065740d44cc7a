// SPDX-License-Identifier: BSL-1.0
//
// load<Values>(in): a recording from the text that tape/save.hpp wrote. Include this header in addition to
// chainrule/tape.hpp, and chainrule/special_functions.hpp: a text may name any function of the table.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/replay/saved_recording.hpp>

#include <istream>

namespace chainrule::tape {

/// A text is not a recording that can be loaded: it is damaged, of another version, or of another type.
class load_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

namespace saving {

/// The function of a recording that was loaded: there is none, so it cannot be recorded again.
template <class Result>
struct loaded {
    template <class X>
    Result operator()(const X&) const {
        core::raise(std::logic_error("record_again: the recording was loaded, and a file holds no function to record; "
                                     "record the function itself"));
    }
};

/// All operations that have a code.
template <class T>
inline constexpr const replays::operation<T>* all_operations[] = {
#define CHAINRULE_ROW(NAME, ...) &replays::operation_of<functions::NAME, T>,
    CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
#define CHAINRULE_COMPARISON(SYMBOL, NAME) &replays::operation_of<replays::NAME, T>,
            CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON
        & replays::operation_of<replays::negate, T>,
    &replays::operation_of<replays::add, T>,
    &replays::operation_of<replays::subtract, T>,
    &replays::operation_of<replays::multiply, T>,
    &replays::operation_of<replays::divide, T>,
    &replays::operation_of<replays::choose, T>,
    &replays::operation_of<replays::conjunction, T>,
    &replays::operation_of<replays::disjunction, T>,
    &replays::operation_of<replays::negation, T>,
};

/// An operation by its name and the number of its operands, or null.
template <class T>
[[nodiscard]] const replays::operation<T>* operation_named(std::string_view name, std::size_t arity) {
    for (const replays::operation<T>* const each : all_operations<T>)
        if (each->arity == arity && name == each->name) return each;
    return nullptr;
}

/// The lines of a saved recording, whose sum is right.
class checked_lines {
public:
    explicit checked_lines(std::istream& in) {
        text_sum sum;
        for (std::string line; std::getline(in, line);) {
            const bool is_last = line.starts_with("end "), is_cut = in.eof();
            if (is_cut && !is_last) break;
            // Version control and transfers as text may make the ends of lines those of Windows.
            if (line.ends_with('\r')) line.pop_back();
            if (lines_.empty() && line != first_line) {
                if (line.starts_with(begin_of_first_line))
                    fail("load: the recording has the version '" + line.substr(begin_of_first_line.size(), 20) +
                         "', and this is the reader of '" + std::string(first_line.substr(begin_of_first_line.size())) +
                         "'; save it with this version of the library");
                fail("load: the stream has no recording; give what save(r, out) wrote");
            }
            if (is_last) {
                if (line == "end " + sum.text()) return; // also without the end of the line, which editors remove
                if (is_cut) break;
                fail("load: the recording is damaged, since its checksum is not that of its last line; save it again");
            }
            sum.add(line);
            sum.add("\n");
            lines_.push_back(std::move(line));
        }
        if (in.bad() || !in.eof()) // not open, or of a folder
            fail("load: the stream cannot be read; check that it is open, and of a file that can be read");
        fail(lines_.empty() ? "load: the stream has no recording; give what save(r, out) wrote"
                            : "load: the recording ends after line " + std::to_string(lines_.size()) +
                                  ", before its last; save it again");
    }
    [[nodiscard]] const std::vector<std::string>& all() const { return lines_; }

private:
    std::vector<std::string> lines_;

    [[noreturn]] static void fail(const std::string& sentence) { core::raise(load_error(sentence)); }
};

/// Makes a recording of lines.
template <class T>
class reader {
public:
    reader(const checked_lines& from, bool returns_number) : lines_(from.all()) {
        if (words().size() != 3 || words_[0] != "computes") fail("does not state what the function computes");
        if (words_[1] != name_of_number<T>)
            fail("says that the numbers are of type " + std::string(words_[1]) + "; load values of that type");
        if (words_[2] != (returns_number ? "number" : "list"))
            fail("says that the function returns a " + std::string(words_[2]) +
                 "; load<double> has one number, load<std::vector<double>> a list");
        std::uint64_t inputs = 0;
        if (words().size() != 2 || words_[0] != "inputs" || !read_whole(words_[1], most_values, inputs))
            fail("does not state the number of inputs");
        inputs_ = static_cast<std::size_t>(inputs);
        for (std::size_t i = 0; i < inputs_; ++i) values_.push_back(on_.input());
        while (next_ < lines_.size()) add(words());
        made_ = replays::arrangement<T>(on_, inputs_, outputs_).take();
    }
    [[nodiscard]] std::size_t outputs() const { return outputs_.size(); }
    [[nodiscard]] replays::program<T> take() { return std::move(made_); }

private:
    static constexpr std::uint64_t most_values = std::uint64_t{1} << 31;

    const std::vector<std::string>& lines_;
    std::size_t next_ = 1;
    std::vector<std::string_view> words_; // of the line before the next
    replays::recorder<T> on_;
    std::size_t inputs_ = 0;
    std::vector<replays::slot> values_, outputs_;
    replays::program<T> made_;

    [[noreturn]] void fail(const std::string& fault) const {
        core::raise(load_error("load: line " + std::to_string(next_) + " of the recording " + fault));
    }
    const std::vector<std::string_view>& words() {
        words_.clear();
        if (next_ < lines_.size())
            for (std::string_view rest = lines_[next_]; !rest.empty();) {
                const std::size_t size = std::min(rest.find(' '), rest.size());
                words_.push_back(rest.substr(0, size));
                rest.remove_prefix(std::min(size + 1, rest.size()));
            }
        ++next_;
        return words_;
    }
    [[nodiscard]] replays::slot value(std::string_view text) const {
        std::uint64_t number = 0;
        if (values_.empty() || !read_whole(text, values_.size() - 1, number))
            fail("names '" + std::string(text) + "', which is not a value of an earlier line");
        return values_[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] T number(std::string_view text) const {
        T found{};
        if (!read_exact(text, found)) fail("has '" + std::string(text) + "' for a number");
        return found;
    }
    void add(const std::vector<std::string_view>& line) {
        if (line.empty()) fail("is empty");
        if (line[0] == "=" && line.size() == 2) {
            values_.push_back(on_.constant(number(line[1])));
        } else if (line[0] == "returns" && line.size() == 2) {
            outputs_.push_back(value(line[1]));
        } else if (line[0] == "read" && line.size() == 3) {
            on_.read(value(line[1]), number(line[2]));
        } else {
            replays::step<T> made;
            made.what = operation_named<T>(line[0], line.size() - 1);
            if (made.what == nullptr)
                fail("calls '" + std::string(line[0]) + "' of " + std::to_string(line.size() - 1) +
                     " arguments, which is not a function of this version of the library");
            for (std::size_t k = 0; k + 1 < line.size(); ++k) made.operands[k] = value(line[k + 1]);
            values_.push_back(on_.result_of(made));
        }
    }
};

template <class Values>
struct number_in {
    using type = Values;
};
template <points::list_of_numbers Values>
struct number_in<Values> {
    using type = typename points::layout<Values>::number_type;
};
template <class T, class Values>
struct loaded_as {
    using result = replayable<T>;
};
template <class T, points::list_of_numbers Values>
struct loaded_as<T, Values> {
    using result = typename points::layout<Values>::template with<replayable<T>>;
};

} // namespace saving

/// A recording that save() wrote, which evaluates like the one that was saved. Values is the type of what the function
/// returns: a number such as double, or a std::vector or std::array of such. Throws load_error for anything else than a
/// whole recording of that type. Example: `std::ifstream in("energy.recording"); auto r = load<double>(in)`
template <class Values>
[[nodiscard]] auto load(std::istream& in) {
    using T = typename saving::number_in<Values>::type;
    constexpr bool plain = std::floating_point<T>;
    static_assert(plain,
                  "load: the values are not floating-point numbers; write the type of what the function returns, "
                  "as in load<double>(in) or load<std::vector<double>>(in)");
    if constexpr (plain) {
        constexpr bool one = std::same_as<Values, T>;
        const saving::checked_lines lines(in);
        saving::reader<T> found(lines, one);
        Values shape{};
        if constexpr (requires { shape.resize(found.outputs()); }) shape.resize(found.outputs());
        std::size_t size = 1;
        if constexpr (!one) size = std::size(shape);
        if (found.outputs() != size)
            core::raise(load_error("load: the recording returns " + std::to_string(found.outputs()) +
                                   " numbers, and the type holds " + std::to_string(size) + "; load a std::vector"));
        using function = saving::loaded<typename saving::loaded_as<T, Values>::result>;
        return recorded_function<T, function, Values>(
            {}, std::move(shape), replays::memory<T>(std::make_shared<const replays::program<T>>(found.take())));
    }
}

} // namespace chainrule::tape

/// Compiles the functions of load for numbers T in one file of a program: CHAINRULE_INSTANTIATE_LOAD(double); there,
/// and extern CHAINRULE_INSTANTIATE_LOAD(double); in the others, before their calls. At global scope.
#define CHAINRULE_INSTANTIATE_LOAD(T)                                                                                  \
    template const chainrule::tape::replays::operation<T>* chainrule::tape::saving::operation_named<T>(                \
        std::string_view, std::size_t)

#include <chainrule/core/names_end.inc>
