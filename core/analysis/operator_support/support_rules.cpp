#include "analysis/operator_support/support_rules.h"

#include "ir/value_kind.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

using KindList = std::vector<SupportKind>;

std::optional<SupportKind> supportKindOf(const Node& node)
{
    if (const TensorMeta* tensor = tensorOf(node.meta.val))
        return SupportKind{true, tensor->dtype};
    if (!node.meta.outType.empty())
        return SupportKind{false, node.meta.outType};
    return std::nullopt;
}

bool isOneOf(const Node& node, const KindList& kinds)
{
    const std::optional<SupportKind> kind = supportKindOf(node);
    return kind && std::ranges::find(kinds, *kind) != kinds.end();
}

bool argumentFits(const Graph& graph, const Argument& argument, const KindList& kinds)
{
    return !argument.is(ArgumentKind::node) || isOneOf(graph[argument.asNode()], kinds);
}

bool argumentsFit(const Graph& graph, const Node& node, const SupportedArguments& wanted)
{
    for (std::size_t i = 0; i < std::min(wanted.args.size(), node.args.size()); ++i)
        if (wanted.args[i] && !argumentFits(graph, node.args[i], *wanted.args[i]))
            return false;
    return std::ranges::all_of(wanted.kwargs, [&](const auto& pair) {
        const auto given = std::ranges::find(node.kwargs, pair.first, &Keyword::key);
        return given == node.kwargs.end() || argumentFits(graph, given->value, pair.second);
    });
}

/// Returns the class of a called module, and whether its path is a second one.
std::pair<InternedString, bool> classOfCall(const ModuleTree& modules, InternedString path)
{
    const ModuleId exact = modules.find(path);
    const ModuleId object = modules.resolve(path.view());
    return {object ? modules[object].cls : InternedString(), object && exact != object};
}

} // namespace

std::string_view name(SupportMethod method)
{
    return method == SupportMethod::capability ? "capability" : "splitter";
}

SupportedOps::SupportedOps(const Program& program, const SupportRules& rules)
    : m_ops(program.rootGraph().idBound()), m_operators(1), m_isSupported(1, 0)
{
    const Graph& graph = program.rootGraph();
    const std::unordered_set<InternedString> listed(rules.supported.begin(), rules.supported.end());
    const std::unordered_set<InternedString> named(rules.supportedNodes.begin(), rules.supportedNodes.end());
    const std::unordered_set<InternedString> excluded(rules.unsupportedNodes.begin(), rules.unsupportedNodes.end());
    std::unordered_map<InternedString, const SupportedArguments*> wanted;
    for (const auto& [target, arguments] : rules.dtypes)
        wanted.emplace(target, &arguments);
    m_isAny = listed.contains(intern("*"));
    std::unordered_map<InternedString, std::uint32_t> numbers = {{InternedString(), 0}};
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (!node.isCall())
            continue;
        const auto [target, isSecondPath] = node.op == Op::callModule ? classOfCall(program.modules, node.target)
                                                                      : std::pair(node.target, false);
        const auto [number, isNew] = numbers.emplace(target, static_cast<std::uint32_t>(m_operators.size()));
        if (isNew) {
            m_operators.push_back(target);
            m_isSupported.push_back(listed.contains(target) ? 1 : 0);
        }
        OpSupport& op = m_ops[id.index()];
        op.number = number->second;
        if (excluded.contains(node.name))
            continue;
        const bool isNamed = named.contains(node.name);
        if (!isNamed && isSecondPath && !m_firstUnknownToTorch)
            m_firstUnknownToTorch = id;
        const auto declines = [&](NodeId input) { return isOneOf(graph[input], rules.declinedInputs); };
        if (const auto inputs = graph.inputs(id); std::any_of(inputs.begin(), inputs.end(), declines))
            continue;
        const auto rule = wanted.find(target);
        if (isNamed)
            op.answer = Answer::yes;
        else if (rule == wanted.end() || target.empty() || argumentsFit(graph, node, *rule->second))
            op.answer = Answer::byOperator;
    }
}

