// SPDX-License-Identifier: BSL-1.0
//
// Files of arrays: written, read, and kept as they were where writing fails.
#include "catch.hpp"
#include "scratch_folder.hpp"
#include "sentence.hpp"
#include "archives.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#if defined(__unix__)
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#if defined(__linux__)
#include <sys/file.h>
#include <sys/syscall.h>

namespace {
std::function<int(int, int)> instead_of_flock;
}
/// Locks as the C library does, or as a test wants it.
extern "C" int flock(int file, int operation) noexcept {
    if (const auto instead = instead_of_flock) return instead(file, operation); // a copy: it may end itself
    return static_cast<int>(syscall(SYS_flock, file, operation));
}
#endif

namespace {

namespace fs = std::filesystem;

bytes contents(const fs::path& path) { return read_whole_file(path, {"test", path.string()}); }

} // namespace

TEST_CASE("files are written and read", "[tensor][archive]") {
    const scratch_folder work;
    write_npz(work.path / "weights.npz", small());
    CHECK(read_npz(work.path / "weights.npz") == small());
    CHECK(contents(work.path / "weights.npz") == encoded(small()));
    CHECK(read_npz(work.path / "weights.npz").source() == (work.path / "weights.npz").string());
    CHECK(work.files() == 1);

    const stored_array one({2, 2}, std::vector<float>{1, 2, 3, 4});
    write_npy(work.path / "w.npy", one);
    CHECK(read_npy(work.path / "w.npy") == one);

    std::vector<double> many(100000);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = 1.0 / static_cast<double>(i + 1);
    archive large;
    large.add("many", {100, 1000}, many);
    write_npz(work.path / "weights.npz", large);
    CHECK(read_npz(work.path / "weights.npz") == large);
}

TEST_CASE("files that cannot be opened", "[tensor][archive]") {
    const scratch_folder work;
    CHECK(contains(sentence_of([&] { (void)read_npz(work.path / "none.npz"); }),
                   "none.npz cannot be opened (No such file or directory)"));
    CHECK(contains(sentence_of([&] { (void)read_npz(work.path); }), "is a folder; give the name of a file"));
    CHECK(contains(sentence_of([&] { write_npz(work.path / "none" / "w.npz", small()); }),
                   "w.npz cannot be written (No such file"));
    CHECK(contains(sentence_of([&] { write_npz(work.path, small()); }),
                   "is not a regular file and has not been changed"));
    CHECK(fs::is_directory(work.path));
    const std::string nameless = " does not name a file; give the name of one";
    CHECK(sentence_of([&] { write_npz("", small()); }) == "write_npz: ''" + nameless);
    CHECK(contains(sentence_of([&] { write_npz(work.path / "folder" / "", small()); }), "folder/" + nameless));
    CHECK(contains(sentence_of([] { (void)read_npz(""); }), "read_npz: '' cannot be opened"));
    CHECK(work.files() == 0);
}

#if defined(__unix__)
TEST_CASE("a failed write leaves the old file and nothing else", "[tensor][archive]") {
    const scratch_folder work;
    const fs::path file = work.path / "weights.npz";
    write_npz(file, small());
    const bytes before = contents(file);
    archive large;
    large.add("many", {200000}, std::vector<double>(200000, 1.5));

    // As if the disk were full after 100000 bytes.
    rlimit old{};
    getrlimit(RLIMIT_FSIZE, &old);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small_files{100000, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small_files);
    const std::string sentence = sentence_of([&] { write_npz(file, large); });
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, old_handler);

    CHECK(contains(sentence, "weights.npz is not written (File too large) and is as it was before"));
    CHECK(contents(file) == before);
    CHECK(work.files() == 1);

    // An archive that has no encoding fails with the file open already.
    archive deep;
    deep.add("w", std::vector<std::size_t>(33, 1), std::vector<float>{1});
    CHECK_THROWS_AS(write_npz(file, deep), archive_error);
    CHECK(contents(file) == before);
    CHECK(work.files() == 1);
}

