#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "document/passes/pass.h"
#include "document/runs/run.h"

#include <string>
#include <vector>

namespace sunder {

/// A sunder-cli command under construction; each pass adds the words for its runs.
struct CliCommand {
    std::string verb = {};                 ///< "split", "tags fill"
    std::vector<std::string> words = {};   ///< arguments after the model, and options, unquoted
    std::vector<std::string> inputs = {};  ///< contents of side files, embedded in the command
    std::string ending;                    ///< suffix of the output file: "-split.fxj"

    void add(const std::string& option) { words.push_back("--" + option); }
    void add(const std::string& option, const std::string& value) { words.insert(words.end(), {"--" + option, value}); }
    /// Adds an option that reads a side file with this content.
    void addFile(const std::string& option, std::string text);
    void addTags(const Graph& graph, const TagAssignment& tags);
    /// Adds the options of the pass that a run was made with.
    void addOptions(const Outcome& result);
};

/// Absolute paths of the opened files.
struct OpenedFiles {
    QString model;
    QString program = {};   ///< name of the program, if the file holds several
    QString operators = {}; ///< schemas of custom operators; empty if none
};

/// Returns the command for a POSIX shell, with its side files embedded. `sizes`, e.g. "s27=16", is empty for the sizes of the
/// file.
std::string shellText(const CliCommand& command, const std::string& sizes, const OpenedFiles& files);

/// Returns the current sizes of a program as a command-line option: "s27=16,s3=4"; empty without symbols. O(values).
std::string assumedSizesText(const Program& program);

/// Returns a sunder-cli command that reproduces a run from the same model in a POSIX shell and writes the result to the working
/// directory. The command contains the tags, devices, and tables of the run. O(nodes).
std::string shellCommandOf(const Run& run, const Snapshot& source, const OpenedFiles& files);

} // namespace sunder
