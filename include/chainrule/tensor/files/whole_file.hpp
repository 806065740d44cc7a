// SPDX-License-Identifier: BSL-1.0
//
// Reads whole files, and replaces files atomically: the new contents are written under another name, which is changed
// once they are on the disk.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/files/printable.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace chainrule::tensor {

/// Thrown if a file of arrays cannot be read or written, or does not have the expected contents. Nothing has changed
/// when it is thrown.
class archive_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The call and the file that error messages name.
struct origin {
    std::string call;    // read_npz
    std::string subject; // weights.npz

    /// Throws archive_error: "read_npz: weights.npz " and the fault and remedy.
    [[noreturn]] void refuse(const std::string& fault_and_remedy) const {
        core::raise(archive_error(call + ": " + subject_text() + ' ' + fault_and_remedy));
    }
    /// The same call about a part of it: "array 'w' in weights.npz".
    [[nodiscard]] origin part(const std::string& kind, const std::string& name) const {
        return {call, kind + ' ' + files::in_quotes(name) + " in " + subject_text(), true};
    }
    bool is_printable = false; // the subject, as it has been made so

private:
    [[nodiscard]] std::string subject_text() const {
        if (subject.empty()) return "''";
        return is_printable ? subject : files::printable(subject);
    }
};

namespace files {

/// A std::FILE that closes itself.
struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, close_file>;

/// The message of the operating system for an error number.
[[nodiscard]] inline std::string reason(int number) { return std::generic_category().message(number); }

} // namespace files

/// The contents of a file. Throws archive_error.
[[nodiscard]] inline std::vector<std::byte> read_whole_file(const std::filesystem::path& path, const origin& from) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) from.refuse("is a folder; give the name of a file");
    const files::open_file file(std::fopen(path.string().c_str(), "rb"));
    if (!file) from.refuse("cannot be opened (" + files::reason(errno) + "); check the name and the rights");

    CHAINRULE_TRY {
        std::vector<std::byte> bytes;
        const auto size = std::filesystem::file_size(path, error);
        if (!error) bytes.reserve(static_cast<std::size_t>(size) + 1);
        // The size is a hint: pipes have none, and a file may grow. The last read finds nothing.
        std::size_t used = 0;
        while (true) {
            bytes.resize(std::max({used + 1, bytes.capacity(), std::size_t{1} << 16}));
            used += std::fread(bytes.data() + used, 1, bytes.size() - used, file.get());
            if (std::ferror(file.get())) from.refuse("cannot be read (" + files::reason(errno) + "); check the disk");
            if (used < bytes.size()) break;
        }
        bytes.resize(used);
        return bytes;
    }
    CHAINRULE_CATCH(const std::bad_alloc&) {
        from.refuse("is too large for the memory; give the right file, or a machine with more");
    }
}

/// A new version of a file. It gets its name in commit(); until then, or if that is not reached, an existing file is
/// unchanged. Partial files of programs that were killed are removed, since their locks ended with them.
class file_replacement {
public:
    /// Throws archive_error if the folder is not writable, or if `path` is a folder or a device.
    file_replacement(const std::filesystem::path& path, origin to) : to_(std::move(to)), target_(path) {
        namespace fs = std::filesystem;
        std::error_code error;
        if (!path.has_filename()) to_.refuse("does not name a file; give the name of one");
        // The link stays one, also where what it names is yet to be written.
        for (int links = 0; fs::is_symlink(target_, error); ++links) {
            if (links == 40) to_.refuse("is a link to itself; give another name");
            const fs::path next = fs::read_symlink(target_, error);
            if (error) break;
            target_ = target_.parent_path() / next;
        }
        const fs::file_status old = fs::status(target_, error);
        if (fs::exists(old) && !fs::is_regular_file(old))
            to_.refuse("is not a regular file and has not been changed; give another name");

        for (int i = 0, fault = 0; !file_; ++i) {
            partial_ = target_;
            partial_ += ".partial" + std::to_string(i);
            file_ = created(partial_, fault);
            if (fault == 0 && i + 1 == 1000) fault = EEXIST;
            if (!file_ && fault != 0)
                to_.refuse("cannot be written (" + files::reason(fault) + "); check the folder and its rights");
        }
        if (fs::exists(old)) fs::permissions(partial_, old.permissions(), error);
    }
    file_replacement(const file_replacement&) = delete;
    file_replacement& operator=(const file_replacement&) = delete;
    ~file_replacement() {
        if (partial_.empty()) return;
#if !(defined(__unix__) || defined(__APPLE__))
        file_.reset(); // where an open file cannot be removed
#endif
        std::error_code ignored;
        std::filesystem::remove(partial_, ignored);
    }

