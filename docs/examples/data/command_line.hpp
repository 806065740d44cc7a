// SPDX-License-Identifier: BSL-1.0
//
// Command-line options: options with a value (--epochs 3), flags (--static) and one positional argument are bound to
// variables, which keep their values by default. --help lists them.
#pragma once

#include <charconv>
#include <concepts>
#include <functional>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace examples {

/// The options of a program.
///
///     std::size_t epochs = 3;
///     command_line line("train", "Trains a network.");
///     line.option("--epochs", epochs, "how often each picture is seen");
///     if (!line.read(count, arguments)) return 0;  // --help
class command_line {
public:
    command_line(std::string program, std::string purpose)
        : program_(std::move(program)), purpose_(std::move(purpose)) {}

    /// A value that follows its name: a number or a text.
    template <class T>
    void option(std::string name, T& value, std::string meaning) {
        meaning += " (" + text_of(value) + ")";
        known_.push_back({name, std::move(meaning), true,
                          [this, name, &value](std::string_view given) { set(name, value, given); }});
    }
    /// A flag without a value.
    void flag(std::string name, bool& value, std::string meaning) {
        known_.push_back({std::move(name), std::move(meaning), false, [&value](std::string_view) { value = true; }});
    }
    /// The positional argument.
    void argument(std::string name, std::string& value, std::string meaning) {
        argument_ = {std::move(name), std::move(meaning), true, [&value](std::string_view given) { value = given; }};
    }

    /// Sets the variables. Returns false after printing the help. Throws std::invalid_argument for an unknown option.
    [[nodiscard]] bool read(int count, const char* const* arguments) {
        const std::span given(arguments, static_cast<std::size_t>(count));
        bool argument_is_set = false;
        for (std::size_t i = 1; i < given.size(); ++i) {
            const std::string_view word = given[i];
            if (word == "--help") {
                std::cout << help();
                return false;
            }
            if (const entry* const found = find(word)) {
                if (found->takes_value && ++i == given.size()) refuse(found->name + " has no value; give one after it");
                found->set(given[i]);
            } else if (argument_.set && !word.starts_with("-") && !argument_is_set) {
                argument_.set(word);
                argument_is_set = true;
            } else {
                refuse("'" + std::string(word) + "' is not known; --help shows what is");
            }
        }
        return true;
    }

    /// The text of --help.
    [[nodiscard]] std::string help() const {
        std::string text = purpose_ + "\n\n    " + program_ + " [option...]" +
                           (argument_.set ? " [" + argument_.name + "]" : "") + "\n\n";
        const auto add = [&](const std::string& name, const std::string& meaning) {
            constexpr std::size_t column = 18;
            text += "    " + name + std::string(name.size() < column ? column - name.size() : 1, ' ') + meaning + '\n';
        };
        for (const entry& e : known_) add(e.name + (e.takes_value ? " ..." : ""), e.meaning);
        if (argument_.set) add(argument_.name, argument_.meaning);
        return text;
    }

private:
    struct entry {
        std::string name, meaning;
        bool takes_value = false;
        std::function<void(std::string_view)> set;
    };
    std::string program_, purpose_;
    std::vector<entry> known_;
    entry argument_;

    [[noreturn]] void refuse(const std::string& fault_and_remedy) const {
        throw std::invalid_argument(program_ + ": " + fault_and_remedy);
    }
    [[nodiscard]] const entry* find(std::string_view name) const {
        for (const entry& e : known_)
            if (e.name == name) return &e;
        return nullptr;
    }
    [[nodiscard]] static std::string text_of(const std::string& value) { return value; }
    template <class Number>
    requires std::is_arithmetic_v<Number>
    [[nodiscard]] static std::string text_of(Number value) {
        char text[40];
        return {text, std::to_chars(text, text + sizeof text, value).ptr};
    }
    void set(const std::string&, std::string& value, std::string_view given) const { value = given; }
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void set(const std::string& name, Number& value, std::string_view given) const {
        const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
        if (error != std::errc() || end != given.data() + given.size())
            refuse("'" + std::string(given) + "' is not a value of " + name + "; give a number");
    }
};

} // namespace examples
