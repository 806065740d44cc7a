// SPDX-License-Identifier: BSL-1.0
//
// The programs of a recording in one library: for its values and derivatives, dense or sparse, at one point or at
// several, made by the passes of the compiler at run time and written in C.
#pragma once

#include <chainrule/tape/compiled/hessian.hpp>
#include <chainrule/tape/compiled/points.hpp>
#include <chainrule/tape/compiled/recorded_program.hpp>
#include <chainrule/tape/compiled/shared_library.hpp>
#include <chainrule/tape/compiled/sparsity.hpp>
#include <chainrule/tape/replay/sparsity.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace chainrule::tape::replays {

/// The functions of the library; those that were not requested are null. Copies share the library.
struct compiled_programs {
    /// Takes the point, nothing, and the memory for the results, behind which it writes what the code read.
    using code = void(const double*, const double*, double*);
    /// The same with the memory for a Hessian.
    using code_of_hessian = void(const double*, const double*, double*, double*);

    libraries::made_library library;
    code *values = nullptr, *derivatives = nullptr, *sparse_jacobian = nullptr, *sparse_hessian = nullptr,
         *values_at_points = nullptr, *derivatives_at_points = nullptr;
    /// The same for a point and, after it, a direction or weights.
    code *jvp = nullptr, *vjp = nullptr, *hvp = nullptr;
    code_of_hessian* hessians = nullptr;
    std::shared_ptr<compiled_sparsity> sparsity; // null without sparse derivatives

    /// Compiles a recording; `one`: whether its function returns one number.
    compiled_programs(const program<double>& recording, bool one, const compile_options& options) {
        if (options.hessians && !one)
            core::raise(std::invalid_argument("compile: .hessians = true, but the function returns a list of numbers, "
                                              "which has no Hessian; leave it out, or return one number"));
        const recorded_graph graph = graph_builder(recording).take();
        const std::size_t inputs = recording.inputs, outputs = recording.outputs.size(),
                          readings = recording.readings.size();
        std::vector<libraries::source> sources;
        std::vector<int> functions; // without code in C
        const auto add = [&](const char* name, unsigned request, const std::vector<int>& places = {}) {
            codegen::unpacked_program made = program_of(graph, request);
            add_functions_without_code(made, functions);
            if (!places.empty()) place_outputs(made, places);
            sources.push_back({name, text_with_vectors(codegen::packed_now(made), made, name, graph, request)});
            if (const bool one_row =
                    request == request::values || (one && request == (request::values | request::jacobians));
                options.points && places.empty() && one_row) {
                const std::size_t results = outputs * (request == request::values ? 1 : 1 + inputs) + readings;
                const std::string at_points = std::string(name) + "_at_points";
                sources.push_back({at_points, text_at_points(made, at_points, name, graph, request, results)});
            }
        };
        add("f_values", request::values);
        if (one || !options.sparse) add("f_derivatives", request::values | request::jacobians);
        if (options.hessians && !options.sparse)
            sources.push_back({"f_hessians", hessian_in_c(graph, "f_hessians", functions)});
        if (options.products) {
            add("f_jvp", request::tangents);
            add("f_vjp", request::cotangents);
            if (options.hessians) add("f_hvp", request::hessian_products);
        }
        if (options.sparse) {
            sparsity = std::make_shared<compiled_sparsity>();
            sparsity->find_jacobian(program_statements<double>(recording).jacobian(), readings);
            add("f_sparse_jacobian", request::values | request::jacobians, sparsity->jacobian_places);
            if (options.hessians) {
                sparsity->find_hessian(program_statements<double>(recording).hessian(), readings);
                add("f_sparse_hessian", request::values | request::jacobians | request::hessians,
                    sparsity->hessian_places);
            }
        }
        make(std::move(sources), functions, options);
        find(one, options);
    }

private:
    // Compiles the sources, with definitions of the functions that are in this program.
    void make(std::vector<libraries::source> sources, const std::vector<int>& functions,
              const compile_options& options) {
        std::vector<called_function> called;
        for (const int i : functions) {
            const std::string name = detail::rows_of_table[i].name;
            const auto found = std::ranges::find_if(options.functions, [&](const auto& f) { return f.name == name; });
            if (found == options.functions.end())
                core::raise(std::invalid_argument(
                    "compile: the function or its derivatives call '" + name +
                    "', which has no code in C; let the code call this program: compile(r, {.functions = "
                    "tape::special_functions()}), or replay the recording"));
            called.push_back(*found);
        }
        if (!called.empty()) sources.push_back({"f_functions", definitions_by_pointers(functions)});
        library = libraries::made(sources, options);
        for (const called_function& f : called)
            library.loaded->set("chainrule_" + std::string(f.name) + "_of_program", f.address);
    }
    void find(bool one, const compile_options& options) {
        const auto function = [this](const char* name) { return library.loaded->template function<code>(name); };
        values = function("f_values");
        if (one || sparsity == nullptr) derivatives = function("f_derivatives");
        if (options.hessians && sparsity == nullptr)
            hessians = library.loaded->template function<code_of_hessian>("f_hessians");
        if (options.products) {
            jvp = function("f_jvp");
            vjp = function("f_vjp");
            if (options.hessians) hvp = function("f_hvp");
        }
        if (options.points) values_at_points = function("f_values_at_points");
        if (options.points && one) derivatives_at_points = function("f_derivatives_at_points");
        if (sparsity == nullptr) return;
        sparse_jacobian = function("f_sparse_jacobian");
        if (!sparsity->hessian_places.empty()) sparse_hessian = function("f_sparse_hessian");
    }
};

} // namespace chainrule::tape::replays
