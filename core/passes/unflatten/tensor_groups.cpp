#include "passes/unflatten/tensor_groups.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

/// Equal for tensors that are one in torch's eyes.
class TensorKeys {
public:
    explicit TensorKeys(const TensorTable& tensors) : m_tensors(tensors), m_keyOf(tensors.size(), kNone) {}

    /// A number for the tensor's storage, offset, shape and stride.
    std::uint32_t of(TensorId id)
    {
        const TensorId object = m_tensors.object(id);
        std::uint32_t& key = m_keyOf[object.index()];
        if (key != kNone)
            return key;
        const TensorEntry& entry = m_tensors[object];
        key = m_count;
        if (entry.storage) {
            std::vector<TensorId>& known = m_byStorage[entry.storage.index()];
            const auto same = std::find_if(known.begin(), known.end(), [&](TensorId other) { return equal(entry.meta, m_tensors[other].meta); });
            if (same != known.end())
                key = m_keyOf[same->index()];
            else
                known.push_back(object);
        }
        m_count += key == m_count ? 1 : 0;
        return key;
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    static bool equal(const TensorMeta& a, const TensorMeta& b)
    {
        const Argument zero = Argument::integer(0);
        return a.shape == b.shape && a.stride == b.stride && a.offset.value_or(zero) == b.offset.value_or(zero);
    }

    const TensorTable& m_tensors;
    std::vector<std::uint32_t> m_keyOf;
    std::unordered_map<std::uint32_t, std::vector<TensorId>> m_byStorage;
    std::uint32_t m_count = 0;
};

bool isConstant(const TensorEntry& entry, const TensorTable& tensors)
{
    if (entry.role == TensorRole::constant)
        return true;
    const std::optional<bool> persistent = entry.persistent || !entry.same
        ? entry.persistent
        : tensors[tensors.object(entry.same)].persistent;
    return entry.role == TensorRole::buffer && !persistent.value_or(true);
}

class Assignment {
public:
    Assignment(const Program& flat, const std::vector<char>& written, Outline& outline)
        : m_program(flat), m_written(written), m_outline(outline), m_keys(flat.tensors), m_assigned(flat.tensors.size())
    {
    }

    Result<TensorGroups> run()
    {
        assignSignature(InputKind::parameter, TensorRole::parameter);
        assignSignature(InputKind::buffer, TensorRole::buffer);
        assignRest();
        assignConstants();
        assignObjects();
        shareWritten();
        assignIntermediates();
        if (const Result<void> named = nameInputs(); !named)
            return forward(named);
        return std::move(m_groups);
    }

private:
    using GroupIds = std::unordered_map<std::uint32_t, TensorGroupId>;

    /// The group of a tensor among those of its kind.
    TensorGroupId group(GroupIds& kind, TensorId id, bool copied)
    {
        const auto [known, isNew] = kind.emplace(m_keys.of(id), TensorGroupId(m_groups.groups.size()));
        if (isNew)
            m_groups.groups.push_back({.source = id, .copied = copied});
        return known->second;
    }

    /// torch means to keep constants and buffers that are not persistent together, and copies each of them.
    TensorGroupId groupOfItsOwn(TensorId id)
    {
        if (isWritten(id))
            return group(m_constants, id, true);
        m_groups.groups.push_back({.source = id});
        return TensorGroupId(m_groups.groups.size() - 1);
    }

    void assignSignature(InputKind kind, TensorRole role)
    {
        for (const InputSpec& input : m_program.signature->inputs) {
            const TensorId id = input.kind == kind ? m_program.tensors.find(input.target) : TensorId();
            if (!id || m_assigned[id.index()])
                continue;
            m_assigned[id.index()] = true;
            if (kind == InputKind::buffer)
                m_bufferKeys.insert(m_keys.of(id));
            const bool persistent = kind == InputKind::parameter || input.persistent.value_or(true);
            const TensorGroupId mine = persistent ? group(kind == InputKind::parameter ? m_parameters : m_buffers, id, true)
                                                  : groupOfItsOwn(id);
            assign(id, mine, role, persistent);
        }
    }

