#include "passes/unflatten/flat_tensors.h"

#include "ir/module_tree.h"
#include "passes/unflatten/shared_memory.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {

namespace {

bool areOne(const TensorMeta& x, const TensorMeta& y)
{
    const Argument zero = Argument::integer(0);
    return x.shape == y.shape && x.stride == y.stride && x.offset.value_or(zero) == y.offset.value_or(zero);
}

} // namespace

/// Keys are indices of tensor objects: of the first one that is the same.
void FlatTensors::findKeys()
{
    m_keyOf.resize(m_tensors->size());
    std::vector<std::vector<TensorId>> distinct(m_tensors->storageCount()); // per storage
    for (std::size_t i = 0; i < m_keyOf.size(); ++i) {
        const TensorId object = m_tensors->object(TensorId(i));
        m_keyOf[i] = static_cast<std::uint32_t>(object.index());
        const StorageId storage = (*m_tensors)[object].storage;
        if (object.index() != i || !storage)
            continue;
        std::vector<TensorId>& others = distinct[storage.index()];
        const auto same = std::ranges::find_if(
            others, [&](TensorId other) { return areOne((*m_tensors)[object].meta, (*m_tensors)[other].meta); });
        if (same == others.end())
            others.push_back(object);
        else
            m_keyOf[i] = static_cast<std::uint32_t>(same->index());
    }
}

bool FlatTensors::isWritten(TensorId id) const
{
    const StorageId storage = (*m_tensors)[m_tensors->object(id)].storage;
    return storage && m_written[storage.index()] != 0;
}

bool isConstant(const TensorEntry& entry, const TensorTable& tensors)
{
    if (entry.role == TensorRole::constant)
        return true;
    const std::optional<bool> persistent = entry.persistent || !entry.same ? entry.persistent
                                                                           : tensors[tensors.object(entry.same)].persistent;
    return entry.role == TensorRole::buffer && !persistent.value_or(true);
}

Result<FlatTensors> FlatTensors::of(const Program& program, bool asUpstream)
{
    FlatTensors tensors(program.tensors);
    tensors.findKeys();
    SUNDER_PROPAGATE(tensors.findNames(*program.signature));
    tensors.m_written = asUpstream ? std::vector<char>(program.tensors.storageCount()) : writtenStorages(program);
    return tensors;
}

Result<void> FlatTensors::findNames(const ExportSignature& signature)
{
    const TensorTable& tensors = *m_tensors;
    m_numberOf.reserve(signature.inputs.size());
    m_names.reserve(signature.inputs.size());
    m_byNumber.reserve(signature.inputs.size());
    std::vector<std::uint32_t> numbers(keyBound(), kNone); // by key
    std::vector<char> isNamed(tensors.size());
    for (const InputSpec& input : signature.inputs) {
        if (!isLifted(input.kind))
            continue;
        const TensorId id = input.kind == InputKind::object ? TensorId() : tensors.find(input.target);
        auto number = static_cast<std::uint32_t>(m_byNumber.size());
        if (id) {
            isNamed[id.index()] = 1;
            std::uint32_t& known = numbers[keyOf(id)];
            known = known == kNone ? number : known;
            number = known;
        }
        if (number == m_byNumber.size())
            m_byNumber.emplace_back();
        add(number, input.target);
        if (!input.name.empty())
            m_numberOf.emplace(input.name, number);
    }
    for (const bool constants : {true, false}) {
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const TensorEntry& entry = tensors[TensorId(i)];
            if (isNamed[i] || isConstant(entry, tensors) != constants)
                continue;
            if (const std::uint32_t number = numbers[keyOf(TensorId(i))]; number != kNone)
                add(number, entry.fqn);
            else if (constants)
                return fail(ErrorCode::refused,
                            "constant " + entry.fqn.str() + " is not an input of the program and shares no tensor with one",
                            {.other = entry.fqn.str()});
        }
    }
    return {};
}

void FlatTensors::add(std::uint32_t number, InternedString name)
{
    const auto at = static_cast<std::uint32_t>(m_names.size());
    m_names.push_back({name, kNone});
    Tensor& tensor = m_byNumber[number];
    (tensor.last == kNone ? tensor.first : m_names[tensor.last].next) = at;
    tensor.last = at;
}

