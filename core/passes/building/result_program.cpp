#include "passes/building/result_program.h"

namespace sunder {
namespace {

class SignatureCarrier {
public:
    SignatureCarrier(const Program& source, std::span<const NodeId> mainNodes, const Graph& main)
        : m_sources(source.rootGraph()), m_mainNodes(mainNodes), m_main(main)
    {
    }

    [[nodiscard]] InternedString rename(InternedString name) const
    {
        const NodeId source = name.empty() ? NodeId() : m_sources.find(name);
        const NodeId main = source ? m_mainNodes[source.index()] : NodeId();
        return main ? m_main.node(main).name : name;
    }

    /// Replaces source nodes in a value by main-graph nodes; nodes without a counterpart become None.
    [[nodiscard]] Argument translate(const Argument& value) const
    {
        return mapNodes(value, [this](NodeId source) {
            const NodeId main = source.index() < m_mainNodes.size() ? m_mainNodes[source.index()] : NodeId();
            return main ? Argument::node(main) : Argument();
        });
    }

    void rename(ExportSignature& signature) const
    {
        for (InputSpec& input : signature.inputs) {
            input.name = rename(input.name);
            input.value = translate(input.value);
        }
        for (OutputSpec& output : signature.outputs) {
            output.name = rename(output.name);
            if (output.kind == OutputKind::inputMutation)
                output.target = rename(output.target);
            output.value = translate(output.value);
        }
    }

private:
    NodeIndex m_sources;
    std::span<const NodeId> m_mainNodes;
    const Graph& m_main;
};

bool exists(const Program& program, const Node& node)
{
    if (node.op == Op::getAttr && program.tensorAt(node.target))
        return true;
    const std::string_view target = node.target.view();
    if (program.modules.resolve(target))
        return true;
    if (node.op == Op::callModule)
        return false;
    // The last component may be an attribute that files do not list, such as an object or a number.
    const std::size_t dot = target.rfind('.');
    return dot == std::string_view::npos || program.modules.resolve(target.substr(0, dot));
}

} // namespace

Program emptyResult(const Program& source)
{
    Program program;
    program.origin = resultOrigin(source);
    program.operators = source.operators;
    program.fileHints = source.fileHints;
    program.stacks = source.stacks;
    program.ranges = source.ranges;
    return program;
}

void carrySignature(const Program& source, std::span<const NodeId> mainNodes, Program& target)
{
    if (!source.signature && source.calls.empty())
        return;
    const SignatureCarrier carrier(source, mainNodes, target.rootGraph());
    target.signature = source.signature;
    if (target.signature)
        carrier.rename(*target.signature);
    for (const ModuleCall& call : source.calls) {
        if (!call.fqn.empty())
            continue;
        ModuleCall whole = call;
        for (Argument& value : whole.inputs)
            value = carrier.translate(value);
        for (Argument& value : whole.outputs)
            value = carrier.translate(value);
        target.calls.push_back(std::move(whole));
    }
}

Result<void> checkTargets(const Program& program, std::span<const NodeId> targeting)
{
    if (program.modules.size() == 1)
        return {};
    for (const NodeId id : targeting) {
        const Node& node = program.rootGraph().node(id);
        if (!exists(program, node))
            return fail(ErrorCode::refused,
                        node.name.str() + (node.op == Op::callModule ? " calls module " : " reads ") + node.target.str()
                            + ", which the program does not have",
                        {.node = node.name.str(), .other = node.target.str()});
    }
    return {};
}

} // namespace sunder
