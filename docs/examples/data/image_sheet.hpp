// SPDX-License-Identifier: BSL-1.0
//
// A sheet of small grey images with captions, in rows, as SVG. Each image is embedded as a PNG with uncompressed
// pixels, which needs only a checksum (RFC 1950, RFC 1951 and the PNG specification, ISO/IEC 15948).
#pragma once

#include "svg.hpp"

#include <boost/crc.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace examples {

/// An image, row by row from 0 (white) to 1 (black), and its caption, which may have line breaks.
struct captioned_image {
    std::span<const float> pixels;
    std::string caption;
};

/// Grey pixels as the bytes of a PNG file. Values outside 0 to 1 are clamped, NaN is white. Throws
/// std::invalid_argument if their number is not height * width.
[[nodiscard]] inline std::string png(std::span<const float> pixels, std::size_t height, std::size_t width) {
    if (pixels.size() != height * width || pixels.empty())
        throw std::invalid_argument("png: " + std::to_string(pixels.size()) + " pixels do not make a picture of " +
                                    std::to_string(height) + " x " + std::to_string(width) +
                                    "; give as many as it has");
    const auto append = [](std::string& to, std::size_t value, int count) { // of bytes, the highest first
        for (int i = count - 1; i >= 0; --i) to += static_cast<char>(value >> (8 * i) & 0xff);
    };
    std::string file = "\x89PNG\r\n\x1a\n";
    const auto chunk = [&](const std::string& type, const std::string& data) {
        append(file, data.size(), 4);
        boost::crc_32_type crc;
        crc.process_bytes(type.data(), type.size());
        crc.process_bytes(data.data(), data.size());
        file += type + data;
        append(file, crc.checksum(), 4);
    };
    std::string header;
    append(header, width, 4);
    append(header, height, 4);
    header += {'\x08', '\0', '\0', '\0', '\0'}; // 8 bits of grey, not interlaced
    chunk("IHDR", header);

    std::string rows;
    for (std::size_t i = 0; i < height; ++i) {
        rows += '\0'; // no filter
        for (const float x : pixels.subspan(i * width, width)) {
            const float black = x > 0 ? std::min(x, 1.0f) : 0.0f;
            rows += static_cast<char>(static_cast<unsigned char>(std::lround(255 * (1 - black))));
        }
    }
    std::string stream = "\x78\x01"; // zlib, deflate
    constexpr std::size_t most = 65535;
    for (std::size_t at = 0; at < rows.size(); at += most) {
        const std::size_t size = std::min(most, rows.size() - at);
        stream += at + size == rows.size() ? '\1' : '\0'; // a stored block, the last one or not
        for (const std::size_t n : {size, ~size & 0xffff})
            stream += {static_cast<char>(n & 0xff), static_cast<char>(n >> 8)};
        stream.append(rows, at, size);
    }
    std::uint32_t a = 1, b = 0; // Adler-32
    for (const char c : rows) {
        a = (a + static_cast<unsigned char>(c)) % 65521;
        b = (b + a) % 65521;
    }
    append(stream, b << 16 | a, 4);
    chunk("IDAT", stream);
    chunk("IEND", "");
    return file;
}

/// Bytes in base 64 (RFC 4648).
[[nodiscard]] inline std::string base64(std::string_view content) {
    static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    for (std::size_t i = 0; i < content.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (i + k < content.size() ? static_cast<unsigned char>(content[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) result += i + k > content.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
    }
    return result;
}

/// The images, all of height x width pixels, in rows of `columns`, as SVG. Throws std::invalid_argument if there are no
/// columns, or an image has another size.
[[nodiscard]] inline std::string image_sheet(const std::vector<captioned_image>& images, std::size_t height,
                                             std::size_t width, const std::string& title = "",
                                             std::size_t columns = 8) {
    if (columns == 0)
        throw std::invalid_argument("image_sheet: the pictures are to stand in no columns; give 1 or more");
    std::ptrdiff_t lines = 1;
    for (const captioned_image& image : images) lines = std::max(lines, 1 + std::ranges::count(image.caption, '\n'));
    constexpr double picture_width = 84, cell_width = 120, margin = 16, line_height = 13;
    const double picture_height = picture_width * static_cast<double>(height) / static_cast<double>(width);
    const double cell_height = picture_height + line_height * static_cast<double>(lines) + 14;
    const double top = title.empty() ? margin : 40;

    std::string sheet;
    if (!title.empty()) sheet += svg::label(margin, 24, "start", title, "font-size=\"15\"");
    for (std::size_t i = 0; i < images.size(); ++i) {
        const double x = margin + cell_width * static_cast<double>(i % columns);
        const double y = top + cell_height * static_cast<double>(i / columns);
        sheet += "<image x=\"" + svg::number(x + (cell_width - picture_width) / 2) + "\" y=\"" + svg::number(y) +
                 "\" width=\"" + svg::number(picture_width) + "\" height=\"" + svg::number(picture_height) +
                 "\" style=\"image-rendering:pixelated\" href=\"data:image/png;base64," +
                 base64(png(images[i].pixels, height, width)) + "\"/>\n";
        std::string_view rest = images[i].caption;
        for (double line = 1; !rest.empty(); ++line) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            sheet += svg::label(x + cell_width / 2, y + picture_height + line_height * line, "middle",
                                rest.substr(0, end), "font-size=\"11\"");
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    const std::size_t across = std::clamp<std::size_t>(images.size(), 1, columns),
                      down = (images.size() + columns - 1) / columns;
    const double least = title.empty() ? 0 : 7.5 * static_cast<double>(title.size());
    return svg::document(2 * margin + std::max(cell_width * static_cast<double>(across), least),
                         top + cell_height * static_cast<double>(down) + margin, sheet);
}

} // namespace examples
