// SPDX-License-Identifier: BSL-1.0
//
// Arrays in files: what is written is read again; a changed or shortened file is refused or gives the same arrays, for every
// byte and every length; each kind of foreign file has its sentence; a failed write leaves the old file. What NumPy makes of
// the files is tested in tests/numpy.
#include "../catch.hpp"
#include "../sentence.hpp"

#include <chainrule/tensor/archive.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#if defined(__unix__)
#include <csignal>
#include <sys/resource.h>
#endif

namespace {

using namespace chainrule::tensor;
namespace fs = std::filesystem;
using bytes = std::vector<std::byte>;

// A folder of its own for each test, removed afterwards.
struct folder {
    fs::path path = fs::temp_directory_path() / ("chainrule_archive_" + std::to_string(std::random_device{}()));

    folder() { fs::create_directory(path); }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;
    ~folder() { fs::remove_all(path); }

    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
    }
};

bytes contents(const fs::path& path) { return read_whole_file(path, {"test", path.string()}); }
void put(const fs::path& path, std::span<const std::byte> content) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
}

bytes encoded(const archive& arrays) {
    bytes result;
    encode_npz(arrays, {"write_npz", "weights.npz"},
               [&](std::span<const std::byte> piece) { result.insert(result.end(), piece.begin(), piece.end()); });
    return result;
}
archive decoded(const bytes& file) { return decode_npz(file, {"read_npz", "weights.npz"}); }
std::string fault_of(const bytes& file) {
    return sentence_of([&] { decoded(file); });
}

archive small() {
    archive arrays;
    arrays.add("w", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, -6.5f});
    arrays.add("steps", {}, std::vector<std::int64_t>{12345678901234});
    arrays.add("mask", {3}, std::array<bool, 3>{true, false, true});
    return arrays;
}

template <class T>
void check_type(const char* name) {
    CAPTURE(name);
    using limits = std::numeric_limits<T>;
    const std::vector<T> numbers{limits::lowest(), limits::min(), T(0), T(1), limits::max()};
    archive arrays;
    arrays.add(name, {1, 5}, numbers);
    const archive read = decoded(encoded(arrays));
    CHECK(read == arrays);
    CHECK(names_of(read[name].type()).name == name);
    const std::span<const T> values = read[name].template values<T>();
    CHECK(std::vector<T>(values.begin(), values.end()) == numbers);
    CHECK(read[name].template to<T>() == numbers);
}

bytes npy_file(std::string header, const std::string& numbers, int version = 1) {
    std::string file = "\x93NUMPY";
    file += {static_cast<char>(version), '\0', static_cast<char>(header.size()), '\0'};
    if (version > 1) file += {'\0', '\0'};
    file += header + numbers;
    const auto raw = npy::as_raw(file);
    return {raw.begin(), raw.end()};
}
stored_array decoded_npy(const std::string& header, const std::string& numbers, int version = 1) {
    return npy::decode(npy_file(header, numbers, version), {"read_npy", "w.npy"});
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
    return static_cast<std::size_t>(zip::integer_at(file, file.size() - 6, 4));
}

} // namespace

