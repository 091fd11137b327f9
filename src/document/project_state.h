#pragma once

#include "document/passes/pass.h"
#include "document/prepared_model.h"
#include "document/runs/run.h"

#include "analysis/cost/cost_figures.h"
#include "analysis/device.h"
#include "io/side_files/project_file.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace sunder {

class Document;

/// Project content of a document, by value, so that a job can write it while the document changes.
struct ProjectState {
    SnapshotPtr snapshot;
    QString modelPath;
    QString programName;
    TagState tags;
    TagRules rules;
    std::vector<OldTagsPtr> lost;  ///< see TagBasis::lost
    std::vector<Device> devices;
    std::vector<ProjectNote> notes;
    std::vector<Run> runs;
    std::vector<int> shown;        ///< numbers of the shown runs
    std::shared_ptr<const MeasuredCosts> measured = {};
    std::vector<CostFiguresPtr> numbers = {};
    ProjectFile rest = {}; ///< sizes, operators, bookmarks, views, unknown fields, and runs not yet recomputed
    std::optional<SourceMark> mark = {}; ///< mark of the model, if already computed
};

/// Returns the state of the open document, except `rest`, which the caller fills in.
[[nodiscard]] ProjectState projectStateOf(const Document& document);

/// Returns the project file to write at `path`. Computes the mark of the model if it is missing. O(nodes + runs).
[[nodiscard]] ProjectFile projectFileOf(const ProjectState& state, const QString& path);

/// Returns the tags of a project for a model; reports tags of missing nodes in `note`.
[[nodiscard]] LoadedTags tagsOfProject(const ProjectFile& project, const Snapshot& snapshot, const QString& path);

/// Returns the traits of a project tag; `place` is its index in the order, which determines the default color.
[[nodiscard]] TagTraits traitsOfTag(const ProjectTag& tag, std::size_t place);

/// Returns work that recomputes a run of a project with the same pass, options, tags, and devices. Refused if this version lacks
/// the pass, or if the pass refuses.
[[nodiscard]] Result<PassWork> workOfKeptRun(const Document& document, const ProjectRun& run);

/// Returns a summary for the user: "3 tags on 120 ops, 2 devices, 4 runs".
[[nodiscard]] QString holdsText(const ProjectFile& project);

} // namespace sunder