    /// What the state dict holds and the program does not use, or uses under another name.
    void assignRest()
    {
        for (std::size_t i = 0; i < m_program.tensors.size(); ++i) {
            const TensorId id(i);
            const TensorEntry& entry = m_program.tensors[id];
            if (m_assigned[i] || isConstant(entry, m_program.tensors))
                continue;
            m_assigned[i] = true;
            const bool buffer = entry.role != TensorRole::parameter || m_bufferKeys.contains(m_keys.of(id));
            assign(id, group(buffer ? m_buffers : m_parameters, id, false),
                   buffer ? TensorRole::buffer : TensorRole::parameter, true);
        }
    }

    void assignConstants()
    {
        for (std::size_t i = 0; i < m_program.tensors.size(); ++i)
            if (!m_assigned[i])
                assign(TensorId(i), groupOfItsOwn(TensorId(i)), TensorRole::constant, true);
    }

    bool isWritten(TensorId id) const
    {
        const StorageId storage = m_program.tensors[m_program.tensors.object(id)].storage;
        return storage && m_written[storage.index()];
    }

    /// The first and one past the last element of a tensor in its memory; everything when its layout is not known.
    static std::pair<std::int64_t, std::int64_t> extent(const TensorMeta& meta)
    {
        const std::int64_t start = meta.offset && meta.offset->is(ArgumentKind::integer) ? meta.offset->asInteger() : 0;
        std::int64_t end = start + 1;
        for (std::size_t i = 0; i < meta.shape.size(); ++i) {
            if (!meta.stride || i >= meta.stride->size() || !meta.shape[i].is(ArgumentKind::integer)
                || !(*meta.stride)[i].is(ArgumentKind::integer))
                return {0, std::numeric_limits<std::int64_t>::max()};
            end += (meta.shape[i].asInteger() - 1) * (*meta.stride)[i].asInteger();
        }
        return {start, end};
    }

    /// Groups that overlap another in a memory that is written keep it.
    void shareWritten()
    {
        std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> groupsOf; // storage → groups
        for (std::uint32_t i = 0; i < m_groups.groups.size(); ++i)
            if (const TensorId source = m_groups.groups[i].source; isWritten(source))
                groupsOf[m_program.tensors[m_program.tensors.object(source)].storage.index()].push_back(i);
        for (auto& [storage, groups] : groupsOf) {
            const auto extentOf = [&](std::uint32_t group) {
                return extent(m_program.tensors[m_program.tensors.object(m_groups.groups[group].source)].meta);
            };
            std::ranges::sort(groups, {}, extentOf);
            std::int64_t end = std::numeric_limits<std::int64_t>::min();
            for (std::size_t i = 0; i < groups.size(); ++i) {
                const auto [first, last] = extentOf(groups[i]);
                const bool overlapsNext = i + 1 < groups.size() && extentOf(groups[i + 1]).first < std::max(end, last);
                if (first < end || overlapsNext)
                    m_groups.groups[groups[i]].shares = true;
                end = std::max(end, last);
            }
        }
    }

    /// Modules on the way to custom objects, which the program does not list.
    void assignObjects()
    {
        for (const InputSpec& input : m_program.signature->inputs)
            if (input.kind == InputKind::object && input.target.view().find('.') != std::string_view::npos)
                (void)owners(input.target.view().substr(0, input.target.view().rfind('.')));
    }

    void assignIntermediates()
    {
        std::unordered_map<std::uint32_t, TensorGroupId> groupOf;
        for (const IntermediateAttribute& attribute : m_outline.intermediates) {
            const auto [known, isNew] = groupOf.emplace(attribute.value.index(), TensorGroupId(m_groups.groups.size()));
            if (isNew)
                m_groups.groups.push_back({.source = {}, .copied = true, .value = attribute.value});
            std::vector<AssignedTensor>& tensors = m_outline.objects[attribute.object].tensors;
            const auto isIt = [&](const AssignedTensor& tensor) { return tensor.name == attribute.name; };
            if (std::none_of(tensors.begin(), tensors.end(), isIt))
                tensors.push_back({attribute.name, known->second, TensorRole::constant, true});
        }
    }

