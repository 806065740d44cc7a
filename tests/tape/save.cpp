// SPDX-License-Identifier: BSL-1.0
//
// Recordings that are saved and loaded: the values and derivatives of all kinds of operations, comparisons, and texts
// that are cut off, damaged or made up.
#include "custom_functions.hpp"
#include "catch.hpp"
#include "sentence.hpp"
#include "saved_functions.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/save.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace tape = chainrule::tape;

template <class R>
std::string saved(const R& r) {
    std::ostringstream out;
    tape::save(r, out);
    return out.str();
}
template <class Values>
auto loaded(const std::string& text) {
    std::istringstream in(text);
    return tape::load<Values>(in);
}
template <class Values>
std::string fault_of(const std::string& text) {
    try {
        (void)loaded<Values>(text);
    } catch (const tape::load_error& e) {
        return e.what();
    }
    return "";
}
/// A text with the sum of its lines.
std::string with_sum(const std::string& text) {
    tape::saving::text_sum sum;
    sum.add(text);
    return text + "end " + sum.text() + '\n';
}

constexpr auto mixed = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    T s = -x[0] + 0.1 * digamma(x[1]) - pow(x[0], x[1]) / x[2];
    s += select(x[0] < x[1] && !(x[1] == 2.0 || x[2] > 7.0), max(x[0], 0.5) * x[1], abs(x[2]));
    const std::array table{1.5, 2.5, 4.0};
    s += table[static_cast<std::size_t>(value(floor(x[2])))] * sin(x[1]); // a table look-up
    if (s > 3.0) s = log(s);
    return s;
};

constexpr auto polar = [](const auto& p) {
    using T = std::remove_cvref_t<decltype(p[0])>;
    return std::vector<T>{p[0] * cos(p[1]), p[0] * sin(p[1]), T(7.0), p[0]};
};

/// A number with a comma for the decimal point, and groups of digits.
struct other_punctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\1"; }
};

} // namespace

TEST_CASE("a loaded recording evaluates as the one that was saved", "[tape]") {
    const std::vector<double> at{1.5, 2.25, 1.75};
    auto r = tape::record(mixed, at);
    const std::string text = saved(r);
    auto l = loaded<double>(text);
    CHECK(l.inputs() == 3);
    CHECK(l.operations() == r.operations());
    CHECK(l.comparisons() == r.comparisons());
    for (const std::vector<double>& x : {at, std::vector{1.25, 2.5, 1.0}, std::vector{0.875, 2.0, 1.25}}) {
        CHECK(l(x) == r(x));
        const auto expected = r.hessian(x), found = l.hessian(x);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(found.gradient[i] == Approx(expected.gradient[i]).epsilon(1e-14));
            for (std::size_t k = 0; k < 3; ++k)
                CHECK(found.hessian(i, k) == Approx(expected.hessian(i, k)).epsilon(1e-13).margin(1e-14));
        }
    }
    const std::vector changed{1.5, 2.25, 2.75};
    CHECK_FALSE(sentence_of([&] { (void)r(changed); }).empty());
    CHECK(sentence_of([&] { (void)l(changed); }) == sentence_of([&] { (void)r(changed); }));
    CHECK(saved(loaded<double>(text)) == saved(loaded<double>(saved(l))));
    l.record_when_changed();
    CHECK(sentence_of([&] { (void)l(changed); }) ==
          "record_again: the recording was loaded, and a file holds no function to record; record the function itself");
}

TEST_CASE("a loaded recording of several arguments takes their numbers as one list", "[tape]") {
    auto r = tape::record([](const auto& v, const auto& w) { return v[0] * w * w; }, std::vector{2.0}, 3.0);
    std::stringstream stream;
    tape::save(r, stream);
    auto loaded = tape::load<double>(stream);
    CHECK(loaded(std::vector{5.0, 2.0}) == 20.0);
    CHECK(loaded.gradient(5.0, 2.0)[1] == 20.0);
}

TEST_CASE("recordings of lists, and several in one stream", "[tape]") {
    auto r = tape::record(polar, std::array{2.0, 0.5});
    std::stringstream stream;
    tape::save(r, stream);
    tape::save(r, stream);
    auto vector = tape::load<std::vector<double>>(stream);
    auto array = tape::load<std::array<double, 4>>(stream);
    const std::array x{1.5, 0.7};
    CHECK(vector(x) == r(x));
    CHECK(vector.jacobian(x)(1, 1) == r.jacobian(x)(1, 1));
    CHECK(array(x)[1] == r(x)[1]);
    CHECK(contains(sentence_of([&] { (void)tape::load<double>(stream); }), "the stream has no recording"));
}

TEST_CASE("numbers of a recording are saved exactly, whatever the locale", "[tape]") {
    const double numbers[] = {1.0 / 3.0,
                              -0.0,
                              1e-300,
                              4.9e-324,
                              1.7976931348623157e308,
                              -5e-324,
                              1234567.0,
                              std::numeric_limits<double>::infinity()};
    const auto f = [&](const auto& x) {
        std::vector<std::remove_cvref_t<decltype(x[0])>> y;
        for (const double n : numbers) y.push_back(x[0] * n);
        y.push_back(x[0] + std::numeric_limits<double>::quiet_NaN());
        return y;
    };
    auto r = tape::record(f, std::array{2.0});
    std::stringstream stream;
    stream.imbue(std::locale(std::locale::classic(), new other_punctuation));
    tape::save(r, stream);
    auto l = tape::load<std::vector<double>>(stream);
    for (const double x : {1.0, -1.0, 0.5}) {
        const auto found = l(std::array{x}), expected = r(std::array{x});
        for (std::size_t i = 0; i < expected.size(); ++i) {
            CAPTURE(i, x);
            CHECK(tape::replays::same_number(found[i], expected[i]));
        }
    }
}

