#include "parts/part_manifest.h"

#include "analysis/training/backward_tags.h"
#include "io/side_files/manifest_writer.h"
#include "ir/forward_inputs.h"
#include "ir/getitem.h"
#include "ir/program.h"
#include "ir/tensor_meta.h"
#include "operators/operator_library.h"
#include "operators/operator_table.h"
#include "parts/part_programs.h"
#include "passes/split_result.h"
#include "passes/to_exported/value_tree.h"
#include "support/json_tape.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

struct TrainingRole {
    std::string_view kind;
    std::string of;
};

/// Marks the loss and the gradients in the manifest of a joint forward-backward program, and the part whose forward ops each
/// backward part belongs to (backwardTagOf()). The program's results then form a flat tuple. The outputs of the manifest must be
/// those of the signature that are not writes, in order. Does not change other manifests. Linear in values.
void noteTrainingRoles(const ExportSignature& signature, const SplitResult& split, PartManifest& manifest)
{
    std::unordered_map<std::string, TrainingRole> roles;
    std::size_t output = 0;
    for (const OutputSpec& spec : signature.outputs) {
        const bool isRole = spec.kind == OutputKind::loss || spec.kind == OutputKind::gradient;
        if ((!isRole && spec.kind != OutputKind::user) || output == manifest.outputs.size())
            continue;
        ManifestOutput& given = manifest.outputs[output++];
        if (!isRole || given.literal)
            continue;
        given.value.kind = spec.kind == OutputKind::loss ? "loss" : "gradient";
        given.value.of = spec.target.str();
        roles.emplace(given.value.name, TrainingRole{given.value.kind == "loss" ? "loss" : "gradient", given.value.of});
    }
    if (roles.empty())
        return;
    // The original output spec of such a program counts only the loss.
    manifest.outSpec = StoredTreeSpec(TreeSpec::tupleOf(manifest.outputs.size()));
    const std::vector<std::int32_t> forward = forwardTags(split.partNames);
    std::unordered_map<std::string_view, std::string> forwardOf;
    for (std::size_t part = 0; part < forward.size(); ++part)
        if (forward[part] >= 0)
            forwardOf[split.partNames[part].view()] = split.partNames[static_cast<std::size_t>(forward[part])].str();
    for (ManifestPart& part : manifest.parts) {
        if (const auto found = forwardOf.find(part.name); found != forwardOf.end())
            part.backwardOf = found->second;
        for (ManifestValue& value : part.outputs)
            if (const auto role = roles.find(value.name); role != roles.end()) {
                value.kind = role->second.kind;
                value.of = role->second.of;
            }
    }
}

ManifestValue valueOf(const Node& node)
{
    return {.name = node.name.str(), .val = node.meta.val};
}

/// Builds manifest entries for the inputs and outputs of an exported program and its parts.
class ManifestValues {
public:
    explicit ManifestValues(const Program& source)
        : m_source(source), m_graph(source.rootGraph()), m_entries(signatureInputs(source))
    {
    }

    [[nodiscard]] bool isInput(NodeId id) const
    {
        const InputSpec* spec = specOf(id);
        return spec != nullptr && spec->kind == InputKind::user;
    }

    /// An input that is not a tensor is listed with its constant value.
    [[nodiscard]] ManifestValue of(NodeId id) const
    {
        ManifestValue value = valueOf(m_graph.node(id));
        if (const InputSpec* spec = specOf(id);
            spec != nullptr && spec->kind == InputKind::user && !spec->value.is(ArgumentKind::node))
            value.literal = spec->value;
        return value;
    }

    [[nodiscard]] std::vector<ManifestValue> of(const std::vector<NodeId>& nodes) const
    {
        std::vector<ManifestValue> values;
        for (const NodeId id : nodes)
            values.push_back(of(id));
        return values;
    }

private:
    [[nodiscard]] const InputSpec* specOf(NodeId id) const
    {
        const std::int32_t entry = m_entries[id.index()];
        return entry < 0 ? nullptr : &m_source.signature->inputs[static_cast<std::size_t>(entry)];
    }

    const Program& m_source;
    const Graph& m_graph;
    std::vector<std::int32_t> m_entries;
};

ManifestOutput outputOf(const Graph& graph, const Argument& value)
{
    if (value.is(ArgumentKind::node))
        return {.value = valueOf(graph.node(value.asNode()))};
    return {.literal = value};
}

void addLeaves(const Graph& graph, const Argument& value, std::vector<ManifestOutput>& outputs)
{
    if (!value.isCompound())
        outputs.push_back(outputOf(graph, value));
    for (const Argument& item : value.items())
        addLeaves(graph, item, outputs);
}

