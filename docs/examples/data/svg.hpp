// SPDX-License-Identifier: BSL-1.0
//
// Common parts of SVG pictures, and writing them to files. loss_curve.hpp and image_sheet.hpp use them.
#pragma once

#include <chainrule/tensor/files/whole_file.hpp>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace examples::svg {

/// A number with at most `digits` significant digits, in any locale.
[[nodiscard]] inline std::string number(double x, int digits = 6) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    for (char* c = text; *c != '\0'; ++c)
        if (*c == ',') *c = '.';
    return text;
}

/// Text with markup characters escaped. Control characters, which XML cannot represent, become spaces.
[[nodiscard]] inline std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else
            result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result;
}

/// A text around a point; anchor is start, middle or end.
[[nodiscard]] inline std::string label(double x, double y, std::string_view anchor, std::string_view text,
                                       std::string_view more = "") {
    std::string result = "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"";
    result += anchor;
    result += '"';
    if (!more.empty()) (result += ' ') += more;
    return result + '>' + escaped(text) + "</text>\n";
}

/// A whole picture on white.
[[nodiscard]] inline std::string document(double width, double height, const std::string& content) {
    const std::string size = "width=\"" + number(width) + "\" height=\"" + number(height) + "\"";
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " viewBox=\"0 0 " + number(width) + ' ' +
           number(height) + "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect " + size + " fill=\"white\"/>\n" +
           content + "</svg>\n";
}

/// Writes a picture to a file. If it throws chainrule::tensor::archive_error, an existing file is unchanged.
inline void write(const std::filesystem::path& path, std::string_view picture) {
    chainrule::tensor::file_replacement file(path, {"svg::write", path.string()});
    file.write(std::as_bytes(std::span(picture.data(), picture.size())));
    file.commit();
}

} // namespace examples::svg