TEST_CASE("a recording with a custom function is not saved", "[tape]") {
    std::ostringstream out;
    const auto f = [](const auto& x) { return outside::gelu(x[0]); };
    CHECK(
        sentence_of([&] { tape::save(tape::record(f, std::array{1.0}), out); }) ==
        "save: the recording calls the custom function 'gelu', which a file cannot hold; write the function with those "
        "of the library");
    CHECK(out.str().empty());
    out.setstate(std::ios::badbit);
    CHECK(contains(sentence_of([&] { tape::save(tape::record(mixed, std::array{1.0, 2.0, 1.0}), out); }),
                   "save: the stream cannot be written"));
}

TEST_CASE("a stream that cannot be read is no damaged recording", "[tape]") {
    for (const char* const path : {"/nowhere/energy.recording", "/"}) { // none, and a folder
        std::ifstream in(path);
        CHECK(sentence_of([&] { (void)tape::load<double>(in); }) ==
              "load: the stream cannot be read; check that it is open, and of a file that can be read");
    }
    CHECK(contains(fault_of<double>(""), "the stream has no recording"));
}

TEST_CASE("lines may end as those of Windows", "[tape]") {
    auto r = tape::record(mixed, std::array{1.5, 2.25, 1.75});
    std::string text;
    for (const char c : saved(r) + saved(r)) text += c == '\n' ? "\r\n" : std::string(1, c);
    std::istringstream in(text);
    for (int k = 0; k < 2; ++k) {
        auto l = tape::load<double>(in);
        CHECK(saved(l) == saved(r));
        CHECK(l(std::array{1.25, 2.5, 1.75}) == r(std::array{1.25, 2.5, 1.75}));
    }
    CHECK(contains(fault_of<double>(text.substr(0, text.size() / 4)), "ends after line"));
    CHECK(contains(fault_of<double>("chainrule recording 2\r\n"), "has the version '2', and"));
    text[text.find("returns")] = 's';
    CHECK(contains(fault_of<double>(text), "its checksum is not that of its last line"));
}

TEST_CASE("a text that is cut off or damaged anywhere is refused", "[tape]") {
    const std::string text = saved(tape::record(mixed, std::array{1.5, 2.25, 1.75}));
    const std::size_t without_end_of_line = text.size() - 1; // as some editors leave it: nothing is lost
    for (std::size_t size = 0; size < without_end_of_line; ++size)
        if (fault_of<double>(text.substr(0, size)).empty()) FAIL("is loaded, cut off after " << size);
    CHECK(fault_of<double>(text.substr(0, without_end_of_line)).empty());
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const int flipped : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
            std::string damaged = text;
            damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flipped);
            if (fault_of<double>(damaged).empty()) FAIL("is loaded, damaged at " << at << " by " << flipped);
        }
    CHECK(fault_of<double>(text).empty());
}

TEST_CASE("a text whose sum is right is checked line by line", "[tape]") {
    const std::string head = "chainrule recording 1\ncomputes double number\ninputs 2\n";
    auto r = loaded<double>(with_sum(head + "* 0 1\nreturns 2\n"));
    CHECK(r(std::array{3.0, 5.0}) == 15.0);
    CHECK(r.gradient(std::array{3.0, 5.0}) == std::array{5.0, 3.0});
    const auto fault = [&](const std::string& lines) { return fault_of<double>(with_sum(head + lines)); };
    CHECK(fault("* 0 2\nreturns 2\n") ==
          "load: line 4 of the recording names '2', which is not a value of an earlier line");
    CHECK(contains(fault("* 0 -1\n"), "not a value of an earlier line"));
    CHECK(contains(fault("* 0 18446744073709551616\n"), "not a value of an earlier line"));
    CHECK(contains(fault("returns 9\n"), "not a value of an earlier line"));
    CHECK(contains(fault("read 0\n"), "calls 'read' of 1 arguments"));
    CHECK(fault("gelu 0\nreturns 2\n") ==
          "load: line 4 of the recording calls 'gelu' of 1 arguments, which is not a function of this version of the "
          "library");
    CHECK(contains(fault("sin 0 1\n"), "calls 'sin' of 2 arguments"));
    CHECK(contains(fault("= 0.5\n"), "has '0.5' for a number"));
    CHECK(contains(fault("= 1p\n"), "has '1p' for a number"));
    CHECK(contains(fault("\n"), "is empty"));
    CHECK(fault("") == "load: the recording returns 0 numbers, and the type holds 1; load a std::vector");
    CHECK(contains(fault("returns 0\nreturns 1\n"), "returns 2 numbers"));
    CHECK(contains(fault_of<double>(with_sum("chainrule recording 2\n")), "has the version '2'"));
    CHECK(contains(fault_of<double>("something else\n"), "the stream has no recording"));
    CHECK(contains(fault_of<double>(with_sum("chainrule recording 1\n")), "does not state what"));
    CHECK(contains(fault_of<double>(with_sum("chainrule recording 1\ncomputes double number\ninputs x\n")),
                   "does not state the number of inputs"));
    CHECK(fault_of<double>(with_sum("chainrule recording 1\ncomputes float number\ninputs 1\nreturns 0\n")) ==
          "load: line 2 of the recording says that the numbers are of type float; load values of that type");
    CHECK(fault_of<std::vector<double>>(with_sum(head + "returns 0\n")) ==
          "load: line 2 of the recording says that the function returns a number; load<double> has one number, "
          "load<std::vector<double>> a list");
}
