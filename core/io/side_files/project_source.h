#pragma once

#include "io/side_files/project_file.h"
#include "ir/program.h"
#include "support/progress_monitor.h"

#include <optional>
#include <string>

namespace sunder {

/// Returns the mark of a program that was read from a file. The content mark is empty if the file cannot be read or has changed
/// since. Linear in the root graph; reads the whole file if it is not an archive.
SourceMark markOf(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

/// The difference between a model and the one that a project was made for.
struct SourceChange {
    bool isOfGraph = false; ///< nodes may differ, so tags by name may apply to other ops; false: only weights or container differ
    std::string text; ///< "it has 1,024 nodes instead of 1,000"
};

/// Returns nothing if both are the same model. Unknown marks count as changed.
std::optional<SourceChange> changeBetween(const SourceMark& was, const SourceMark& now);

/// Returns the path of a project's model: the path relative to the project if it exists, else the absolute path. Nothing if
/// neither is a file.
std::optional<std::string> findSource(const ProjectSource& source, const std::string& projectPath);

/// Returns the relative and absolute path to a model from a project at `projectPath`. Links are not followed, and the files need
/// not exist.
ProjectSource sourceAt(const std::string& modelPath, const std::string& projectPath);

} // namespace sunder