    /// Registers a tensor in every module that its name leads to, through every call of every module on the way.
    void assign(TensorId id, TensorGroupId group, TensorRole role, bool persistent)
    {
        const std::string_view fqn = m_program.tensors[id].fqn.view();
        const std::size_t dot = fqn.rfind('.');
        const std::string_view path = fqn.substr(0, dot == std::string_view::npos ? 0 : dot);
        if (path != m_lastPath || m_owners.empty()) {
            m_owners = owners(path);
            m_lastPath = path;
        }
        const InternedString name = intern(fqn.substr(dot + 1));
        for (const ObjectId owner : m_owners)
            m_outline.objects[owner].tensors.push_back({name, group, role, persistent});
    }

    std::vector<ObjectId> owners(std::string_view path)
    {
        ModuleObjects& objects = m_outline.objects;
        std::vector<ObjectId> at = {ModuleObjects::root()};
        for (std::size_t start = 0; start < path.size();) {
            const std::size_t dot = std::min(path.find('.', start), path.size());
            const InternedString name = intern(path.substr(start, dot - start));
            std::vector<ObjectId> next;
            std::vector<char>& seen = m_seen;
            for (const ObjectId object : at) {
                if (!objects.table(object).find(name)) {
                    const ObjectId made = objects.add(ModuleObject::Kind::plain);
                    objects.table(object).set(name, made);
                }
                seen.resize(objects.size());
                for (const ObjectId child : objects.table(object).callsOf(name)) {
                    if (seen[child.index()])
                        continue;
                    seen[child.index()] = 1;
                    next.push_back(child);
                }
            }
            for (const ObjectId object : next)
                seen[object.index()] = 0;
            at = std::move(next);
            start = dot + 1;
        }
        return at;
    }

    /// Names of one tensor, whatever its kind: those of the signature first, then constants, then the state dict.
    Result<void> nameInputs()
    {
        const TensorTable& tensors = m_program.tensors;
        std::unordered_map<std::uint32_t, std::uint32_t> numbers; // key → number
        std::vector<char> named(tensors.size());
        for (const InputSpec& input : m_program.signature->inputs) {
            if (input.kind == InputKind::user || input.kind == InputKind::token)
                continue;
            const TensorId id = input.kind == InputKind::object ? TensorId() : tensors.find(input.target);
            std::uint32_t number = static_cast<std::uint32_t>(m_groups.namesOf.size());
            if (id) {
                named[id.index()] = 1;
                number = numbers.emplace(m_keys.of(id), number).first->second;
            }
            if (number == m_groups.namesOf.size())
                m_groups.namesOf.emplace_back();
            m_groups.namesOf[number].push_back(input.target);
            if (!input.name.empty())
                m_groups.numberOf.emplace(input.name, number);
        }
        for (const bool constants : {true, false}) {
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                const TensorEntry& entry = tensors[TensorId(i)];
                if (named[i] || isConstant(entry, tensors) != constants)
                    continue;
                const auto number = numbers.find(m_keys.of(TensorId(i)));
                if (number != numbers.end())
                    m_groups.namesOf[number->second].push_back(entry.fqn);
                else if (constants)
                    return fail(ErrorCode::refused,
                                "the constant " + entry.fqn.str() + " is no input of the program and shares no tensor with one",
                                {.other = entry.fqn.str()});
            }
        }
        return {};
    }

    const Program& m_program;
    const std::vector<char>& m_written;
    Outline& m_outline;
    TensorKeys m_keys;
    std::vector<char> m_assigned;
    TensorGroups m_groups;
    GroupIds m_parameters;
    GroupIds m_buffers;
    GroupIds m_constants; ///< only those that are written
    std::unordered_set<std::uint32_t> m_bufferKeys;
    std::string_view m_lastPath;
    std::vector<ObjectId> m_owners;
    std::vector<char> m_seen;
};

} // namespace

Result<TensorGroups> assignTensors(const Program& flat, const std::vector<char>& written, Outline& outline)
{
    return Assignment(flat, written, outline).run();
}

} // namespace sunder
