// SPDX-License-Identifier: BSL-1.0
//
// The bytes of arrays: a changed or shortened file is refused or gives the same arrays, for every byte and every
// length; each kind of foreign or damaged file has its sentence; every order, version and spelling of headers is read.
#include "catch.hpp"
#include "scratch_folder.hpp"
#include "sentence.hpp"
#include "archives.hpp"

#include <limits>
#include <string>
#include <utility>

namespace {

std::string fault_of(const bytes& file) {
    return sentence_of([&] { decoded(file); });
}

bytes npy_file(std::string header, const std::string& numbers, int version = 1) {
    std::string file = "\x93NUMPY";
    file += {static_cast<char>(version), '\0', static_cast<char>(header.size()), '\0'};
    if (version > 1) file += {'\0', '\0'};
    file += header + numbers;
    const auto raw = files::npy::as_raw(file);
    return {raw.begin(), raw.end()};
}
stored_array decoded_npy(const std::string& header, const std::string& numbers, int version = 1) {
    return decode_npy(npy_file(header, numbers, version), {"read_npy", "w.npy"});
}
std::string npy_fault(const std::string& header, const std::string& numbers, int version = 1) {
    return sentence_of([&] { decoded_npy(header, numbers, version); });
}

// A file with some bytes changed.
bytes with(bytes file, std::initializer_list<std::pair<std::size_t, int>> changes) {
    for (const auto& [at, value] : changes) file[at] = static_cast<std::byte>(value);
    return file;
}
std::size_t directory_of(const bytes& file) {
    return static_cast<std::size_t>(files::zip::integer_at(file, file.size() - 6, 4));
}

} // namespace

TEST_CASE("every flipped bit and every length is refused or harmless", "[tensor][archive][fuzz]") {
    const archive arrays = small();
    const bytes file = encoded(arrays);
    REQUIRE(file.size() < 1500);
    std::size_t refused = 0;
    const auto try_one = [&](const bytes& changed) {
        try {
            const archive read = decoded(changed);
            REQUIRE(read == arrays);
        } catch (const archive_error& e) {
            ++refused;
            const std::string sentence = e.what();
            REQUIRE(sentence.starts_with("read_npz: "));
            REQUIRE(contains(sentence, "weights.npz"));
            REQUIRE(contains(sentence, "; "));
        }
    };
    for (std::size_t length = 0; length < file.size(); ++length) {
        CAPTURE(length);
        const std::size_t before = refused;
        try_one(bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length)));
        REQUIRE(refused == before + 1);
    }
    refused = 0;
    for (std::size_t at = 0; at < file.size(); ++at)
        for (int mask = 1; mask < 256; ++mask) {
            CAPTURE(at, mask);
            bytes changed = file;
            changed[at] ^= static_cast<std::byte>(mask);
            try_one(changed);
        }
    // What may change are times, versions and attributes: 6 bytes in a header, 14 in an entry of the directory.
    CHECK(refused == (file.size() - 3 * (6 + 14)) * 255);

    // Bytes appended, taken out and doubled.
    refused = 0;
    for (std::size_t at = 0; at < file.size(); ++at) {
        CAPTURE(at);
        bytes shorter = file, longer = file;
        shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(at));
        longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(at), file[at]);
        try_one(shorter);
        try_one(longer);
    }
    CHECK(refused == 2 * file.size());
}

TEST_CASE("a .npy file is refused or has the shape of its header", "[tensor][archive][fuzz]") {
    const stored_array array({2, 3}, std::vector<float>{1, 2, 3, 4, 5, -6.5f});
    const scratch_folder work;
    write_npy(work.path / "w.npy", array);
    const bytes file = read_whole_file(work.path / "w.npy", {"test", "w.npy"});
    const origin from{"read_npy", "w.npy"};
    for (std::size_t length = 0; length < file.size(); ++length) {
        CAPTURE(length);
        REQUIRE_THROWS_AS(decode_npy(std::span(file).first(length), from), archive_error);
    }
    for (std::size_t at = 0; at < file.size(); ++at)
        for (int mask = 1; mask < 256; ++mask) {
            CAPTURE(at, mask);
            bytes changed = file;
            changed[at] ^= static_cast<std::byte>(mask);
            try {
                const stored_array read = decode_npy(changed, from);
                REQUIRE(read.bytes().size() == array.bytes().size());
            } catch (const archive_error& e) {
                REQUIRE(std::string(e.what()).starts_with("read_npy: w.npy "));
            }
        }
}

