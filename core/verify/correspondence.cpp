#include "verify/correspondence.h"

#include <algorithm>
#include <cctype>

namespace sunder {
namespace {

std::vector<NodeId> placeholders(const Graph& graph)
{
    std::vector<NodeId> found;
    for (const NodeId id : graph.nodes())
        if (graph.node(id).op == Op::placeholder)
            found.push_back(id);
    return found;
}

bool isBareSymbol(const Argument& value)
{
    if (!value.is(ArgumentKind::symbolic))
        return false;
    const std::string_view text = value.asSymbolic().expression.view();
    const auto isWord = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 && std::ranges::all_of(text, isWord);
}

/// Visits the tensors of a `val` tree, nested at most as deep as a reader lets values be.
template <typename Visit>
void forEachTensor(const Argument& value, const Visit& visit)
{
    if (value.is(ArgumentKind::tensor))
        visit(value.asTensor());
    for (const Argument& item : value.items())
        forEachTensor(item, visit);
}

std::uint64_t sizeKey(std::uint32_t input, std::int64_t dimension)
{
    return static_cast<std::uint64_t>(input) << 16U | static_cast<std::uint64_t>(dimension + 1);
}

std::size_t userCount(const Program& program)
{
    return static_cast<std::size_t>(std::ranges::count(program.signature->inputs, InputKind::user, &InputSpec::kind));
}

/// Whether `exported` has to be read as a graph with a placeholder for every parameter, to be compared with `other`.
bool isRawGraphOf(const Program& exported, const Program& other)
{
    const std::size_t all = placeholders(exported.rootGraph()).size();
    const std::size_t given = placeholders(other.rootGraph()).size();
    return !other.signature && given == all && given != userCount(exported);
}

} // namespace

Correspondence::Correspondence(const Program& a, const Program& b, bool sharedStorages, TermTable& terms)
    : m_programs{&a, &b}, m_terms(terms)
{
    m_usesSignature = {a.signature && !isRawGraphOf(a, b), b.signature && !isRawGraphOf(b, a)};
    matchInputs();
    matchTensors(sharedStorages);
    matchModules();
    collectTensors(Side::a);
    collectTensors(Side::b);
}

void Correspondence::collectTensors(Side side)
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

void Correspondence::matchInputs()
{
    for (const Side side : {Side::a, Side::b}) {
        const std::vector<NodeId> nodes = placeholders(program(side).rootGraph());
        std::vector<InputSlot>& slots = m_inputs[index(side)];
        std::uint32_t users = 0;
        std::uint32_t tokens = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::vector<InputSpec>* specs = usesSignature(side) ? &program(side).signature->inputs : nullptr;
            const InputKind kind = specs != nullptr && i < specs->size() ? (*specs)[i].kind : InputKind::user;
            if (kind == InputKind::user)
                slots.push_back({InputSlot::Kind::user, users++, {}});
            else if (kind == InputKind::token)
                slots.push_back({InputSlot::Kind::token, tokens++, {}});
            else
                slots.push_back({kind == InputKind::object ? InputSlot::Kind::object : InputSlot::Kind::tensor, 0,
                                 (*specs)[i].target});
        }
        m_userInputs[index(side)] = users;
    }
    const std::size_t count = std::max(m_userInputs[0], m_userInputs[1]);
    m_inputTerms.resize(count);
    m_gradients.resize(count, false);
    m_inputGroups.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        m_inputTerms[i] = m_terms.make({.kind = TermKind::input, .bits = i});
        m_inputGroups[i] = static_cast<std::uint32_t>(i);
    }
    for (const Side side : {Side::a, Side::b}) {
        matchSymbols(side);
        groupInputs(side);
    }
}

