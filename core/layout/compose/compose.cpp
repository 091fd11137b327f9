#include "layout/compose/compose.h"

#include "layout/compose/column_routes.h"
#include "layout/compose/composer.h"
#include "layout/picture/item_chips.h"
#include "layout/picture/picture.h"
#include "support/progress_monitor.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace sunder::compose {
namespace {

/// Returns "up.8 … 10" for "up.8" and "up.10". The common prefix up to a dot is not repeated.
std::string nameOfRun(const std::string& first, const std::string& last)
{
    const auto [end, other] = std::mismatch(first.begin(), first.end(), last.begin(), last.end());
    const std::size_t dot = end == first.begin() ? std::string::npos
                                                 : first.rfind('.', static_cast<std::size_t>(end - first.begin()) - 1);
    return first + " … " + last.substr(dot == std::string::npos ? 0 : dot + 1);
}

/// Returns the name of the other end: a node's name or a module's path. Within the same frame, only the title.
std::string nameOf(const Item& item, const Item& seenFrom)
{
    if (item.kind == ItemKind::node)
        return item.subtitle;
    constexpr std::string_view kTo = " … ";
    if (const std::size_t at = item.title.find(kTo); item.isGroup && at != std::string::npos)
        return nameOfRun(item.title.substr(0, at), item.title.substr(at + kTo.size()));
    if (item.kind == ItemKind::run && item.members.front() != item.members.back())
        return nameOfRun(item.members.front(), item.members.back());
    return item.parent == seenFrom.parent || item.key.empty() ? item.title : item.key;
}

NodeId nodeOf(const Item& item)
{
    return item.node || item.nodes.empty() ? item.node : item.nodes.front();
}

std::string withCount(std::string text, std::size_t others)
{
    return others == 0 ? text : text + " +" + std::to_string(others);
}

/// Returns for each dependency whether it crosses from one column into another. O(links of all paths).
std::vector<bool> cutDependencies(const collapse::Collapsed& collapsed, const Links& links, std::size_t dependencies,
                                  const std::vector<Index>& columnOf)
{
    std::vector<Index> lastColumn(collapsed.entries.size() + 1, 0); // per body
    for (Index entry = 0; entry < collapsed.entries.size(); ++entry) {
        const Index parent = collapsed.entries[entry].parent;
        Index& last = lastColumn[parent == kNone ? 0 : parent + 1];
        last = std::max(last, columnOf[entry]);
    }
    std::vector<bool> isCutLink(links.links.size(), false);
    for (Index i = 0; i < links.links.size(); ++i) {
        const Link& link = links.links[i];
        const Index from = link.from == kNone ? 0 : columnOf[link.from];
        const Index to = link.to == kNone ? lastColumn[link.body] : columnOf[link.to];
        isCutLink[i] = from != to;
    }
    std::vector<bool> isCut(dependencies, false);
    for (std::size_t d = 0; d < dependencies; ++d) {
        for (Index i = links.pathStart[d]; i < links.pathStart[d + 1]; ++i) {
            if (isCutLink[links.path[i]])
                isCut[d] = true;
        }
    }
    return isCut;
}

/// Adds a chip to both ends of every cut dependency that names the other end. Items must have their sizes. Several consumers of
/// one item share a chip: "→ layers.4 +2".
void addContinuations(const std::vector<collapse::Dependency>& dependencies, const std::vector<bool>& isCut,
                      FlowDirection direction, const TextWidth& textWidth, std::vector<Item>& items)
{
    std::map<Index, std::vector<Index>> readers; // per item, in order of the dependencies
    std::vector<Index> changed;
    for (std::size_t d = 0; d < dependencies.size(); ++d) {
        if (!isCut[d])
            continue;
        const collapse::Dependency& dependency = dependencies[d];
        const std::vector<NodeId>& values = dependency.values;
        Chip chip{{}, "← " + nameOf(items[dependency.from], items[dependency.to]), values.front(), {}, ChipKind::comesFrom};
        chip.more.assign(values.begin() + 1, values.end());
        items[dependency.to].chips.push_back(std::move(chip));
        readers[dependency.from].push_back(dependency.to);
        changed.push_back(dependency.to);
    }
    for (const auto& [from, to] : readers) {
        Chip chip{{},
                  withCount("→ " + nameOf(items[to.front()], items[from]), to.size() - 1),
                  nodeOf(items[to.front()]),
                  {},
                  ChipKind::goesTo};
        for (std::size_t i = 1; i < to.size(); ++i)
            chip.more.push_back(nodeOf(items[to[i]]));
        items[from].chips.push_back(std::move(chip));
        changed.push_back(from);
    }
    sortUnique(changed);
    for (const Index item : changed)
        collapse::placeChips(items[item], direction, textWidth);
}

constexpr float kWorthColumns = 1.15F; ///< minimum gain in zoom that justifies columns
constexpr float kMoreRoom = 1.05F;     ///< column height relative to an equal share
constexpr std::size_t kMaxTried = 20'000; ///< maximum number of items for trying several numbers of columns

/// State of an item before placement.
struct Unplaced {
    Rect rect;
    std::vector<Chip> chips;
};

/// Searches for the columns that fit the picture best into the room, then places the picture.
class PictureMaker {
public:
    PictureMaker(const Composition& composition, const LayoutEngine& engine, const PictureOptions& options, Picture& picture,
                 ProgressMonitor& monitor)
        : m_of(composition), m_options(options), m_picture(picture), m_first(monitor, 0, 0.3), m_search(monitor, 0.3, 0.7),
          m_last(monitor, 0.7, 1), m_layouts(engine)
    {
        for (const Item& item : picture.items)
            m_unplaced.push_back({item.rect, item.chips});
        m_room = options.columns.room;
        if (isRight())
            std::swap(m_room.width, m_room.height);
    }

