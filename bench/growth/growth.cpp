// SPDX-License-Identifier: BSL-1.0
//
// How does the cost of a gradient grow? With the operations, the variables and the data; the theory of the reverse mode
// allows a gradient four times the cost of its value, however many variables there are (Griewank and Walther,
// Evaluating Derivatives, 2008, chapter 4).
#include "growth.hpp"

int main(int count, char** arguments) {
    growth::add_operations();
    growth::add_variables();
    growth::add_data();
    return bench::run(count, arguments);
}
