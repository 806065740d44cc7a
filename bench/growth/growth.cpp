// SPDX-License-Identifier: BSL-1.0
//
// Growth of the cost of a gradient with the operations, the variables and the data. In theory, reverse mode takes at
// most four times the cost of the value, for any number of variables (Griewank and Walther, Evaluating Derivatives,
// 2008, chapter 4).
#include "growth.hpp"

int main(int count, char** arguments) {
    growth::add_operations();
    growth::add_variables();
    growth::add_data();
    return bench::run(count, arguments);
}
