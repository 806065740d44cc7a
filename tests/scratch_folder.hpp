// SPDX-License-Identifier: BSL-1.0
//
// A folder of its own for each test that writes files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

/// A new folder among the temporary files, removed at the end with its contents.
struct scratch_folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("chainrule_" + std::to_string(std::random_device{}()));

    scratch_folder() { std::filesystem::create_directory(path); }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    ~scratch_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }

    /// How many files there are.
    [[nodiscard]] std::size_t files() const {
        using entries = std::filesystem::directory_iterator;
        return static_cast<std::size_t>(std::distance(entries(path), entries()));
    }
    /// Writes a file.
    void put(const std::string& name, std::string_view content) const {
        std::ofstream(path / name, std::ios::binary)
            .write(content.data(), static_cast<std::streamsize>(content.size()));
    }
};
