// SPDX-License-Identifier: BSL-1.0
//
// Times of second derivatives and of sparse derivatives: by hand, with this library, with CppAD and ADOL-C. The file of
// each states how it is used.
#include "contestant.hpp"

namespace second_order {

#define CONTESTANT(name) contestant name();
#include "contestants.inc" // written by CMakeLists.txt: those found, by_hand first
#undef CONTESTANT

} // namespace second_order

int main(int count, char** arguments) {
    using namespace second_order;
    const std::vector<contestant> all{
#define CONTESTANT(name) second_order::name(),
#include "contestants.inc"
#undef CONTESTANT
    };
    const auto names = []<class... Problem>(std::type_identity<std::tuple<Problem...>>) {
        return std::array{Problem::name...};
    }(std::type_identity<all_problems>{});
    for (std::size_t p = 0; p < names.size(); ++p) {
        bench::row row(names[p], tolerance);
        for (const contestant& each : all)
            if (each.adders[p] != nullptr) each.adders[p](row);
    }
    return bench::run(count, arguments);
}
