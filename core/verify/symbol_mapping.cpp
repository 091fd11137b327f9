#include "verify/symbol_mapping.h"

#include "ir/value_kind.h"
#include "support/disjoint_sets.h"

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

std::uint64_t sizeKey(std::uint32_t input, std::int64_t dimension)
{
    return static_cast<std::uint64_t>(input) << 16U | static_cast<std::uint64_t>(dimension + 1);
}

std::size_t userCount(const Program& program)
{
    return static_cast<std::size_t>(std::ranges::count(program.signature->inputs, InputKind::user, &InputSpec::kind));
}

/// Whether `exported` must be read as a graph with one placeholder per parameter to be compared with `other`.
bool isRawGraphOf(const Program& exported, const Program& other)
{
    const std::size_t all = placeholders(exported.rootGraph()).size();
    const std::size_t given = placeholders(other.rootGraph()).size();
    return !other.signature && given == all && given != userCount(exported);
}

} // namespace

SymbolMapping::SymbolMapping(const Program& a, const Program& b, const Matching& matching, TermTable& terms)
    : m_programs{&a, &b}, m_terms(terms), m_matching(matching),
      m_hasKnownStorages{sunder::hasKnownStorages(a.tensors), sunder::hasKnownStorages(b.tensors)},
      m_usesSignature{a.signature && !isRawGraphOf(a, b), b.signature && !isRawGraphOf(b, a)}
{
}

Result<SymbolMapping> SymbolMapping::of(const Program& a, const Program& b, const Matching& matching, TermTable& terms,
                                        ProgressMonitor& monitor)
{
    SUNDER_PROPAGATE(monitor.check());
    SymbolMapping mapping(a, b, matching, terms);
    mapping.matchInputs();
    SUNDER_PROPAGATE(monitor.check());
    mapping.matchTensors();
    SUNDER_PROPAGATE(monitor.check());
    mapping.collectElsewhere();
    mapping.collectAttributes();
    SUNDER_PROPAGATE(monitor.check());
    mapping.matchModules();
    mapping.collectTensors(Side::a);
    SUNDER_PROPAGATE(monitor.check());
    mapping.collectTensors(Side::b);
    return mapping;
}

void SymbolMapping::matchInputs()
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
                slots.push_back(
                    {kind == InputKind::object ? InputSlot::Kind::object : InputSlot::Kind::tensor, 0, (*specs)[i].target});
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
    for (std::uint32_t i = 0; i < count; ++i)
        m_inputGroups[i] = rootOf(m_inputGroups, i);
    m_symbolsAgree = std::ranges::all_of(m_symbols[1], [&](const auto& known) {
        const auto other = m_symbols[0].find(known.first);
        return other == m_symbols[0].end() || other->second == known.second;
    });
}

void SymbolMapping::matchSymbols(Side side)
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
            else if (place->second != known->second) // the other program has distinct symbols here
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

void SymbolMapping::groupInputs(Side side)
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
            const std::uint32_t mine = slot.index;
            const std::uint32_t group = groups.emplace(meta.storage, mine).first->second;
            if (group != mine)
                joinSets(m_inputGroups, mine, group);
        });
    }
}

TermId SymbolMapping::tensor(Side side, TensorId id) const
{
    return m_tensors[index(side)][id.index()];
}

std::uint32_t SymbolMapping::storage(Side side, TensorId id) const
{
    return m_storages[index(side)][id.index()];
}

InternedString SymbolMapping::modulePath(Side side, ModuleId id) const
{
    return m_modulePaths[index(side)][id.index()];
}

InternedString SymbolMapping::attributePath(Side side, std::string_view path) const
{
    if (side == Side::a)
        return intern(path);
    const auto found = m_attributes.find(path);
    return found ? m_attributeNames[*found] : intern("(second program) " + std::string(path));
}

TermId SymbolMapping::symbol(Side side, const Argument& symbol)
{
    const InternedString text = symbol.asSymbolic().expression;
    for (const Side tried : {side, Side::a})
        if (const auto found = m_symbols[index(tried)].find(text); found != m_symbols[index(tried)].end())
            return found->second;
    const TermId literal = m_terms.literal(symbol);
    if (m_symbolsAgree || side == Side::a)
        return literal;
    return m_terms.make({.kind = TermKind::unmatched, .detail = 2}, {literal});
}

TermId SymbolMapping::sizeOf(std::uint32_t input, std::int64_t dimension) const
{
    const auto found = m_sizes.find(sizeKey(input, dimension));
    return found != m_sizes.end() ? found->second : TermId();
}

TermId SymbolMapping::input(std::uint32_t index)
{
    const TermId symbol = sizeOf(index, -1);
    return symbol.isValid() ? symbol : m_inputTerms[index];
}

bool SymbolMapping::mayRequireGradient(std::uint32_t input) const
{
    return m_gradients[input];
}

std::string NameIndex::flat(std::string_view name)
{
    std::string text(name);
    std::ranges::replace(text, '.', '_');
    return text;
}

void NameIndex::add(InternedString name, std::uint32_t value)
{
    m_names.emplace(name.view(), value);
    const auto [place, isNew] = m_flatNames.emplace(flat(name.view()), value);
    if (!isNew && place->second != value)
        place->second = kSeveral;
}

std::optional<std::uint32_t> NameIndex::find(std::string_view name) const
{
    constexpr int kMaxParts = 64;
    std::string flatName = flat(name);
    std::string_view rest = name;
    for (int part = 0; part < kMaxParts; ++part) {
        if (const auto found = m_names.find(rest); found != m_names.end())
            return found->second;
        if (const auto found = m_flatNames.find(flatName); found != m_flatNames.end())
            return found->second == kSeveral ? std::nullopt : std::optional(found->second);
        const std::size_t dot = rest.find('.');
        if (dot == std::string_view::npos)
            return std::nullopt;
        rest.remove_prefix(dot + 1);
        flatName.erase(0, dot + 1);
    }
    return std::nullopt;
}

} // namespace sunder