    Result<void> run()
    {
        Composer one(m_of, m_layouts, {}, m_picture.items, m_first);
        SUNDER_PROPAGATE(one.run());
        std::vector<Index> columnOf = one.columnOf();
        Result<void> found;
        if (m_options.columns.setting == ColumnOptions::Setting::fit)
            found = findBest(one.size(), columnOf);
        else if (m_options.columns.setting == ColumnOptions::Setting::count)
            found = divide(one.size(), columnOf);
        else if (m_options.columns.setting == ColumnOptions::Setting::keep && m_options.previous != nullptr)
            found = keep(*m_options.previous, columnOf);
        if (!found)
            return found;
        const bool isDivided = std::any_of(columnOf.begin(), columnOf.end(), [](Index column) { return column > 0; });
        if (!isDivided && !m_wasTried) {
            finish(one, std::vector<bool>(m_of.dependencies.size(), false));
            return {};
        }
        return place(columnOf);
    }

private:
    [[nodiscard]] bool isRight() const { return m_of.direction == FlowDirection::right; }

    /// Zoom at which the whole picture fits into the room, at most 1.
    [[nodiscard]] float zoomOf(Size size) const
    {
        return std::min({m_room.width / size.width, m_room.height / size.height, 1.F});
    }

    Result<void> findBest(Size one, std::vector<Index>& columnOf)
    {
        float best = zoomOf(one);
        if (m_room.width <= 0 || m_room.height <= 0 || best >= kReadableZoom)
            return {};
        best *= kWorthColumns;
        const float square = std::sqrt(one.height / one.width * (m_room.width / m_room.height));
        const bool isLarge = m_picture.items.size() > kMaxTried;
        std::set<int> counts;
        for (const float factor : {1.F, 0.7F, 0.85F, 1.2F, 1.45F, 1.8F}) {
            if (!isLarge || counts.empty())
                counts.insert(static_cast<int>(std::lround(square * factor)));
        }
        for (const int count : counts) {
            if (count < 2)
                continue;
            Composer tried(m_of, m_layouts, {.height = one.height / static_cast<float>(count) * kMoreRoom}, reset(), m_search);
            SUNDER_PROPAGATE(tried.run());
            if (zoomOf(tried.size()) <= best) // chips only make it larger
                continue;
            SUNDER_TRY(const Size size, sizeWithChips(tried.columnOf()));
            if (zoomOf(size) <= best)
                continue;
            best = zoomOf(size);
            columnOf = tried.columnOf();
        }
        return {};
    }

    /// Size of the picture with these columns, including the chips of every cut edge.
    Result<Size> sizeWithChips(const std::vector<Index>& columnOf)
    {
        addContinuations(m_of.dependencies, cutBy(columnOf), m_of.direction, m_of.textWidth, reset());
        Composer composer(m_of, m_layouts, {.columnOf = &columnOf}, m_picture.items, m_search);
        SUNDER_PROPAGATE(composer.run());
        return composer.size();
    }