TEST_CASE("arrays of every type and shape come back", "[tensor][archive]") {
    check_type<std::int8_t>("int8");
    check_type<std::int16_t>("int16");
    check_type<std::int32_t>("int32");
    check_type<std::int64_t>("int64");
    check_type<std::uint8_t>("uint8");
    check_type<std::uint16_t>("uint16");
    check_type<std::uint32_t>("uint32");
    check_type<std::uint64_t>("uint64");
    check_type<float>("float32");
    check_type<double>("float64");

    archive arrays = small();
    arrays.add("empty", {3, 0, 2}, std::vector<double>{});
    arrays.add("d\xc3\xa9j\xc3\xa0 vu/\xe6\x9d\x8e.npy", {1}, std::vector<long long>{-1});
    arrays.add("special", {4},
               std::vector<double>{std::numeric_limits<double>::infinity(), -0.0, std::numeric_limits<double>::denorm_min(),
                                   std::numeric_limits<double>::quiet_NaN()});
    arrays.add("axes", std::vector<std::size_t>(32, 1), std::vector<float>{7});
    CHECK(decoded(encoded(arrays)) == arrays);
    CHECK(decoded(encoded(archive())) == archive());
    CHECK(encoded(arrays) == encoded(decoded(encoded(arrays))));

    const archive read = decoded(encoded(arrays));
    CHECK(read.size() == 7);
    CHECK(read.begin()->name == "w");
    CHECK(read["w"].shape() == std::vector<std::size_t>{2, 3});
    CHECK(read["steps"].shape().empty());
    CHECK(read["steps"].size() == 1);
    CHECK(read["steps"].values<std::int64_t>()[0] == 12345678901234);
    CHECK(read["mask"].values<bool>()[2]);
    CHECK(read.contains("mask"));
    CHECK(!read.contains("mas"));
}

TEST_CASE("files are written and read", "[tensor][archive]") {
    const folder work;
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
    const folder work;
    write_npy(work.path / "w.npy", array);
    const bytes file = contents(work.path / "w.npy");
    const origin from{"read_npy", "w.npy"};
    for (std::size_t length = 0; length < file.size(); ++length) {
        CAPTURE(length);
        REQUIRE_THROWS_AS(npy::decode(std::span(file).first(length), from), archive_error);
    }
    for (std::size_t at = 0; at < file.size(); ++at)
        for (int mask = 1; mask < 256; ++mask) {
            CAPTURE(at, mask);
            bytes changed = file;
            changed[at] ^= static_cast<std::byte>(mask);
            try {
                const stored_array read = npy::decode(changed, from);
                REQUIRE(read.bytes().size() == array.bytes().size());
            } catch (const archive_error& e) {
                REQUIRE(std::string(e.what()).starts_with("read_npy: w.npy "));
            }
        }
}

