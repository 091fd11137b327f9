#include "passes/unflatten/flat_graph.h"

#include "passes/unflatten/shared_memory.h"

#include "ir/python_text.h"
#include "ir/value_kind.h"
#include "operators/call_facts.h"
#include "operators/operator_catalogue.h"
#include "support/text.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

// Preparation of an exported program, as in PyTorch, before its modules are considered: removes dead code, and restores mutations
// that functionalization has turned into outputs as copy_ calls.

namespace sunder {
namespace {

NodeMeta withStorage(NodeMeta meta, InternedString storage)
{
    if (meta.val && meta.val->is(ArgumentKind::tensor)) {
        TensorMeta tensor = meta.val->asTensor();
        tensor.storage = storage;
        meta.val = Argument::tensor(std::move(tensor));
    }
    return meta;
}

std::unordered_map<InternedString, NodeId> placeholdersByName(const Graph& graph)
{
    std::unordered_map<InternedString, NodeId> found;
    for (const NodeId id : graph.nodes())
        if (graph.node(id).op == Op::placeholder)
            found.emplace(graph.node(id).name, id);
    return found;
}

/// Returns the placeholder that a mutation output belongs to.
Result<NodeId> mutated(const Program& program, const OutputSpec& output,
                       const std::unordered_map<InternedString, NodeId>& placeholders)
{
    InternedString name = output.target;
    if (output.kind != OutputKind::inputMutation) {
        const InputKind kind = output.kind == OutputKind::bufferMutation ? InputKind::buffer : InputKind::parameter;
        const auto& inputs = program.signature->inputs;
        const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const InputSpec& input) {
            return input.kind == kind && input.target == output.target;
        });
        name = found != inputs.end() ? found->name : InternedString();
    }
    const auto found = placeholders.find(name);
    if (found == placeholders.end())
        return fail(ErrorCode::refused,
                    "output " + output.name.str() + " modifies " + output.target.str()
                        + ", which has no placeholder in the graph",
                    {.node = output.name.str(), .other = output.target.str()});
    return found->second;
}

bool isMutation(const OutputSpec& output)
{
    return output.kind == OutputKind::bufferMutation || output.kind == OutputKind::inputMutation
        || output.kind == OutputKind::parameterMutation;
}

/// Returns false if PyTorch would rename a node when copying it: its name is a Python builtin or not an identifier.
bool keepsName(const Node& node)
{
    const std::string_view name = node.name.view();
    const bool endsInDigit = !name.empty() && isAsciiDigit(name.back()); // no reserved name does
    return node.op == Op::output || (isPythonIdentifier(name) && (endsInDigit || !isReservedName(name)));
}

/// Converts mutation outputs of a program to copy_ calls.
class MutationWriter {
public:
    MutationWriter(Program& program, std::span<const NodeId> late, const UnflattenOptions& options)
        : m_program(program), m_graph(program.rootGraph()), m_late(late.begin(), late.end()), m_options(options),
          m_output(m_graph.output()), m_placeholders(placeholdersByName(m_graph))
    {
    }

    Result<std::vector<MutationCopy>> run()
    {
        const Arguments& args = m_graph.node(m_output).args;
        Arguments values;
        if (!args.empty())
            values.assign(args[0].items().begin(), args[0].items().end());
        const std::vector<OutputSpec>& specs = m_program.signature->outputs;
        if (m_options.sharedResults)
            findReturnedViews(values, specs);
        Arguments kept;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i >= specs.size() || !isMutation(specs[i]))
                kept.push_back(values[i]);
            else
                SUNDER_PROPAGATE(write(specs[i], values[i]));
        }
        const std::vector<NodeId> written = m_options.sharedResults ? copiesOf(kept) : std::vector<NodeId>();
        if (!m_late.empty())
            keepOldValues(kept);
        for (std::size_t i = 0; i < written.size(); ++i)
            if (written[i])
                kept[i] = Argument::node(written[i]);
        if (!m_copies.empty()) {
            m_graph.meta(m_output).val.reset();
            m_graph.setArguments(m_output, {Argument::tuple(std::move(kept))}, {});
        }
        return std::move(m_copies);
    }

