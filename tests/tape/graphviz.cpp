// SPDX-License-Identifier: BSL-1.0
//
// Tapes and traces as lists and as pictures: every statement, every operand, and text that Graphviz reads.
#include "catch.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/graphviz.hpp>
#include <chainrule/tape/trace.hpp>

#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

namespace tape = chainrule::tape;
using active = tape::active<double>;

struct node {
    std::string shape, label;
};
struct picture {
    std::map<std::string, node> nodes;
    std::vector<std::tuple<std::string, std::string, std::string>> edges; // from, to, label
};

// Removes parts from the front of a line. A missing part makes the test fail.
class cursor {
public:
    explicit cursor(const std::string& line) : rest_(line) {}

    bool take(const std::string& text) {
        if (rest_.compare(0, text.size(), text) != 0) return false;
        rest_.erase(0, text.size());
        return true;
    }
    std::string word() {
        const std::size_t end = rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789");
        const std::string found = rest_.substr(0, end);
        rest_.erase(0, found.size());
        return found;
    }
    // A string in quotes, as it is written: each quote and each backslash in it has a backslash before it.
    std::string quoted() {
        if (!take("\"")) return "no string";
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            if (rest_[i] == '"') {
                const std::string found = rest_.substr(0, i);
                rest_.erase(0, i + 1);
                return found;
            }
            if (rest_[i] == '\\' && (++i == rest_.size() || (rest_[i] != '"' && rest_[i] != '\\' && rest_[i] != 'n')))
                break;
        }
        return "no string";
    }
    bool at_end() const { return rest_.empty(); }

private:
    std::string rest_;
};

// Reads what to_graphviz writes; any line that is not valid is a failure.
picture read(const std::string& text) {
    picture p;
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    CHECK(line == "digraph tape {");
    bool closed = false;
    while (std::getline(lines, line)) {
        INFO(line);
        CHECK_FALSE(closed);
        closed = line == "}";
        if (closed || line == "    rankdir=LR;") continue;
        cursor at(line);
        CHECK(at.take("    "));
        const std::string name = at.word();
        CHECK(name[0] == 'n');
        if (at.take(" -> ")) {
            // Both ends are there already: operands come before their statement.
            const std::string to = at.word();
            CHECK(p.nodes.count(name) == 1);
            CHECK(p.nodes.count(to) == 1);
            CHECK(at.take(" [label="));
            p.edges.emplace_back(name, to, at.quoted());
        } else {
            CHECK(at.take(" [shape="));
            const std::string shape = at.word();
            CHECK((shape == "box" || shape == "ellipse"));
            CHECK(at.take(", label="));
            CHECK(p.nodes.insert({name, {shape, at.quoted()}}).second);
        }
        CHECK(at.take("];"));
        CHECK(at.at_end());
    }
    CHECK(closed);
    return p;
}

} // namespace

TEST_CASE("the statements of a tape are listed with their partial derivatives", "[tape][graphviz]") {
    tape::tape t;
    CHECK(to_string(t).empty());
    auto x = t.variable(2.0), y = t.variable(5.0);
    active z = x * y + x;
    active w = 2.0 * z;
    CHECK(w.value() == 24);
    // A statement has an operand for each use of a number.
    CHECK(to_string(t) == "d1\nd2\nd3 = 5.0 * d1 + 2.0 * d2 + 1.0 * d1\nd4 = 2.0 * d3\n");

    // A variable between statements, and results whose operands only the program knows.
    auto late = t.variable(1.0);
    const auto outside = t.operation(std::vector{7.0}, [](auto, auto) {});
    active v = late - outside[0];
    CHECK(v.value() == -6);
    CHECK(to_string(t) ==
          "d1\nd2\nd3 = 5.0 * d1 + 2.0 * d2 + 1.0 * d1\nd4 = 2.0 * d3\nd5\nd6\nd7 = 1.0 * d5 + -1.0 * d6\n");
}

TEST_CASE("a listing goes on from block to block", "[tape][graphviz]") {
    constexpr tape::index count = 40000;
    tape::tape t;
    active x = t.variable(1.0);
    const active y = t.variable(2.0);
    for (tape::index i = 2; i < count; ++i) x = x + y * double(i);
    tape::index statements = 0;
    bool right = true;
    for_each_statement(t, [&](const tape::statement_entry<double>& s) {
        ++statements;
        right = right && s.result == statements && s.operands.size() == s.partials.size();
        if (s.result <= 2)
            right = right && s.operands.empty();
        else
            right = right && s.operands.size() == 2 && s.operands[0] == (s.result == 3 ? 1 : s.result - 1) &&
                    s.operands[1] == 2 && s.partials[0] == 1 && s.partials[1] == double(s.result - 1);
    });
    CHECK(statements == count);
    CHECK(right);
}

