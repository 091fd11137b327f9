#pragma once

#include "test_support.h"

#include <string_view>

namespace sunder::test {

/// Three layers as in joint programs of torch.export: parameters layers.0.weight …, an input, the loss, and gradients of the
/// parameters. Backward calls are named after their forward calls: bw_h1 belongs to h1.
inline Program trainingProgram()
{
    Program made = programFromText(R"(
        w0 = placeholder() : 8x8
        w1 = placeholder() : 8x8
        w2 = placeholder() : 8x8
        x = placeholder() : 4x8
        h0 = mm(x, w0) : 4x8
        r0 = relu(h0) : 4x8
        a0 = alias(r0) : 4x8
        h1 = mm(r0, w1) : 4x8
        r1 = relu(h1) : 4x8
        a1 = alias(r1) : 4x8
        h2 = mm(r1, w2) : 4x8
        loss = sum(h2) : 1
        bw_loss = full_like(loss) : 1
        bw_loss_1 = expand(bw_loss) : 4x8
        bw_h2 = mm(bw_loss_1, w2) : 4x8
        bw_h2_1 = mm(r1, bw_loss_1) : 8x8
        bw_r1 = where(a1, bw_h2) : 4x8
        bw_h1 = mm(bw_r1, w1) : 4x8
        bw_h1_1 = mm(r0, bw_r1) : 8x8
        bw_r0 = where(a0, bw_h1) : 4x8
        bw_h0 = mm(x, bw_r0) : 8x8
        out = output(loss, bw_h0, bw_h1_1, bw_h2_1))");
    Graph& graph = made.rootGraph();
    const Arguments results = graph[graph.output()].args;
    graph.setArguments(graph.output(), {Argument::tuple(results)}, {});
    made.signature.emplace();
    const auto node = [&graph](const std::string& name) { return Argument::node(graph.find(intern(name))); };
    for (int layer = 0; layer < 3; ++layer) {
        const InternedString fqn = intern("layers." + std::to_string(layer) + ".weight");
        TensorEntry entry{.fqn = fqn, .persistent = true};
        entry.meta.dtype = intern("float32");
        entry.meta.shape = {Argument::integer(8), Argument::integer(8)};
        made.tensors.add(std::move(entry));
        made.signature->inputs.push_back(
            {.kind = InputKind::parameter, .target = fqn, .name = intern("w" + std::to_string(layer))});
    }
    made.signature->inputs.push_back({.kind = InputKind::user, .value = node("x")});
    made.signature->outputs.push_back({.kind = OutputKind::loss, .value = node("loss")});
    for (const auto& [name, layer] : {std::pair("bw_h0", 0), std::pair("bw_h1_1", 1), std::pair("bw_h2_1", 2)})
        made.signature->outputs.push_back({.kind = OutputKind::gradient,
                                           .target = intern("layers." + std::to_string(layer) + ".weight"),
                                           .name = intern(name)});
    return made;
}

} // namespace sunder::test
