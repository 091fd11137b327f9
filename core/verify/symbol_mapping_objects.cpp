// Matches the parameters, buffers, constants, and modules of two programs.
#include "verify/symbol_mapping.h"

#include <algorithm>

namespace sunder {
namespace {

/// Returns the number of the storage of a tensor object; a unique number if the file does not name a storage.
std::uint32_t storageNumber(const TensorTable& table, TensorId object)
{
    const StorageId storage = table[object].storage;
    return storage.isValid() ? storage.index() : static_cast<std::uint32_t>(table.storageCount() + object.index());
}

/// Whether one can be a copy of the other in memory of its own: equal values, possibly with a different layout.
bool mayBeCopy(const TensorMeta& a, const TensorMeta& b)
{
    const auto strided = [](const TensorMeta& meta) { return meta.layout.empty() || meta.layout.view() == "strided"; };
    const auto device = [](const TensorMeta& meta) { return meta.device.empty() ? std::string_view("cpu") : meta.device.view(); };
    return a.dtype == b.dtype && a.shape == b.shape && strided(a) && strided(b) && device(a) == device(b);
}

bool sameStrides(const TensorMeta& a, const TensorMeta& b)
{
    return a.stride && b.stride && *a.stride == *b.stride;
}

/// Whether both have the same offset and strides.
bool samePlace(const TensorMeta& a, const TensorMeta& b)
{
    const Argument zero = Argument::integer(0);
    return a.stride == b.stride && a.offset.value_or(zero) == b.offset.value_or(zero);
}

/// Returns, by object of `second`, the object of `first` that has any of its names.
std::vector<TensorId> sameByName(const TensorTable& first, const TensorTable& second)
{
    NameIndex names;
    for (std::size_t i = 0; i < first.size(); ++i)
        names.add(first[TensorId(i)].fqn, first.object(TensorId(i)).index());
    std::vector<TensorId> same(second.size());
    for (std::size_t i = 0; i < second.size(); ++i) {
        const TensorId object = second.object(TensorId(i));
        if (same[object.index()].isValid())
            continue;
        const std::optional<std::uint32_t> found = names.find(second[TensorId(i)].fqn.view());
        if (found && first[TensorId(*found)].meta.dtype == second[object].meta.dtype
            && first[TensorId(*found)].meta.shape == second[object].meta.shape)
            same[object.index()] = TensorId(*found);
    }
    return same;
}

} // namespace

bool hasKnownStorages(const TensorTable& tensors)
{
    bool all = true;
    std::size_t objects = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorEntry& entry = tensors[TensorId(i)];
        const bool isEmpty = std::ranges::find(entry.meta.shape, Argument::integer(0)) != entry.meta.shape.end();
        if (entry.same.isValid() || isEmpty)
            continue;
        ++objects;
        all = all && entry.storage.isValid();
    }
    return all || objects < 2;
}

void SymbolMapping::collectTensors(Side side)
{
    const ModuleTree& modules = program(side).modules;
    std::vector<std::vector<TensorId>>& below = m_tensorsBelow[index(side)];
    below.resize(modules.size());
    for (std::size_t i = 0; i < program(side).tensors.size(); ++i) {
        const std::string_view fqn = program(side).tensors[TensorId(i)].fqn.view();
        const std::size_t dot = fqn.rfind('.');
        ModuleId module = dot == std::string_view::npos ? ModuleId() : modules.find(intern(fqn.substr(0, dot)));
        for (; module.isValid() && !modules[module].graph.isValid(); module = modules[module].parent)
            below[module.index()].push_back(TensorId(i));
    }
}

/// `elsewhere`: nonzero if the tensor is matched by name but has a different layout, because another tensor may have that layout.
TermId SymbolMapping::tensorTerm(Side side, TensorId object, std::uint32_t storage, std::uint64_t elsewhere)
{
    static const InternedString kCpu = intern("cpu");
    static const InternedString kStrided = intern("strided");
    const TensorMeta& meta = program(side).tensors[object].meta;
    std::vector<TermId> children{m_terms.text(meta.dtype), m_terms.text(meta.device.empty() ? kCpu : meta.device),
                                 m_terms.text(meta.layout.empty() ? kStrided : meta.layout),
                                 m_terms.integer(static_cast<std::int64_t>(meta.shape.size()))};
    children.push_back(meta.offset ? m_terms.literal(*meta.offset) : m_terms.integer(0));
    for (const Argument& size : meta.shape)
        children.push_back(m_terms.literal(size));
    if (meta.stride)
        for (const Argument& stride : *meta.stride)
            children.push_back(m_terms.literal(stride));
    const TermId place = m_terms.make({.kind = TermKind::tensor, .head = storage, .bits = elsewhere}, children);
    m_gradientsAt[place] |= meta.requiresGrad ? kRequiresGradients : kRequiresNone;
    return meta.requiresGrad && m_matching.gradients ? withGradients(place) : place;
}

