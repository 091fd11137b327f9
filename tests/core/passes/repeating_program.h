#pragma once

#include "ir/program.h"
#include "ir/tensor_meta.h"

#include <random>
#include <string>
#include <vector>

namespace sunder::test {

/// Contents of a random program in addition to copies of patterns.
struct RepeatingProgramOptions {
    bool writes = false; ///< in-place calls, and views of the memory that they write to
    bool setters = false; ///< calls that set global state
    bool interleaved = true; ///< copies are interleaved
};

/// Copies of a few small patterns of calls on 2x3 tensors, with deviations: other inputs, other constants, other keys. Every call
/// has a region key and a storage. Equal seeds give equal programs.
class RepeatingProgram {
public:
    RepeatingProgram(unsigned seed, RepeatingProgramOptions options) : m_random(seed), m_options(options)
    {
        Program& program = m_program;
        program.addGraph(ModuleTree::root());
        for (unsigned i = 0; i < 1 + pick(3); ++i)
            m_values.push_back(add({.op = Op::placeholder, .target = intern("x" + std::to_string(i))}, newStorage()));
        drawPatterns();
        drawCopies();
        Arguments results;
        for (const NodeId id : m_values)
            if (graph().node(id).userCount() == 0 || pick(8) == 0)
                results.push_back(Argument::node(id));
        graph().create({.op = Op::output, .target = intern("output"), .args = {Argument::tuple(std::move(results))}});
    }

    Program take() { return std::move(m_program); }

private:
    struct Step {
        const char* target;
        std::vector<unsigned> inputs; ///< below 3: an input of the copy; otherwise a step of it, counted from its start
        bool constant;
    };
    struct Copy {
        unsigned pattern;
        std::vector<NodeId> inputs;
        std::vector<NodeId> made = {};
    };

    Graph& graph() { return m_program.rootGraph(); }
    unsigned pick(unsigned bound) { return static_cast<unsigned>(m_random() % bound); }
    InternedString newStorage() { return intern("v" + std::to_string(m_storages++)); }
    NodeId anyValue() { return m_values[pick(static_cast<unsigned>(m_values.size()))]; }

    NodeId add(NodeSpec spec, InternedString storage)
    {
        TensorMeta meta{.dtype = intern("float32"), .shape = {Argument::integer(2), Argument::integer(3)}};
        meta.stride = Arguments{Argument::integer(3), Argument::integer(1)};
        meta.storage = storage;
        spec.meta.val = Argument::tensor(std::make_shared<const TensorMeta>(meta));
        return graph().create(std::move(spec));
    }

    void drawPatterns()
    {
        static constexpr const char* kTargets[] = {"torch.add", "torch.mul", "torch.sin", "torch.cos", "torch.tanh"};
        m_patterns.resize(1 + pick(3));
        for (auto& pattern : m_patterns)
            for (unsigned i = 0, steps = 2 + pick(5); i < steps; ++i) {
                const unsigned target = pick(5);
                pattern.push_back({kTargets[target], {}, pick(4) == 0});
                for (unsigned k = 0; k < (target < 2 ? 2U : 1U); ++k)
                    pattern.back().inputs.push_back(i > 0 && pick(3) > 0 ? 3 + pick(i) : pick(3));
            }
    }

    void drawCopies()
    {
        std::vector<Copy> todo(3 + pick(6));
        for (Copy& copy : todo)
            copy = {.pattern = pick(static_cast<unsigned>(m_patterns.size())), .inputs = {anyValue(), anyValue(), anyValue()}};
        while (!todo.empty()) {
            if (m_options.setters && pick(20) == 0)
                graph().create({.op = Op::callFunction,
                                .target = intern("torch.set_default_dtype"),
                                .args = {Argument::word(ArgumentKind::dtype, intern("float16"))}});
            const std::size_t at = m_options.interleaved ? pick(static_cast<unsigned>(todo.size())) : 0;
            drawStep(todo[at]);
            if (todo[at].made.size() == m_patterns[todo[at].pattern].size())
                todo.erase(todo.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }

    void drawStep(Copy& copy)
    {
        const std::size_t at = copy.made.size();
        const Step& step = m_patterns[copy.pattern][at];
        NodeSpec spec{.op = Op::callFunction, .target = intern(step.target)};
        spec.meta.regionKey = intern(std::to_string(copy.pattern) + "_" + std::to_string(at));
        for (const unsigned input : step.inputs) {
            const NodeId from = input < 3 ? copy.inputs[input] : copy.made[input - 3];
            spec.args.push_back(Argument::node(pick(25) == 0 ? anyValue() : from));
        }
        if (step.constant)
            spec.args.push_back(Argument::integer(pick(20) == 0 ? 7 : 2));
        InternedString storage = newStorage();
        if (m_options.writes && pick(6) == 0) {
            const bool writes = pick(2) == 0;
            spec.op = Op::callMethod;
            spec.target = intern(writes ? "mul_" : "view_as");
            storage = graph().node(spec.args[0].asNode()).meta.val->asTensor().storage;
            if (writes)
                spec.meta.mutated = std::vector<std::int32_t>{0};
        }
        copy.made.push_back(add(std::move(spec), storage));
        m_values.push_back(copy.made.back());
    }

    std::mt19937 m_random;
    RepeatingProgramOptions m_options;
    Program m_program;
    std::vector<std::vector<Step>> m_patterns;
    std::vector<NodeId> m_values;
    unsigned m_storages = 0;
};

inline Program repeatingProgram(unsigned seed, RepeatingProgramOptions options = {})
{
    return RepeatingProgram(seed, options).take();
}

} // namespace sunder::test
