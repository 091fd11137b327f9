#pragma once

#include "analysis/device.h"
#include "document/tag_basis.h"
#include "document/tag_state.h"
#include "io/side_files/project_file.h"
#include "tagging/tag_check.h"

#include <QString>

#include <optional>

namespace sunder {

/// Tags of a file, assigned to the nodes of a model.
struct LoadedTags {
    TagAssignment tags;
    std::vector<TagTraits> traits;
    QString path;
    QString note = {}; ///< tags that could not be assigned, as a sentence; empty if there are none
    bool backwardFollows = true; ///< false if the backward pass of a joint program is tagged separately
};

/// A model with its checked initial tags, ready for a document to take without further computation.
struct PreparedModel {
    SnapshotPtr snapshot;
    TagState state;
    TagCheck check;
    TagBasis basis = {};      ///< tag rules and the report of a tag transfer
    std::vector<Device> devices = {}; ///< devices of its project
    std::vector<ProjectNote> notes = {}; ///< notes of its project
    QString programName = {}; ///< program name in a file that holds several; otherwise empty
    QString tagsPath = {};    ///< file of the tags; empty if they come from the model
};

/// Prepares a model with `tags` if given, else with the tags on its nodes, else with two empty tags. The backward pass of a joint
/// program follows if the tags are consistent with that. Call from a background job.
PreparedModel prepareModel(SnapshotPtr snapshot, std::optional<LoadedTags> tags = {});

/// Returns a state with these tags: resized to the graph, restricted to taggable nodes, with the first tag active. If `traits`
/// has another length, colors are chosen by index.
TagState stateOf(TagAssignment tags, std::vector<TagTraits> traits, const Snapshot& snapshot);

} // namespace sunder
