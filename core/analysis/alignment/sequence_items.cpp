#include "analysis/alignment/sequence_items.h"

#include "analysis/structural_hash.h"
#include "support/ascii.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace sunder {
namespace {

/// Returns "layers.#.mlp" for "layers.3.mlp".
std::string familyOf(std::string_view name)
{
    std::string family;
    for (const char c : name)
        if (!isAsciiDigit(c))
            family += c;
        else if (family.empty() || family.back() != '#')
            family += '#';
    return family;
}

/// Hashes "Block" for "__main__.Block": a script has another module name when it is imported.
std::uint64_t classOf(const ModuleCallIdentity& module)
{
    const std::string_view cls = module.cls.view();
    const std::size_t point = cls.rfind('.');
    return hashOfText(point == std::string_view::npos ? cls : cls.substr(point + 1));
}

/// Groups modules into families of numbered names, and ops by kind.
class ItemGroups {
public:
    ItemGroups(const CallTree& tree, std::uint32_t module)
    {
        for (const CallTree::Item item : tree.items[module])
            if (item.isModule)
                m_families[familyOf(tree.names[item.index])].push_back(tree.names[item.index]);
            else
                ++m_kinds[tree.kinds[item.index]];
        for (auto& [family, names] : m_families)
            std::ranges::sort(names);
    }
    [[nodiscard]] bool hasSame(const std::string& family, const ItemGroups& other) const
    {
        const auto mine = m_families.find(family);
        const auto theirs = other.m_families.find(family);
        return mine != m_families.end() && theirs != other.m_families.end() && mine->second == theirs->second;
    }
    [[nodiscard]] bool hasSame(std::uint64_t kind, const ItemGroups& other) const
    {
        const auto mine = m_kinds.find(kind);
        const auto theirs = other.m_kinds.find(kind);
        return mine != m_kinds.end() && theirs != other.m_kinds.end() && mine->second == theirs->second;
    }

private:
    std::map<std::string, std::vector<std::string>> m_families;
    std::unordered_map<std::uint64_t, std::size_t> m_kinds;
};

std::vector<SequenceItem> itemsOf(const CallTree& tree, std::uint32_t module, const ItemGroups& mine, const ItemGroups& others)
{
    std::vector<SequenceItem> made;
    made.reserve(tree.items[module].size());
    for (const CallTree::Item item : tree.items[module]) {
        if (!item.isModule) {
            const NodeIdentity& node = tree.identity->nodes[item.index];
            made.push_back({.isNameFirm = mine.hasSame(tree.kinds[item.index], others),
                            .kind = tree.kinds[item.index],
                            .contents = node.op == Op::callModule ? 0 : node.constants,
                            .value = node.value,
                            .weights = tree.ownWeights[item.index],
                            .place = tree.places[item.index]});
            continue;
        }
        const ModuleCallIdentity& call = tree.identity->modules[item.index];
        const std::string family = familyOf(tree.names[item.index]);
        made.push_back({.isModule = true,
                        .isNameFirm = mine.hasSame(family, others),
                        .kind = classOf(call),
                        .contents = tree.alike[item.index],
                        .weights = tree.weights[item.index],
                        .name = hashOfText(tree.names[item.index]),
                        .isListed = family.find('#') != std::string::npos,
                        .place = call.call});
    }
    return made;
}

using Counts = std::unordered_map<std::uint64_t, std::size_t>;

/// Counts ops by kind, and modules both by name and class and by content.
Counts countsOf(const CallTree& tree, std::uint32_t module)
{
    Counts counts;
    for (const CallTree::Item item : tree.items[module])
        if (item.isModule) {
            const std::uint64_t cls = classOf(tree.identity->modules[item.index]);
            ++counts[mixHash(mixHash(1, cls), hashOfText(tree.names[item.index]))];
            ++counts[mixHash(2, tree.alike[item.index])];
        } else {
            ++counts[tree.kinds[item.index]];
        }
    return counts;
}

} // namespace

SequencePair sequenceItems(const CallTree& old, const CallTree& now, ModulePair modules)
{
    const ItemGroups before(old, modules.old);
    const ItemGroups after(now, modules.now);
    return {.old = itemsOf(old, modules.old, before, after), .now = itemsOf(now, modules.now, after, before)};
}

std::size_t commonItems(const CallTree& old, const CallTree& now, ModulePair modules)
{
    const Counts before = countsOf(old, modules.old);
    const Counts after = countsOf(now, modules.now);
    std::size_t common = 0;
    for (const auto& [item, count] : before)
        if (const auto found = after.find(item); found != after.end())
            common += std::min(count, found->second);
    return common;
}

} // namespace sunder