void Correspondence::matchSymbols(Side side)
{
    const std::vector<NodeId> nodes = placeholders(program(side).rootGraph());
    auto& symbols = m_symbols[index(side)];
    const auto meet = [&](const Argument& value, std::uint32_t input, std::int64_t dimension) {
        if (!isBareSymbol(value))
            return;
        const InternedString symbol = value.asSymbolic().expression;
        const std::uint64_t key = sizeKey(input, dimension);
        const auto place = m_sizes.find(key);
        if (const auto known = symbols.find(symbol); known != symbols.end()) {
            if (place == m_sizes.end())
                m_sizes.emplace(key, known->second);
            else if (place->second != known->second) // the other program tells these sizes apart
                known->second = m_terms.make({.kind = TermKind::unmatched, .detail = 1, .head = symbol.id()});
            return;
        }
        if (place == m_sizes.end())
            m_sizes.emplace(key, m_terms.make({.kind = TermKind::symbol, .bits = key}));
        symbols.emplace(symbol, m_sizes.at(key));
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const InputSlot& slot = m_inputs[index(side)][i];
        const std::optional<Argument>& val = program(side).rootGraph().node(nodes[i]).meta.val;
        if (slot.kind != InputSlot::Kind::user || !val)
            continue;
        meet(*val, slot.index, -1);
        if (val->is(ArgumentKind::tensor))
            for (std::size_t d = 0; d < val->asTensor().shape.size(); ++d)
                meet(val->asTensor().shape[d], slot.index, static_cast<std::int64_t>(d));
    }
}

void Correspondence::groupInputs(Side side)
{
    const std::vector<NodeId> nodes = placeholders(program(side).rootGraph());
    std::unordered_map<InternedString, std::uint32_t> groups;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const InputSlot& slot = m_inputs[index(side)][i];
        if (slot.kind != InputSlot::Kind::user)
            continue;
        const std::optional<Argument>& val = program(side).rootGraph().node(nodes[i]).meta.val;
        if (!val) {
            m_gradients[slot.index] = true;
            continue;
        }
        forEachTensor(*val, [&](const TensorMeta& meta) {
            m_gradients[slot.index] = m_gradients[slot.index] || meta.requiresGrad;
            if (meta.storage.empty())
                return;
            const std::uint32_t mine = m_inputGroups[slot.index];
            const std::uint32_t group = groups.emplace(meta.storage, mine).first->second;
            if (group != mine)
                std::ranges::replace(m_inputGroups, mine, group);
        });
    }
}

TermId Correspondence::tensorTerm(Side side, TensorId object, std::uint32_t storage)
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
    const auto gradient = static_cast<std::uint8_t>(meta.requiresGrad ? 1 : 0);
    return m_terms.make({.kind = TermKind::tensor, .detail = gradient, .head = storage}, children);
}

void Correspondence::matchTensors(bool sharedStorages)
{
    const TensorTable& first = program(Side::a).tensors;
    const TensorTable& second = program(Side::b).tensors;
    const auto numberIn = [](const TensorTable& table, TensorId id) {
        const StorageId storage = table[id].storage;
        return storage.isValid() ? storage.index() : static_cast<std::uint32_t>(table.storageCount() + id.index());
    };
    const auto numbers = static_cast<std::uint32_t>(first.storageCount() + first.size());
    NameIndex names;
    m_tensors = {std::vector<TermId>(first.size()), std::vector<TermId>(second.size())};
    m_storages = {std::vector<std::uint32_t>(first.size()), std::vector<std::uint32_t>(second.size())};
    for (std::size_t i = 0; i < first.size(); ++i) {
        const TensorId object = first.object(TensorId(i));
        names.add(first[TensorId(i)].fqn, object.index());
        m_storages[0][i] = numberIn(first, object);
        m_tensors[0][i] = tensorTerm(Side::a, object, m_storages[0][i]);
    }

    // The object of the first program that each object of the second is, by any of its names.
    std::vector<TensorId> same(second.size());
    const auto fits = [&](TensorId mine, TensorId theirs) {
        return first[theirs].meta.dtype == second[mine].meta.dtype && first[theirs].meta.shape == second[mine].meta.shape;
    };
    for (std::size_t i = 0; i < second.size(); ++i) {
        const TensorId object = second.object(TensorId(i));
        if (same[object.index()].isValid())
            continue;
        if (const auto found = names.find(second[TensorId(i)].fqn.view()); found && fits(object, TensorId(*found)))
            same[object.index()] = TensorId(*found);
    }

    // Storages should correspond one to one, or memory is shared in one program only.
    std::unordered_map<std::uint32_t, std::uint32_t> theirs;
    std::unordered_map<std::uint32_t, std::uint32_t> mine;
    for (std::size_t i = 0; i < second.size(); ++i) {
        const TensorId object = second.object(TensorId(i));
        const std::uint32_t number = numberIn(second, object);
        const StorageId storage = second[object].storage;
        std::uint32_t wanted = numbers + number; // of its own, unless found
        if (sharedStorages && storage.isValid()) {
            const StorageId found = first.findStorage(second[storage].id);
            wanted = found.isValid() ? found.index() : wanted;
        } else if (same[object.index()].isValid()) {
            wanted = numberIn(first, same[object.index()]);
        }
        if (theirs.emplace(number, wanted).first->second != wanted) // one memory here, several there
            wanted = numbers + static_cast<std::uint32_t>(second.storageCount() + second.size()) + object.index();
        else if (mine.emplace(wanted, number).first->second != number)
            m_splitStorages.insert(wanted);
        m_storages[1][i] = wanted;
        m_tensors[1][i] = tensorTerm(Side::b, object, wanted);
    }
}

