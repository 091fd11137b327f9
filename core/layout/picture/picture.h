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
    node,   ///< one op (with its getitems), an input, an attribute or the output
    module, ///< a closed module call
    run,    ///< a folded run of equal siblings ("layers.0 … layers.14", ×15), or a group of siblings that differ
    frame,  ///< an open module or run with items inside
};

enum class ChipKind : std::uint8_t {
    value,     ///< a value that the item reads, in place of an edge
    comesFrom, ///< the item's end of an edge that comes from another column
    goesTo,    ///< the item's end of edges that lead into other columns
};

/// A small label beside an item, instead of an edge.
struct Chip {
    Rect rect;
    /// "cos", "mask"; "layers.0 … 4 · conv" for values of siblings; "+5" for values that have no chip of their own;
    /// "← layers.3", "→ layers.4 +2".
    std::string text;
    NodeId value; ///< the node that makes it; of several the first; of `goesTo` a node of the first reader
    std::vector<NodeId> more = {}; ///< of several all values; of `comesFrom` the edge's others; of `goesTo` other readers
    ChipKind kind = ChipKind::value;
};

/// One box of a picture.
struct Item {
    ItemKind kind = ItemKind::node;
    Rect rect;          ///< of a frame: with its title
    ItemId parent;      ///< the frame that it lies in; invalid at the top
    std::uint32_t depth = 0; ///< frames around it
    std::string title;  ///< line 1: op or class for nodes, path for modules: what it does
    std::string subtitle; ///< line 2: node name, class: who it is
    std::string detail; ///< right of line 2: shape, or "825 ops · 140.2 kB"
    std::string note;   ///< right of line 1: "↗ 32 readers"; empty when none
    std::string key;    ///< what opens and closes it (PictureOptions::open): "layers.15", run keys like "layers.0…14"
    NodeId node;        ///< of a node item
    std::vector<NodeId> nodes; ///< all nodes that the item stands for, in graph order; a frame: all inside. Parameters,
                               ///< buffers and get_attrs are with the first item that reads them
    std::vector<Chip> chips;
    std::uint32_t opCount = 0; ///< call nodes among them
    std::uint64_t bytes = 0;   ///< parameters, buffers and constants read, once per storage
    std::uint64_t outputBytes = 0; ///< of what a node gives, by hints; 0 when unknown
    std::uint32_t copies = 1;  ///< members of a run
    std::vector<std::string> members = {}; ///< of a run: what opens each member in place, in order
    bool isGroup = false; ///< a run, or its frame, whose members differ: its own key opens it, theirs do not
    bool canOpen = false;
};

/// A drawn dependency between two items.
struct PictureEdge {
    ItemId from;
    ItemId to;
    BezierPath path;
    std::vector<NodeId> values; ///< producers whose values it carries
    std::uint64_t bytes = 0;    ///< of these values, by hints; 0 when unknown
    bool isCut = false;         ///< leads from one column into another: chips name its ends
};

/// Where edges lead to: down the page, or to the right.
enum class FlowDirection : std::uint8_t { down, right };

/// A graph as it is drawn: items in drawing order (frames before what they hold).
struct Picture {
    std::vector<Item> items;
    std::vector<PictureEdge> edges;
    std::vector<ItemId> itemOf; ///< per NodeId index: the innermost closed item that shows the node; may be invalid
    Size size;
    FlowDirection direction = FlowDirection::down;
    std::vector<ItemId> columnStarts = {}; ///< items with which a further column begins; empty: one column
};

/// How wide a text is; the window passes one made from its fonts, the default estimates.
enum class TextRole : std::uint8_t { title, mono, chip };
using TextWidth = std::function<float(std::string_view text, TextRole role)>;
float estimateTextWidth(std::string_view text, TextRole role);

/// A zoom at which every text of a node is read: its smallest text, 9.5 px at 100 %, has 8 px then.
inline constexpr float kReadableZoom = 8.0F / 9.5F;

/// How what is much higher than wide is set: in columns like a newspaper, from the left to the right. A column ends where
/// few edges cross, at the borders of modules first; edges into another column are chips at both ends. What flows to the
/// right is set in lines, from the top to the bottom, in the same manner.
struct ColumnOptions {
    enum class Setting : std::uint8_t {
        one,  ///< never
        fit,  ///< as many as let the whole fit best into `room`; one where that is readable
        count, ///< about `count`: as many as come of columns of equal height
        keep, ///< where those of `PictureOptions::previous` began
    };
    Setting setting = Setting::one;
    Size room = {}; ///< that there is to show the picture in, pixels
    std::uint32_t count = 1;
};

/// Keys. A module call is opened by its path; a repeated call has the call index behind it ("embed@1"), a further
/// stretch of a module that surrounds something else a number ("block#2"), and what lies inside such a one has its
/// key in front ("embed@1/embed.linear"). A key works only while everything around it is open.
/// A run of closed siblings is opened by "first…last" ("layers.0…layers.14") and becomes a frame that holds these
/// members, all closed unless their own keys are open. Opening only a member ("layers.15", see Item::members)
/// divides the run instead: a run before it, its frame, a run behind it. Closing it joins them again.
/// Neighbouring elements of a list that differ are a group, one item, where "first⋯last" is among `closed`
/// ("down.0⋯down.10"), and a frame where it is among `open`; of others there is none.
struct PictureOptions {
    std::set<std::string> open;  ///< keys of opened modules and runs
    std::set<std::string> openDeep = {}; ///< keys of modules and runs that are open with all inside
    bool openAll = false;        ///< every module open: the op level
    std::set<std::string> closed = {}; ///< keys of what is closed though all around it is open
    bool collapse = true;        ///< false: ignore modules, one item a node
    /// Assertions and calls whose results nobody uses have items of their own; else they go with the item of what they look
    /// at, without edges.
    bool bystanders = false;
    std::uint32_t chipReaders = 7; ///< a value read by more items than this (runs counted in full) becomes chips
    /// An item that reads more values than this which two others read as well (dense connections) has chips for them.
    std::uint32_t chipInputs = 3;
    /// Path of a module in which all of the graph lies: it has no frame, and titles leave it out; keys do not.
    std::string within = {};
    /// Inputs of the graph that are of less interest: they have no item of their own but are chips at all their readers.
    std::vector<NodeId> asides = {};
    /// Isolated: the picture has only the items that show these nodes, and their neighbors; empty: all items.
    std::vector<NodeId> only = {};
    TextWidth textWidth = estimateTextWidth;
    FlowDirection direction = FlowDirection::down;
    ColumnOptions columns = {};
    const Picture* previous = nullptr; ///< whose columns are kept
};

/// True for the key of a group.
bool isGroupKey(std::string_view key);

/// `options.open` and the keys that have to be opened besides for `node` to be seen as an item of its own, or as near
/// to that as it gets. Linear in nodes a level.
std::set<std::string> keysThatShow(const Program& program, GraphId graph, NodeId node, const PictureOptions& options);

/// Groups nodes into items by the rules of `docs/pictures.md`, "What is one item", and places them with
/// `engine`, body by body from the inside out. Linear in nodes plus what the engine needs. Fails when cancelled.
Result<Picture> buildPicture(const Program& program, GraphId graph, const PictureOptions& options, const LayoutEngine& engine,
                             ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
