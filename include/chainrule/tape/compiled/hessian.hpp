// SPDX-License-Identifier: BSL-1.0
//
// The C function of a recording's Hessian: both halves, in memory of its own, by instructions on vectors where these
// are fewer. As kernels do, it fills a matrix that is mostly zero before it writes the other elements.
#pragma once

#include <chainrule/tape/compiled/recorded_program.hpp>
#include <chainrule/tape/compiled/tangents_in_vectors.hpp>

#include <string>
#include <utility>
#include <vector>

namespace chainrule::tape::replays {

/// A program in C, on vectors if there is such a program and the compiler has them.
[[nodiscard]] inline std::string text_with_vectors(const codegen::unpacked_vector_program& on_vectors,
                                                   const codegen::unpacked_program& p, const char* name,
                                                   const recorded_graph& of, unsigned request,
                                                   int first_of_matrix = detail::no_matrix) {
    const auto text = [&](const auto& program) {
        return replays::text_in_c(program, name, of, request, true, instructions_of_c_function, first_of_matrix);
    };
    if (on_vectors.size == 0) return text(p);
    return "#if defined(__GNUC__) && !defined(CHAINRULE_NO_VECTORS)\n" + text(on_vectors) + "#else\n" + text(p) +
           "#endif\n";
}

/// Writes the C function of a Hessian.
class hessian_writer {
public:
    /// For the program of the value, the gradient, the upper triangle and what the recording read. The elements do not
    /// continue the numbers of the other outputs, which are in memory of their own: one store might write both.
    hessian_writer(codegen::unpacked_program&& p, const recorded_graph& of)
        : p_(std::move(p)), of_(of), n_(of.inputs), first_(2 + n_ + of.readings.size()) {
        p_.output_count = 0; // which a comment would list
        for (int i = 0; i < n_; ++i)
            for (int j = i; j < n_; ++j) elements_.push_back({i, j});
        std::size_t zeros = 0;
        for (const codegen::instruction& s : p_.body)
            if (is_element(s) && is_zero(s)) {
                element& e = element_of(s);
                e.zero = true;
                zeros += e.row == e.column ? 1 : 2;
            }
        filled_ = codegen::is_filled_with_zeros(zeros, static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_));
        for (codegen::instruction& s : p_.body) place(s);
    }

    /// The text of the function: it takes the point, nothing, the memory for the value, the gradient and what the
    /// recording read, and that for the Hessian. Adds the functions without code in C.
    [[nodiscard]] std::string write(const std::string& name, std::vector<int>& functions) const {
        constexpr unsigned request = request::values | request::jacobians;
        replays::add_functions_without_code(p_, functions);
        const codegen::unpacked_program gradient = replays::program_of(of_, request);
        codegen::unpacked_vector_program on_vectors =
            tangents_in_vectors(gradient, n_, first_, filled_).write(p_.size - left_out_);
        if (on_vectors.size != 0)
            replays::add_functions_without_code(gradient, functions);
        else
            on_vectors = codegen::packed_now(p_);
        const std::string upper = name + "_upper";
        std::string text = replays::text_with_vectors(on_vectors, p_, upper.c_str(), of_, request, first_);
        const std::string begin = "\nvoid " + upper, hidden = "\nstatic void " + upper;
        for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + hidden.size()))
            text.replace(at, begin.size(), hidden);
        text += "\n#include <string.h>\n\nvoid " + name +
                "(const double *restrict in, const double *restrict numbers, double *restrict out, double *restrict "
                "matrix) {\n";
        if (filled_) text += "    memset(matrix, 0, " + std::to_string(n_ * n_) + " * sizeof *matrix);\n";
        return text + "    " + upper + "(in, numbers, out, matrix);\n" + lower_half() + "}\n";
    }

private:
    struct element {
        int row = 0, column = 0;
        bool zero = false; // for every input
    };

    codegen::unpacked_program p_;
    const recorded_graph& of_;
    int n_, first_;
    std::vector<element> elements_; // on and right of the diagonal
    bool filled_ = false;           // whether zeros are written first
    int left_out_ = 0;              // the instructions that wrote them

    [[nodiscard]] bool is_element(const codegen::instruction& s) const {
        return s.what == codegen::opcode::output && s.b > n_ && s.b <= n_ + static_cast<int>(elements_.size());
    }
    [[nodiscard]] bool is_zero(const codegen::instruction& s) const {
        return s.a < p_.constant_count && p_.constants[static_cast<std::size_t>(s.a)].is_zero();
    }
    [[nodiscard]] element& element_of(const codegen::instruction& s) {
        return elements_[static_cast<std::size_t>(s.b - 1 - n_)];
    }
    // Gives an output its place: elements come last, and those that are filled in are not written.
    void place(codegen::instruction& s) {
        if (s.what != codegen::opcode::output || s.b <= n_) return;
        if (!is_element(s)) {
            s.b -= static_cast<int>(elements_.size());
        } else if (const element& e = element_of(s); e.zero && filled_) {
            s.what = codegen::opcode::refresh;
            ++left_out_;
        } else {
            s.b = first_ + e.row * n_ + e.column;
        }
    }
    [[nodiscard]] std::string lower_half() const {
        if (!filled_) {
            const std::string n = std::to_string(n_);
            return "    for (int i = 1; i < " + n + "; ++i)\n        for (int j = 0; j < i; ++j) matrix[i * " + n +
                   " + j] = matrix[j * " + n + " + i];\n";
        }
        std::string text;
        for (const element& e : elements_)
            if (!e.zero && e.row != e.column)
                text += "    matrix[" + std::to_string(e.column * n_ + e.row) + "] = matrix[" +
                        std::to_string(e.row * n_ + e.column) + "];\n";
        return text;
    }
};

/// The C function of the Hessian of a recording of one value.
[[nodiscard]] inline std::string hessian_in_c(const recorded_graph& of, const std::string& name,
                                              std::vector<int>& functions) {
    constexpr unsigned request = request::values | request::jacobians | request::hessians;
    return hessian_writer(replays::program_of(of, request), of).write(name, functions);
}

} // namespace chainrule::tape::replays
