#include "passes/building/split_signature.h"

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

    /// A value with the nodes of the main graph; what is not there becomes none.
    [[nodiscard]] Argument translate(const Argument& value) const
    {
        return mapNodes(value, [this](NodeId source) {
            const NodeId main = source.index() < m_mainNodes.size() ? m_mainNodes[source.index()] : NodeId();
            return main ? Argument::node(main) : Argument();
        });
    }

private:
    NodeIndex m_sources;
    std::span<const NodeId> m_mainNodes;
    const Graph& m_main;
};

} // namespace

void carrySignature(const Program& source, std::span<const NodeId> mainNodes, Program& target)
{
    if (!source.signature)
        return;
    const SignatureCarrier carrier(source, mainNodes, target.rootGraph());
    ExportSignature signature = *source.signature;
    for (InputSpec& input : signature.inputs) {
        input.name = carrier.rename(input.name);
        input.value = carrier.translate(input.value);
    }
    for (OutputSpec& output : signature.outputs) {
        output.name = carrier.rename(output.name);
        if (output.kind == OutputKind::inputMutation)
            output.target = carrier.rename(output.target);
        output.value = carrier.translate(output.value);
    }
    target.signature = std::move(signature);
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

} // namespace sunder
