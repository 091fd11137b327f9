#include "passes/split_module/registered_modules.h"

#include "ir/interned_path.h"

#include <algorithm>
#include <string_view>

namespace sunder {
namespace {

constexpr std::uint32_t kNowhere = 0xffffffffU;

/// Returns the entries in torch's registration order, without duplicates; for duplicate names the last entry applies.
template <typename Entry, typename NameOf>
std::vector<Entry> inOrderOfDots(std::span<const Entry> entries, const NameOf& nameOf)
{
    std::vector<Entry> distinct;
    distinct.reserve(entries.size());
    FlatMap<std::uint32_t> placeOf;
    placeOf.reserve(entries.size());
    std::vector<std::vector<std::uint32_t>> ofDots; // indexed by number of dots, which is small
    for (const Entry& entry : entries) {
        if (nameOf(entry).empty()) // the root module
            continue;
        const auto [at, isNew] = placeOf.emplace(nameOf(entry), static_cast<std::uint32_t>(distinct.size()));
        if (!isNew) {
            distinct[at] = entry;
            continue;
        }
        const auto dots = static_cast<std::size_t>(std::ranges::count(nameOf(entry).view(), '.'));
        ofDots.resize(std::max(ofDots.size(), dots + 1));
        ofDots[dots].push_back(at);
        distinct.push_back(entry);
    }
    if (ofDots.size() < 2)
        return distinct;
    std::vector<Entry> sorted;
    sorted.reserve(distinct.size());
    for (const std::vector<std::uint32_t>& places : ofDots)
        for (const std::uint32_t at : places)
            sorted.push_back(distinct[at]);
    return sorted;
}

} // namespace

void RegisteredModules::add(std::span<const Entry> entries)
{
    m_slots.reserve(m_slots.size() + entries.size() + entries.size() / 2);
    m_byPath.reserve(m_slots.capacity());
    for (const Entry& entry : inOrderOfDots(entries, [](const Entry& e) { return e.name; })) {
        const std::uint32_t at = place(entry.name);
        if (at == kNowhere)
            continue;
        m_slots[at].attribute = entry.attribute;
        m_slots[at].part = entry.part;
        forgetHolder(at);
        for (const Attribute& attribute : inOrderOfDots(entry.inside, [](const Attribute& a) { return a.first; })) {
            const std::uint32_t inside = place(internPath(entry.name.view(), attribute.first.view()));
            if (inside == kNowhere)
                continue;
            m_slots[inside].attribute = attribute.second;
            forgetHolder(inside);
        }
    }
}

/// Clears the cached holder if the slot invalidates it. Paths below a copied module have no slot.
void RegisteredModules::forgetHolder(std::uint32_t slot)
{
    if (!m_slots[slot].children.empty() || slot == m_lastHolder) {
        m_lastPath = {};
        m_lastHolder = 0;
    }
}

/// Returns the slot at a path, creating plain modules on the way; kNowhere if the path leads into a copied module.
std::uint32_t RegisteredModules::place(InternedString path)
{
    const std::string_view text = path.view();
    const std::size_t dot = text.rfind('.');
    const std::uint32_t at = dot == std::string_view::npos ? 0 : holder(text.substr(0, dot));
    if (at == kNowhere || !m_slots[at].attribute.empty())
        return kNowhere;
    return child(at, path, text.substr(dot + 1));
}

std::uint32_t RegisteredModules::holder(std::string_view path)
{
    if (path == m_lastPath && m_lastHolder != 0)
        return m_lastHolder;
    std::uint32_t at = 0;
    for (std::size_t start = 0; start <= path.size();) {
        if (!m_slots[at].attribute.empty())
            return kNowhere;
        const std::size_t dot = std::min(path.find('.', start), path.size());
        at = child(at, intern(path.substr(0, dot)), path.substr(start, dot - start));
        start = dot + 1;
    }
    m_lastPath = path;
    m_lastHolder = at;
    return at;
}

std::uint32_t RegisteredModules::child(std::uint32_t parent, InternedString path, std::string_view name)
{
    const auto [at, isNew] = m_byPath.emplace(path, static_cast<std::uint32_t>(m_slots.size()));
    if (isNew) {
        const std::size_t above = parent == 0 ? 0 : m_slots[parent].path.view().size() + 1;
        const bool isKnown = path.view().size() == above + name.size(); // false if a name in the path is empty
        m_slots.push_back({.name = intern(name), .path = isKnown ? path : InternedString()});
        m_slots[parent].children.push_back(at);
    }
    return at;
}

void RegisteredModules::emit(Program& program, ModuleCarrier& carrier) const
{
    static const InternedString kPart = intern("torch.fx.graph_module.GraphModule");
    static const InternedString kPlain = intern("torch.nn.modules.module.Module");
    std::vector<std::pair<std::uint32_t, ModuleId>> todo; ///< (slot, parent in the program)
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
            carrier.carryAttribute(slot.attribute, parent, slot.name, slot.path);
            continue;
        }
        const ModuleId made = program.modules.ensureChild(parent, slot.name, slot.path);
        Module& module = program.modules[made];
        module.cls = slot.part ? kPart : kPlain;
        module.graph = slot.part;
        if (slot.part)
            program.owners[slot.part.index()] = made;
        else
            module.leaf = false;
        open(slot, made);
    }
}

} // namespace sunder
