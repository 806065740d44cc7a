// SPDX-License-Identifier: BSL-1.0
//
// Every function of the table in lanes.
#include "functions_in_lanes.hpp"

using namespace functions_in_lanes;

namespace {

template <class T, class... Rows>
std::vector<subject<T>> subjects(cr::functions::row_list<Rows...>) {
    return {subject_of<T, Rows>()...};
}
template <class T>
const std::vector<subject<T>>& all_subjects() {
    static const std::vector<subject<T>> all = subjects<T>(cr::functions::all{});
    return all;
}

} // namespace

// Vector functions are wrong by 4 units in the last place at most, those of numbers by 1.
TEMPLATE_TEST_CASE("lanes: every function of the table, at points of its domain", "[batch]", float, double) {
    for (const auto& s : all_subjects<TestType>()) compare(s, points_of_domain(s, 500), 5.0);
}
TEMPLATE_TEST_CASE("lanes: every function of the table, at edges", "[batch]", float, double) {
    for (const auto& s : all_subjects<TestType>())
        if (!is_of_boost(s.name)) compare(s, edges(s), 5.0);
}
// floor() and acos() of these values change with one rounding.
TEMPLATE_TEST_CASE("lanes: sinpi and cospi are exact at multiples of a half", "[batch]", float, double) {
    std::vector<std::vector<TestType>> points;
    for (int i = -40; i <= 40; ++i) points.push_back({TestType(i) / 2, 0, 0});
    compare(subject_of<TestType, cr::functions::sinpi>(), points, 0.0);
    compare(subject_of<TestType, cr::functions::cospi>(), points, 0.0);
}