private:
    /// Finds the views of values to be written back, if one is a result. They are views of the value before it is copied.
    void findReturnedViews(const Arguments& values, const std::vector<OutputSpec>& specs)
    {
        std::unordered_set<NodeId> results;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (values[i].is(ArgumentKind::node) && (i >= specs.size() || !isMutation(specs[i])))
                results.insert(values[i].asNode());
        for (std::size_t i = 0; i < values.size() && i < specs.size(); ++i) {
            if (!isMutation(specs[i]) || !values[i].is(ArgumentKind::node))
                continue;
            const std::vector<NodeId> views = aliasesOf(m_graph, values[i].asNode()); // the first element is the value itself
            if (std::any_of(views.begin() + 1, views.end(), [&](NodeId view) { return results.contains(view); }))
                m_returnedViews.insert(views.begin() + 1, views.end());
        }
    }

    /// Returns, per result, its last copy into a buffer or an input; invalid if it is not written back.
    [[nodiscard]] std::vector<NodeId> copiesOf(const Arguments& results) const
    {
        std::unordered_map<NodeId, NodeId> copyOf;
        for (const MutationCopy& copy : m_copies)
            copyOf[copy.value] = copy.copy;
        std::vector<NodeId> copies(results.size());
        for (std::size_t i = 0; i < results.size(); ++i)
            if (results[i].is(ArgumentKind::node))
                if (const auto found = copyOf.find(results[i].asNode()); found != copyOf.end())
                    copies[i] = found->second;
        return copies;
    }

    Result<void> write(const OutputSpec& spec, const Argument& output)
    {
        SUNDER_TRY(const NodeId target, mutated(m_program, spec, m_placeholders));
        if (!output.is(ArgumentKind::node))
            return fail(ErrorCode::refused, "the output that modifies " + spec.target.str() + " is not a node",
                        {.other = spec.target.str()});
        const std::optional<Argument>& val = m_graph.node(target).meta.val;
        if (spec.kind == OutputKind::parameterMutation
            && (!val || !val->is(ArgumentKind::tensor) || val->asTensor().requiresGrad))
            return fail(ErrorCode::refused,
                        "the program modifies the parameter " + spec.target.str()
                            + ", which requires gradients; a module cannot modify it in place",
                        {.node = m_graph.node(target).name.str(), .other = spec.target.str()});
        const Node& value = m_graph.node(output.asNode());
        if (value.op == Op::placeholder && !value.meta.modules) {
            if (m_options.asUpstream)
                return fail(
                    ErrorCode::refused,
                    spec.target.str() + " is set to the input " + value.name.str()
                        + ", which has no nn_module_stack. PyTorch fails here; without --as-upstream the root module sets it",
                    {.node = value.name.str(), .other = spec.target.str()});
            if (!isLate(target))
                m_late.push_back(target);
        }
        addCopy(target, output.asNode());
        return {};
    }

    /// Adds the copy_. Users of the value use its first copy from then on.
    void addCopy(NodeId target, NodeId value)
    {
        const bool late = isLate(target);
        const InsertScope scope(m_graph, late ? Graph::InsertPoint::before(m_output) : Graph::InsertPoint::after(value));
        const NodeId copy = m_graph.create({.op = Op::callFunction,
                                            .target = intern("torch.ops.aten.copy_.default"),
                                            .fn = intern("copy_.default"),
                                            .args = {Argument::node(target), Argument::node(value)},
                                            .meta = inMemoryOf(target, m_graph.node(value).meta)});
        if (late) {
            m_graph.meta(copy).modules = rootStack();
        } else if (m_copied.emplace(value.index(), copy).second) {
            m_graph.replaceUsesIf(value, copy, [&](NodeId user) { return user != copy && !m_returnedViews.contains(user); });
            for (const NodeId view : aliasesOf(m_graph, copy, storageOf(m_graph.node(value).meta.val)))
                m_graph.meta(view) = inMemoryOf(target, m_graph.node(view).meta);
        }
        m_copies.push_back({target, value, copy});
    }

    /// Returns the metadata with the storage of another node.
    [[nodiscard]] NodeMeta inMemoryOf(NodeId target, NodeMeta meta) const
    {
        return withStorage(std::move(meta), storageOf(m_graph.node(target).meta.val));
    }

    [[nodiscard]] bool isLate(NodeId target) const { return std::find(m_late.begin(), m_late.end(), target) != m_late.end(); }

    /// Replaces results, and written values, that hold the overwritten value of a late mutation or a view of it, by clones made
    /// before the mutation.
    void keepOldValues(Arguments& kept)
    {
        std::unordered_map<NodeId, NodeId> clones; // overwritten value → clone; invalid: not created yet
        NodeId firstCopy;
        const auto keep = [&](NodeId value) {
            const auto found = clones.find(value);
            if (found != clones.end() && !found->second)
                found->second = cloneBefore(firstCopy, value);
            return found != clones.end() ? found->second : value;
        };
        const OverlappingInputs inputs(m_program);
        for (MutationCopy& copy : m_copies) {
            if (!isLate(copy.target))
                continue;
            firstCopy = firstCopy ? firstCopy : copy.copy;
            for (const NodeId placeholder : inputs.with(copy.target))
                for (const NodeId alias : aliasesOf(m_graph, placeholder))
                    clones.emplace(alias, NodeId());
            if (const NodeId value = keep(copy.value); value != copy.value) {
                m_graph.setArguments(copy.copy, {Argument::node(copy.target), Argument::node(value)}, {});
                copy.value = value;
            }
        }
        for (Argument& output : kept)
            if (output.is(ArgumentKind::node))
                output = Argument::node(keep(output.asNode()));
    }

    NodeId cloneBefore(NodeId place, NodeId value)
    {
        const InsertScope scope(m_graph, Graph::InsertPoint::before(place));
        NodeMeta meta = withoutStorage(m_graph.node(value).meta);
        meta.modules = rootStack();
        return m_graph.create({.op = Op::callFunction,
                               .target = intern("torch.ops.aten.clone.default"),
                               .fn = intern("clone.default"),
                               .args = {Argument::node(value)},
                               .meta = std::move(meta)});
    }

    /// Returns the stack of a node in the root module.
    StackId rootStack()
    {
        if (m_program.stacks.empty() || m_program.stacks.back().size() != 1 || !m_program.stacks.back().front().path.empty()
            || m_program.stacks.back().stated)
            m_program.stacks.push_back({{intern("root"), {}, {}}});
        return StackId(m_program.stacks.size() - 1);
    }

    Program& m_program;
    Graph& m_graph;
    std::vector<NodeId> m_late; ///< placeholders written just before the output
    const UnflattenOptions& m_options;
    NodeId m_output;
    std::unordered_map<InternedString, NodeId> m_placeholders;
    std::unordered_map<std::uint32_t, NodeId> m_copied; ///< value → its first copy
    std::vector<MutationCopy> m_copies;
    std::unordered_set<NodeId> m_returnedViews;
};

} // namespace

