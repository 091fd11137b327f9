#pragma once

#include "analysis/partition_assignment.h"
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

/// Identifies the model that a project was made for.
struct SourceMark {
    std::uint64_t bytes = 0;  ///< file size
    std::string content = {}; ///< SourceFile::contentMark(); empty if unknown
    std::uint64_t nodes = 0;  ///< in the root graph
    std::string graph = {};   ///< hash of the root graph: names, operators, targets, arguments, and modules of its nodes
    friend bool operator==(const SourceMark&, const SourceMark&) = default;
};

/// The location of a project's model.
struct ProjectSource {
    std::string relative = {}; ///< relative to the folder of the project; empty if there is no such path
    std::string absolute = {};
    std::string program = {}; ///< its name in a file with several programs, else empty
    SourceMark mark = {};
};

/// A tag with its style and its nodes.
struct ProjectTag {
    InternedString name;
    std::optional<std::uint32_t> hue = {}; ///< index in the palette, see tagStyle(); nothing: by its position
    bool isHueChosen = false;              ///< set by the user or a file
    std::string color = {};                ///< custom color, "#rrggbb"; empty: the color of its hue
    std::string code = {};                 ///< 1–3 letters chosen by the user
    bool isLocked = false;
    bool isHidden = false;
    std::vector<InternedString> nodes = {}; ///< names in graph order
    friend bool operator==(const ProjectTag&, const ProjectTag&) = default;
};

/// The settings of a partition run.
struct ProjectPartition {
    bool is2020 = false;
    bool asUpstream = false;
    PartitionerConfig config = {};
};

/// A run without its results; it is repeated when needed.
struct ProjectRun {
    int number = 1;
    std::string pass = {};    ///< pass id
    std::string options = {}; ///< raw JSON object; empty: defaults
    std::string name = {};    ///< name given by the user
    bool isShown = false;
    std::optional<std::vector<ProjectTag>> tags = {}; ///< tags of the run if they differ from the project's
    std::optional<ProjectPartition> partition = {};
};

/// A named position in the source.
struct ProjectBookmark {
    std::string name;
    std::string sight; ///< raw JSON object
};

/// A note on an op of the source.
struct ProjectNote {
    InternedString node; ///< name of the node
    std::string text;
    /// Offset of its top-left corner from the top-right corner of the op's box, in pixels at 100%.
    std::int32_t x = 0;
    std::int32_t y = 0;
    friend bool operator==(const ProjectNote&, const ProjectNote&) = default;
};

/// Tags of ops that existed only in an earlier state of the model. They are restored if the ops reappear.
struct ProjectLostTags {
    std::string identity = {}; ///< raw JSON identity of the graph with these tags
    std::vector<ProjectTag> tags = {};
};

/// Marks a copy of unsaved work that a session keeps for recovery.
struct UnsavedOrigin {
    std::string project = {}; ///< path of the project; empty if it was never saved
    std::string when = {};    ///< ISO 8601
};

/// A .sunder file (`docs/project-files.md`): everything the user did to a model, without the model.
struct ProjectFile {
    ProjectSource source;
    std::vector<ProjectTag> tags = {}; ///< in execution order of the parts
    InternedString activeTag = {}; ///< empty: none
    bool protectsTagged = false;
    bool isBackwardApart = false; ///< tag the backward pass of a joint program independently of its forward pass
    std::vector<Device> devices = {};
    std::vector<AssumedSize> sizes = {};
    std::string operatorsFile = {}; ///< absolute path; empty: none
    std::vector<ProjectRun> runs = {};
    std::vector<ProjectBookmark> bookmarks = {};
    std::vector<ProjectNote> notes = {}; ///< at most one per node
    std::string view = {}; ///< raw JSON object with one member per pane: open modules and view position
    std::string arrangement = {}; ///< state of the docks, base64
    std::string identity = {}; ///< raw JSON identity to recognize nodes in another export
    std::string costs = {};       ///< raw JSON object of measured costs, as in COSTS.json; empty: none
    std::string costsSource = {}; ///< their origin, for display
    std::vector<std::string> nodeData = {}; ///< raw JSON objects of node data, as of Model Explorer
    std::string figures = {}; ///< raw JSON object of the figures of the cut, see keptFigures(); empty: none
    std::string rules = {}; ///< raw JSON rules that assign tags by pattern
    std::vector<ProjectLostTags> lost = {}; ///< oldest first
    std::optional<UnsavedOrigin> unsaved = {}; ///< set in a copy for recovery
    std::string extra = {}; ///< raw JSON object of unknown members
};

inline constexpr unsigned kMaxProjectDepth = 64; ///< levels of JSON, also in raw members

/// Reads a project of at most 256 MB, 100,000 tags and runs, and 64 levels of JSON. Rejected, naming file and member: damaged
/// contents, values of the wrong type, duplicate keys, tags, and run numbers, a node with two tags or two notes. Files of a newer
/// project version are unsupported. Unknown top-level members are kept, but not unknown nested ones: a version that adds those
/// increases the version number. Linear.
Result<ProjectFile> readProjectFile(const std::string& path);
/// The same for a text in memory; errors name `nameForMessages`.
Result<ProjectFile> parseProjectFile(std::string_view text, const std::string& nameForMessages);

/// Returns the text that parseProjectFile() reads. Linear.
std::string projectFileText(const ProjectFile& project);
/// Writes and syncs a temporary file and renames it, so that either the old or the complete new file exists.
Result<void> writeProjectFile(const ProjectFile& project, const std::string& path);

/// True for a path with the suffix .sunder, case-insensitively.
bool isProjectPath(std::string_view path);

} // namespace sunder
