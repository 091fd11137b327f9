#include "passes/split_module/registered_modules.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace sunder {
namespace {

constexpr std::uint32_t kNowhere = 0xffffffffU;

/// Entries in the order in which torch registers them, each name once, with what the last one of the name says.
template <typename Entry, typename NameOf>
std::vector<Entry> inOrderOfDots(std::span<const Entry> entries, const NameOf& nameOf)
{
    std::vector<Entry> distinct;
    std::unordered_map<InternedString, std::size_t> placeOf;
    for (const Entry& entry : entries) {
        const auto [at, isNew] = placeOf.emplace(nameOf(entry), distinct.size());
        if (isNew)
            distinct.push_back(entry);
        else
            distinct[at->second] = entry;
    }
    std::ranges::stable_sort(distinct, {}, [&](const Entry& entry) {
        return std::ranges::count(nameOf(entry).view(), '.');
    });
    return distinct;
}

} // namespace

void RegisteredModules::add(std::span<const Entry> entries)
{
    for (const Entry& entry : inOrderOfDots(entries, [](const Entry& e) { return e.name; })) {
        const std::uint32_t at = place(entry.name.view());
        if (at == kNowhere)
            continue;
        m_slots[at].attribute = entry.attribute;
        m_slots[at].part = entry.part;
        for (const Attribute& attribute : inOrderOfDots(entry.inside, [](const Attribute& a) { return a.first; })) {
            const std::uint32_t inside = place(joinPath(entry.name.view(), attribute.first.view()));
            if (inside != kNowhere)
                m_slots[inside].attribute = attribute.second;
        }
    }
}

/// The slot at a path, made with plain modules on the way; nowhere when the way leads into what is carried whole.
std::uint32_t RegisteredModules::place(std::string_view path)
{
    std::uint32_t at = 0;
    for (std::size_t start = 0; start <= path.size();) {
        if (!m_slots[at].attribute.empty())
            return kNowhere;
        const std::size_t dot = std::min(path.find('.', start), path.size());
        at = child(at, path.substr(0, dot), path.substr(start, dot - start));
        start = dot + 1;
    }
    return at;
}

std::uint32_t RegisteredModules::child(std::uint32_t parent, std::string_view path, std::string_view name)
{
    const auto [at, isNew] = m_byPath.emplace(intern(path), static_cast<std::uint32_t>(m_slots.size()));
    if (isNew) {
        m_slots.push_back({.name = intern(name)});
        m_slots[parent].children.push_back(at->second);
    }
    return at->second;
}

void RegisteredModules::emit(Program& program, ModuleCarrier& carrier) const
{
    std::vector<std::pair<std::uint32_t, ModuleId>> todo; ///< slot, parent in the program
    const auto open = [&](const Slot& slot, ModuleId at) {
        for (auto next = slot.children.rbegin(); next != slot.children.rend(); ++next)
            todo.emplace_back(*next, at);
    };
    open(m_slots[0], ModuleTree::root());
    while (!todo.empty()) {
        const auto [index, parent] = todo.back();
        todo.pop_back();
        const Slot& slot = m_slots[index];
        if (!slot.attribute.empty()) {
            carrier.carryAttribute(slot.attribute, parent, slot.name);
            continue;
        }
        const ModuleId made = program.modules.ensureChild(parent, slot.name);
        Module& module = program.modules[made];
        module.cls = intern(slot.part ? "torch.fx.graph_module.GraphModule" : "torch.nn.modules.module.Module");
        module.graph = slot.part;
        if (slot.part)
            program.owners[slot.part.index()] = made;
        else
            module.leaf = false;
        open(slot, made);
    }
}

} // namespace sunder
