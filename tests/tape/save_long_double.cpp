// SPDX-License-Identifier: BSL-1.0
//
// Recordings in long double that are saved and loaded.
#include "catch.hpp"

#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/load.hpp>
#include <chainrule/tape/save.hpp>

#include <array>
#include <sstream>
#include <vector>

TEST_CASE("a recording in long double is loaded as it was saved", "[tape]") {
    namespace tape = chainrule::tape;
    const auto polar = [](const auto& p) {
        using T = std::remove_cvref_t<decltype(p[0])>;
        return std::vector<T>{p[0] * cos(p[1]), p[0] * sin(p[1]), T(1) / 3 + p[1], p[0]};
    };
    auto r = tape::record(polar, std::array{2.0l, 0.5l});
    std::stringstream stream;
    tape::save(r, stream);
    auto loaded = tape::load<std::vector<long double>>(stream);
    const std::array x{1.5l, 0.7l};
    CHECK(loaded(x) == r(x));
    CHECK(loaded.jacobian(x)(1, 0) == r.jacobian(x)(1, 0));
}
