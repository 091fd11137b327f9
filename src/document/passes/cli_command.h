#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "document/runs/run.h"

#include <string>
#include <vector>

namespace sunder {

/// A command of sunder-cli while it is put together: what a pass adds for one of its runs.
struct CliCommand {
    std::string verb = {};                     ///< "split"
    std::vector<std::string> words = {};   ///< its options, as they are
    std::vector<std::string> inputs = {};  ///< texts of its side files, which become part of the command
    std::string ending;                    ///< of the file that it writes: "-split.fxj"

    void add(const std::string& option) { words.push_back("--" + option); }
    void add(const std::string& option, const std::string& value) { words.insert(words.end(), {"--" + option, value}); }
    /// A side file of this text.
    void addFile(const std::string& option, std::string text);
    void addTags(const Graph& graph, const TagAssignment& tags);
};

/// What was opened: files by their absolute paths.
struct OpenedFiles {
    QString model;
    QString program = {};   ///< of several in the file
    QString operators = {}; ///< schemas of custom operators; empty: none
};

/// The command as one writes it into a POSIX shell, with its side files in it; `sizes`: "s27=16", empty for those of the file.
std::string shellText(const CliCommand& command, const std::string& sizes, const OpenedFiles& files);

/// The sizes that the program has now, as a command says them: "s27=16,s3=4"; empty without symbols. O(values).
std::string assumedSizesText(const Program& program);

/// A run as a command of sunder-cli: in a POSIX shell it makes the same again, from the same model, and writes it into the folder where
/// it is run. Tags, devices and tables that the run was made from are in the command.
/// O(nodes).
std::string shellCommandOf(const Run& run, const Snapshot& source, const OpenedFiles& files);

} // namespace sunder
