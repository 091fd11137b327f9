#include "passes/building/missing_targets.h"

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
