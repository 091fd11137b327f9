#include "analysis/alignment/call_tree.h"

#include "ir/module_tree.h"
#include "support/mix_hash.h"

#include <unordered_map>

namespace sunder {
namespace {

std::string nameBelow(std::string_view path, std::string_view outer)
{
    return std::string(!outer.empty() && path.size() > outer.size() && isWithin(path, outer) ? path.substr(outer.size() + 1)
                                                                                             : path);
}

void listItems(CallTree& tree)
{
    const GraphIdentity& identity = *tree.identity;
    tree.items.resize(identity.modules.size());
    std::vector<bool> isListed(identity.modules.size(), false);
    for (std::uint32_t node = 0; node < identity.nodes.size(); ++node) {
        if (!isCallOf(identity, node))
            continue;
        std::uint32_t module = identity.nodes[node].module;
        for (std::uint32_t at = module; at != 0 && !isListed[at]; at = identity.modules[at].parent) {
            isListed[at] = true;
            tree.items[identity.modules[at].parent].push_back({.isModule = true, .index = at});
        }
        tree.items[module].push_back({.isModule = false, .index = node});
    }
}

void numberPlaces(CallTree& tree)
{
    const GraphIdentity& identity = *tree.identity;
    tree.places.resize(identity.nodes.size(), 0);
    tree.kinds.resize(identity.nodes.size(), 0);
    std::unordered_map<InternedString, std::uint64_t> targets;
    std::unordered_map<std::uint64_t, std::uint32_t> counts;
    for (std::uint32_t node = 0; node < identity.nodes.size(); ++node) {
        const NodeIdentity& it = identity.nodes[node];
        std::uint64_t& target = targets[it.target];
        if (target == 0)
            target = hashOfText(it.target.view());
        // The target of a module call is its path, which the position already implies.
        tree.kinds[node] = mixHash(static_cast<std::uint64_t>(it.op) + 1, it.op == Op::callModule ? 0 : target);
        tree.places[node] = counts[mixHash(tree.kinds[node], it.module)]++;
    }
}

/// Hashes the weights that each call reads, independent of their order. If one of them is unknown, the result is 0.
void hashWeights(CallTree& tree)
{
    const GraphIdentity& identity = *tree.identity;
    tree.ownWeights.resize(identity.nodes.size(), 0);
    tree.weights.resize(identity.modules.size(), 0);
    std::vector<bool> isUnknown(identity.modules.size(), false);
    for (std::uint32_t node = 0; node < identity.nodes.size(); ++node) {
        if (!isCallOf(identity, node))
            continue;
        std::uint64_t sum = 0;
        bool isKnown = true;
        for (const std::uint32_t read : identity.reads[node])
            if (identity.nodes[read].isWeight) {
                sum += mixHash(3, identity.nodes[read].constants);
                isKnown = isKnown && identity.nodes[read].constants != 0;
            }
        tree.ownWeights[node] = isKnown ? sum : 0;
        tree.weights[identity.nodes[node].module] += sum;
        if (!isKnown)
            isUnknown[identity.nodes[node].module] = true;
    }
    for (std::size_t module = identity.modules.size(); module-- > 1;) {
        const std::uint32_t parent = identity.modules[module].parent;
        tree.weights[parent] += tree.weights[module];
        if (isUnknown[module])
            isUnknown[parent] = true;
    }
    for (std::size_t module = 0; module < isUnknown.size(); ++module)
        if (isUnknown[module])
            tree.weights[module] = 0;
}

/// Inner module calls follow outer ones, so hash from the end.
void hashContents(CallTree& tree)
{
    const GraphIdentity& identity = *tree.identity;
    const std::size_t count = identity.modules.size();
    tree.callCount.resize(count, 0);
    tree.alike.resize(count, 0);
    tree.named.resize(count, 0);
    for (std::size_t module = count; module-- > 0;) {
        const ModuleCallIdentity& it = identity.modules[module];
        std::uint64_t alike = 7;
        std::uint64_t named = 0;
        for (const CallTree::Item item : tree.items[module]) {
            const NodeIdentity* node = item.isModule ? nullptr : &identity.nodes[item.index];
            const std::uint64_t what = item.isModule
                ? tree.alike[item.index]
                : mixHash(mixHash(tree.kinds[item.index], node->op == Op::callModule ? 0 : node->constants), node->value);
            alike = mixHash(alike, what);
            if (!item.isModule)
                named = mixHash(named, tree.ownWeights[item.index]);
            tree.callCount[module] += item.isModule ? tree.callCount[item.index] : 1;
        }
        named = mixHash(mixHash(mixHash(named, alike), hashOfText(it.cls.view())), it.call);
        named = mixHash(named, hashOfText(tree.names[module]));
        for (const CallTree::Item item : tree.items[module])
            if (item.isModule)
                named = mixHash(named, tree.named[item.index]);
        tree.alike[module] = alike;
        tree.named[module] = named;
    }
}

} // namespace

CallTree::CallTree(const GraphIdentity& of) : identity(&of)
{
    names.reserve(of.modules.size());
    for (const ModuleCallIdentity& module : of.modules)
        names.push_back(nameBelow(module.path.view(), of.modules[module.parent].path.view()));
    listItems(*this);
    numberPlaces(*this);
    hashWeights(*this);
    hashContents(*this);
    users = of.reads.inverted(of.nodes.size());
}

std::uint32_t CallTree::onlyChild(std::uint32_t module) const
{
    constexpr std::uint32_t kNearly = 5; // at least four fifths of the calls
    for (const Item item : items[module])
        if (item.isModule && (callCount[module] - callCount[item.index]) * kNearly <= callCount[module])
            return item.index;
    return 0;
}

} // namespace sunder
