// SPDX-License-Identifier: BSL-1.0
//
// Compiles C code as a shared library, loads it and keeps it: a folder of the user holds the libraries under a hash of
// everything that they depend on, and a program that needs one again loads it without a compiler.
#pragma once

#include <chainrule/tape/compiled/c_compiler.hpp>

#include <cfenv>
#include <chrono>
#include <dlfcn.h>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>

namespace chainrule::tape::libraries {

/// A loaded library.
class shared_library {
public:
    explicit shared_library(void* handle) : handle_(handle) {}
    ~shared_library() { dlclose(handle_); }
    shared_library(const shared_library&) = delete;
    shared_library& operator=(const shared_library&) = delete;

    template <class Function>
    [[nodiscard]] Function* function(const char* name) const {
        void* const found = dlsym(handle_, name);
        if (found == nullptr)
            core::raise(compile_error(std::string("compile: the library has no function '") + name +
                                      "'; delete it from the cache"));
        return reinterpret_cast<Function*>(found);
    }
    /// Sets a variable of the library.
    template <class Value>
    void set(const std::string& name, Value value) const {
        void* const found = dlsym(handle_, name.c_str());
        if (found == nullptr)
            core::raise(compile_error("compile: the library has no variable '" + name + "'; delete it from the cache"));
        *static_cast<Value*>(found) = value;
    }

private:
    void* handle_;
};
using library = std::shared_ptr<const shared_library>;

/// A file of C.
struct source {
    std::string name;
    std::string text;
};
/// A library, and how it came into being.
struct made_library {
    library loaded;
    double seconds = 0; // of the compiler
    bool was_kept = false;
};

/// A folder that nobody else can read, which is deleted with what is in it.
class private_folder {
public:
    explicit private_folder(const std::filesystem::path& in) {
        std::string name = (in / "build-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            core::raise(compile_error("compile: no folder can be made in " + in.string() + ": " + std::strerror(errno) +
                                      "; choose another, as in compile(r, {.cache = \"/path\"})"));
        path_ = name;
    }
    ~private_folder() {
        std::error_code none;
        std::filesystem::remove_all(path_, none);
    }
    private_folder(const private_folder&) = delete;
    private_folder& operator=(const private_folder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

[[nodiscard]] inline std::filesystem::path default_cache() {
    // The specification of XDG: a relative path is invalid.
    if (const std::filesystem::path base = environment("XDG_CACHE_HOME"); base.is_absolute()) return base / "chainrule";
    if (const std::filesystem::path home = environment("HOME"); home.is_absolute())
        return home / ".cache" / "chainrule";
    return {};
}

/// Why a folder cannot be a cache: its libraries run, so nobody else may write them. Empty if it can.
[[nodiscard]] inline std::string fault_of_cache(const std::filesystem::path& folder) {
    std::error_code fault;
    std::filesystem::create_directories(folder.parent_path(), fault);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return std::string("cannot be made: ") + std::strerror(errno);
    struct stat about{};
    if (stat(folder.c_str(), &about) != 0) return std::strerror(errno);
    if (!S_ISDIR(about.st_mode)) return "is not a folder";
    if (about.st_uid != geteuid() || (about.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "can be written by others";
    if (access(folder.c_str(), W_OK | X_OK) != 0) return "cannot be written";
    return {};
}
/// The folder that keeps libraries, or an empty path for none. Throws compile_error if options.cache cannot be used.
[[nodiscard]] inline std::filesystem::path folder_of_cache(const compile_options& options) {
    if (!options.keep) return {};
    const bool asked = !options.cache.empty();
    std::filesystem::path folder = asked ? std::filesystem::absolute(options.cache) : default_cache();
    if (!folder.has_filename()) folder = folder.parent_path(); // "cache/"
    if (folder.empty()) return {};
    const std::string fault = fault_of_cache(folder);
    if (fault.empty()) return folder;
    if (asked)
        core::raise(compile_error("compile: the cache " + folder.string() + ' ' + fault +
                                  "; choose a folder of your own, or keep nothing: compile(r, {.keep = false})"));
    return {};
}

/// The end of a kept library: a checksum of the bytes before. Loaders read only the parts that the file lists at its
/// beginning, and loading a truncated file would end the program.
[[nodiscard]] inline std::string sum_of_bytes(std::string_view bytes) {
    hashed_text sum;
    sum.add(bytes);
    return "\nchainrule " + sum.text();
}
/// All bytes of a file, or none if it cannot be read to its end, as a folder of its name.
[[nodiscard]] inline std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf(); // sets the state where iterators throw
    return all ? std::move(all).str() : std::string();
}
/// Whether a file is a kept library, undamaged.
[[nodiscard]] inline bool is_whole(const std::filesystem::path& file) {
    const std::string all = bytes_of(file);
    const std::string_view view(all);
    const std::size_t length = sum_of_bytes({}).size();
    return view.size() > length &&
           sum_of_bytes(view.substr(0, view.size() - length)) == view.substr(view.size() - length);
}
/// Copies a library with its sum, by way of a file that another process does not look for: it sees the whole file or
/// none. A library that cannot be kept is compiled again.
inline void keep(const std::filesystem::path& built, const std::filesystem::path& by_way_of,
                 const std::filesystem::path& kept) {
    const std::string bytes = bytes_of(built);
    std::ofstream out(by_way_of, std::ios::binary);
    out << bytes << sum_of_bytes(bytes);
    out.close();
    std::error_code none;
    if (out) std::filesystem::rename(by_way_of, kept, none);
}

/// Loads a library. One that gcc compiled with -ffast-math turns off subnormal numbers in this thread when it is
/// loaded.
[[nodiscard]] inline library load(const std::filesystem::path& file) {
    std::fenv_t before;
    const bool known = std::fegetenv(&before) == 0;
    void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (known) std::fesetenv(&before);
    return handle == nullptr ? nullptr : std::make_shared<const shared_library>(handle);
}

/// Compiles the sources in a folder. Returns the library's path.
[[nodiscard]] inline std::filesystem::path compile_in(const std::filesystem::path& folder, const c_compiler& compiler,
                                                      const std::vector<source>& sources,
                                                      const compile_options& options) {
    std::vector<std::string> words = compiler.words;
    words.insert(words.end(), options.flags.begin(), options.flags.end());
    const std::filesystem::path result = folder / "library.so", messages = folder / "messages";
    for (const char* const word : {"-std=gnu11", "-w", "-fPIC", "-shared", "-o"}) words.emplace_back(word);
    words.push_back(result.string());
    for (const source& each : sources) {
        words.push_back((folder / (each.name + ".c")).string());
        std::ofstream out(words.back(), std::ios::binary);
        out << each.text;
        out.close();
        if (!out)
            core::raise(
                compile_error("compile: " + words.back() + " cannot be written; check that the disk is not full"));
    }
    words.emplace_back("-lm");
    int status = run_program(compiler.program, words, messages);
    if (std::error_code none; status == unknown_status) status = std::filesystem::exists(result, none) ? 0 : 1;
    if (status != 0)
        core::raise(
            compile_error("compile: " + compiler.words[0] +
                          (status < 0 ? " was ended by a signal" : " failed with status " + std::to_string(status)) +
                          "; see its messages, and the options .compiler and .flags:" + first_lines(messages)));
    return result;
}

/// The library of some sources: from the cache, or compiled.
[[nodiscard]] inline made_library made(const std::vector<source>& sources, const compile_options& options) {
    const c_compiler compiler = find_compiler(options);
    const std::filesystem::path cache = folder_of_cache(options);
    hashed_text key;
    add_machine(key, compiler, options);
    for (const source& each : sources) key.add(each.name), key.add(each.text);
    const std::filesystem::path kept = cache / (key.text() + ".so");
    if (!cache.empty() && is_whole(kept))
        if (library found = load(kept); found != nullptr) return {std::move(found), 0, true};

    const auto begin = std::chrono::steady_clock::now();
    std::error_code none;
    const std::filesystem::path elsewhere = std::filesystem::temp_directory_path(none);
    const private_folder folder(!cache.empty() ? cache : none ? std::filesystem::path("/tmp") : elsewhere);
    const std::filesystem::path built = compile_in(folder.path(), compiler, sources, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    library loaded = load(built);
    if (loaded == nullptr) {
        const char* const why = dlerror();
        core::raise(compile_error(std::string("compile: the compiled library cannot be loaded: ") +
                                  (why == nullptr ? "" : why) + "; see the options .compiler and .flags"));
    }
    if (!cache.empty()) keep(built, folder.path() / "kept.so", kept);
    return {std::move(loaded), seconds, false};
}

} // namespace chainrule::tape::libraries
