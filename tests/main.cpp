// SPDX-License-Identifier: BSL-1.0
//
// The main function of the test programs where Catch2 is version 2; version 3 brings its own in a library.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
