#pragma once

#include "support/result.h"

#include <QCommandLineParser>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace sunder::cli {

/// The kind of value of an option.
enum class Takes : std::uint8_t {
    nothing,
    text,    ///< the command checks it
    word,    ///< one of the words in `value`
    number,  ///< a whole number from `least` to `most`
    decimal, ///< a number from `least`, exclusive if it is 0, to `most`
    input,   ///< a file to read
    output,  ///< a file to write
};

/// An option of a command. Parsing, checks, roles of files, and --help are derived from it; completions and man pages are
/// generated from --help.
struct CommandOption {
    Takes takes = Takes::nothing;
    const char* name = "";  ///< "tags"
    const char* value = ""; ///< name of its value, "TAGS.json"; of a word, "bytes|nodes". A number with "N|auto" also takes auto
    const char* help = "";
    const char* usual = ""; ///< default value
    double least = 0;
    double most = UINT32_MAX;
    const char* needs = ""; ///< names of options; one of them must be given, too: "repair repair-all"
    const char* excludes = ""; ///< names of options that cannot be combined with this one
    bool isRequired = false;
    bool isRepeatable = false;
    bool isHidden = false; ///< from --help, since it is an old spelling

    // Copies with one more property. Clang 19 does not evaluate a common template for them at compile time.
    [[nodiscard]] constexpr CommandOption usually(const char* by) const
    {
        CommandOption changed = *this;
        changed.usual = by;
        return changed;
    }
    [[nodiscard]] constexpr CommandOption needing(const char* others) const
    {
        CommandOption changed = *this;
        changed.needs = others;
        return changed;
    }
    [[nodiscard]] constexpr CommandOption excluding(const char* others) const
    {
        CommandOption changed = *this;
        changed.excludes = others;
        return changed;
    }
    [[nodiscard]] constexpr CommandOption required() const
    {
        CommandOption changed = *this;
        changed.isRequired = true;
        return changed;
    }
    [[nodiscard]] constexpr CommandOption repeatable() const
    {
        CommandOption changed = *this;
        changed.isRepeatable = true;
        return changed;
    }
    [[nodiscard]] constexpr CommandOption hidden() const
    {
        CommandOption changed = *this;
        changed.isHidden = true;
        return changed;
    }
    [[nodiscard]] constexpr CommandOption between(double from, double to) const
    {
        CommandOption changed = *this;
        changed.least = from;
        changed.most = to;
        return changed;
    }
};

constexpr CommandOption flag(const char* name, const char* help)
{
    return {.name = name, .help = help};
}

/// Returns the options of all groups, in the order of --help.
std::vector<CommandOption> joined(std::initializer_list<std::span<const CommandOption>> groups);

/// Returns the options that every command has, except --help.
std::span<const CommandOption> commonOptions();

/// Returns the spelling of an option on the command line: "-o", "--tags".
std::string spelled(const std::string& name);

/// Adds the options and the common ones to the parser.
void declareOptions(QCommandLineParser& parser, std::span<const CommandOption> options);

/// Refuses options that are missing, given twice, without a value, with a value that they do not take, or with or without certain
/// others.
Result<void> checkOptions(const QCommandLineParser& parser, std::span<const CommandOption> options, const std::string& command);

} // namespace sunder::cli