InternedString FlatTensors::nameBelow(std::string_view path, std::uint32_t number) const
{
    for (std::uint32_t at = m_byNumber[number].first; at != kNone; at = m_names[at].next) {
        const std::string_view text = m_names[at].name.view();
        if (path.empty() || (text.size() > path.size() && text[path.size()] == '.' && text.starts_with(path)))
            return m_names[at].name;
    }
    return {};
}

namespace {

class Assignment {
public:
    Assignment(const Program& flat, const FlatTensors& tensors, Outline& outline)
        : m_program(flat), m_outline(outline), m_tensors(tensors), m_assigned(flat.tensors.size()),
          m_parameters(tensors.keyBound()), m_buffers(tensors.keyBound()), m_constants(tensors.keyBound()),
          m_isBuffer(tensors.keyBound())
    {
        m_groups.groups.reserve(flat.tensors.size());
    }

    TensorGroups run()
    {
        assignSignature(InputKind::parameter, TensorRole::parameter);
        assignSignature(InputKind::buffer, TensorRole::buffer);
        assignRest();
        assignConstants();
        assignObjects();
        shareWritten();
        noteParameters();
        assignIntermediates();
        for (std::size_t i = 0; i < m_outline.objects.size(); ++i)
            keepLastOfEachName(m_outline.objects[ObjectId(i)].tensors);
        return std::move(m_groups);
    }

private:
    using GroupIds = std::vector<TensorGroupId>; ///< by key

    /// Returns the group of a tensor among those of its kind.
    TensorGroupId group(GroupIds& kind, TensorId id, bool copied)
    {
        TensorGroupId& known = kind[m_tensors.keyOf(id)];
        if (!known) {
            known = TensorGroupId(m_groups.groups.size());
            m_groups.groups.push_back({.source = id, .copied = copied});
        }
        return known;
    }

    /// torch intends to keep identical constants and non-persistent buffers together, but copies each of them.
    TensorGroupId groupOfItsOwn(TensorId id)
    {
        if (m_tensors.isWritten(id))
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
                m_isBuffer[m_tensors.keyOf(id)] = 1;
            const bool persistent = kind == InputKind::parameter || input.persistent.value_or(true);
            const TensorGroupId mine = persistent ? group(kind == InputKind::parameter ? m_parameters : m_buffers, id, true)
                                                  : groupOfItsOwn(id);
            assign(id, mine, role, persistent);
        }
    }

    /// Assigns tensors of the state dict that the program does not use, or uses under another name.
    void assignRest()
    {
        for (std::size_t i = 0; i < m_program.tensors.size(); ++i) {
            const TensorId id(i);
            const TensorEntry& entry = m_program.tensors[id];
            if (m_assigned[i] || isConstant(entry, m_program.tensors))
                continue;
            m_assigned[i] = true;
            const bool buffer = entry.role != TensorRole::parameter || m_isBuffer[m_tensors.keyOf(id)] != 0;
            assign(id, group(buffer ? m_buffers : m_parameters, id, false), buffer ? TensorRole::buffer : TensorRole::parameter,
                   true);
        }
    }

    void assignConstants()
    {
        for (std::size_t i = 0; i < m_program.tensors.size(); ++i)
            if (!m_assigned[i])
                assign(TensorId(i), groupOfItsOwn(TensorId(i)), TensorRole::constant, true);
    }

    /// Lets groups that overlap in a written memory keep sharing it.
    void shareWritten()
    {
        std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> groupsOf; // storage → groups
        for (std::uint32_t i = 0; i < m_groups.groups.size(); ++i)
            if (const TensorId source = m_groups.groups[i].source; m_tensors.isWritten(source))
                groupsOf[m_program.tensors[m_program.tensors.object(source)].storage.index()].push_back(i);
        for (auto& [storage, groups] : groupsOf) {
            std::vector<Extent> extents;
            for (const std::uint32_t group : groups)
                extents.push_back(extentOf(m_program.tensors[m_program.tensors.object(m_groups.groups[group].source)].meta));
            for (const std::vector<std::size_t>& overlap : overlapping(extents))
                for (const std::size_t i : overlap)
                    m_groups.groups[groups[i]].shares = true;
        }
    }

