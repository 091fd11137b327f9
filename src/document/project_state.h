#pragma once

#include "document/prepared_model.h"
#include "document/runs/run.h"

#include "analysis/device.h"
#include "io/side_files/project_file.h"

#include <QString>

#include <optional>
#include <vector>

namespace sunder {

class Document;

/// What a project keeps of a document, by value: what a job writes while the document goes on changing.
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
    std::vector<int> shown;        ///< numbers of runs
    ProjectFile rest =
        {}; ///< sizes, operators, bookmarks, views, what this version does not know, and runs that are not made again yet
    std::optional<SourceMark> mark = {}; ///< of the model, where it is known already
};

/// Of what is open; `rest` is for the caller to fill.
[[nodiscard]] ProjectState projectStateOf(const Document& document);

/// As a file at `path` says it. Works out the mark of the model where it is not given. O(nodes + runs).
[[nodiscard]] ProjectFile projectFileOf(const ProjectState& state, const QString& path);

/// The tags of a project, fitted to a model; those of nodes that it does not have are noted.
[[nodiscard]] LoadedTags tagsOfProject(const ProjectFile& project, const Snapshot& snapshot, const QString& path);

/// What goes with a tag, as a project keeps it; `place` in the order, for its colour.
[[nodiscard]] TagTraits traitsOfTag(const ProjectTag& tag, std::size_t place);

/// What it holds, for people: "3 tags on 120 ops, 2 devices, 4 runs".
[[nodiscard]] QString holdsText(const ProjectFile& project);

} // namespace sunder
