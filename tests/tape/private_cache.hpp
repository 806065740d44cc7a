// SPDX-License-Identifier: BSL-1.0
//
// A folder for compiled libraries that a test makes and deletes, and whether there is a compiler to fill it.
#pragma once

#include "catch.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/compile.hpp>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>

class private_cache {
public:
    private_cache() {
        std::string name = (std::filesystem::temp_directory_path() / "chainrule-test-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~private_cache() { std::filesystem::remove_all(path_); }
    private_cache(const private_cache&) = delete;
    private_cache& operator=(const private_cache&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// Options that give the bits of a recording quickly.
    [[nodiscard]] chainrule::tape::compile_options options(bool hessians = false) const {
        chainrule::tape::compile_options o;
        o.flags = {"-O1", "-ffp-contract=off"};
        o.cache = path_;
        o.hessians = hessians;
        return o;
    }
    /// How many files and folders are in it.
    [[nodiscard]] std::size_t size() const {
        std::size_t count = 0;
        for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(path_)) ++count;
        return count;
    }

private:
    std::filesystem::path path_;
};

/// Whether there is a compiler; says so if not.
inline bool compiles() {
    try {
        static_cast<void>(chainrule::tape::libraries::find_compiler({}));
        return true;
    } catch (const chainrule::tape::compile_error& e) {
        // Without one by this name, the library has missed none.
        REQUIRE(std::system("cc --version > /dev/null 2>&1") != 0);
        WARN("left out: " << e.what());
        return false;
    }
}
