// SPDX-License-Identifier: BSL-1.0
//
// The namespaces of the rooms, from the ground up. A room is a folder, its namespace has the folder's name, and it sees
// the rooms below it. A header includes headers of its own room and of rooms below (tests/headers/rooms.py checks it).
// The rooms above the kernel define what users call, in namespace chainrule; their internals are in detail, those of
// batch/ and steps/ in batches and stepping.
#pragma once

#include <chainrule/core/version.hpp>

namespace chainrule {

// clang-format off: it replaces the comments behind namespaces
namespace functions {}     // the table of functions: values, derivatives, domains
namespace core {}          // lists, hashes, exact coefficients
namespace expressions {    // what users write, the room expression/: `expression` itself is the name of a concept
using namespace core;
}
namespace graph {          // nodes, each stored once, in canonical form
using namespace expressions;
}
namespace tracing {        // code traced into a graph, the room trace/: `trace` itself is the name of a function
using namespace graph;
}
namespace request {}       // what a program computes: values, jacobians, hessians, ...
namespace differentiate {  // derivatives of graphs
using namespace graph;
using namespace request;
}
namespace optimise {       // shared products, pairs and constant factors
using namespace differentiate;
}
namespace codegen {        // instructions, their order, and the pipeline of all passes
using namespace optimise;
}
namespace kernel {         // what runs
using namespace codegen;
}
namespace detail {
using namespace kernel;
}
namespace batches {        // kernels at many points, in SIMD lanes, the room batch/: `batch` is the name of a function
using namespace core;
}
namespace stepping {       // kernels repeated, the room steps/: `steps` is the name of a function
using namespace core;
}

} // namespace chainrule
