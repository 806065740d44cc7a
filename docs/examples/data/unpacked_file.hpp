// SPDX-License-Identifier: BSL-1.0
//
// Reads files that may be compressed by gzip, as data sets usually are. idx.hpp and digits.hpp interpret the bytes.
#pragma once

#include <chainrule/tensor/files/whole_file.hpp>

#include <filesystem>

#ifdef CHAINRULE_EXAMPLES_WITH_ZLIB
#include <zlib.h>
#endif

namespace examples {

namespace tensor = chainrule::tensor;
using bytes = std::vector<std::byte>;

#ifdef CHAINRULE_EXAMPLES_WITH_ZLIB
inline constexpr bool reads_gzip = true;

/// The content of a .gz file, which may have several parts. Rejects files that are damaged, truncated, or larger than
/// `most` bytes.
[[nodiscard]] inline bytes unpacked(const bytes& packed, const tensor::origin& from,
                                    std::size_t most = std::size_t{1} << 32) {
    constexpr uInt piece = 1u << 20;
    constexpr int gzip_with_the_largest_window = 15 + 16;
    z_stream stream{};
    if (inflateInit2(&stream, gzip_with_the_largest_window) != Z_OK)
        from.refuse("cannot be unpacked; free some memory");
    struct closing {
        z_stream& stream;
        ~closing() { inflateEnd(&stream); }
    } const close{stream};

    bytes content;
    std::size_t used = 0, taken = 0;
    while (true) {
        if (stream.avail_in == 0) { // zlib counts in 32 bits
            stream.avail_in = static_cast<uInt>(std::min<std::size_t>(packed.size() - taken, piece));
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data() + taken));
            taken += stream.avail_in;
        }
        if (content.size() - used < piece) content.resize(std::max<std::size_t>(2 * content.size(), piece));
        const uInt room = static_cast<uInt>(std::min<std::size_t>(content.size() - used, piece));
        stream.next_out = reinterpret_cast<Bytef*>(content.data() + used);
        stream.avail_out = room;
        const int state = inflate(&stream, Z_NO_FLUSH);
        used += room - stream.avail_out;
        if (used > most)
            from.refuse("has more than " + std::to_string(most) + " bytes when unpacked; give the right file");
        if (state == Z_STREAM_END) {
            if (stream.avail_in == 0 && taken == packed.size()) break;
            inflateReset(&stream);
        } else if (state == Z_BUF_ERROR ||
                   (state == Z_OK && stream.avail_in == 0 && taken == packed.size() && stream.avail_out > 0)) {
            from.refuse("ends early; it is truncated, download it again");
        } else if (state != Z_OK) {
            from.refuse("is damaged (" + std::string(stream.msg == nullptr ? "gzip" : stream.msg) +
                        "); download it again");
        }
    }
    content.resize(used);
    return content;
}
#else
inline constexpr bool reads_gzip = false;

[[nodiscard]] inline bytes unpacked(const bytes&, const tensor::origin& from) {
    from.refuse("is compressed, and the program was built without zlib; install that (Debian: zlib1g-dev), or unpack "
                "the file by gunzip");
}
#endif

/// The bytes of a file, decompressed if necessary. If the file does not exist but one with the suffix .gz does, that is
/// read.
[[nodiscard]] inline bytes read_unpacked(const std::filesystem::path& path, const std::string& call) {
    std::filesystem::path file = path;
    if (!std::filesystem::exists(file) && std::filesystem::exists(path.string() + ".gz")) file += ".gz";
    const tensor::origin from{call, file.string()};
    bytes content = tensor::read_whole_file(file, from);
    const bool is_packed = content.size() >= 2 && content[0] == std::byte{0x1f} && content[1] == std::byte{0x8b};
    return is_packed ? unpacked(content, from) : content;
}

/// Whether the file exists, plain or, if the program can decompress it, compressed.
[[nodiscard]] inline bool is_readable(const std::filesystem::path& path) {
    if (std::filesystem::exists(path)) return path.extension() != ".gz" || reads_gzip;
    return reads_gzip && std::filesystem::exists(path.string() + ".gz");
}

} // namespace examples