FlatUses::FlatUses(const Graph& flat) : positions(flat.positions()), lastUse(flat.idBound())
{
    for (const NodeId id : flat.nodes())
        for (const NodeId input : flat.inputs(id))
            lastUse[input.index()] = positions[id.index()];
}

NodeMeta withoutStorage(NodeMeta meta)
{
    return withStorage(std::move(meta), {});
}

bool isInPlace(const Node& node)
{
    if (node.op != Op::callFunction && node.op != Op::callMethod)
        return false;
    const OperatorFacts facts = operatorFacts(node.op, node.target.view());
    return facts.known && facts.mayDo(FactKind::writes) && !callFacts(facts, NodeArguments(node)).written.empty();
}

void putInputsFirst(Graph& graph)
{
    NodeId other; // the first node other than a placeholder
    for (const NodeId id : graph.order()) {
        if (graph.node(id).op != Op::placeholder)
            other = other ? other : id;
        else if (other)
            graph.moveBefore(id, other);
    }
}

void renameReserved(Program& program)
{
    Graph& graph = program.rootGraph();
    std::unordered_map<InternedString, InternedString> renamed;
    Namespace names;
    for (const NodeId id : graph.nodes()) {
        const InternedString before = graph.node(id).name;
        const InternedString after = names.create(before);
        if (after != before)
            renamed.emplace(before, after);
        graph.setName(id, after);
    }
    renameNodes(*program.signature, [&](InternedString name) {
        const auto found = renamed.find(name);
        return found != renamed.end() ? found->second : name;
    });
}

bool isFlat(const Program& program, const UnflattenOptions& options)
{
    if (hasEffectTokens(program) || std::ranges::any_of(program.signature->outputs, isMutation)
        || hasDeadNodes(program, options.asUpstream))
        return false;
    const Graph& graph = program.rootGraph();
    return std::ranges::none_of(graph.nodes(), [&](NodeId id) {
        const Node& node = graph.node(id);
        const NodeId previous = graph.previous(id);
        const bool isLate = node.op == Op::placeholder && previous && graph.node(previous).op != Op::placeholder;
        return isLate || !keepsName(node);
    });
}

Result<std::vector<MutationCopy>> writeMutations(Program& program, std::span<const NodeId> late, const UnflattenOptions& options)
{
    return MutationWriter(program, late, options).run();
}

} // namespace sunder