TermId SymbolMapping::withGradients(TermId place)
{
    Term term = m_terms[place];
    term.detail = 1;
    const std::vector<TermId> children(m_terms.children(place).begin(), m_terms.children(place).end());
    return m_terms.make(term, children);
}

/// If gradients do not distinguish tensors, one tensor that requires gradients makes every tensor at its place count as requiring
/// them.
void SymbolMapping::joinGradients()
{
    std::unordered_map<TermId, TermId> mayRequire;
    for (const std::vector<TermId>& tensors : m_tensors)
        for (const TermId place : tensors) {
            const std::uint8_t gradients = m_gradientsAt.at(place);
            if ((gradients & kRequiresGradients) == 0 || mayRequire.contains(place))
                continue;
            const TermId joined = mayRequire.emplace(place, withGradients(place)).first->second;
            if ((gradients & kRequiresNone) != 0)
                m_eitherGradients.push_back(joined);
        }
    const auto join = [&](TermId& place) {
        if (const auto found = mayRequire.find(place); found != mayRequire.end())
            place = found->second;
    };
    for (std::vector<TermId>& tensors : m_tensors)
        std::ranges::for_each(tensors, join);
    for (LayoutMismatch& tensor : m_layoutMismatch)
        std::ranges::for_each(tensor.places, join);
}

/// Finds the first tensor of the second program whose requires_grad differs from that of its counterpart (same memory or same
/// name) in the first program.
void SymbolMapping::findOtherGradients(const std::vector<TensorId>& same)
{
    const TensorTable& first = program(Side::a).tensors;
    const TensorTable& second = program(Side::b).tensors;
    for (std::size_t i = 0; i < second.size() && m_otherGradients.empty(); ++i) {
        const TensorId object = second.object(TensorId(i));
        const TensorId named = same[object.index()];
        const TermId term = m_tensors[1][i];
        Term place = m_terms[term];
        place.detail = 0;
        const std::vector<TermId> children(m_terms.children(term).begin(), m_terms.children(term).end());
        const bool isEither = m_gradientsAt.at(m_terms.make(place, children)) == (kRequiresGradients | kRequiresNone);
        if (isEither || (named.isValid() && first[named].meta.requiresGrad != second[object].meta.requiresGrad))
            m_otherGradients = second[TensorId(i)].fqn;
    }
}

void SymbolMapping::matchTensors()
{
    const TensorTable& first = program(Side::a).tensors;
    const TensorTable& second = program(Side::b).tensors;
    const auto numbers = static_cast<std::uint32_t>(first.storageCount() + first.size());
    m_tensors = {std::vector<TermId>(first.size()), std::vector<TermId>(second.size())};
    m_storages = {std::vector<std::uint32_t>(first.size()), std::vector<std::uint32_t>(second.size())};
    for (std::size_t i = 0; i < first.size(); ++i) {
        const TensorId object = first.object(TensorId(i));
        m_storages[0][i] = storageNumber(first, object);
        m_tensors[0][i] = tensorTerm(Side::a, object, m_storages[0][i]);
    }

    // Storages should correspond one to one; otherwise memory is shared in only one of the programs.
    const std::vector<TensorId> same = sameByName(first, second);
    std::unordered_map<std::uint32_t, std::uint32_t> theirs;
    std::unordered_map<std::uint32_t, std::uint32_t> mine;
    for (std::size_t i = 0; i < second.size(); ++i) {
        const TensorId object = second.object(TensorId(i));
        const std::uint32_t number = storageNumber(second, object);
        const StorageId storage = second[object].storage;
        const StorageId known = m_matching.sharedStorages && storage.isValid() ? first.findStorage(second[storage].id)
                                                                               : StorageId();
        const TensorId named = known.isValid() ? TensorId() : same[object.index()];
        std::uint32_t wanted = numbers + number; // a number of its own, unless a counterpart is found
        if (known.isValid())
            wanted = known.index();
        else if (named.isValid())
            wanted = storageNumber(first, named);
        const std::uint32_t memory = theirs.emplace(number, wanted).first->second;
        if (memory != wanted) // one storage here, several in the other program
            wanted = numbers + static_cast<std::uint32_t>(second.storageCount() + second.size()) + object.index();
        else if (mine.emplace(wanted, number).first->second != number)
            m_splitStorages.insert(wanted);
        m_storages[1][i] = memory;
        if (memory != wanted)
            m_newStorages.erase(memory);
        else if (wanted == numbers + number && !first.find(second[TensorId(i)].fqn).isValid())
            m_newStorages.insert(wanted);
        const bool isCopy = named.isValid() && wanted == storageNumber(first, named)
            && mayBeCopy(first[named].meta, second[object].meta)
            && (!m_matching.gradients || first[named].meta.requiresGrad == second[object].meta.requiresGrad);
        const TermId copied = isCopy ? tensorTerm(Side::a, named, wanted) : TermId();
        const bool isElsewhere = named.isValid() && !samePlace(first[named].meta, second[object].meta);
        if (isCopy && !m_matching.layouts) {
            m_tensors[1][i] = copied;
            if (!m_matching.gradients)
                m_gradientsAt[copied] |= second[object].meta.requiresGrad ? kRequiresGradients : kRequiresNone;
        } else {
            m_tensors[1][i] = tensorTerm(Side::b, object, wanted, isElsewhere ? number + 1ULL : 0);
        }
        if (isCopy && m_tensors[1][i] != copied)
            m_layoutMismatch.push_back({second[object].fqn,
                                        {m_tensors[0][named.index()], m_tensors[1][i]},
                                        sameStrides(first[named].meta, second[object].meta)});
    }
    if (m_matching.gradients)
        findOtherGradients(same);
    else
        joinGradients();
}

