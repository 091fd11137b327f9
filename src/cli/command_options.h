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

    [[nodiscard]] constexpr CommandOption usually(const char* by) const { return with(&CommandOption::usual, by); }
    [[nodiscard]] constexpr CommandOption needing(const char* others) const { return with(&CommandOption::needs, others); }
    [[nodiscard]] constexpr CommandOption excluding(const char* others) const { return with(&CommandOption::excludes, others); }
    [[nodiscard]] constexpr CommandOption required() const { return with(&CommandOption::isRequired, true); }
    [[nodiscard]] constexpr CommandOption repeatable() const { return with(&CommandOption::isRepeatable, true); }
    [[nodiscard]] constexpr CommandOption hidden() const { return with(&CommandOption::isHidden, true); }
    [[nodiscard]] constexpr CommandOption between(double from, double to) const
    {
        return with(&CommandOption::least, from).with(&CommandOption::most, to);
    }

private:
    template <typename Value>
    [[nodiscard]] constexpr CommandOption with(Value CommandOption::* member, Value given) const
    {
        CommandOption changed = *this;
        changed.*member = given;
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
