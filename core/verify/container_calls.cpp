#include "verify/container_calls.h"

#include "operators/operator_library.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

/// Returns the method that a call invokes: "__setitem__" for _operator.setitem. Empty for other functions.
std::string methodOf(std::string_view target, Op op)
{
    if (op == Op::callMethod)
        return std::string(target);
    const OperatorName called = operatorName(target);
    if (target != "len" && called.library != "_operator")
        return {};
    std::string_view name = called.name;
    if (name == "concat" || name == "iconcat")
        name = name == "concat" ? "add" : "iadd";
    return "__" + std::string(name) + "__";
}

} // namespace

std::optional<ValueId> ContainerCalls::call(std::string_view target, Op op, const TracedCall& call)
{
    if (call.positional.empty() || m_draft.at(call.positional.front()).kind != ValueKind::container)
        return std::nullopt;
    const ValueId id = call.positional.front();
    std::optional<Contents> self = contentsOf(id);
    const std::string name = self ? methodOf(target, op) : std::string();
    if (name.empty() || (!call.keywords.empty() && name != "update"))
        return std::nullopt;
    m_draft.work += self->items.size();
    const std::span<const ValueId> given = std::span(call.positional).subspan(1);
    if (const std::optional<ValueId> result = read(name, *self, given))
        return result;
    switch (self->kind) {
    case ArgumentKind::list: return changeList(name, id, *self, given);
    case ArgumentKind::dict: return changeDict(name, id, *self, call);
    default: return std::nullopt;
    }
}

std::optional<ValueId> ContainerCalls::make(std::string_view name, const TracedCall& call)
{
    if (name == "dict") {
        Contents dict{.kind = ArgumentKind::dict, .keys = {}, .items = {}};
        return call.positional.size() <= 1 && update(dict, call.argument(0), call) ? std::optional(made(dict)) : std::nullopt;
    }
    if (call.positional.size() > 1 || !call.keywords.empty() || (name != "list" && name != "tuple"))
        return std::nullopt;
    Contents result{.kind = name == "list" ? ArgumentKind::list : ArgumentKind::tuple, .keys = {}, .items = {}};
    if (call.positional.empty())
        return made(result);
    const std::optional<Contents> given = contentsOf(call.positional.front());
    if (!given || (given->kind == ArgumentKind::dict && !hasSimpleKeys(*given)))
        return std::nullopt;
    result.items = given->items;
    for (std::size_t i = 0; i < given->keys.size(); ++i)
        result.items[i] = m_draft.constant(given->keys[i]);
    return made(result);
}

std::optional<ValueId> ContainerCalls::read(std::string_view name, const Contents& self, std::span<const ValueId> given)
{
    const bool isDict = self.kind == ArgumentKind::dict;
    if (name == "__len__" && given.empty())
        return m_draft.constant(m_draft.terms.literal(Argument::integer(static_cast<std::int64_t>(self.items.size()))));
    if (name == "copy" && given.empty() && self.kind != ArgumentKind::tuple)
        return made(self);
    if (name == "__add__" && given.size() == 1 && !isDict) {
        const std::optional<Contents> other = contentsOf(given[0]);
        if (!other || other->kind != self.kind)
            return std::nullopt;
        Contents sum = self;
        sum.items.insert(sum.items.end(), other->items.begin(), other->items.end());
        return made(sum);
    }
    if (name == "__mul__" && given.size() == 1 && !isDict)
        return repeated(self, given[0], {});
    if (!isDict || given.empty() || !(name == "get" || name == "__contains__"))
        return std::nullopt;
    const std::optional<std::size_t> place = placeOf(self, given[0]);
    if (!place || given.size() > (name == "get" ? 2U : 1U))
        return std::nullopt;
    const bool isThere = *place < self.items.size();
    if (name == "__contains__")
        return m_draft.constant(m_draft.terms.literal(Argument::boolean(isThere)));
    return isThere ? self.items[*place] : given.size() == 2 ? given[1] : none();
}