/// Whether pytree unpacks all nested containers, into the leaves of addLeaves().
bool isTreeThroughout(const Argument& value)
{
    bool isTree = true;
    forEachLeaf(value, [&](const Argument& leaf) { isTree = isTree && !leaf.isCompound(); });
    return isTree;
}

/// Returns the source node whose value a node of the split's main graph carries.
NodeId sourceOf(const SplitResult& split, GraphId root, NodeId main)
{
    for (const IdentityMap::Pair& pair : split.map.sourcesOf({split.program.root, main}))
        if (pair.source.graph == root)
            return pair.source.node;
    return {};
}

/// Collects the operators of a program that `import torch` does not register.
class OperatorsToRegister {
public:
    void addTarget(InternedString target)
    {
        if (!m_seen.insert(target).second || !isRegisteredOperator(target.view()))
            return;
        const OperatorName name = operatorName(target.view());
        const std::string packet = packetName(name);
        const std::optional<std::string_view> module = moduleThatRegisters(packet.substr(0, packet.find(':')));
        if (module || torchOverloads(packet).empty())
            m_found.emplace(packet, module.value_or(std::string_view()));
    }

    void addArgument(const Argument& argument)
    {
        if (argument.is(ArgumentKind::function))
            addTarget(argument.text());
        for (const Argument& item : argument.items())
            addArgument(item);
    }

    [[nodiscard]] std::vector<ManifestOperator> found() const
    {
        std::vector<ManifestOperator> operators;
        for (const auto& [name, module] : m_found)
            operators.push_back({.name = name, .module = std::string(module)});
        return operators;
    }

private:
    std::unordered_set<InternedString> m_seen;
    std::map<std::string, std::string_view> m_found;
};

bool isLower(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

constexpr unsigned kDeepestRecord = 128;

/// Adds the guards stated in the exported program's file.
void addStated(const Program& source, std::vector<std::string>& guards)
{
    JsonTape tape;
    if (source.origin.extra.empty() || !tape.parse(source.origin.extra.view(), kDeepestRecord))
        return;
    const JsonValue stated = tape.root().member("exported_program").member("guards_code");
    if (!stated || !stated.is(JsonType::array))
        return;
    for (JsonValue guard = stated.firstItem(); guard; guard = guard.nextItem())
        if (guard.is(JsonType::string))
            guards.emplace_back(guard.text());
}

/// Converts bounds of sizes and integers to guards.
class Bounds {
public:
    Bounds(const Program& source, std::vector<std::string>& guards) : m_guards(guards)
    {
        for (const SymbolRange& range : source.ranges)
            m_ranges.emplace(range.symbol, &range);
    }

    void add(const Argument& size, const std::string& name)
    {
        const auto found = size.is(ArgumentKind::symbolic) ? m_ranges.find(size.asSymbolic().expression) : m_ranges.end();
        if (found == m_ranges.end())
            return;
        if (const std::optional<std::int64_t> min = found->second->min; min && *min > 2)
            m_guards.push_back(name + " >= " + std::to_string(*min));
        if (const std::optional<std::int64_t> max = found->second->max)
            m_guards.push_back(name + " <= " + std::to_string(*max));
    }

private:
    std::vector<std::string>& m_guards;
    std::unordered_map<InternedString, const SymbolRange*> m_ranges;
};

} // namespace

std::vector<std::size_t> distinctParts(const SplitResult& split)
{
    std::vector<std::size_t> found;
    std::unordered_map<GraphId, std::size_t> last;
    for (std::size_t i = 0; i < split.parts.size(); ++i)
        last[split.parts[i]] = i;
    for (std::size_t i = 0; i < split.parts.size(); ++i)
        if (last[split.parts[i]] == i)
            found.push_back(i);
    return found;
}

PartManifest manifestOf(const Program& source, const SplitResult& split, const PartPlan& plan)
{
    const Graph& graph = source.rootGraph();
    PartManifest manifest;
    const ManifestValues values(source);
    for (const NodeId id : graph.nodes())
        if (values.isInput(id))
            manifest.inputs.push_back(values.of(id));
    const std::span<const Argument> results = flatResults(graph);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const OutputKind kind = i < source.signature->outputs.size() ? source.signature->outputs[i].kind : OutputKind::user;
        if (kind == OutputKind::user || kind == OutputKind::loss || kind == OutputKind::gradient)
            manifest.outputs.push_back(outputOf(graph, results[i]));
    }
    for (const std::size_t part : distinctParts(split))
        manifest.parts.push_back({.name = split.partNames[part].str(),
                                  .file = {},
                                  .inputs = values.of(plan.inputs[part]),
                                  .outputs = values.of(plan.outputs[part])});
    if (!source.calls.empty() && source.calls.front().fqn.view().empty()) {
        manifest.inSpec = source.calls.front().inSpec;
        manifest.outSpec = source.calls.front().outSpec;
        addGuards(source, source.calls.front(), manifest);
    }
    noteTrainingRoles(*source.signature, split, manifest);
    return manifest;
}

