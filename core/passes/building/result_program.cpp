#include "passes/building/result_program.h"

namespace sunder {
namespace {

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
    const NodeIndex sources(source.rootGraph());
    const auto mainOf = [&](NodeId id) { return id && id.index() < mainNodes.size() ? mainNodes[id.index()] : NodeId(); };
    const auto nodeOf = [&](NodeId id) { return mainOf(id) ? Argument::node(mainOf(id)) : Argument(); };
    const auto nameOf = [&](InternedString name) {
        const NodeId main = mainOf(sources.find(name));
        return main ? target.rootGraph()[main].name : name;
    };
    target.signature = source.signature;
    if (target.signature) {
        renameNodes(*target.signature, nameOf);
        replaceNodes(*target.signature, nodeOf);
    }
    for (const ModuleCall& call : source.calls) {
        if (!call.fqn.empty())
            continue;
        target.calls.push_back(call);
        replaceNodes(target.calls.back(), nodeOf);
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
