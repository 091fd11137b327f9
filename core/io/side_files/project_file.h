#pragma once

#include "analysis/partitioner_config.h"
#include "io/sympy/size_assumptions.h"
#include "support/interned_string.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// By what a project knows the model again that it was made for.
struct SourceMark {
    std::uint64_t bytes = 0;  ///< of the file
    std::string content = {}; ///< SourceFile::contentMark(); empty where nobody knows
    std::uint64_t nodes = 0;  ///< of the root graph
    std::string graph = {};   ///< hash over the root graph: names, operators, targets, arguments and modules of its nodes
    friend bool operator==(const SourceMark&, const SourceMark&) = default;
};

/// Where the model of a project lies.
struct ProjectSource {
    std::string relative = {}; ///< to the folder of the project; empty where there is no such way
    std::string absolute = {};
    std::string program = {}; ///< in a file that holds several; else empty
    SourceMark mark = {};
};

/// A tag with what goes with it, and the nodes that have it.
struct ProjectTag {
    InternedString name;
    std::optional<std::uint32_t> hue = {}; ///< in the palette, see tagStyle(); nothing: by its place
    bool isHueChosen = false;              ///< by a person or a file
    std::string color = {};                ///< of its own, "#rrggbb"; empty: that of its hue
    std::string code = {};                 ///< 1–3 letters that a person chose
    bool isLocked = false;
    bool isHidden = false;
    std::vector<InternedString> nodes = {}; ///< by name, in graph order
    friend bool operator==(const ProjectTag&, const ProjectTag&) = default;
};

/// What a partition was asked for.
struct ProjectPartition {
    bool is2020 = false;
    bool asUpstream = false;
    PartitionerConfig config = {};
};

/// A run, to be made again: results are not kept.
struct ProjectRun {
    int number = 1;
    std::string pass = {};    ///< id
    std::string options = {}; ///< raw JSON object; empty: all as usual
    std::string name = {};    ///< as the person calls it
    bool isShown = false;
    std::optional<std::vector<ProjectTag>> tags = {}; ///< that it was made from, where they were others than those of the project
    std::optional<ProjectPartition> partition = {};
};

/// A place in the source that a person gave a name.
struct ProjectBookmark {
    std::string name;
    std::string sight; ///< raw JSON object
};

/// A note on an op of the source.
struct ProjectNote {
    InternedString node; ///< by name
    std::string text;
    /// Of its upper left corner, from the upper right corner of the box that shows the op, pixels at 100 %.
    std::int32_t x = 0;
    std::int32_t y = 0;
    friend bool operator==(const ProjectNote&, const ProjectNote&) = default;
};

/// Tags of ops that an earlier state of the model had and the present one does not: they come back with the ops.
struct ProjectLostTags {
    std::string identity = {}; ///< raw JSON: of the graph that had them
    std::vector<ProjectTag> tags = {};
};

/// A .sunder file, see `docs/project-files.md`: all that a person did to a model, without the model.
struct ProjectFile {
    ProjectSource source;
    std::vector<ProjectTag> tags = {}; ///< in the order in which parts run
    InternedString activeTag = {}; ///< empty: none
    bool protectsTagged = false;
    bool isBackwardApart = false; ///< the backward pass of a joint program does not follow its forward pass
    std::vector<Device> devices = {};
    std::vector<AssumedSize> sizes = {};
    std::string operatorsFile = {}; ///< absolute path; empty: none
    std::vector<ProjectRun> runs = {};
    std::vector<ProjectBookmark> bookmarks = {};
    std::vector<ProjectNote> notes = {}; ///< one a node at most
    std::string view = {}; ///< raw JSON object: what is open and where one looks, a member a pane
    std::string arrangement = {}; ///< of the docks, base64
    std::string identity = {}; ///< raw JSON: by what nodes are known again in another export
    std::string rules = {}; ///< raw JSON: what paints tags by pattern
    std::vector<ProjectLostTags> lost = {}; ///< oldest first
    std::string extra = {}; ///< raw JSON object of members that this version does not know
};

/// Reads a project of at most 256 MB, 100,000 tags and runs, and JSON 64 deep. Refuses, naming file and member: what is damaged or
/// of the wrong type, keys, tags and numbers of runs that are there twice, a node with two tags or two notes. Members of a newer version
/// that this one does not read are unsupported. Members of the file that it does not know are kept, of what is inside them not: a version that adds
/// such has another number. Linear.
Result<ProjectFile> readProjectFile(const std::string& path);
/// The same for a text at hand; errors name `nameForMessages`.
Result<ProjectFile> parseProjectFile(std::string_view text, const std::string& nameForMessages);

/// As parseProjectFile() reads it back. Linear.
std::string projectFileText(const ProjectFile& project);
/// Writes it beside its place and renames it, everything on the disk before: there is the old file or the whole new one.
Result<void> writeProjectFile(const ProjectFile& project, const std::string& path);

/// Whether a path is called like a project: NAME.sunder, in any case.
bool isProjectPath(std::string_view path);

} // namespace sunder
