// SPDX-License-Identifier: BSL-1.0
//
// Definitions that may precede the library in a program: macros of Qt, of windows.h, of X11, of Apple's AssertMacros.h
// and of the user, which must be unchanged after it, and variables with short names.
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
#define A 1
#define B 2
#define C 3
#define D 4
#define H 5
#define J 6
#define L 7
#define M 8
#define O 9
#define Q 10
#define R 11
#define S 12
#define U 13
#define V 14
#define W 15
#define Z 16
#define IN
#define OUT
#define ERROR 0
#define DELETE 1
#define CONST const
#define VOID void
#define TRUE 1
#define FALSE 0
#define Bool int
#define Status int
#define None 0
#define True 1
#define False 0
#define Complex 0
#define PI 3.14
#define LOG(x) x
#define CHECK(x) x
#define check(x) x
#define require(x, label) x
