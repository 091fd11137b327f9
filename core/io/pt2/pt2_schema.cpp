#include "io/pt2/pt2_schema.h"

#include "operators/operator_target.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sunder {

Pt2Schema pt2SchemaOf(std::string_view torch)
{
    constexpr std::array kMinors = {2, 7, 8, 14, 15, 17, 20}; // of PyTorch 2.6 and those behind it
    constexpr int kFirst = 6;
    constexpr std::string_view kTwo = "2.";
    int version = 0;
    if (!torch.starts_with(kTwo)
        || std::from_chars(torch.data() + kTwo.size(), torch.data() + torch.size(), version).ec != std::errc())
        return {};
    if (version < kFirst)
        return {kMinors.front()};
    const auto place = static_cast<std::size_t>(version - kFirst);
    return {place < kMinors.size() ? kMinors[place] : kMinors.back()};
}

Pt2Schema pt2SchemaOf(const Program& program)
{
    const Pt2Schema schema = pt2SchemaOf(std::string_view(program.origin.torch));
    const auto givesTupleOfOne = [](const Graph& graph) {
        return std::ranges::any_of(graph.nodes(), [&](NodeId id) {
            const Node& node = graph[id];
            return node.op == Op::callFunction && isHigherOrderTarget(node.target.view()) && node.meta.val
                && node.meta.val->is(ArgumentKind::tuple) && node.meta.val->items().size() == 1;
        });
    };
    return !schema.hasSingleReturns() && std::ranges::any_of(program.graphs, givesTupleOfOne) ? Pt2Schema() : schema;
}

} // namespace sunder