    [[nodiscard]] std::vector<bool> cutBy(const std::vector<Index>& columnOf) const
    {
        return cutDependencies(m_of.collapsed, m_of.links, m_of.dependencies.size(), columnOf);
    }

    /// Divides the picture into `count` columns of equal height.
    Result<void> divide(Size one, std::vector<Index>& columnOf)
    {
        const auto count = static_cast<float>(m_options.columns.count);
        if (count < 2)
            return {};
        Composer tried(m_of, m_layouts, {.height = one.height / count * kMoreRoom}, reset(), m_search);
        SUNDER_PROPAGATE(tried.run());
        columnOf = tried.columnOf();
        return {};
    }

    Result<void> keep(const Picture& previous, std::vector<Index>& columnOf)
    {
        if (previous.columnStarts.empty())
            return {};
        std::set<std::string> names;
        for (const ItemId start : previous.columnStarts)
            names.insert(identity(previous.items[start.index()]));
        std::vector<bool> starts;
        for (const Item& item : m_picture.items)
            starts.push_back(names.contains(identity(item)));
        Composer kept(m_of, m_layouts, {.starts = &starts}, reset(), m_search);
        SUNDER_PROPAGATE(kept.run());
        columnOf = kept.columnOf();
        return {};
    }

    static std::string identity(const Item& item)
    {
        return item.key.empty() ? "\n" + std::to_string(item.node.index()) : item.key;
    }

    /// Restores the items to their state before placement.
    std::vector<Item>& reset()
    {
        m_wasTried = true;
        for (std::size_t i = 0; i < m_unplaced.size(); ++i) {
            m_picture.items[i].rect = m_unplaced[i].rect;
            m_picture.items[i].chips = m_unplaced[i].chips;
        }
        return m_picture.items;
    }

    /// Places the picture with known columns, with a chip at both ends of each cut edge.
    Result<void> place(const std::vector<Index>& columnOf)
    {
        const std::vector<bool> isCut = cutBy(columnOf);
        addContinuations(m_of.dependencies, isCut, m_of.direction, m_of.textWidth, reset());
        Composer composer(m_of, m_layouts, {.columnOf = &columnOf}, m_picture.items, m_last);
        SUNDER_PROPAGATE(composer.run());
        finish(composer, isCut);
        return {};
    }

    void finish(Composer& composer, const std::vector<bool>& isCut)
    {
        m_picture.edges = composer.finish(isCut);
        m_picture.size = composer.size();
        for (std::size_t i = 0; i < m_picture.items.size(); ++i)
            m_picture.items[i].column = composer.columnOf()[i];
        noteStarts(composer.columnOf());
    }

    /// Records the first item of every column except the first.
    void noteStarts(const std::vector<Index>& columnOf)
    {
        std::map<std::pair<Index, Index>, Index> first; // by frame and column
        for (Index entry = 0; entry < columnOf.size(); ++entry) {
            if (columnOf[entry] == 0)
                continue;
            const auto [at, isNew] = first.try_emplace({m_of.collapsed.entries[entry].parent, columnOf[entry]}, entry);
            const auto startOf = [&](Index item) {
                return isRight() ? m_picture.items[item].rect.x : m_picture.items[item].rect.y;
            };
            if (!isNew && startOf(entry) < startOf(at->second))
                at->second = entry;
        }
        for (const auto& [column, entry] : first)
            m_picture.columnStarts.emplace_back(entry);
    }

    const Composition& m_of;
    const PictureOptions& m_options;
    Picture& m_picture;
    SubProgress m_first;  ///< layout in one column
    SubProgress m_search; ///< search for columns
    SubProgress m_last;   ///< layout in the selected columns
    BodyLayouts m_layouts;
    Size m_room; ///< swapped for pictures with edges to the right
    std::vector<Unplaced> m_unplaced;
    bool m_wasTried = false; ///< the items no longer match the layout in one column
};

} // namespace

Result<void> composePicture(const Graph& graph, const collapse::Collapsed& collapsed,
                            const std::vector<collapse::Dependency>& dependencies, const LayoutEngine& engine,
                            const PictureOptions& options, Picture& picture, ProgressMonitor& monitor)
{
    const Links links = linksOf(collapsed, dependencies);
    const Composition composition{graph, collapsed, dependencies, links, options.textWidth, options.direction};
    picture.direction = options.direction;
    return PictureMaker(composition, engine, options, picture, monitor).run();
}

} // namespace sunder::compose
