#include "layout/picture/item_looks.h"

#include "analysis/sizes.h"
#include "ir/tensor_meta.h"
#include "layout/collapse/list_place.h"
#include "layout/picture/item_chips.h"
#include "layout/picture/item_text.h"
#include "support/format.h"
#include "support/text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sunder::collapse {
namespace {

constexpr float kNodeHeight = 34;
constexpr float kModuleHeight = 44;
constexpr float kMinNodeWidth = 120;
constexpr float kMinModuleWidth = 152;
constexpr float kGreatestNodeWidth = 256;
constexpr float kGreatestModuleWidth = 304;
constexpr float kPad = 20;        ///< sum of left and right
constexpr float kGap = 12;        ///< between the two texts of a line
constexpr float kBehindTitle = 6;    ///< after the title
constexpr float kTagCode = 24;    ///< space for the code of a tag at the top right
constexpr float kTriangle = 14;   ///< space for the triangle of items that can open
constexpr float kGreatestDetail = 120;
constexpr float kGreatestFrameClass = 200;
constexpr float kGreatestName = 90; ///< of a wide value
constexpr float kWidthStep = 16;  ///< box widths are multiples of it, so that texts of similar length get equal boxes

/// Pads every number to at least three digits, so that "add_7" is as wide as "add_117" and equal modules look the same
/// everywhere.
std::string withWideNumbers(std::string_view text)
{
    constexpr std::size_t kDigits = 3;
    std::string wide;
    std::size_t digits = 0;
    const auto fill = [&] { wide.append(digits > 0 && digits < kDigits ? kDigits - digits : 0, '0'); };
    for (const char c : text) {
        if (!isAsciiDigit(c)) {
            fill();
            digits = 0;
        } else {
            ++digits;
        }
        wide += c;
    }
    fill();
    return wide;
}

/// Returns "down.0 … down.10" for modules in these elements of a list.
std::string groupTitle(std::string_view first, std::string_view last, std::string_view outer)
{
    const auto elementOf = [&](std::string_view path) {
        const std::optional<ListPlace> place = listPlaceOf(path, outer);
        const std::size_t length = place ? place->list.size() + place->number.size() : path.size();
        return std::string(pathWithin(path.substr(0, length), outer));
    };
    return elementOf(first) + " … " + elementOf(last);
}

/// Returns a text such as "11 elements of ResBlock, Attention, Conv2d".
std::string groupSubtitle(const Entry& entry)
{
    constexpr std::string_view kBoth = " + "; // between the classes of one element
    std::vector<std::string_view> classes;
    for (const InternedString cls : entry.classes) {
        for (std::string_view rest = shortClass(cls.view()); !rest.empty();) {
            const std::string_view one = rest.substr(0, rest.find(kBoth));
            if (std::find(classes.begin(), classes.end(), one) == classes.end())
                classes.push_back(one);
            rest.remove_prefix(std::min(rest.size(), one.size() + kBoth.size()));
        }
    }
    std::string text = formatCount(entry.memberKeys.size(), "element");
    for (std::size_t i = 0; i < classes.size(); ++i)
        text += (i == 0 ? " of " : ", ") + std::string(classes[i]);
    return text;
}

/// Returns the shape of a node's value, or the number of values if there are several.
std::string shapeText(const Argument& val)
{
    if (!val.isCompound() || val.items().empty())
        return describeShape(val);
    return val.items().size() == 1 ? describeShape(val.items().front()) : formatCount(val.items().size(), "value");
}

float widthOf(std::string_view text, TextRole role, const TextWidth& textWidth)
{
    return text.empty() ? 0 : textWidth(text, role);
}

/// Keeps the number of copies and shortens the class.
void shortenSubtitle(Item& item, float room, const TextWidth& textWidth)
{
    if (item.isGroup)
        item.subtitle = elideEnd(item.subtitle, room, TextRole::mono, textWidth);
    const std::size_t count = item.copies > 1 && !item.isGroup ? item.subtitle.rfind(" ×") : std::string::npos;
    if (count == std::string::npos) {
        item.subtitle = elideMiddle(item.subtitle, room, TextRole::mono, textWidth);
        return;
    }
    const std::string rest = item.subtitle.substr(count);
    const float left = room - widthOf(rest, TextRole::mono, textWidth);
    const std::string cls = elideMiddle(item.subtitle.substr(0, count), left, TextRole::mono, textWidth);
    item.subtitle = elideMiddle(cls + rest, room, TextRole::mono, textWidth);
}

class LooksMaker {
public:
    explicit LooksMaker(const ItemSource& source) : m_source(source), m_seen(source.units.storageCount, kNone)
    {
        const Graph& graph = source.graph;
        const auto nodes = graph.nodes();
        const bool isRoot = &graph == &source.program.rootGraph();
        const auto calls = [&](NodeId id) { return graph[id].op == Op::callModule; };
        if (!isRoot || std::none_of(nodes.begin(), nodes.end(), calls))
            return;
        m_memory = memoryTable(source.program.tensors);
        m_reads.emplace(source.program, m_memory);
        m_seenMemory.assign(m_memory.bytes.size(), kNone);
    }