TEST_CASE("each kind of file that is not an archive of arrays has its sentence", "[tensor][archive]") {
    const bytes file = encoded(small());
    const std::size_t directory = directory_of(file);
    CHECK(fault_of({}) ==
          "read_npz: weights.npz ends before its directory; it is truncated or not a .npz file, save it again");
    CHECK(fault_of(bytes(file.begin(), file.end() - 1)) == fault_of({}));
    const auto text = files::npy::as_raw("layer1.weight = 3\n");
    CHECK(fault_of({text.begin(), text.end()}) ==
          "read_npz: weights.npz is not a .npz file; give a file of write_npz or numpy.savez");
    CHECK(fault_of(npy_file("{}", "")) == "read_npz: weights.npz is one array without a name; read it by read_npy");
    CHECK(fault_of(with(file, {{30 + 5 + 128, 1}})) ==
          "read_npz: member 'w.npy' in weights.npz is damaged, since its checksum "
          "does not match; restore a copy or save it again");
    CHECK(fault_of(with(file, {{30, 'v'}})) ==
          "read_npz: weights.npz contradicts itself; it is damaged, restore a copy or save it again");
    CHECK(fault_of(with(file, {{8, 8}, {directory + 10, 8}})) ==
          "read_npz: member 'w.npy' in weights.npz is compressed (method 8); save it by numpy.savez, not by "
          "numpy.savez_compressed");
    CHECK(fault_of(with(file, {{6, 1}, {directory + 8, 1}})) ==
          "read_npz: member 'w.npy' in weights.npz is encrypted; save it without a password");
    CHECK(fault_of(with(
              file, {{directory + 24, 255}, {directory + 25, 255}, {directory + 26, 255}, {directory + 27, 255}})) ==
          "read_npz: weights.npz is larger than 4 GB or has more than 65534 arrays (zip64); save the arrays in several "
          "files");
    CHECK(
        fault_of(with(file, {{30 + 4, 'z'}, {directory + 46 + 4, 'z'}})) ==
        "read_npz: member 'w.npz' in weights.npz is not an array, since its name does not end in .npy; give a file of "
        "arrays only");
    CHECK(fault_of(with(file, {{30, 0xff}, {directory + 46, 0xff}})) ==
          "read_npz: weights.npz has an array whose name is empty or not UTF-8; save it again under another name");

    archive twins;
    twins.add("a", {1}, std::vector<float>{1});
    twins.add("b", {1}, std::vector<float>{2});
    const bytes two = encoded(twins);
    const std::size_t second = (directory_of(two)) / 2, end = directory_of(two);
    CHECK(fault_of(with(two, {{second + 30, 'a'}, {end + 46 + 5 + 46, 'a'}})) ==
          "read_npz: weights.npz has two arrays named 'a'; save it again under different names");
    // Both entries of the directory point to the first member.
    bytes shared = with(two, {{end + 46 + 5 + 46, 'a'}});
    std::copy(shared.begin() + static_cast<std::ptrdiff_t>(end), shared.begin() + static_cast<std::ptrdiff_t>(end + 51),
              shared.begin() + static_cast<std::ptrdiff_t>(end + 51));
    CHECK(contains(fault_of(shared), "two arrays"));
}

