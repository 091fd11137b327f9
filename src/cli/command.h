#pragma once

#include "analysis/alignment/export_transfer.h"
#include "io/side_files/project_file.h"
#include "io/side_files/project_source.h"
#include "parts/export_parts.h"
#include "support/json_writer.h"
#include "support/progress_monitor.h"
#include "support/result.h"
#include "support/staged_file.h"

#include <QCommandLineParser>
#include <QElapsedTimer>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// Output files of a command: all of them appear, or none. They are staged next to their final paths until the rest of the
/// command has succeeded.
class Outputs final {
public:
    /// Calls `write` with a temporary path for the file `path`. Errors name the final path.
    Result<void> write(const std::string& path, const std::function<Result<void>(const std::string& at)>& write);
    /// Adds staged parts.
    void add(StagedParts parts) { m_parts.emplace(std::move(parts)); }

    /// Moves all files to their final paths. If one cannot be moved, none is.
    Result<void> commit();
    /// Returns whether an output is standard output, so that nothing else may be printed there.
    [[nodiscard]] bool fillStandardOutput() const { return m_fillStandardOutput; }

private:
    Result<void> place();

    std::vector<StagedFile> m_files;
    std::optional<StagedParts> m_parts;
    bool m_fillStandardOutput = false;
};

/// Wall time of the steps of a command ("read", "pass", "verify", "write"). Times of the same step are added.
class StepTimer {
public:
    /// Runs `work` and adds its time to `step`.
    template <typename Work>
    auto measure(const char* step, const Work& work)
    {
        QElapsedTimer clock;
        clock.start();
        m_current = step;
        auto result = work();
        m_current = {};
        m_seconds[step] += static_cast<double>(clock.nsecsElapsed()) * 1e-9;
        return result;
    }

    /// Returns the seconds of each step.
    [[nodiscard]] const std::map<std::string_view, double>& seconds() const { return m_seconds; }
    /// Returns the running step, or the one interrupted by an exception; empty between steps.
    [[nodiscard]] std::string_view current() const { return m_current; }

private:
    std::map<std::string_view, double> m_seconds;
    std::string_view m_current;
};

/// Returns the peak resident memory of this process in bytes.
std::uint64_t peakResidentBytes();

/// Data of a project given as IN.
struct InputProject {
    std::optional<ProjectFile> file = {}; ///< nothing if IN is a model
    std::optional<SourceChange> change = {}; ///< how its model differs from the one that it was made for
    std::shared_ptr<const ExportTransfer> transfer = {}; ///< if the graph differs: how its ops were matched; else null
    std::vector<ProjectLostTags> lost = {}; ///< with a transfer: the tags of ops that the model lacks, to be kept
    std::vector<std::string> notes = {}; ///< tags that could not be assigned; printed by main()
};

struct Drawing;

/// Input of a command: the parsed command line, and services.
struct Invocation {
    const QCommandLineParser& options;
    std::vector<std::string> files; ///< positional arguments
    ProgressMonitor& monitor;
    StepTimer& timer;
    Outputs& outputs; ///< output files; main() commits them after the command has succeeded
    InputProject& project;
    std::map<std::string, std::int64_t>& sizes; ///< assumed sizes of the models read, by symbol; part of the `--json` output
    const Drawing* drawing = nullptr; ///< see drawingOf()

    [[nodiscard]] bool isSet(const char* option) const { return options.isSet(QLatin1String(option)); }
    [[nodiscard]] std::string value(const char* option) const { return options.value(QLatin1String(option)).toStdString(); }
    /// Returns the value of an option that takes a number; 0 without one.
    [[nodiscard]] std::uint32_t number(const char* option) const { return options.value(QLatin1String(option)).toUInt(); }
};

/// Result of a command. `lines` are printed for people, `json` with `--json`, warnings to standard error. Names are unescaped;
/// main() makes them displayable.
struct Outcome {
    int status = 0;
    std::vector<std::string> lines = {}; ///< without line ends
    JsonWriter json = startedObject(); ///< main() adds the last members
    std::optional<std::vector<std::string>> notes = {}; ///< the member "notes" of `json`
    std::vector<std::string> warnings = {};

    void say(std::string line) { lines.push_back(std::move(line)); }
    /// Adds notes, also as warnings for people.
    void note(const std::vector<std::string>& more);

private:
    static JsonWriter startedObject();
};

/// A subcommand of sunder-cli.
struct Command {
    const char* name; ///< one word, or two: "tags rename"
    const char* positionals; ///< names of the arguments, e.g. "IN OUT"; their number is checked. "…" follows one that
        ///< repeats; one in brackets can be left out.
    const char* summary;
    std::vector<CommandOption> options; ///< in the order of --help, without those of every command
    Result<Outcome> (*run)(const Invocation& invocation);
};

/// Adds the options and the common ones to the parser.
void declareOptions(QCommandLineParser& parser, std::span<const CommandOption> options);

/// Refuses options that are missing, given twice, without a value, with a value that they do not take, or with or without certain
/// others.
Result<void> checkOptions(const QCommandLineParser& parser, std::span<const CommandOption> options, const std::string& command);

/// Returns all commands, in the order of the help.
const std::vector<Command>& commands();

} // namespace sunder::cli