    std::vector<Item> run()
    {
        const std::vector<Entry>& entries = m_source.collapsed.entries;
        m_items.resize(entries.size());
        for (Index i = 0; i < entries.size(); ++i) {
            fillFigures(entries[i], i);
            fillTexts(entries[i], m_items[i]);
        }
        listNodes();
        for (Index i = 0; i < entries.size(); ++i) {
            m_items[i].note = noteOf(m_items[i], m_source.flow.widest[i]);
            if (entries[i].kind == ItemKind::frame) {
                sizeFrame(m_items[i]);
                continue;
            }
            sizeClosed(m_items[i], m_source.options.textWidth);
            addChips(m_source, i, m_items[i]);
        }
        return std::move(m_items);
    }

private:
    /// Returns "↗ 32 users", plus the name used in the users' chips if it differs from the item's name.
    [[nodiscard]] std::string noteOf(const Item& item, const WideValue& widest) const
    {
        if (widest.readers == 0)
            return {};
        const std::string note = "↗ " + formatCount(widest.readers, "user");
        const std::string name = elideMiddle(chipText(m_source, widest.value), kGreatestName, TextRole::mono,
                                             m_source.options.textWidth);
        const bool isKnown = name == item.title || name == item.subtitle || name == item.detail || name == item.key;
        return isKnown || item.kind != ItemKind::node ? note : name + " " + note;
    }

    void fillFigures(const Entry& entry, Index index)
    {
        Item& item = m_items[index];
        item.kind = entry.kind;
        item.depth = entry.depth;
        item.key = entry.key;
        item.canOpen = entry.canOpen;
        item.members = entry.memberKeys;
        item.isGroup = entry.isGroup;
        item.copies = std::max<Index>(1, static_cast<Index>(entry.memberKeys.size()));
        if (entry.parent != kNone)
            item.parent = ItemId(entry.parent);
        for (Index at = entry.begin; at < entry.end; ++at) {
            const Index unit = m_source.collapsed.units[at];
            for (const NodeId node : m_source.units.nodesOf(unit))
                item.opCount += m_source.graph.node(node).isCall() ? 1 : 0;
            item.opCount += static_cast<std::uint32_t>(m_source.units.foldedOf(unit).size());
            addCalledModules(unit, index);
            for (const Index read : m_source.units.weightsOf(unit)) {
                const Weight& weight = m_source.units.weights[read];
                if (m_seen[weight.storage] != index)
                    item.bytes += weight.bytes;
                m_seen[weight.storage] = index;
            }
        }
    }