TEST_CASE("a tape as a picture", "[tape][graphviz]") {
    tape::tape t;
    auto x = t.variable(2.0), y = t.variable(3.0);
    active z = x * y;
    active w = z / 3.0 + z * z;
    CHECK(w.value() == 38);
    const picture p = read(to_graphviz(t));
    REQUIRE(p.nodes.size() == 4);
    for (const auto& [name, shape] : {std::pair{"n1", "box"}, {"n2", "box"}, {"n3", "ellipse"}, {"n4", "ellipse"}}) {
        CHECK(p.nodes.at(name).shape == shape);
        CHECK("n" + p.nodes.at(name).label == name);
    }
    // z is used three times in the last statement.
    using edge = std::tuple<std::string, std::string, std::string>;
    CHECK((p.edges ==
           std::vector<edge>{
               {"n1", "n3", "3"}, {"n2", "n3", "2"}, {"n3", "n4", "0.3333"}, {"n3", "n4", "6"}, {"n3", "n4", "6"}}));
}

TEST_CASE("an empty tape is an empty picture", "[tape][graphviz]") {
    CHECK(to_graphviz(tape::tape()) == "digraph tape {\n    rankdir=LR;\n}\n");
}

TEST_CASE("a trace as a picture shows operations and values", "[tape][graphviz]") {
    tape::trace t;
    auto x = t.variable(2.0), y = t.variable(5.0);
    tape::traced<double> f = log(x) + x * y - sin(y);
    CHECK(f.value() == Approx(11.652071455223084));
    const picture p = read(to_graphviz(t));
    REQUIRE(p.nodes.size() == 7);
    CHECK(p.nodes.at("n1").label == "v-1 = 2.0");
    CHECK(p.nodes.at("n1").shape == "box");
    CHECK(p.nodes.at("n3").label == R"(v1 = log(v-1)\n0.693147)");
    CHECK(p.nodes.at("n3").shape == "ellipse");
    CHECK(p.nodes.at("n7").label == R"(v5 = v3 - v4\n11.6521)");
    using edge = std::tuple<std::string, std::string, std::string>;
    CHECK((p.edges == std::vector<edge>{{"n1", "n3", "0.5"},
                                        {"n1", "n4", "5"},
                                        {"n2", "n4", "2"},
                                        {"n3", "n5", "1"},
                                        {"n4", "n5", "1"},
                                        {"n2", "n6", "0.2837"},
                                        {"n5", "n7", "1"},
                                        {"n6", "n7", "-1"}}));
}

TEST_CASE("names with quotes and backslashes stay what they are", "[tape][graphviz]") {
    tape::trace t;
    auto x = t.variable(1.0, R"(the "x" \n)");
    tape::traced<double> y = x * x;
    CHECK(y.value() == 1);
    const picture p = read(to_graphviz(t));
    REQUIRE(p.nodes.size() == 2);
    CHECK(p.nodes.at("n1").label == R"(the \"x\" \\n = 1.0)");
    CHECK(p.edges.size() == 2);
}

TEST_CASE("numbers of a tape that are on another tape are written as their values", "[tape][graphviz]") {
    tape::tape inner;
    const auto a = inner.variable(2.0);
    tape::basic_tape<active> t;
    auto x = t.variable(a);
    tape::active<active> y = x * x * 0.5;
    CHECK(y.value() == 2);
    CHECK(to_string(t) == "d1\nd2 = 1.0 * d1 + 1.0 * d1\n");
    CHECK(std::string(chainrule::to_string(x * 0.5)) == "2 * 0.5");
    const picture p = read(to_graphviz(t));
    REQUIRE(p.edges.size() == 2);
    CHECK(std::get<2>(p.edges[0]) == "1");

    tape::basic_trace<active> traces;
    auto v = traces.variable(a);
    tape::traced<active> f = v * 3.0;
    CHECK(traces.primal(f) == "v0 = 2.0\nv1 = v0 * 3\n6.0\n");
    CHECK(read(to_graphviz(traces)).nodes.at("n2").label == R"(v1 = v0 * 3\n6)");
    CHECK(traces.adjoint(f) == "v3 = v2 * 3\ndv1_dv1 = v2\ndv1_dv0 = v3\ndv0 3.0\n");
}