void SupportedOps::add(InternedString name)
{
    if (const auto at = std::ranges::find(m_operators, name); at != m_operators.end() && !name.empty())
        m_isSupported[static_cast<std::size_t>(at - m_operators.begin())] = 1;
}

std::vector<InternedString> SupportedOps::candidates() const
{
    std::vector<char> isCandidate(m_operators.size(), 0);
    for (const OpSupport& op : m_ops)
        if (op.answer == Answer::byOperator && !m_isAny && m_isSupported[op.number] == 0)
            isCandidate[op.number] = 1;
    std::vector<InternedString> found;
    for (std::size_t i = 1; i < m_operators.size(); ++i)
        if (isCandidate[i] != 0)
            found.push_back(m_operators[i]);
    std::ranges::sort(found, {}, &InternedString::view);
    return found;
}

std::vector<ModelOperator> modelOperators(const Program& program, const SupportedOps& supported)
{
    const Graph& graph = program.rootGraph();
    std::unordered_map<InternedString, std::size_t> places;
    std::vector<ModelOperator> found;
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        const InternedString target = supported.operatorOf(id);
        const auto [place, isNew] = places.emplace(target, found.size());
        if (isNew)
            found.push_back({.name = target, .dtypes = {}});
        add(found[place->second], graph[id], supported.contains(id));
    }
    std::ranges::sort(found, {}, [](const ModelOperator& one) { return one.name.view(); });
    return found;
}

void add(ModelOperator& to, const Node& op, bool isSupported)
{
    ++to.ops;
    to.supported += isSupported ? 1 : 0;
    to.bytes += knownBytes(op);
    if (op.meta.val)
        forEachTensor(*op.meta.val, [&](const TensorMeta& tensor) {
            const auto at = std::ranges::lower_bound(to.dtypes, tensor.dtype.view(), {}, &InternedString::view);
            if (at == to.dtypes.end() || *at != tensor.dtype)
                to.dtypes.insert(at, tensor.dtype);
        });
}

std::string whyUnsupported(const Program& program, const SupportRules& rules, NodeId id)
{
    const Graph& graph = program.rootGraph();
    const Node& node = graph[id];
    const auto kindText = [](const Node& input) {
        const std::optional<SupportKind> kind = supportKindOf(input);
        return input.name.str() + (kind ? " is " + kind->text.str() : std::string(" has no dtype"));
    };
    if (std::ranges::find(rules.unsupportedNodes, node.name) != rules.unsupportedNodes.end())
        return "unsupported_nodes lists it";
    for (const NodeId input : graph.inputs(id))
        if (isOneOf(graph[input], rules.declinedInputs))
            return kindText(graph[input]) + ", which declined_input_dtypes lists";
    const InternedString target = node.op == Op::callModule ? classOfCall(program.modules, node.target).first : node.target;
    if (target.empty())
        return "the class of its module is unknown";
    for (const auto& [name, arguments] : rules.dtypes)
        if (name == target && !argumentsFit(graph, node, arguments)) {
            for (std::size_t i = 0; i < std::min(arguments.args.size(), node.args.size()); ++i)
                if (arguments.args[i] && !argumentFits(graph, node.args[i], *arguments.args[i]))
                    return kindText(graph[node.args[i].asNode()]) + ", which dtypes does not list for its operator";
            return "a keyword argument has a dtype that dtypes does not list for its operator";
        }
    return "its operator is not supported";
}

std::uint64_t knownBytes(const Node& node)
{
    std::uint64_t bytes = 0;
    if (node.meta.val)
        forEachTensor(*node.meta.val, [&](const TensorMeta& tensor) { bytes += byteSize(tensor).value_or(0); });
    return bytes;
}

} // namespace sunder
