#pragma once

#include "cli/outputs.h"
#include "cli/step_timer.h"
#include "io/side_files/project_file.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QCommandLineParser>
#include <QJsonObject>

#include <optional>
#include <string>
#include <vector>

namespace sunder::cli {

/// Data of a project given as IN.
struct InputProject {
    std::optional<ProjectFile> file = {}; ///< nothing if IN is a model
    std::vector<std::string> notes = {};  ///< tags that could not be assigned; printed by main()
};

/// Input of a command: the parsed command line, and services.
struct Invocation {
    const QCommandLineParser& options;
    std::vector<std::string> files; ///< positional arguments
    ProgressMonitor& monitor;
    StepTimer& timer;
    Outputs& outputs; ///< output files; main() commits them after the command has succeeded
    InputProject& project;
    QJsonObject& sizes; ///< assumed sizes of the models read, by symbol; part of the `--json` output

    [[nodiscard]] bool isSet(const char* option) const { return options.isSet(QLatin1String(option)); }
    [[nodiscard]] std::string value(const char* option) const { return options.value(QLatin1String(option)).toStdString(); }
};

/// Result of a command. `lines` are printed for people, `json` with `--json`, warnings to standard error. Names are unescaped;
/// main() makes them displayable.
struct Outcome {
    int status = 0;
    std::vector<std::string> lines = {}; ///< without line ends
    QJsonObject json = {};
    std::vector<std::string> warnings = {};

    void say(std::string line) { lines.push_back(std::move(line)); }
};

/// A subcommand of sunder-cli.
struct Command {
    const char* name;
    const char* positionals; ///< names of the positional arguments, e.g. "IN OUT"; their number is checked
    const char* summary;
    void (*declare)(QCommandLineParser& parser); ///< adds the options of the command
    Result<Outcome> (*run)(const Invocation& invocation);
    const char* reads = "";  ///< options that name input files: "tags partitions"
    const char* writes = ""; ///< options that name output files
    const char* repeats = ""; ///< options that can be given several times
};

/// Returns all commands, in the order of the help.
const std::vector<Command>& commands();

} // namespace sunder::cli
