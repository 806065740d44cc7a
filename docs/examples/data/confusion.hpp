// SPDX-License-Identifier: BSL-1.0
//
// The confusion matrix of a classifier: counts with a row for each true class and a column for each predicted class.
#pragma once

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace examples {

/// Counts of predictions by true class.
class confusion_matrix {
public:
    explicit confusion_matrix(std::size_t classes) : classes_(classes), counts_(classes * classes) {}

    /// Counts a prediction. Throws std::out_of_range if the class does not exist.
    void add(std::size_t shown, std::size_t answered) { ++counts_[place(shown, answered)]; }
    /// The count for a true and a predicted class.
    [[nodiscard]] std::size_t count(std::size_t shown, std::size_t answered) const {
        return counts_[place(shown, answered)];
    }

    /// The accuracy; NaN without predictions.
    [[nodiscard]] double accuracy() const {
        std::size_t right = 0, all = 0;
        for (std::size_t i = 0; i < classes_; ++i) right += count(i, i);
        for (const std::size_t n : counts_) all += n;
        return ratio(right, all);
    }
    /// The recall of a class.
    [[nodiscard]] double recall(std::size_t shown) const {
        std::size_t all = 0;
        for (std::size_t i = 0; i < classes_; ++i) all += count(shown, i);
        return ratio(count(shown, shown), all);
    }
    /// The precision of a class.
    [[nodiscard]] double precision(std::size_t answered) const {
        std::size_t all = 0;
        for (std::size_t i = 0; i < classes_; ++i) all += count(i, answered);
        return ratio(count(answered, answered), all);
    }

    /// The table with recall on the right and precision at the bottom. Column headings are abbreviated names. Throws
    /// std::invalid_argument unless there is one name per class.
    [[nodiscard]] std::string text(const std::vector<std::string>& names) const {
        if (names.size() != classes_)
            throw std::invalid_argument("text: " + std::to_string(names.size()) + " names are given for " +
                                        std::to_string(classes_) + " classes; give one for each");
        std::size_t first = std::string_view("precision").size();
        for (const std::string& name : names) first = std::max(first, columns_of(name));
        const std::size_t largest = counts_.empty() ? 0 : *std::ranges::max_element(counts_);
        const std::size_t width = std::max<std::size_t>(6, std::to_string(largest).size() + 1);

        std::string table = padded("", first);
        for (const std::string& name : names) table += aligned(beginning(name, width - 1), width);
        table += aligned("recall", 8) + '\n';
        for (std::size_t i = 0; i < classes_; ++i) {
            table += padded(names[i], first);
            for (std::size_t j = 0; j < classes_; ++j)
                table += aligned(count(i, j) == 0 ? "." : std::to_string(count(i, j)), width);
            table += aligned(percent(recall(i)), 8) + '\n';
        }
        table += padded("precision", first);
        for (std::size_t j = 0; j < classes_; ++j) table += aligned(percent(precision(j)), width);
        return table + aligned(percent(accuracy()), 8) + '\n';
    }

private:
    std::size_t classes_;
    std::vector<std::size_t> counts_;

    [[nodiscard]] std::size_t place(std::size_t shown, std::size_t answered) const {
        if (shown >= classes_ || answered >= classes_)
            throw std::out_of_range("confusion_matrix: there is no class " +
                                    std::to_string(static_cast<std::ptrdiff_t>(std::max(shown, answered))) + " among " +
                                    std::to_string(classes_) + "; they are numbered from 0");
        return shown * classes_ + answered;
    }
    [[nodiscard]] static double ratio(std::size_t part, std::size_t all) {
        return static_cast<double>(part) / static_cast<double>(all);
    }
    [[nodiscard]] static std::string percent(double share) {
        char text[16];
        std::snprintf(text, sizeof text, "%.1f", 100 * share);
        return share >= 0 ? text : "-"; // NaN of no answers
    }
    // Columns of UTF-8, where each code point has one.
    [[nodiscard]] static bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }
    [[nodiscard]] static std::size_t columns_of(std::string_view text) {
        return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
    }
    [[nodiscard]] static std::string beginning(std::string_view text, std::size_t columns) {
        std::size_t end = 0;
        for (std::size_t used = 0; end < text.size() && (used += begins_character(text[end])) <= columns;) ++end;
        return std::string(text.substr(0, end));
    }
    [[nodiscard]] static std::string padded(const std::string& text, std::size_t columns) {
        return text + std::string(columns - columns_of(text), ' ');
    }
    [[nodiscard]] static std::string aligned(const std::string& text, std::size_t columns) {
        return std::string(columns - std::min(columns, columns_of(text)), ' ') + text;
    }
};

} // namespace examples