    void noteParameters()
    {
        for (TensorGroups::Group& group : m_groups.groups)
            group.isParameter = m_parameters[m_tensors.keyOf(group.source)].isValid();
    }

    /// A module at several paths gets a tensor from each. As in Python, the last one replaces the others.
    void keepLastOfEachName(std::vector<AssignedTensor>& tensors)
    {
        constexpr std::size_t kFew = 8; // limit for linear search
        std::unordered_map<InternedString, std::size_t> places;
        std::size_t kept = 0;
        const auto placeOf = [&](std::size_t i) {
            if (tensors.size() > kFew)
                return places.emplace(tensors[i].name, kept).first->second;
            const auto end = tensors.begin() + static_cast<std::ptrdiff_t>(kept);
            return static_cast<std::size_t>(std::ranges::find(tensors.begin(), end, tensors[i].name, &AssignedTensor::name)
                                            - tensors.begin());
        };
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const std::size_t place = placeOf(i);
            tensors[place] = tensors[i];
            kept = std::max(kept, place + 1);
        }
        tensors.resize(kept);
    }

    /// Creates modules for custom objects, which the program does not list.
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

    /// Registers a tensor in every module that its name leads to, through every call of every module on the path.
    void assign(TensorId id, TensorGroupId group, TensorRole role, bool persistent)
    {
        const std::string_view fqn = m_program.tensors[id].fqn.view();
        const std::size_t dot = fqn.rfind('.');
        const InternedString name = intern(fqn.substr(dot + 1));
        for (const ObjectId owner : owners(fqn.substr(0, dot == std::string_view::npos ? 0 : dot)))
            m_outline.objects[owner].tensors.push_back({name, group, role, persistent});
    }

    /// Returns the objects at a path. Consecutive tensors share path prefixes, so the walk resumes at the common prefix.
    const std::vector<ObjectId>& owners(std::string_view path)
    {
        std::size_t depth = 0;
        while (depth + 1 < m_way.size() && isWithin(path, m_way[depth + 1].path))
            ++depth;
        m_way.resize(depth + 1);
        while (m_way.back().path.size() < path.size()) {
            const std::size_t start = m_way.back().path.empty() ? 0 : m_way.back().path.size() + 1;
            const std::size_t dot = std::min(path.find('.', start), path.size());
            std::vector<ObjectId> next = children(m_way.back().objects, intern(path.substr(start, dot - start)));
            m_way.push_back({path.substr(0, dot), std::move(next)});
        }
        return m_way.back().objects;
    }

    /// Returns the children of that name in all calls of the objects; creates a plain module if there is none.
    std::vector<ObjectId> children(const std::vector<ObjectId>& parents, InternedString name)
    {
        ModuleObjects& objects = m_outline.objects;
        std::vector<ObjectId> found;
        for (const ObjectId object : parents) {
            objects.ensureChild(object, name);
            m_seen.resize(objects.size());
            for (const ObjectId child : objects.table(object).callsOf(name)) {
                if (m_seen[child.index()])
                    continue;
                m_seen[child.index()] = 1;
                found.push_back(child);
            }
        }
        for (const ObjectId object : found)
            m_seen[object.index()] = 0;
        return found;
    }

    /// A component of the last requested path; the first is the root.
    struct Stop {
        std::string_view path;
        std::vector<ObjectId> objects;
    };

    const Program& m_program;
    Outline& m_outline;
    const FlatTensors& m_tensors;
    std::vector<char> m_assigned;
    TensorGroups m_groups;
    GroupIds m_parameters;
    GroupIds m_buffers;
    GroupIds m_constants; ///< only for written memory
    std::vector<char> m_isBuffer; ///< by key
    std::vector<Stop> m_way = {{{}, {ModuleObjects::root()}}};
    std::vector<char> m_seen;
};

} // namespace

TensorGroups assignTensors(const Program& flat, const FlatTensors& tensors, Outline& outline)
{
    return Assignment(flat, tensors, outline).run();
}

} // namespace sunder