    /// Adds the contents of modules that the unit calls, because their parameters have no nodes.
    void addCalledModules(Index unit, Index index)
    {
        if (!m_reads)
            return;
        for (const NodeId node : m_source.units.nodesOf(unit)) {
            if (m_source.graph[node].op != Op::callModule)
                continue;
            for (const std::uint32_t memory : m_reads->of(node))
                if (std::exchange(m_seenMemory[memory], index) != index)
                    m_items[index].bytes += m_memory.bytes[memory];
        }
    }

    void fillTexts(const Entry& entry, Item& item) const
    {
        if (entry.scope == kNone) {
            fillNode(m_source.units.heads[m_source.collapsed.units[entry.begin]], item);
            return;
        }
        const Scope& scope = m_source.scopes.scopes[entry.scope];
        const bool isFrame = entry.kind == ItemKind::frame;
        const std::string_view around = isFrame ? std::string_view() : pathAround(entry);
        const std::string_view outer = around.empty() ? std::string_view(m_source.options.within) : around;
        item.title = std::string(pathWithin(scope.path.view(), outer));
        item.subtitle = std::string(shortClass(scope.cls.view()));
        if (entry.isGroup) {
            item.title = groupTitle(scope.path.view(), m_source.scopes.scopes[entry.lastScope].path.view(), outer);
            item.subtitle = groupSubtitle(entry);
        } else if (!entry.memberKeys.empty()) {
            const Scope& last = m_source.scopes.scopes[entry.lastScope];
            const bool isRepeated = last.path == scope.path;
            if (!isRepeated)
                item.title += " … " + std::string(pathWithin(last.path.view(), outer));
            item.subtitle += " ×" + std::to_string(item.copies);
            item.subtitle += isRepeated ? " calls" : (entry.isParallel ? " parallel" : "");
            item.subtitle += entry.isVaried ? " of one kind" : "";
        } else if (scope.call > 0) {
            item.subtitle += " · call " + std::to_string(scope.call + 1);
        }
        if (entry.stretch > 0)
            item.subtitle += " · part " + std::to_string(entry.stretch + 1);
        item.detail = formatCount(item.opCount, "op");
        if (item.bytes > 0)
            item.detail += " · " + formatBytes(item.bytes);
    }

    /// Path of the module of the frame that encloses an entry.
    [[nodiscard]] std::string_view pathAround(const Entry& entry) const
    {
        Index frame = entry.parent;
        while (frame != kNone && !m_source.collapsed.entries[frame].memberKeys.empty())
            frame = m_source.collapsed.entries[frame].parent;
        if (frame == kNone)
            return {};
        return m_source.scopes.scopes[m_source.collapsed.entries[frame].scope].path.view();
    }

    void fillNode(NodeId id, Item& item) const
    {
        const Node& node = m_source.graph.node(id);
        item.node = id;
        item.title = opName(node);
        item.subtitle = node.name.str();
        if (node.op == Op::callModule)
            fillModuleCall(node, item);
        if (node.op == Op::output)
            item.detail = outputText(node);
        else if (node.meta.val)
            item.detail = shapeText(*node.meta.val);
        if (node.meta.val)
            item.outputBytes = byteSize(*node.meta.val).value_or(0);
    }

    /// The title of a call_module node is its module; the other texts describe the module's contents.
    void fillModuleCall(const Node& node, Item& item) const
    {
        const Program& program = m_source.program;
        item.title = node.target.str();
        const ModuleId module = program.modules.resolve(node.target.view());
        if (!module)
            return;
        const Module& called = program.modules[module];
        if (called.graph && called.graph.index() < program.graphs.size()) {
            std::uint64_t ops = 0;
            for (const NodeId id : program.graph(called.graph).nodes())
                ops += program.graph(called.graph).node(id).isCall() ? 1 : 0;
            item.detail = formatCount(ops, "op");
        } else if (!called.cls.empty()) {
            item.title = std::string(shortClass(called.cls.view()));
            item.subtitle = node.target.str();
        }
    }

