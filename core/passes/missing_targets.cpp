#include "passes/missing_targets.h"

namespace sunder {
namespace {

bool exists(const Program& program, const Node& node)
{
    const std::string_view target = node.target.view();
    if (program.modules.resolve(target))
        return true;
    if (node.op == Op::callModule)
        return false;
    // The last part may be an attribute that files do not list: an object, a number.
    const std::size_t dot = target.rfind('.');
    return program.tensors.find(node.target) || dot == std::string_view::npos ||
           program.modules.resolve(target.substr(0, dot));
}

} // namespace

Result<void> checkTargets(const Program& program)
{
    if (program.modules.size() == 1)
        return {};
    for (const NodeId id : program.rootGraph().nodes()) {
        const Node& node = program.rootGraph().node(id);
        if ((node.op == Op::callModule || node.op == Op::getAttr) && !exists(program, node))
            return fail(ErrorCode::refused,
                        node.name.str() + (node.op == Op::callModule ? " calls module " : " reads ") +
                            node.target.str() + ", which the program does not have",
                        {.node = node.name.str(), .other = node.target.str()});
    }
    return {};
}

} // namespace sunder
