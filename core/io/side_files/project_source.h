#pragma once

#include "io/side_files/project_file.h"
#include "ir/program.h"
#include "support/progress_monitor.h"

#include <optional>
#include <string>

namespace sunder {

/// By what a program that was read from a file is known again. The contents stay empty where its file cannot be read any more, or has
/// changed since. Linear in the root graph; reads the whole file where it is no archive.
SourceMark markOf(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

/// How a model differs from the one that a project was made for.
struct SourceChange {
    bool isOfGraph = false; ///< nodes may be others, so that tags by name may mean other ops; else weights or the container alone
    std::string text; ///< "it has 1,024 nodes instead of 1,000"
};

/// Nothing where both are the same model. What is not known counts as changed.
std::optional<SourceChange> changeBetween(const SourceMark& was, const SourceMark& now);

/// Where a project that is at `projectPath` says that its model lies: beside itself by the relative way, else at the absolute path.
/// Nothing where neither is a file.
std::optional<std::string> findSource(const ProjectSource& source, const std::string& projectPath);

/// The relative and the absolute path to a model from a project at `projectPath`. Links are not followed; nothing has to be there.
ProjectSource sourceAt(const std::string& modelPath, const std::string& projectPath);

} // namespace sunder