std::optional<ValueId> ContainerCalls::changeList(std::string_view name, ValueId id, Contents& list,
                                                  std::span<const ValueId> given)
{
    Items& items = list.items;
    if (name == "append" && given.size() == 1) {
        items.push_back(given[0]);
        return changed(id, list, none());
    }
    if ((name == "extend" || name == "__iadd__") && given.size() == 1) {
        const std::optional<Contents> other = contentsOf(given[0]);
        if (!other || !TraceContainers::isSequence(other->kind))
            return std::nullopt;
        items.insert(items.end(), other->items.begin(), other->items.end());
        return changed(id, list, name == "extend" ? none() : id);
    }
    if (name == "__imul__" && given.size() == 1)
        return repeated(list, given[0], id);
    if (name == "insert" && given.size() == 2) {
        const std::optional<std::int64_t> index = integerOf(given[0]);
        if (!index)
            return std::nullopt;
        items.insert(items.begin() + TraceContainers::boundIn(items.size(), *index), given[1]);
        return changed(id, list, none());
    }
    if (name == "pop" && given.empty() && !items.empty())
        return take(id, list, items.size() - 1);
    if ((name == "reverse" || name == "clear") && given.empty()) {
        std::ranges::reverse(items);
        items.resize(name == "clear" ? 0 : items.size());
        return changed(id, list, none());
    }
    const bool sets = name == "__setitem__" && given.size() == 2;
    const bool takes = (name == "pop" || name == "__delitem__") && given.size() == 1;
    const std::optional<std::size_t> place = sets || takes ? placeOf(list, given[0]) : std::nullopt;
    if (!place)
        return std::nullopt;
    if (takes) {
        const std::optional<ValueId> item = take(id, list, *place);
        return item && name == "__delitem__" ? none() : item;
    }
    items[*place] = given[1];
    return changed(id, list, none());
}

std::optional<ValueId> ContainerCalls::changeDict(std::string_view name, ValueId id, Contents& dict, const TracedCall& call)
{
    const std::span<const ValueId> given = std::span(call.positional).subspan(1);
    const std::size_t size = dict.items.size();
    if (!hasSimpleKeys(dict))
        return std::nullopt;
    if ((name == "update" && given.size() <= 1) || (name == "__ior__" && given.size() == 1))
        return update(dict, call.argument(1), call) ? changed(id, dict, name == "update" ? none() : id) : std::nullopt;
    if (name == "clear" && given.empty())
        return changed(id, Contents{.kind = dict.kind, .keys = {}, .items = {}}, none());
    if (name == "popitem" && given.empty() && size != 0) {
        const TermId key = dict.keys.back();
        const std::optional<ValueId> item = take(id, dict, size - 1);
        if (!item)
            return std::nullopt;
        return made({.kind = ArgumentKind::tuple, .keys = {}, .items = {m_draft.constant(key), *item}});
    }
    const bool sets = name == "__setitem__" && given.size() == 2;
    const bool takes = (name == "__delitem__" && given.size() == 1)
        || (name == "pop" && (given.size() == 1 || given.size() == 2));
    const bool adds = name == "setdefault" && (given.size() == 1 || given.size() == 2);
    const std::optional<std::size_t> place = sets || takes || adds ? placeOf(dict, given[0]) : std::nullopt;
    if (!place)
        return std::nullopt;
    if (takes && *place == size)
        return name == "pop" && given.size() == 2 ? std::optional(given[1]) : std::nullopt;
    if (takes) {
        const std::optional<ValueId> item = take(id, dict, *place);
        return item && name == "__delitem__" ? none() : item;
    }
    if (adds && *place < size)
        return dict.items[*place];
    const ValueId value = given.size() == 2 ? given[1] : none();
    if (*place == size) {
        dict.keys.push_back(m_draft.at(given[0]).term);
        dict.items.push_back(value);
    }
    dict.items[*place] = value;
    return changed(id, dict, adds ? value : none());
}

/// Adds the items of another dict, if `more` is valid, and then the keywords.
bool ContainerCalls::update(Contents& dict, ValueId more, const TracedCall& call) const
{
    Contents added{.kind = ArgumentKind::dict, .keys = {}, .items = {}};
    if (more.isValid()) {
        std::optional<Contents> other = contentsOf(more);
        if (!other || other->kind != ArgumentKind::dict || !hasSimpleKeys(*other))
            return false;
        added = std::move(*other);
    }
    if (call.isSorted && call.keywords.size() > 1) // the order of keywords is lost
        return false;
    for (const auto& [key, value] : call.keywords) {
        added.keys.push_back(m_draft.terms.text(key));
        added.items.push_back(value);
    }
    std::unordered_map<TermId, std::size_t> places;
    for (std::size_t i = 0; i < dict.keys.size(); ++i)
        places.emplace(dict.keys[i], i);
    for (std::size_t i = 0; i < added.keys.size(); ++i) {
        const auto [found, isNew] = places.emplace(added.keys[i], dict.keys.size());
        if (isNew) {
            dict.keys.push_back(added.keys[i]);
            dict.items.push_back(added.items[i]);
        }
        dict.items[found->second] = added.items[i];
    }
    return true;
}

