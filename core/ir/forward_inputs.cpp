#include "ir/forward_inputs.h"

#include "ir/python_names.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace sunder {
namespace {

/// Whether a value is a literal that neither refers to another value nor needs a call.
bool isLiteral(const Argument& value)
{
    switch (value.kind()) {
    case ArgumentKind::none:
    case ArgumentKind::boolean:
    case ArgumentKind::integer:
    case ArgumentKind::bigInteger:
    case ArgumentKind::floating:
    case ArgumentKind::string:
    case ArgumentKind::ellipsis:
    case ArgumentKind::dtype:
    case ArgumentKind::device:
    case ArgumentKind::layout:
    case ArgumentKind::memoryFormat: return true;
    case ArgumentKind::complex: return std::isfinite(value.asComplex().first) && std::isfinite(value.asComplex().second);
    case ArgumentKind::list:
    case ArgumentKind::tuple:
    case ArgumentKind::slice:
    case ArgumentKind::range: return std::ranges::all_of(value.items(), isLiteral);
    case ArgumentKind::dict: return std::ranges::all_of(value.items(), isLiteral) && std::ranges::all_of(value.keys(), isLiteral);
    default: return false;
    }
}

} // namespace

void ForwardInputs::find(const Graph& graph, bool insideClass, const std::function<std::string(NodeId)>& nameOf, Namespace& names,
                         std::vector<std::string>& notes)
{
    std::set<std::string> taken = {"self"};
    bool hasRest = false;
    bool isLast = false;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (node.op != Op::placeholder)
            continue;
        const std::string target = node.target.str();
        const std::size_t stars = std::min(std::min(target.find_first_not_of('*'), target.size()), std::size_t{2});
        ForwardInput parameter{.node = id, .stars = target.substr(0, stars), .name = target.substr(stars)};
        if (!isPythonName(parameter.name) || taken.contains(parameter.name)) {
            parameter.name = nameOf(id);
            while (taken.contains(parameter.name))
                parameter.name = names.create(parameter.name).str();
            notes.push_back("input " + target + " is renamed to " + parameter.name + ", because "
                            + (isPythonName(target.substr(stars)) ? "the name is taken" : "it is not a Python name"));
        }
        taken.insert(parameter.name);
        if (isLast || (stars == 1 && hasRest)) {
            notes.push_back("input " + target + " takes only one value, because it follows an input that takes the rest");
            parameter.stars.clear();
        }
        parameter.hasDefault = !node.args.empty() && parameter.stars.empty();
        if (parameter.hasDefault && insideClass && !isLiteral(node.args.front())) {
            notes.push_back("input " + target + " has no default value, because Python would evaluate it when the file is read");
            parameter.hasDefault = false;
        }
        hasRest = hasRest || parameter.stars == "*";
        isLast = isLast || parameter.stars == "**";
        m_inputs.push_back(std::move(parameter));
    }
    putRestLast(notes);
    dropDefaults(notes);
}

/// Python requires the parameter that collects the remaining keywords to be last.
void ForwardInputs::putRestLast(std::vector<std::string>& notes)
{
    const auto rest = std::find_if(m_inputs.begin(), m_inputs.end(), [](const ForwardInput& p) { return p.stars == "**"; });
    if (rest == m_inputs.end() || rest + 1 == m_inputs.end())
        return;
    notes.push_back("input " + rest->stars + rest->name + " is moved to the end");
    std::rotate(rest, rest + 1, m_inputs.end());
}

/// A parameter before a required one must be required as well.
void ForwardInputs::dropDefaults(std::vector<std::string>& notes)
{
    bool isNeeded = false;
    const auto rest = std::find_if(m_inputs.begin(), m_inputs.end(), [](const ForwardInput& p) { return !p.stars.empty(); });
    for (auto at = std::make_reverse_iterator(rest); at != m_inputs.rend(); ++at) {
        if (at->hasDefault && isNeeded) {
            notes.push_back("input " + at->name + " has no default value, because a later input has none");
            at->hasDefault = false;
        }
        isNeeded = isNeeded || !at->hasDefault;
    }
    for (std::size_t place = 0; place < m_inputs.size(); ++place)
        m_placeOf[m_inputs[place].node] = place;
}

std::span<const Argument> flatResults(const Graph& graph)
{
    const NodeId output = graph.output();
    if (!output || graph.node(output).args.empty())
        return {};
    const std::span<const Argument> args = graph.node(output).args;
    return args[0].isCompound() ? args[0].items() : args.first(1);
}

const ModuleCall* nestingOf(const Program& program, std::size_t inputs, std::size_t results)
{
    const auto fits = [](const StoredTreeSpec& spec, std::size_t leaves) {
        return spec.tree() != nullptr && spec.tree()->leafCount() == leaves;
    };
    const auto whole = std::ranges::find(program.calls, InternedString(), &ModuleCall::fqn);
    return whole != program.calls.end() && fits(whole->inSpec, inputs) && fits(whole->outSpec, results) ? &*whole : nullptr;
}

} // namespace sunder
