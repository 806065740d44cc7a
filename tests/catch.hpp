// SPDX-License-Identifier: BSL-1.0
//
// Catch2 for every run-time test, version 2 or 3, whichever is installed.
#pragma once

// Without a handler of exceptions around each assertion, files compile in 3 to 8 per cent less time: an exception ends
// its test case.
#define CATCH_CONFIG_FAST_COMPILE

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

// With the address sanitizer, whose own memory a test of the memory would measure.
#if defined(__SANITIZE_ADDRESS__)
#define CHAINRULE_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHAINRULE_TEST_SANITIZED 1
#endif
#endif
