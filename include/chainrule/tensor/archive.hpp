// SPDX-License-Identifier: BSL-1.0
//
// Deprecated: include <chainrule/tensor/files/archive.hpp> instead.
// This path stays for one version.
#pragma once

#include <chainrule/tensor/files/archive.hpp>