TEST_CASE("each fault of an array has its sentence", "[tensor][archive]") {
    const std::string four(4, '\0');
    CHECK(npy_fault("{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }", four) ==
          "read_npy: w.npy has elements of the type '<c16'; save it as bool, an integer, float32 or float64, as by "
          "astype(numpy.float32)");
    CHECK(npy_fault("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }", four) ==
          "read_npy: w.npy has elements of several fields; save each field as an array of its own");
    CHECK(npy_fault("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", four, 4) ==
          "read_npy: w.npy is of the .npy version 4.0, and 1.0 to 3.0 are known; save it again with a usual version of "
          "numpy");
    CHECK(npy_fault("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", four) ==
          "read_npy: w.npy has 4 bytes of numbers where the shape (2, 3) of float32 needs 24; it is damaged, save it "
          "again");
    CHECK(contains(npy_fault("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387905,), }", four),
                   "needs more than there can be"));
    CHECK(npy_fault("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", four) ==
          "read_npy: w.npy claims more numbers than there can be; it is damaged, save it again");
    CHECK(npy_fault("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }", std::string("\1\0\2\0", 4)) ==
          "read_npy: w.npy has a bool that is neither true nor false; it is damaged, save it again");
    const auto fault_of_axes = [&](int count) {
        std::string axes;
        for (int i = 0; i < count; ++i) axes += "1,";
        return npy_fault("{'descr': '<f4', 'fortran_order': True, 'shape': (" + axes + "), }", four);
    };
    CHECK(fault_of_axes(32).empty());
    CHECK(fault_of_axes(33) ==
          "read_npy: w.npy has more than 32 axes, which is the most that are read; reshape it before it is saved");
    for (const char* header : {"", "{", "{}", "{'descr': '<f4', 'fortran_order': False}",
                               "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
                               "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "{'descr: 1",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} {"}) {
        CAPTURE(header);
        CHECK(npy_fault(header, four) == "read_npy: w.npy has an invalid header; save it again");
    }
    CHECK(sentence_of([] { (void)decode_npy(encoded(small()), {"read_npy", "w.npy"}); }) ==
          "read_npy: w.npy is an archive of arrays; read it by read_npz");
    CHECK(sentence_of([] { (void)decode_npy(files::npy::as_raw("x"), {"read_npy", "w.npy"}); }) ==
          "read_npy: w.npy is not a .npy file; give a file of numpy.save or numpy.savez");
    CHECK(sentence_of([] { (void)decode_npy({}, {"read_npy", "w.npy"}); }) ==
          "read_npy: w.npy ends within its header; it is truncated, save it again");
}

TEST_CASE("orders, versions and spellings of headers", "[tensor][archive]") {
    using numbers = std::vector<std::int16_t>;
    const std::string little("\1\0\2\0\3\0\4\0\5\0\6\0", 12), big("\0\1\0\2\0\3\0\4\0\5\0\6", 12);
    for (const int version : {1, 2, 3}) {
        CAPTURE(version);
        const stored_array c =
            decoded_npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n", little, version);
        CHECK(c.to<std::int16_t>() == numbers{1, 2, 3, 4, 5, 6});
        CHECK(c.shape() == std::vector<std::size_t>{2, 3});
    }
    CHECK(decoded_npy("{'descr': '>i2', 'fortran_order': False, 'shape': (6,)}", big).to<std::int16_t>() ==
          numbers{1, 2, 3, 4, 5, 6});
    CHECK(decoded_npy("{\"shape\":(2L,3L),\"fortran_order\":True,\"descr\":\">i2\"}", big).to<std::int16_t>() ==
          numbers{1, 3, 5, 2, 4, 6});
    CHECK(decoded_npy("{'descr': '<i2', 'fortran_order': True, 'shape': (1, 2, 3), }", little).to<std::int16_t>() ==
          numbers{1, 3, 5, 2, 4, 6});
    CHECK(decoded_npy("{'descr': '<i2', 'fortran_order': True, 'shape': (3, 1, 2, 1), }", little).to<std::int16_t>() ==
          numbers{1, 4, 2, 5, 3, 6});
    CHECK(decoded_npy("{'descr': '|i1', 'fortran_order': True, 'shape': (0, 5), }", "").size() == 0);
    CHECK(decoded_npy("{'descr': '=u1', 'fortran_order': False, 'shape': (), }", "\x7f").to<int>() ==
          std::vector<int>{127});
}

TEST_CASE("what a zip archive has no room for", "[tensor][archive]") {
    const origin to{"write_npz", "weights.npz"};
    std::vector<files::zip::directory_entry> members(3, {.name = "w.npy", .size = std::uint64_t{1} << 31});
    CHECK(sentence_of([&] { files::zip::lay_out(members, to); }) ==
          "write_npz: weights.npz would be larger than 4 GB, which "
          "is the most that a zip archive without extensions has; "
          "save the arrays in several files");
    members.resize(1);
    CHECK(files::zip::lay_out(members, to) == (std::uint64_t{1} << 31) + 35);
    members[0].size = std::numeric_limits<std::uint64_t>::max();
    CHECK_THROWS_AS(files::zip::lay_out(members, to), archive_error);
    members.assign(65535, {.name = "w.npy", .size = 1});
    CHECK(sentence_of([&] { files::zip::lay_out(members, to); }) ==
          "write_npz: weights.npz would have 65535 arrays, and at most 65534 fit in; save them in several files");
}