TEST_CASE("each kind of file that is no archive of arrays has its sentence", "[tensor][archive]") {
    const bytes file = encoded(small());
    const std::size_t directory = directory_of(file);
    CHECK(fault_of({}) == "read_npz: weights.npz ends before its directory; it is truncated or no .npz file, save it again");
    CHECK(fault_of(bytes(file.begin(), file.end() - 1)) == fault_of({}));
    const auto text = npy::as_raw("layer1.weight = 3\n");
    CHECK(fault_of({text.begin(), text.end()}) ==
          "read_npz: weights.npz is no .npz file, since it does not begin as one; give a file of write_npz or numpy.savez");
    CHECK(fault_of(npy_file("{}", "")) == "read_npz: weights.npz is one array without a name; read it by read_npy");
    CHECK(fault_of(with(file, {{30 + 5 + 128, 1}})) == "read_npz: member 'w.npy' in weights.npz is damaged, since its checksum "
                                                      "does not match; restore a copy or save it again");
    CHECK(fault_of(with(file, {{30, 'v'}})) ==
          "read_npz: weights.npz contradicts itself; it is damaged, restore a copy or save it again");
    CHECK(fault_of(with(file, {{8, 8}, {directory + 10, 8}})) ==
          "read_npz: member 'w.npy' in weights.npz is compressed (method 8); save it by numpy.savez, not by numpy.savez_compressed");
    CHECK(fault_of(with(file, {{6, 1}, {directory + 8, 1}})) ==
          "read_npz: member 'w.npy' in weights.npz is encrypted; save it without a password");
    CHECK(fault_of(with(file, {{directory + 24, 255}, {directory + 25, 255}, {directory + 26, 255}, {directory + 27, 255}})) ==
          "read_npz: weights.npz is larger than 4 GB or has more than 65534 arrays (zip64); save the arrays in several files");
    CHECK(fault_of(with(file, {{30 + 4, 'z'}, {directory + 46 + 4, 'z'}})) ==
          "read_npz: member 'w.npz' in weights.npz is no array, since its name does not end in .npy; give a file of arrays only");
    CHECK(fault_of(with(file, {{30, 0xff}, {directory + 46, 0xff}})) ==
          "read_npz: weights.npz has an array whose name is empty or no UTF-8; save it again under another name");

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
          "read_npy: w.npy is of the .npy version 4.0, and 1.0 to 3.0 are known; save it again with a usual version of numpy");
    CHECK(npy_fault("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", four) ==
          "read_npy: w.npy has 4 bytes of numbers where the shape (2, 3) of float32 needs 24; it is damaged, save it again");
    CHECK(contains(npy_fault("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387905,), }", four),
                   "needs more than there can be"));
    CHECK(npy_fault("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", four) ==
          "read_npy: w.npy claims more numbers than there can be; it is damaged, save it again");
    CHECK(npy_fault("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }", std::string("\1\0\2\0", 4)) ==
          "read_npy: w.npy has a bool that is neither true nor false; it is damaged, save it again");
    for (const char* header :
         {"", "{", "{}", "{'descr': '<f4', 'fortran_order': False}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}", "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
          "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "{'descr: 1",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} {"}) {
        CAPTURE(header);
        CHECK(npy_fault(header, four) == "read_npy: w.npy has a broken header, which is none of NumPy; save it again");
    }
    CHECK(sentence_of([] { (void)npy::decode(encoded(small()), {"read_npy", "w.npy"}); }) ==
          "read_npy: w.npy is an archive of arrays; read it by read_npz");
    CHECK(sentence_of([] { (void)npy::decode(npy::as_raw("x"), {"read_npy", "w.npy"}); }) ==
          "read_npy: w.npy does not begin as an array of NumPy; give a file of numpy.save or numpy.savez");
    CHECK(sentence_of([] { (void)npy::decode({}, {"read_npy", "w.npy"}); }) ==
          "read_npy: w.npy ends within its header; it is truncated, save it again");
}

TEST_CASE("orders, versions and spellings of headers", "[tensor][archive]") {
    using numbers = std::vector<std::int16_t>;
    const std::string little("\1\0\2\0\3\0\4\0\5\0\6\0", 12), big("\0\1\0\2\0\3\0\4\0\5\0\6", 12);
    for (const int version : {1, 2, 3}) {
        CAPTURE(version);
        const stored_array c = decoded_npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n", little, version);
        CHECK(c.to<std::int16_t>() == numbers{1, 2, 3, 4, 5, 6});
        CHECK(c.shape() == std::vector<std::size_t>{2, 3});
    }
    CHECK(decoded_npy("{'descr': '>i2', 'fortran_order': False, 'shape': (6,)}", big).to<std::int16_t>() == numbers{1, 2, 3, 4, 5, 6});
    CHECK(decoded_npy("{\"shape\":(2L,3L),\"fortran_order\":True,\"descr\":\">i2\"}", big).to<std::int16_t>() ==
          numbers{1, 3, 5, 2, 4, 6});
    CHECK(decoded_npy("{'descr': '<i2', 'fortran_order': True, 'shape': (1, 2, 3), }", little).to<std::int16_t>() ==
          numbers{1, 3, 5, 2, 4, 6});
    CHECK(decoded_npy("{'descr': '<i2', 'fortran_order': True, 'shape': (3, 1, 2, 1), }", little).to<std::int16_t>() ==
          numbers{1, 4, 2, 5, 3, 6});
    CHECK(decoded_npy("{'descr': '|i1', 'fortran_order': True, 'shape': (0, 5), }", "").size() == 0);
    CHECK(decoded_npy("{'descr': '=u1', 'fortran_order': False, 'shape': (), }", "\x7f").to<int>() == std::vector<int>{127});
}

TEST_CASE("numbers are converted without loss, or not", "[tensor][archive]") {
    const stored_array doubles({3}, std::vector<double>{0.1, -2, 300});
    CHECK(doubles.to<float>() == std::vector<float>{0.1f, -2, 300});
    CHECK(sentence_of([&] { (void)doubles.to<int>(); }) ==
          "to: 0.100000 is no int32; convert to a type that has it, such as float64");
    CHECK(sentence_of([&] { (void)doubles.values<float>(); }) ==
          "values: the numbers are float64, not float32; ask for their type, or convert by to<T>()");
    const auto converts = []<class To, class From>(To, From x) {
        const stored_array one({}, std::array<From, 1>{x});
        try {
            return one.to<To>().at(0) == static_cast<To>(x);
        } catch (const archive_error&) {
            return false;
        }
    };
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    CHECK(!converts(float{}, 1e300));
    CHECK(converts(float{}, std::numeric_limits<double>::infinity()));
    CHECK(converts(std::int8_t{}, -128.0));
    CHECK(!converts(std::int8_t{}, 128.0));
    CHECK(!converts(std::uint8_t{}, -1.0f));
    CHECK(!converts(int{}, std::numeric_limits<double>::quiet_NaN()));
    CHECK(converts(std::uint64_t{}, 18446744073709549568.0));
    CHECK(!converts(std::uint64_t{}, 18446744073709551616.0));
    CHECK(converts(double{}, std::int64_t{1} << 53));
    CHECK(!converts(double{}, most));
    CHECK(converts(float{}, -(1 << 24)));
    CHECK(!converts(float{}, (1 << 24) + 1));
    CHECK(!converts(std::uint32_t{}, std::int8_t{-1}));
    CHECK(converts(std::uint64_t{}, most));
    CHECK(!converts(std::int64_t{}, std::uint64_t{1} << 63));
    CHECK(converts(std::uint8_t{}, std::int64_t{255}));
    CHECK(!converts(std::uint8_t{}, std::int64_t{256}));
    CHECK(converts(bool{}, 1.0));
    CHECK(!converts(bool{}, 2));
    CHECK(converts(float{}, true));
}

TEST_CASE("weights are filled all together or not at all", "[tensor][archive]") {
    archive arrays("weights.npz");
    arrays.add("weight", {2, 2}, std::vector<double>{1, 2, 3, 4});
    arrays.add("bias", {2}, std::vector<float>{5, 6});
    std::vector<float> weight(4, 9), bias(2, 9);
    const std::vector<float> weight_before = weight, bias_before = bias;
    using slots = std::vector<destination<float>>;
    const auto fault = [&](const slots& destinations) {
        const std::string sentence = sentence_of([&] { arrays.copy_to(destinations); });
        CHECK(weight == weight_before);
        CHECK(bias == bias_before);
        return sentence;
    };
    CHECK(fault({{"weight", {2, 2}, weight}, {"offset", {2}, bias}}) ==
          "copy_to: weights.npz has no array 'offset'; it has 'weight', 'bias'");
    CHECK(fault({{"weight", {2, 2}, weight}, {"bias", {1, 2}, bias}}) ==
          "copy_to: array 'bias' in weights.npz has the shape (2,), not (1, 2); load it into the network that it is of");
    CHECK(fault({{"weight", {2, 2}, weight}}) ==
          "copy_to: weights.npz has an array 'bias' for which there is no place; load it into the network that it is of");
    CHECK(fault({{"weight", {2, 2}, std::span(weight).first(3)}, {"bias", {2}, bias}}) ==
          "copy_to: the destination of 'weight' has 3 numbers for the shape (2, 2); give as many as it has");
    arrays = archive("weights.npz");
    arrays.add("weight", {2, 2}, std::vector<double>{1, 2, 3, 4});
    arrays.add("bias", {2}, std::vector<double>{5, 1e300});
    CHECK(contains(fault({{"weight", {2, 2}, weight}, {"bias", {2}, bias}}), "is no float32"));

    arrays = archive();
    arrays.add("weight", {2, 2}, std::vector<double>{1, 2, 3, 4});
    arrays.add("bias", {2}, std::vector<float>{5, 6});
    arrays.copy_to(slots{{"bias", {2}, bias}, {"weight", {2, 2}, weight}});
    CHECK(weight == std::vector<float>{1, 2, 3, 4});
    CHECK(bias == std::vector<float>{5, 6});
}

TEST_CASE("what cannot be an array or its name", "[tensor][archive]") {
    CHECK(sentence_of([] { stored_array({2, 2}, std::vector<float>{1, 2, 3}); }) ==
          "stored_array: 3 numbers do not fill the shape (2, 2); give as many as it has");
    CHECK_THROWS_AS(stored_array({std::size_t{1} << 62, 4}, std::vector<float>{}), std::invalid_argument);
    archive arrays = small();
    CHECK(sentence_of([&] { arrays.add("w", {1}, std::vector<float>{1}); }) ==
          "add: there is an array 'w' already; give another name");
    for (const std::string& name : {std::string(), std::string("a\0b", 3), std::string(65001, 'a'), std::string("\xc3("),
                                    std::string("\xc0\xaf"), std::string("\xed\xa0\x80"), std::string("\xe6\x9d")}) {
        CAPTURE(name.size());
        CHECK_THROWS_AS(arrays.add(name, {1}, std::vector<float>{1}), std::invalid_argument);
    }
    CHECK(arrays == small());
    CHECK(sentence_of([&] { (void)arrays["x"]; }) == "archive: the archive has no array 'x'; it has 'w', 'steps', 'mask'");

    archive deep;
    deep.add("w", std::vector<std::size_t>(33, 1), std::vector<float>{1});
    CHECK(sentence_of([&] { encoded(deep); }) ==
          "write_npz: array 'w' in weights.npz has 33 axes, and numpy reads 32 at most; reshape it");
}

TEST_CASE("what a zip archive has no room for", "[tensor][archive]") {
    const origin to{"write_npz", "weights.npz"};
    std::vector<zip::directory_entry> members(3, {.name = "w.npy", .size = std::uint64_t{1} << 31});
    CHECK(sentence_of([&] { zip::lay_out(members, to); }) ==
          "write_npz: weights.npz would be larger than 4 GB, which is the most that a zip archive without extensions has; "
          "save the arrays in several files");
    members.resize(1);
    CHECK(zip::lay_out(members, to) == (std::uint64_t{1} << 31) + 35);
    members[0].size = std::numeric_limits<std::uint64_t>::max();
    CHECK_THROWS_AS(zip::lay_out(members, to), archive_error);
    members.assign(65535, {.name = "w.npy", .size = 1});
    CHECK(sentence_of([&] { zip::lay_out(members, to); }) ==
          "write_npz: weights.npz would have 65535 arrays, and at most 65534 fit in; save them in several files");
}

TEST_CASE("files that cannot be opened", "[tensor][archive]") {
    const folder work;
    CHECK(contains(sentence_of([&] { (void)read_npz(work.path / "none.npz"); }), "none.npz cannot be opened (No such file or directory)"));
    CHECK(contains(sentence_of([&] { (void)read_npz(work.path); }), "is a folder; give the name of a file"));
    CHECK(contains(sentence_of([&] { write_npz(work.path / "none" / "w.npz", small()); }), "w.npz cannot be written (No such file"));
    CHECK(contains(sentence_of([&] { write_npz(work.path, small()); }), "is no plain file, and is left as it is"));
    CHECK(fs::is_directory(work.path));
    CHECK(work.files() == 0);
}

#if defined(__unix__)
TEST_CASE("a failed write leaves the old file and nothing else", "[tensor][archive]") {
    const folder work;
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

TEST_CASE("links stay links, rights stay rights, devices stay devices", "[tensor][archive]") {
    const folder work;
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
    put(work.path / "weights.npz.partial0", npy::as_raw("rest"));
    write_npz(work.path / "weights.npz", small());
    CHECK(read_npz(work.path / "weights.npz") == small());
    CHECK(contents(work.path / "weights.npz.partial0").size() == 4);

    CHECK(contains(sentence_of([] { write_npz("/dev/null", small()); }), "/dev/null is no plain file"));
    CHECK(fs::is_character_file("/dev/null"));
}
#endif