    [[nodiscard]] std::string outputText(const Node& output) const
    {
        std::vector<NodeId> values;
        forEachNode(output.args, output.kwargs, [&](NodeId id) { values.push_back(id); });
        if (values.size() != 1)
            return formatCount(values.size(), "value");
        const std::optional<Argument>& val = m_source.graph.node(values.front()).meta.val;
        return val ? shapeText(*val) : std::string();
    }

    void listNodes()
    {
        const std::vector<ItemId> itemOf = itemOfNodes(m_source.units, m_source.collapsed);
        std::vector<Index> counts(m_items.size(), 0);
        for (const ItemId item : itemOf) {
            if (item)
                ++counts[item.index()];
        }
        for (Index i = static_cast<Index>(m_items.size()); i-- > 0;) { // inner items first; frames precede their contents
            if (m_items[i].parent)
                counts[m_items[i].parent.index()] += counts[i];
            m_items[i].nodes.reserve(counts[i]);
        }
        for (const NodeId node : m_source.graph.nodes()) {
            for (ItemId item = itemOf[node.index()]; item; item = m_items[item.index()].parent)
                m_items[item.index()].nodes.push_back(node);
        }
    }

    void sizeFrame(Item& item) const
    {
        const TextWidth& textWidth = m_source.options.textWidth;
        item.title = elidePath(item.title, kGreatestNodeWidth, TextRole::title, textWidth);
        shortenSubtitle(item, kGreatestFrameClass, textWidth);
        item.rect.width = kPad + kTriangle + widthOf(item.title, TextRole::title, textWidth) + kGap
            + widthOf(item.subtitle, TextRole::mono, textWidth) + 2 * kGap + widthOf(item.detail, TextRole::mono, textWidth);
    }

    const ItemSource& m_source;
    std::vector<Item> m_items;
    std::vector<Index> m_seen; ///< per storage: the last entry that counted it
    MemoryTable m_memory;
    std::optional<MemoryReads> m_reads; ///< set if the program calls modules
    std::vector<Index> m_seenMemory;    ///< per memory: the last entry that counted it
};

} // namespace

void sizeClosed(Item& item, const TextWidth& textWidth)
{
    const auto wide = [&](std::string_view text, TextRole role) { return widthOf(text, role, textWidth); };
    const bool isNode = item.kind == ItemKind::node;
    item.detail = elideMiddle(item.detail, kGreatestDetail, TextRole::mono, textWidth);
    const float right = wide(item.note, TextRole::mono) + (item.canOpen ? kTriangle : 0.F) + kTagCode;
    const float detail = wide(item.detail, TextRole::mono);
    const float detailGap = detail > 0 ? kGap : 0;
    const float greatest = isNode ? kGreatestNodeWidth : kGreatestModuleWidth;
    item.title = elideMiddle(item.title, greatest - kPad - kBehindTitle - right, TextRole::title, textWidth);
    shortenSubtitle(item, greatest - kPad - detailGap - detail, textWidth);
    const float first = wide(withWideNumbers(item.title), TextRole::title) + kBehindTitle + right;
    const float second = wide(withWideNumbers(item.subtitle), TextRole::mono) + detailGap + detail;
    const float least = isNode ? kMinNodeWidth : kMinModuleWidth;
    const float wanted = std::clamp(std::max(first, second) + kPad, least, greatest);
    item.rect.width = std::ceil(wanted / kWidthStep) * kWidthStep;
    item.rect.height = isNode ? kNodeHeight : kModuleHeight;
}

std::vector<Item> itemsOf(const ItemSource& source)
{
    return LooksMaker(source).run();
}

std::vector<ItemId> itemOfNodes(const UnitGraph& units, const Collapsed& collapsed)
{
    std::vector<ItemId> itemOf(units.unitOf.size());
    for (std::size_t node = 0; node < itemOf.size(); ++node) {
        if (units.unitOf[node] != kNone)
            itemOf[node] = ItemId(collapsed.entryOf[units.unitOf[node]]);
    }
    return itemOf;
}

} // namespace sunder::collapse
