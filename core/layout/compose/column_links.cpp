#include "layout/compose/column_links.h"

#include "layout/picture/item_chips.h"

#include <algorithm>
#include <map>

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

} // namespace

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
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (const Index item : changed)
        collapse::placeChips(items[item], direction, textWidth);
}

} // namespace sunder::compose