PartManifest manifestOfModules(const Program& source, const SplitResult& split)
{
    const Graph& from = source.rootGraph();
    const Graph& main = split.program.rootGraph();
    PartManifest manifest;
    for (const NodeId id : from.nodes())
        if (from.node(id).op == Op::placeholder)
            manifest.inputs.push_back(valueOf(from.node(id)));
    manifest.inSpec = StoredTreeSpec(TreeSpec::argumentsOf(manifest.inputs.size()));
    if (const NodeId output = from.output(); output && !from.node(output).args.empty()) {
        const Argument& result = from.node(output).args.front();
        addLeaves(from, result, manifest.outputs);
        if (isTreeThroughout(result))
            manifest.outSpec = StoredTreeSpec(treeSpecOf(result));
    }
    if (const ModuleCall* whole = nestingOf(source, manifest.inputs.size(), manifest.outputs.size())) {
        manifest.inSpec = whole->inSpec;
        manifest.outSpec = whole->outSpec;
        addGuards(source, *whole, manifest);
    }
    const auto valueOfMain = [&](NodeId id) {
        const NodeId made = sourceOf(split, source.root, id);
        return made ? valueOf(from.node(made)) : valueOf(main.node(id));
    };
    std::unordered_set<InternedString> called;
    for (const NodeId id : main.nodes()) {
        if (main.node(id).op != Op::callModule)
            continue;
        ManifestPart part{.name = main.node(id).target.str(), .file = {}, .inputs = {}, .outputs = {}};
        for (const Argument& input : main.node(id).args)
            part.inputs.push_back(valueOfMain(input.asNode()));
        const NodeId self = sourceOf(split, source.root, id);
        if (self)
            part.outputs.push_back(valueOf(from.node(self)));
        for (const NodeId user : main.users(id))
            if (!self && isGetitem(main.node(user)))
                part.outputs.push_back(valueOfMain(user));
        manifest.parts.push_back(std::move(part));
    }
    for (const NodeId attribute : returnedAttributes(source))
        if (!manifest.parts.empty())
            manifest.parts.back().outputs.push_back(valueOf(from.node(attribute)));
    return manifest;
}

std::vector<ManifestOperator> operatorsToRegister(const Program& program)
{
    OperatorsToRegister operators;
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (node.op == Op::callFunction)
                operators.addTarget(node.target);
            for (const Argument& argument : node.args)
                operators.addArgument(argument);
            for (const auto& keyword : node.kwargs)
                operators.addArgument(keyword.value);
        }
    return operators.found();
}

std::vector<std::string> partFileNames(const std::vector<std::string>& names, const std::string& suffix)
{
    std::vector<std::string> files;
    std::unordered_set<std::string> taken;
    for (const std::string& name : names) {
        std::string stem = name;
        std::replace_if(stem.begin(), stem.end(), [](char c) { return !isLower(c) && !(c >= 'A' && c <= 'Z'); }, '_');
        if (stem.empty() || stem.front() == '.' || stem.front() == '-')
            stem.insert(0, "part");
        constexpr std::size_t kLongest = 120;
        stem.resize(std::min(stem.size(), kLongest));
        const auto lower = [](std::string text) {
            for (char& c : text)
                c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
            return text;
        };
        std::string file = stem + suffix;
        for (int i = 1; !taken.insert(lower(file)).second; ++i)
            file = stem + "_" + std::to_string(i) + suffix;
        files.push_back(std::move(file));
    }
    return files;
}

void addGuards(const Program& source, const ModuleCall& whole, PartManifest& manifest)
{
    Bounds bounds(source, manifest.guards);
    for (std::size_t i = 0; i < manifest.inputs.size(); ++i) {
        const std::optional<Argument>& val = manifest.inputs[i].val;
        const std::string name = "L['flat_args'][" + std::to_string(i) + "]";
        if (!val)
            continue;
        if (!val->is(ArgumentKind::tensor)) {
            bounds.add(*val, name);
            continue;
        }
        const Arguments& shape = val->asTensor().shape;
        for (std::size_t k = 0; k < shape.size(); ++k)
            bounds.add(shape[k], name + ".size()[" + std::to_string(k) + "]");
    }
    addStated(source, manifest.guards);
    for (const InternedString name : whole.argNames.value_or(std::vector<InternedString>()))
        manifest.argNames.push_back(name.str());
}

} // namespace sunder