#if !defined(CHAINRULE_TEST_SANITIZED) // whose allocator ends the program instead
TEST_CASE("a file larger than the memory", "[tensor][archive]") {
    const scratch_folder work;
    work.put("large.npz", "PK\3\4");
    fs::resize_file(work.path / "large.npz", std::uintmax_t{1} << 33); // takes no room on the disk
    rlimit old{};
    getrlimit(RLIMIT_AS, &old);
    const rlimit little{rlim_t{1} << 32, old.rlim_max};
    setrlimit(RLIMIT_AS, &little);
    const std::string sentence = sentence_of([&] { (void)read_npz(work.path / "large.npz"); });
    setrlimit(RLIMIT_AS, &old);
    CHECK(contains(sentence, "large.npz is too large for the memory; give the right file, or a machine with more"));
}
#endif

TEST_CASE("links stay links, rights stay rights, devices stay devices", "[tensor][archive]") {
    const scratch_folder work;
    write_npz(work.path / "weights.npz", small());
    fs::permissions(work.path / "weights.npz", fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("weights.npz", work.path / "latest.npz");
    archive other;
    other.add("x", {1}, std::vector<float>{1});
    write_npz(work.path / "latest.npz", other);
    CHECK(fs::is_symlink(work.path / "latest.npz"));
    CHECK(read_npz(work.path / "weights.npz") == other);
    CHECK(fs::status(work.path / "weights.npz").permissions() == (fs::perms::owner_read | fs::perms::owner_write));

    // A link to a file that does not exist yet, in another folder; and a link to itself.
    fs::create_directory(work.path / "later");
    fs::create_symlink("later/next.npz", work.path / "next.npz");
    fs::create_symlink(work.path / "next.npz", work.path / "next_of_next.npz");
    write_npz(work.path / "next_of_next.npz", other);
    CHECK(fs::is_symlink(work.path / "next_of_next.npz"));
    CHECK(fs::is_symlink(work.path / "next.npz"));
    CHECK(read_npz(work.path / "later" / "next.npz") == other);
    fs::create_symlink("loop.npz", work.path / "loop.npz");
    CHECK(contains(sentence_of([&] { write_npz(work.path / "loop.npz", other); }),
                   "loop.npz is a link to itself; give another name"));
    CHECK(fs::is_symlink(work.path / "loop.npz"));

    CHECK(contains(sentence_of([] { write_npz("/dev/null", small()); }), "/dev/null is not a regular file"));
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("what programs that were ended have left behind goes, what others write stays", "[tensor][archive]") {
    const scratch_folder work;
    const fs::path file = work.path / "weights.npz";
    for (int i = 0; i < 1000; ++i) work.put("weights.npz.partial" + std::to_string(i), "rest");
    fs::permissions(work.path / "weights.npz.partial0", fs::perms::owner_read);
    write_npz(file, small());
    CHECK(read_npz(file) == small());
    CHECK(work.files() == 1000);
    for (int i = 1; i < 1000; ++i) fs::remove(work.path / ("weights.npz.partial" + std::to_string(i)));
    {
        // Two at once, and one that fails.
        const origin to{"write_npz", "weights.npz"};
        file_replacement first(file, to), second(file, to);
        {
            const file_replacement third(file, to);
        }
        CHECK(work.files() == 3);
        first.write(std::as_bytes(std::span("first", 5)));
        second.write(std::as_bytes(std::span("second", 6)));
        second.commit();
        CHECK(contents(file).size() == 6);
        first.commit();
        CHECK(contents(file).size() == 5);
    }
    CHECK(work.files() == 1);
    // Folders and links of that name are left alone.
    fs::create_directory(work.path / "weights.npz.partial0");
    fs::create_symlink("weights.npz", work.path / "weights.npz.partial1");
    write_npz(file, small());
    CHECK(fs::is_directory(work.path / "weights.npz.partial0"));
    CHECK(fs::is_symlink(work.path / "weights.npz.partial1"));
    CHECK(read_npz(file) == small());
    CHECK(work.files() == 3);
}

#if defined(__linux__)
TEST_CASE("programs that write one file at once all write it", "[tensor][archive]") {
    const scratch_folder work;
    const fs::path file = work.path / "weights.npz", partial = work.path / "weights.npz.partial0";
    // The other one finishes just when its partial file is found: before it is locked, and after.
    for (const bool is_locked : {false, true}) {
        work.put("weights.npz.partial0", "of another");
        instead_of_flock = [&](int locked, int operation) {
            instead_of_flock = nullptr;
            fs::rename(partial, file);
            if (!is_locked) return flock(locked, operation);
            errno = EWOULDBLOCK;
            return -1;
        };
        write_npz(file, small());
        CHECK(!instead_of_flock);
        CHECK(read_npz(file) == small());
        CHECK(work.files() == 1);
    }
}

TEST_CASE("files are written where there are no locks", "[tensor][archive]") {
    const scratch_folder work;
    const fs::path file = work.path / "weights.npz";
    work.put("weights.npz.partial0", "perhaps of another");
    instead_of_flock = [](int, int) {
        errno = ENOLCK;
        return -1;
    };
    write_npz(file, small());
    write_npz(file, small());
    instead_of_flock = nullptr;
    CHECK(read_npz(file) == small());
    CHECK(work.files() == 2);
}
#endif

TEST_CASE("a program that is killed while it writes leaves one file, which the next write removes",
          "[tensor][archive]") {
    const scratch_folder work;
    const fs::path file = work.path / "weights.npz";
    for (int i = 0; i < 3; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            file_replacement unfinished(file, {"write_npz", "weights.npz"});
            unfinished.write(std::as_bytes(std::span("half", 4)));
            std::raise(SIGKILL);
        }
        REQUIRE(child > 0);
        CHECK(waitpid(child, nullptr, 0) == child);
        CHECK(work.files() == 1);
    }
    write_npz(file, small());
    CHECK(read_npz(file) == small());
    CHECK(work.files() == 1);
}
#endif

TEST_CASE("names and paths are printable in every sentence, and short", "[tensor][archive]") {
    CHECK(files::printable("a\x1b[31m\n\x7f\xff\xc2\x9b") == "a\\x1b[31m\\x0a\\x7f\\xff\\xc2\\x9b");
    CHECK(files::printable("größe 重み 'w'") == "größe 重み 'w'");
    CHECK(files::printable(std::string(240, 'n')) == std::string(240, 'n'));
    CHECK(files::printable(std::string(241, 'n')) == std::string(120, 'n') + "..." + std::string(100, 'n'));
    std::string wide;
    for (int i = 0; i < 1000; ++i) wide += "重";
    CHECK(files::is_utf8(files::printable(wide)));
    CHECK(files::is_utf8(files::printable("x" + wide)));
    CHECK(files::is_utf8(files::printable(std::string(1000, '\x9b'))));
    CHECK(files::printable(std::string(1000, '\x9b')).size() < 300);

    const std::string name = "\x1b[2J" + std::string(60000, 'n');
    const auto check = [](const std::string& sentence) {
        CAPTURE(sentence);
        CHECK_FALSE(sentence.empty());
        CHECK(sentence.size() < 700);
        CHECK(std::ranges::none_of(sentence, [](unsigned char c) { return c < 0x20 || c == 0x7f; }));
    };
    archive arrays(name);
    arrays.add(name, {1}, std::vector<float>{1});
    float number = 0;
    const auto into = [&](std::vector<std::size_t> shape) {
        return std::vector<destination<float>>{{name, std::move(shape), std::span(&number, 1)}};
    };
    check(sentence_of([&] { arrays.add(name, {1}, std::vector<float>{1}); }));
    check(sentence_of([&] { arrays.add(name + name, {1}, std::vector<float>{1}); }));
    check(sentence_of([&] { (void)arrays["\x1b[31m"]; }));
    check(sentence_of([&] { arrays.copy_to(std::vector<destination<float>>{}); }));
    check(sentence_of([&] { arrays.copy_to(into({2})); }));
    check(sentence_of([&] { (void)read_npz(name); }));
    check(sentence_of([&] { write_npz(name, arrays); }));
    bytes file = encoded(arrays);
    file[30 + name.size() + 4 + 128] ^= std::byte{1};
    check(sentence_of([&] { (void)decoded(file); }));
    const std::string header =
        "{'descr': '<" + std::string(30000, '\x1b') + "', 'fortran_order': False, 'shape': (1,), }\n";
    std::string array("\x93NUMPY\1\0", 8);
    array += {static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    check(sentence_of([&] { (void)decode_npy(files::npy::as_raw(array + header), {"read_npy", name}); }));
}
