// SPDX-License-Identifier: BSL-1.0
//
// The C compiler of the machine (POSIX): which one it is, what its output depends on, and a call of it, without a
// shell.
#pragma once

#include <chainrule/core/hash.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/tape/recording/text_of_hash.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern "C" {
extern char** environ;
}

namespace chainrule::tape {

/// A recording could not be compiled: there is no compiler, it failed, or its output cannot be kept or loaded.
class compile_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A function of this program that compiled recordings call, by its name in the table.
struct called_function {
    const char* name;
    void (*address)(); // of a function of up to three doubles that returns one
};

/// How a recording is compiled.
struct compile_options {
    /// The C compiler, with leading flags if any; empty: what the environment variable CC names, or cc. No shell reads
    /// it.
    std::string compiler = {};
    /// As kernels are compiled: the compiler may contract a product and a sum. With -ffp-contract=off, values have the
    /// bits of the replay. Results are not collected into vectors, which takes longer: with AVX-512 a Hessian took 1.4
    /// times as long.
    std::vector<std::string> flags = {"-O3", "-march=native", "-fno-math-errno", "-fno-plt", "-fno-tree-slp-vectorize"};
    /// The folder that keeps the libraries, which only its owner may write; empty: $XDG_CACHE_HOME/chainrule or
    /// ~/.cache/chainrule.
    std::filesystem::path cache = {};
    /// Without it, the library is deleted once it is loaded.
    bool keep = true;
    /// Whether second derivatives are compiled too. For functions of one value.
    bool hessians = false;
    /// Whether sparse Jacobians are compiled too, and with .hessians sparse Hessians.
    bool sparse = false;
    /// Whether products with directions and weights are compiled too, and with .hessians those of the Hessian.
    bool products = false;
    /// Whether values and gradients at many points are compiled too, in SIMD lanes.
    bool points = false;
    /// The functions without code in C, which the compiled code calls in this program: special_functions().
    std::vector<called_function> functions = {};
};

namespace libraries {

[[nodiscard]] inline std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}
[[nodiscard]] inline std::vector<std::string> words_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

/// A compiler that exists, as the words that call it and the path of its program.
struct c_compiler {
    std::vector<std::string> words;
    std::filesystem::path program;
};

[[nodiscard]] inline std::filesystem::path find_program(const std::string& name) {
    const auto runs = [](const std::filesystem::path& p) {
        std::error_code none;
        return std::filesystem::is_regular_file(p, none) && access(p.c_str(), X_OK) == 0;
    };
    if (name.find('/') != std::string::npos) return runs(name) ? std::filesystem::path(name) : std::filesystem::path();
    std::istringstream folders(environment("PATH"));
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty() && runs(std::filesystem::path(folder) / name)) return std::filesystem::path(folder) / name;
    return {};
}
/// The compiler of some options. Throws compile_error if there is none.
[[nodiscard]] inline c_compiler find_compiler(const compile_options& options) {
    c_compiler found{words_of(options.compiler), {}};
    if (found.words.empty()) found.words = words_of(environment("CC"));
    if (found.words.empty()) found.words = {"cc"};
    found.program = find_program(found.words[0]);
    if (found.program.empty())
        core::raise(compile_error("compile: there is no C compiler '" + found.words[0] +
                                  "'; install one, name another, as in compile(r, {.compiler = \"clang\"}), or replay "
                                  "the recording"));
    return found;
}

/// A key of 128 bits.
class hashed_text {
public:
    void add(std::string_view text) {
        for (const char c : text) add_byte(static_cast<unsigned char>(c));
        add_byte(256); // so that "a" "bc" is not "ab" "c"
    }
    [[nodiscard]] std::string text() const { return text_of_hash(first_) + text_of_hash(second_); }

private:
    core::hash_value first_ = core::hash_of_no_bytes, second_ = 0x9E3779B97F4A7C15ull;

    void add_byte(unsigned c) {
        first_ = core::with_byte(first_, c);
        second_ = core::mix(second_, c);
    }
};

/// Adds what the machine code depends on besides the text: the program of the compiler, and the processor, for
/// -march=native.
inline void add_machine(hashed_text& to, const c_compiler& compiler, const compile_options& options) {
    std::error_code none;
    to.add(std::filesystem::canonical(compiler.program, none).string());
    struct stat program{};
    if (stat(compiler.program.c_str(), &program) == 0)
        to.add(std::to_string(program.st_size) + ' ' + std::to_string(program.st_mtime));
    for (const std::string& word : compiler.words) to.add(word);
    for (const std::string& flag : options.flags) to.add(flag);
    std::ifstream processor("/proc/cpuinfo");
    for (std::string line; std::getline(processor, line) && !line.empty();)
        if (line.rfind("model name", 0) == 0 || line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0)
            to.add(line);
}

/// The result of run_program where the process ignores SIGCHLD: the system forgets how its children ended.
inline constexpr int unknown_status = -2;

/// Runs a program, with nothing to read and its messages in a file. Returns its exit status, or -1 if it did not end by
/// itself.
[[nodiscard]] inline int run_program(const std::filesystem::path& program, const std::vector<std::string>& words,
                                     const std::filesystem::path& messages) {
    std::vector<std::string> kept(words);
    std::vector<char*> arguments;
    arguments.reserve(kept.size() + 1);
    for (std::string& word : kept) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    pid_t child = 0;
    const int failed = posix_spawn(&child, program.c_str(), &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0)
        core::raise(compile_error("compile: the compiler " + program.string() +
                                  " does not start: " + std::strerror(failed) + "; name another"));
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return errno == ECHILD ? unknown_status : -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The first lines of a file.
[[nodiscard]] inline std::string first_lines(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string lines;
    int count = 0;
    for (std::string line; count < 8 && std::getline(in, line); ++count) lines += "\n    " + line.substr(0, 400);
    return lines;
}

} // namespace libraries
} // namespace chainrule::tape
