#pragma once

#include "analysis/cut/cut_summary.h"
#include "io/side_files/project_file.h"
#include "support/json_writer.h"

#include <optional>
#include <string>

namespace sunder {

/// Writes the members of a summary (`docs/project-files.md`).
void writeCutSummary(const CutSummary& summary, JsonWriter& json);

/// Returns the member "figures" of a project: the summary, and a hash of the tags, model, devices, sizes, and costs that it is for.
std::string figuresText(const CutSummary& summary, const ProjectFile& project);

/// Returns the figures that a project keeps; nothing if it keeps none, if they are of other tags, another model, or other devices, sizes,
/// or costs than it has now, or if they are damaged.
std::optional<CutSummary> keptFigures(const ProjectFile& project);

} // namespace sunder
