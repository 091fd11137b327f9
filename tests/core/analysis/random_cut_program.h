#pragma once

#include "analysis/tag_assignment.h"
#include "ir/program.h"

#include <random>

namespace sunder::test {

/// Returns a random program with sizes: inputs, parameters (two of them tied), and calls that copy, view, write in place, return
/// tuples with getitems, or return a value of unknown size.
inline Program randomCutProgram(unsigned seed, int calls)
{
    std::mt19937 random(seed);
    Program program;
    Graph& graph = program.graph(program.addGraph(ModuleTree::root()));
    const auto tensor = [&random] {
        TensorMeta meta;
        meta.dtype = intern(random() % 2 == 0 ? "float32" : "bool");
        meta.shape = {Argument::integer(1 + static_cast<std::int64_t>(random() % 50))};
        if (random() % 5 == 0)
            meta.shape.push_back(Argument::symbolic({intern("s0"), SymbolKind::integer, std::int64_t{3}}));
        return Argument::tensor(std::make_shared<const TensorMeta>(meta));
    };
    const auto withVal = [](NodeSpec spec, std::optional<Argument> val) {
        spec.meta.val = std::move(val);
        return spec;
    };
    std::vector<NodeId> values;
    for (int i = 0; i < 3; ++i)
        values.push_back(
            graph.create(withVal({.op = Op::placeholder, .name = {}, .target = intern("x" + std::to_string(i))}, tensor())));
    for (int i = 0; i < 5; ++i) {
        const InternedString fqn = intern("m" + std::to_string(i % 2) + ".w" + std::to_string(i));
        program.modules.ensure("m" + std::to_string(i % 2));
        TensorEntry entry{.fqn = fqn, .persistent = true};
        entry.meta.dtype = intern("float32");
        entry.meta.shape = {Argument::integer(static_cast<std::int64_t>(random() % 200))};
        if (i == 4)
            entry.same = TensorId(1U);
        else
            entry.storage = program.tensors.addStorage({.id = intern("s" + std::to_string(i)), .byteCount = {}});
        program.tensors.add(std::move(entry));
        values.push_back(graph.create({.op = Op::getAttr, .name = {}, .target = fqn}));
    }
    for (int i = 0; i < calls; ++i) {
        const auto pick = [&] { return Argument::node(values[random() % values.size()]); };
        NodeSpec spec{.op = Op::callFunction, .name = {}, .args = {pick()}};
        switch (random() % 5) {
        case 0: spec.target = intern("torch.ops.aten.relu_.default"); break;
        case 1:
            spec.target = intern("torch.ops.aten.transpose.int");
            spec.args.push_back(Argument::integer(0));
            spec.args.push_back(Argument::integer(-1));
            break;
        case 2:
            spec.target = intern("torch.ops.aten.linear.default");
            spec.args.push_back(pick());
            if (random() % 2 == 0)
                spec.args.push_back(pick());
            break;
        case 3:
            spec.target = intern("torch.ops.aten.cat.default");
            spec.args = {Argument::list({pick(), pick(), pick()})};
            break;
        default: spec.target = intern("torch.ops.aten.mul.Tensor"); spec.kwargs.push_back({intern("other"), pick()});
        }
        if (random() % 8 == 0) {
            spec.target = intern("torch.ops.aten.topk.default");
            spec.args = {pick(), Argument::integer(2)};
            spec.kwargs.clear();
            const Arguments both = {tensor(), tensor()};
            const NodeId pair = graph.create(withVal(std::move(spec), Argument::tuple(both)));
            for (std::int64_t item = 0; item < 2; ++item)
                values.push_back(graph.create(withVal({.op = Op::callFunction,
                                                       .name = {},
                                                       .target = intern("_operator.getitem"),
                                                       .args = {Argument::node(pair), Argument::integer(item)}},
                                                      both[static_cast<std::size_t>(item)])));
            continue;
        }
        const bool isKnown = random() % 12 != 0;
        values.push_back(graph.create(withVal(std::move(spec), isKnown ? std::optional(tensor()) : std::nullopt)));
    }
    Arguments results;
    for (std::size_t i = values.size() - 2; i < values.size(); ++i)
        results.push_back(Argument::node(values[i]));
    graph.create({.op = Op::output, .name = {}, .target = intern("output"), .args = {Argument::tuple(std::move(results))}});
    return program;
}

/// Assigns random parts to all calls; with `legal`, raises them where an edge requires it.
inline TagAssignment randomCut(const Program& program, unsigned seed, int count, bool legal)
{
    std::mt19937 random(seed);
    TagAssignment tags;
    for (int i = 0; i < count; ++i)
        tags.order.push_back(intern("part" + std::to_string(i)));
    tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
    for (const NodeId id : program.rootGraph().nodes()) {
        if (!program.rootGraph()[id].isCall())
            continue;
        std::int32_t tag = static_cast<std::int32_t>(random() % static_cast<unsigned>(count));
        for (const NodeId input : program.rootGraph().inputs(id))
            tag = legal ? std::max(tag, tags[input]) : tag;
        tags.tagOf[id.index()] = tag;
    }
    return tags;
}

} // namespace sunder::test