std::optional<ValueId> ContainerCalls::take(ValueId id, Contents& from, std::size_t place)
{
    const ValueId item = from.items[place];
    from.items.erase(from.items.begin() + static_cast<std::ptrdiff_t>(place));
    if (from.kind == ArgumentKind::dict)
        from.keys.erase(from.keys.begin() + static_cast<std::ptrdiff_t>(place));
    return changed(id, from, item);
}

/// Returns a new container, or modifies `into`, with the items repeated `times` times.
std::optional<ValueId> ContainerCalls::repeated(const Contents& of, ValueId times, ValueId into)
{
    constexpr std::int64_t kMaxTimes = 10000;
    const std::optional<std::int64_t> count = integerOf(times);
    if (!count || *count > kMaxTimes)
        return std::nullopt;
    Contents result = of;
    result.items.clear();
    for (std::int64_t i = 0; i < *count && !m_draft.isTooLarge(); ++i) {
        result.items.insert(result.items.end(), of.items.begin(), of.items.end());
        m_draft.work += of.items.size();
    }
    return into.isValid() ? changed(into, result, into) : made(result);
}

std::optional<ContainerCalls::Contents> ContainerCalls::contentsOf(ValueId id) const
{
    const Value& value = m_draft.at(id);
    if (value.kind != ValueKind::container)
        return std::nullopt;
    Contents contents{.kind = static_cast<ArgumentKind>(m_draft.termOf(value).detail), .keys = {}, .items = {}};
    if (contents.kind == ArgumentKind::namedTuple) // a named tuple with other items is a plain tuple
        contents.kind = ArgumentKind::tuple;
    const std::span<const ValueId> items = m_draft.trace.items(value);
    contents.items.assign(items.begin(), items.end());
    if (contents.kind == ArgumentKind::dict) {
        const std::span<const TermId> keys = m_draft.terms.children(value.term);
        contents.keys.assign(keys.begin(), keys.end());
    }
    return TraceContainers::isSequence(contents.kind) || contents.kind == ArgumentKind::dict ? std::optional(contents)
                                                                                             : std::nullopt;
}

std::optional<std::int64_t> ContainerCalls::integerOf(ValueId id) const
{
    const Value& value = m_draft.at(id);
    return value.kind == ValueKind::constant ? m_draft.terms.integerOf(value.term) : std::nullopt;
}

std::optional<std::size_t> ContainerCalls::placeOf(const Contents& of, ValueId key) const
{
    if (of.kind == ArgumentKind::dict) {
        const Value& value = m_draft.at(key);
        if (value.kind != ValueKind::constant || !m_containers.isSimpleKey(value.term) || !hasSimpleKeys(of))
            return std::nullopt;
        return static_cast<std::size_t>(std::ranges::find(of.keys, value.term) - of.keys.begin());
    }
    const std::optional<std::int64_t> index = integerOf(key);
    return index ? TraceContainers::placeIn(of.items.size(), *index) : std::nullopt;
}

bool ContainerCalls::hasSimpleKeys(const Contents& dict) const
{
    std::unordered_set<TermId> seen;
    return dict.keys.size() == dict.items.size()
        && std::ranges::all_of(dict.keys, [&](TermId key) { return m_containers.isSimpleKey(key) && seen.insert(key).second; });
}

ValueId ContainerCalls::none()
{
    return m_draft.constant(m_draft.terms.literal(Argument()));
}

ValueId ContainerCalls::made(const Contents& contents)
{
    return m_containers.container(m_containers.shapeOf(contents.kind, {}, contents.keys), contents.items);
}

std::optional<ValueId> ContainerCalls::changed(ValueId id, const Contents& contents, ValueId result)
{
    if (!m_containers.change(id, m_containers.shapeOf(contents.kind, {}, contents.keys), contents.items))
        return std::nullopt;
    return result;
}

} // namespace sunder