void SymbolMapping::collectElsewhere()
{
    const TensorTable& first = program(Side::a).tensors;
    const TensorTable& second = program(Side::b).tensors;
    for (std::size_t i = 0; i < second.size(); ++i)
        if (const TensorId named = first.find(second[TensorId(i)].fqn);
            named.isValid() && m_storages[0][named.index()] != m_storages[1][i])
            m_elsewhere.emplace_back(named, TensorId(i));
}

std::vector<ModuleId> readersOfGraphs(const Program& program)
{
    std::vector<ModuleId> owners = program.owners;
    for (std::size_t i = 0; i < program.modules.size(); ++i)
        for (const GraphId graph : program.modules[ModuleId(i)].calls.value_or(std::vector<GraphId>()))
            owners[graph.index()] = ModuleId(i);
    return owners;
}

void SymbolMapping::collectAttribute(InternedString path)
{
    if (program(Side::a).tensors.find(path).isValid())
        return;
    m_attributeNames.push_back(path);
    m_attributes.add(path, static_cast<std::uint32_t>(m_attributeNames.size() - 1));
}

void SymbolMapping::collectObjects(const Argument& argument)
{
    if (argument.is(ArgumentKind::object) || argument.is(ArgumentKind::constant))
        collectAttribute(argument.text());
    for (const Argument& item : argument.items())
        collectObjects(item);
}

void SymbolMapping::collectAttributes()
{
    const ModuleTree& modules = program(Side::a).modules;
    const std::vector<ModuleId> owners = readersOfGraphs(program(Side::a));
    for (const InputSlot& slot : m_inputs[index(Side::a)])
        if (slot.kind == InputSlot::Kind::object)
            collectAttribute(slot.fqn);
    for (std::size_t g = 0; g < program(Side::a).graphs.size(); ++g) {
        const Graph& graph = program(Side::a).graphs[g];
        const ModuleId owner = owners[g];
        for (const NodeId id : graph.nodes()) {
            for (const Argument& argument : graph.node(id).args)
                collectObjects(argument);
            for (const Keyword& keyword : graph.node(id).kwargs)
                collectObjects(keyword.value);
            if (graph.node(id).op != Op::getAttr)
                continue;
            const std::string path = joinPath(owner.isValid() ? modules[owner].path.view() : std::string_view(),
                                              graph.node(id).target.view());
            if (!modules.resolve(path).isValid())
                collectAttribute(intern(path));
        }
    }
}

void SymbolMapping::matchModules()
{
    std::unordered_map<InternedString, NameIndex> byClass;
    const ModuleTree& first = program(Side::a).modules;
    const ModuleTree& second = program(Side::b).modules;
    m_modulePaths = {std::vector<InternedString>(first.size()), std::vector<InternedString>(second.size())};
    for (std::size_t i = 0; i < first.size(); ++i) {
        const ModuleId object = first.object(ModuleId(i));
        m_modulePaths[0][i] = first[object].path;
        if (!first[object].graph.isValid())
            byClass[first[object].cls].add(first[ModuleId(i)].path, object.index());
    }
    // An object may be known by only one of its aliases, so this tries all of its names.
    for (std::size_t i = 0; i < second.size(); ++i) {
        const ModuleId object = second.object(ModuleId(i));
        InternedString& path = m_modulePaths[1][object.index()];
        if (!path.empty() || second[object].graph.isValid())
            continue;
        const auto names = byClass.find(second[object].cls);
        if (names == byClass.end())
            continue;
        if (const auto found = names->second.find(second[ModuleId(i)].path.view()))
            path = first[ModuleId(*found)].path;
    }
    for (std::size_t i = 0; i < second.size(); ++i) {
        const ModuleId object = second.object(ModuleId(i));
        InternedString& path = m_modulePaths[1][object.index()];
        if (path.empty())
            path = intern("(second program) " + second[object].path.str());
        m_modulePaths[1][i] = path;
    }
    std::unordered_set<InternedString> known;
    for (std::size_t i = 0; i < first.size(); ++i)
        if (first[first.object(ModuleId(i))].attributes)
            known.insert(m_modulePaths[0][i]);
    for (std::size_t i = 0; i < second.size(); ++i)
        if (second[second.object(ModuleId(i))].attributes && known.contains(m_modulePaths[1][i]))
            m_withAttributes.insert(m_modulePaths[1][i]);
}

} // namespace sunder
