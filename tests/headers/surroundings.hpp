// SPDX-License-Identifier: BSL-1.0
//
// Definitions that may precede the library in a program: macros of Qt, of windows.h and of the user, which must be
// unchanged after it, and variables with short names.
#pragma once

#define emit
#define slots
#define signals public
#define foreach for
#define forever for (;;)
#define small char
#define near
#define far
#define interface struct
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define N 8
#define I (-1)
#define E 2.718281828459045
#define T true
