// SPDX-License-Identifier: BSL-1.0
//
// Hand-written code, one point after the other.
#include "columns_by_hand.hpp"

COLUMNS_DEFINE(by_hand)
