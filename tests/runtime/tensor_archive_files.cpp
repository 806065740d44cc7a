// SPDX-License-Identifier: BSL-1.0
//
// Files of arrays: written, read, and kept as they were where writing fails.
#include "../catch.hpp"
#include "../scratch_folder.hpp"
#include "../sentence.hpp"
#include "archives.hpp"

#include <filesystem>
#include <string>

#if defined(__unix__)
#include <csignal>
#include <sys/resource.h>
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
    CHECK(contains(sentence_of([&] { write_npz(work.path, small()); }), "is no plain file, and is left as it is"));
    CHECK(fs::is_directory(work.path));
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

    // The disk is full, as it were, after 100000 bytes.
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

#if !defined(__SANITIZE_ADDRESS__) // whose allocator ends the program instead
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

    // The rest of an interrupted write is in nobody's way.
    work.put("weights.npz.partial0", "rest");
    write_npz(work.path / "weights.npz", small());
    CHECK(read_npz(work.path / "weights.npz") == small());
    CHECK(contents(work.path / "weights.npz.partial0").size() == 4);

    CHECK(contains(sentence_of([] { write_npz("/dev/null", small()); }), "/dev/null is no plain file"));
    CHECK(fs::is_character_file("/dev/null"));
}
#endif