    /// Appends bytes. Throws archive_error.
    void write(std::span<const std::byte> bytes) {
        if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
            refuse_to_write(errno);
    }
    /// Gives the file its name. Throws archive_error; then the old file still exists.
    void commit() {
        if (std::fflush(file_.get()) != 0) refuse_to_write(errno);
#if defined(__unix__) || defined(__APPLE__)
        // Otherwise the new name could reach the disk before the bytes, and a loss of power leave an empty file.
        if (fsync(fileno(file_.get())) != 0) refuse_to_write(errno);
#else
        if (std::fclose(file_.release()) != 0) refuse_to_write(errno);
#endif
        std::error_code error;
        std::filesystem::rename(partial_, target_, error);
        if (error) refuse_to_write(error.value());
        partial_.clear();
        file_.reset();
    }

private:
#if defined(__unix__) || defined(__APPLE__)
    enum class lock { held, of_another, unknown };
    /// Locks an open file that has this name. It is another's where somebody else has locked it, or given it another
    /// name; nobody knows on a file system without locks.
    static lock lock_of(int number, const std::filesystem::path& path) {
        struct stat here{}, named{};
        if (flock(number, LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK ? lock::of_another : lock::unknown;
        const bool same = fstat(number, &here) == 0 && S_ISREG(here.st_mode) && lstat(path.c_str(), &named) == 0 &&
                          here.st_ino == named.st_ino && here.st_dev == named.st_dev;
        return same ? lock::held : lock::of_another;
    }
    /// Removes a file that nobody writes; returns whether it did.
    static bool removed_left_behind(const std::filesystem::path& path) {
        const int left = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (left < 0) return errno == ENOENT; // its writer has just finished
        const bool removable = lock_of(left, path) == lock::held && unlink(path.c_str()) == 0;
        close(left);
        return removable;
    }
    /// A new file of this name; none where there is one that somebody writes, or of another kind, or where `fault` says
    /// why not. Whoever writes a file holds its lock, and gives it another name or removes it before the lock ends.
    static files::open_file created(const std::filesystem::path& path, int& fault) {
        for (int attempt = 0; attempt < 100; ++attempt) {
            const int made = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (made >= 0) {
                if (lock_of(made, path) != lock::of_another)
                    if (files::open_file file{fdopen(made, "wb")}) return file;
                close(made); // somebody took the new file for one that was left behind
            } else if (errno != EEXIST) {
                fault = errno;
                return nullptr;
            } else if (!removed_left_behind(path)) {
                return nullptr;
            }
        }
        return nullptr;
    }
#else
    static files::open_file created(const std::filesystem::path& path, int& fault) {
        files::open_file file(std::fopen(path.string().c_str(), "wbx"));
        const int number = errno;
        std::error_code error;
        if (!file && !std::filesystem::exists(std::filesystem::symlink_status(path, error))) fault = number;
        return file;
    }
#endif
    origin to_;
    std::filesystem::path target_, partial_;
    files::open_file file_;

    [[noreturn]] void refuse_to_write(int number) const {
        to_.refuse("is not written (" + files::reason(number) +
                   ") and is as it was before; make room, or give another folder");
    }
};

} // namespace chainrule::tensor

#include <chainrule/core/names_end.inc>