void Correspondence::matchModules()
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
    for (std::size_t g = 0; g < program(Side::a).graphs.size(); ++g) {
        const Graph& graph = program(Side::a).graphs[g];
        const ModuleId owner = program(Side::a).owners[g];
        for (const NodeId id : graph.nodes()) {
            if (graph.node(id).op != Op::getAttr)
                continue;
            const std::string path = joinPath(owner.isValid() ? first[owner].path.view() : std::string_view(),
                                              graph.node(id).target.view());
            if (program(Side::a).tensors.find(intern(path)).isValid() || first.resolve(path).isValid())
                continue;
            m_attributeNames.push_back(intern(path));
            m_attributes.add(m_attributeNames.back(), static_cast<std::uint32_t>(m_attributeNames.size() - 1));
        }
    }
    // An object may be known by an alias only, so every name of it is tried.
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
}

TermId Correspondence::tensor(Side side, TensorId id) const
{
    return m_tensors[index(side)][id.index()];
}

std::uint32_t Correspondence::storage(Side side, TensorId id) const
{
    return m_storages[index(side)][id.index()];
}

InternedString Correspondence::modulePath(Side side, ModuleId id) const
{
    return m_modulePaths[index(side)][id.index()];
}

InternedString Correspondence::attributePath(Side side, std::string_view path)
{
    if (side == Side::a)
        return intern(path);
    const auto found = m_attributes.find(path);
    return found ? m_attributeNames[*found] : intern("(second program) " + std::string(path));
}

TermId Correspondence::symbol(Side side, const Argument& symbol)
{
    const InternedString text = symbol.asSymbolic().expression;
    for (const Side tried : {side, Side::a})
        if (const auto found = m_symbols[index(tried)].find(text); found != m_symbols[index(tried)].end())
            return found->second;
    const bool consistent = std::ranges::all_of(m_symbols[1], [&](const auto& known) {
        const auto other = m_symbols[0].find(known.first);
        return other == m_symbols[0].end() || other->second == known.second;
    });
    const TermId literal = m_terms.literal(symbol);
    if (consistent || side == Side::a)
        return literal;
    return m_terms.make({.kind = TermKind::unmatched, .detail = 2}, {literal});
}

TermId Correspondence::sizeOf(std::uint32_t input, std::int64_t dimension) const
{
    const auto found = m_sizes.find(sizeKey(input, dimension));
    return found != m_sizes.end() ? found->second : TermId();
}

TermId Correspondence::input(std::uint32_t index)
{
    const TermId symbol = sizeOf(index, -1);
    return symbol.isValid() ? symbol : m_inputTerms[index];
}

bool Correspondence::mayRequireGradient(std::uint32_t input) const
{
    return m_gradients[input];
}

} // namespace sunder
