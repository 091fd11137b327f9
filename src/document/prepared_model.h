#pragma once

#include "analysis/device.h"
#include "document/tag_basis.h"
#include "document/tag_state.h"
#include "io/side_files/project_file.h"
#include "tagging/tag_check.h"

#include <QString>

#include <optional>

namespace sunder {

/// Tags as a file has them, fitted to a model.
struct LoadedTags {
    TagAssignment tags;
    std::vector<TagTraits> traits;
    QString path;
    QString note = {}; ///< what did not fit, as a sentence; empty when all did
    bool backwardFollows = true; ///< false: the backward pass of a joint program is tagged apart
};

/// A model with the tags that it begins with, checked: all that a document takes over without work of its own.
struct PreparedModel {
    SnapshotPtr snapshot;
    TagState state;
    TagCheck check;
    TagBasis basis = {};      ///< rules, and what came of taking tags over
    std::vector<Device> devices = {}; ///< of its project
    std::vector<ProjectNote> notes = {}; ///< likewise
    QString programName = {}; ///< in a file that holds several, else empty
    QString tagsPath = {};    ///< where the tags come from; empty when from the model itself
};

/// Takes `tags` where given, else those that stand on the nodes, else two empty ones. The backward pass of a joint program follows
/// where these are as if it did. For a background job.
PreparedModel prepareModel(SnapshotPtr snapshot, std::optional<LoadedTags> tags = {});

/// A state with these tags, the table as long as the graph, tags of nodes that bear none dropped, the first tag
/// active. Where `traits` do not fit, colours go by place.
TagState stateOf(TagAssignment tags, std::vector<TagTraits> traits, const Snapshot& snapshot);

} // namespace sunder
