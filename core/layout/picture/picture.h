#pragma once

#include "ir/program.h"
#include "layout/box_layout.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace sunder {

using ItemId = Id<struct ItemTag>; ///< An item of a Picture.

enum class ItemKind : std::uint8_t {
    node,   ///< one op (with its getitems), an input, an attribute, or the output
    module, ///< a closed module call
    run,    ///< a folded run of equal siblings ("layers.0 … layers.14", ×15), or a group of different siblings
    frame,  ///< an open module or run with nested items
};

enum class ChipKind : std::uint8_t {
    value,     ///< a value that the item reads, shown without an edge
    comesFrom, ///< the target end of an edge from another column
    goesTo,    ///< the source end of edges to other columns
};

/// A small label next to an item that replaces an edge.
struct Chip {
    Rect rect;
    /// Examples: "cos", "mask"; "← layers.3", "→ layers.4 +2"; "layers.0 … 4 · conv" for values of siblings; "+5" for values
    /// without their own chip.
    std::string text;
    NodeId value; ///< the first producer; for `goesTo`: a node of the first consumer
    /// further values of the chip or, for `comesFrom`, of the edge; for `goesTo`: further consumers
    std::vector<NodeId> more = {};
    ChipKind kind = ChipKind::value;
};

/// One box of a picture.
struct Item {
    ItemKind kind = ItemKind::node;
    Rect rect;          ///< including the title of a frame
    ItemId parent;      ///< enclosing frame; invalid at the top level
    std::uint32_t depth = 0; ///< number of enclosing frames
    std::uint32_t column = 0; ///< within its frame
    std::string title;  ///< line 1: op or class for nodes, path for modules
    std::string subtitle; ///< line 2: node name or class
    std::string detail; ///< right of line 2: shape, or "825 ops · 140.2 kB"
    std::string note;   ///< right of line 1: "↗ 32 users"; may be empty
    std::string key;    ///< key that opens and closes it (PictureOptions::open): "layers.15", or for runs "layers.0…14"
    NodeId node;        ///< only for node items
    std::vector<NodeId> nodes; ///< its nodes in graph order, for a frame all nested nodes; parameters,
                               ///< buffers, and get_attrs belong to the first item that reads them
    std::vector<Chip> chips;
    std::uint32_t opCount = 0; ///< number of call nodes
    std::uint64_t bytes = 0;   ///< parameters, buffers, and constants read, once per storage
    std::uint64_t outputBytes = 0; ///< of a node's result, with size hints; 0 if unknown
    std::uint32_t copies = 1;  ///< number of members of a run
    std::vector<std::string> members = {}; ///< of a run: the key of each member, in order
    bool isGroup = false; ///< a run or frame with different members; opens only by its own key
    bool canOpen = false;
};

/// A drawn dependency between two items.
struct PictureEdge {
    ItemId from;
    ItemId to;
    BezierPath path;
    std::vector<NodeId> values; ///< producers of the carried values
    std::uint64_t bytes = 0;    ///< of these values, with size hints; 0 if unknown
    bool isCut = false;         ///< connects different columns: chips name its ends
};

/// Direction of edges: down the page, or to the right.
enum class FlowDirection : std::uint8_t { down, right };

/// A drawn graph. Items are in drawing order; frames precede their contents.
struct Picture {
    std::vector<Item> items;
    std::vector<PictureEdge> edges;
    std::vector<ItemId> itemOf; ///< per NodeId index: the innermost closed item that shows the node; may be invalid
    Size size;
    FlowDirection direction = FlowDirection::down;
    std::vector<ItemId> columnStarts = {}; ///< first item of each column except the first; empty: one column
};

/// Measures the width of a text. The window passes a function based on its fonts; the default estimates.
enum class TextRole : std::uint8_t { title, mono, chip };
using TextWidth = std::function<float(std::string_view text, TextRole role)>;
float estimateTextWidth(std::string_view text, TextRole role);

/// The zoom at which all texts of a node are readable: the smallest text, 9.5 px at 100%, becomes 8 px.
inline constexpr float kReadableZoom = 8.0F / 9.5F;

/// Division of a tall picture into columns, as in a newspaper, from left to right. Columns end where few edges cross, preferably
/// at module boundaries. Edges between columns become chips at both ends. Pictures with edges to the right are likewise divided
/// into lines, from top to bottom.
struct ColumnOptions {
    enum class Setting : std::uint8_t {
        one,  ///< never
        fit,  ///< the number that fits the picture best into `room`; one if that is readable
        count, ///< about `count`, of equal height
        keep, ///< starting at the same items as in `PictureOptions::previous`
    };
    Setting setting = Setting::one;
    Size room = {}; ///< available space in pixels
    std::uint32_t count = 1;
};

/// Options of a picture. Keys select modules and runs:
/// - A module call: its path.
/// - A repeated call: its path and call index ("embed@1").
/// - A later stretch of a module that other ops interrupt: its path and a number ("block#2").
/// - Contents of the previous two: prefixed with their key ("embed@1/embed.linear").
/// - A run of closed siblings: "first…last" ("layers.0…layers.14").
/// - A group of different neighboring list elements: "first⋯last" ("down.0⋯down.10").
///
/// A key has an effect only while all enclosing modules are open. Opening a run turns it into a frame of its members, which are
/// closed unless their own keys are open. Opening only one member ("layers.15", see Item::members) divides the run into a run
/// before it, its frame, and a run after it; closing it joins them again. A group exists only if its key is in `closed`, as one
/// item, or in `open`, as a frame.
struct PictureOptions {
    std::set<std::string> open;  ///< keys of opened modules and runs
    std::set<std::string> openDeep = {}; ///< keys of modules and runs that are open with all their contents
    bool openAll = false;        ///< open every module, down to the ops
    std::set<std::string> closed = {}; ///< keys of items that stay closed inside deeply open ones
    bool collapse = true;        ///< false: ignore modules; one item per node
    /// Show assertions and calls with unused results as separate items. Otherwise they belong to the item of their operand,
    /// without edges.
    bool deadNodes = false;
    std::uint32_t chipReaders = 7; ///< values with more consumers than this (counting each member of a run) become chips
    /// If an item reads more than this many values that two others read as well (dense connections), these values become chips.
    std::uint32_t chipInputs = 3;
    /// Path of a module that contains the whole graph. It has no frame, and titles omit it, but keys include it.
    std::string within = {};
    /// Less important inputs of the graph: they have no item, only chips at all their consumers.
    std::vector<NodeId> asides = {};
    /// Isolate these nodes: show only their items and neighbors. Empty: all items.
    std::vector<NodeId> only = {};
    TextWidth textWidth = estimateTextWidth;
    FlowDirection direction = FlowDirection::down;
    ColumnOptions columns = {};
    const Picture* previous = nullptr; ///< picture whose columns are kept
};

/// True for the key of a group.
bool isGroupKey(std::string_view key);

/// Returns `options.open` plus the keys that must be open so that `node` is a separate item, or as visible as possible. Linear in
/// nodes per level.
std::set<std::string> keysThatShow(const Program& program, GraphId graph, NodeId node, const PictureOptions& options);

/// Groups nodes into items by the rules of `docs/pictures.md`, "Items", and places them with `engine`, body by body
/// from the innermost outward. Linear in nodes plus the time of the engine. Fails when canceled.
Result<Picture> buildPicture(const Program& program, GraphId graph, const PictureOptions& options, const LayoutEngine& engine,
                             ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
