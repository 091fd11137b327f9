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

/// What was read of a project that IN is.
struct InputProject {
    std::optional<ProjectFile> file = {}; ///< nothing where IN is a model
    std::vector<std::string> notes = {};  ///< what did not fit; main() says it
};

/// What a command line asks of a command, and what a command needs to answer.
struct Invocation {
    const QCommandLineParser& options;
    std::vector<std::string> files; ///< positional arguments
    ProgressMonitor& monitor;
    StepTimer& timer;
    Outputs& outputs; ///< what the command makes; main() puts it in place once the command has done all
    InputProject& project;
    QJsonObject& sizes; ///< by symbol: what sizes in the models that were read are taken to be; `--json` says it

    [[nodiscard]] bool isSet(const char* option) const { return options.isSet(QLatin1String(option)); }
    [[nodiscard]] std::string value(const char* option) const { return options.value(QLatin1String(option)).toStdString(); }
};

/// What a command found out. `lines` are for people, `json` for `--json`; warnings go to standard error. Names stand in
/// them as they are: main() makes them fit to be shown.
struct Outcome {
    int status = 0;
    std::vector<std::string> lines = {}; ///< without their ends
    QJsonObject json = {};
    std::vector<std::string> warnings = {};

    void say(std::string line) { lines.push_back(std::move(line)); }
};

/// A verb of sunder-cli.
struct Command {
    const char* name;
    const char* positionals; ///< "IN OUT": their number is checked
    const char* summary;
    void (*declare)(QCommandLineParser& parser); ///< adds its own options
    Result<Outcome> (*run)(const Invocation& invocation);
    const char* reads = "";  ///< those of its options that name a file to read: "tags partitions"
    const char* writes = ""; ///< and those that name one to write
    const char* repeats = ""; ///< those that may be given several times
};

/// All verbs, in the order in which help lists them.
const std::vector<Command>& commands();

} // namespace sunder::cli
