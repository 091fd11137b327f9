#pragma once

#include "operators/operator_catalogue.h"
#include "program_text.h"
#include "verify/program_traits.h"
#include "verify/trace_builder.h"

#include <QString>
#include <QTest>

#include <initializer_list>
#include <string>
#include <string_view>

namespace sunder::test {

/// A program in the notation of ProgramText with all objects that write its trace, for tests of these objects. The program is
/// compared with itself. Memory is tracked if the program writes or `followMemory` is set.
struct TracedProgram {
    explicit TracedProgram(std::string_view text) : TracedProgram(ProgramText::program(text)) {}
    explicit TracedProgram(Program made) : program(std::move(made)) {}
    TracedProgram(const TracedProgram&) = delete;
    TracedProgram& operator=(const TracedProgram&) = delete;

    /// Returns the trace of the whole program.
    Trace trace()
    {
        StepMonitor progress(ProgressMonitor::none());
        return *TraceBuilder(program, Side::a, context, progress).build();
    }

    [[nodiscard]] NodeId id(std::string_view name) const { return program.rootGraph().find(intern(name)); }
    [[nodiscard]] const Node& node(std::string_view name) const { return program.rootGraph().node(id(name)); }
    NodeMeta& meta(std::string_view name) { return program.rootGraph().meta(id(name)); }
    /// Facts about the function or method that a node calls.
    const OperatorFacts& facts(std::string_view name) { return operators.of(node(name).op, node(name).target); }

    /// A call of the root graph in which no node has a value yet.
    [[nodiscard]] TraceFrame frame() const
    {
        return {program.root, ModuleTree::root(), std::vector<ValueId>(program.rootGraph().idBound())};
    }
    ValueId constant(const Argument& literal) { return draft.constant(draft.terms.literal(literal)); }
    ValueId number(std::int64_t value) { return constant(Argument::integer(value)); }
    ValueId leaf() { return draft.leaf({}); }
    ValueId list(std::initializer_list<ValueId> items, ArgumentKind kind = ArgumentKind::list)
    {
        return containers.container(containers.shapeOf(kind, {}), std::span(items.begin(), items.size()));
    }

    Program program;
    VerifyOptions options = {};
    TermTable terms = {};
    OperatorCatalog operators{program};
    ProgramTraits traits = *traitsOf(program, program, operators);
    SymbolMapping mapping = *SymbolMapping::of(program, program, {.layouts = false}, terms);
    TraceContext context{mapping,        terms,         operators,       options,
                         traits.effects, traits.writes, traits.reshapes, traits.changesContainers};
    TraceDraft draft{program, Side::a, context};
    TraceContainers containers{draft};
    FileDescriptions descriptions{draft};
    TraceMemory memory{draft};
    StepWriter steps{draft, containers, descriptions};
    CallCanonicalizer spelling{draft, containers};
};

/// The steps of a node of the root graph, in order.
inline std::vector<Step> stepsOf(const TracedProgram& traced, const Trace& trace, std::string_view name)
{
    std::vector<Step> found;
    for (const Step& step : trace.steps)
        if (step.node == NodeRef{traced.program.root, traced.id(name)})
            found.push_back(step);
    return found;
}

/// The first of them; fails the test if there is none.
inline Step stepOf(const TracedProgram& traced, const Trace& trace, std::string_view name)
{
    const std::vector<Step> found = stepsOf(traced, trace, name);
    if (found.empty())
        QTest::qFail(("no step of " + std::string(name)).c_str(), __FILE__, __LINE__);
    return found.empty() ? Step() : found.front();
}

inline std::vector<ValueId> valuesAt(const Trace& trace, Operands operands)
{
    const std::span<const ValueId> values = trace.at(operands);
    return {values.begin(), values.end()};
}

/// Whether two values may share memory.
inline bool shareMemory(Trace& trace, ValueId a, ValueId b)
{
    return trace.regions.find(trace.values[a.index()].region) == trace.regions.find(trace.values[b.index()].region);
}

/// Why the verdict is undecided; empty if it is not.
inline QString undecidedWhy(const Trace& trace)
{
    return trace.undecided ? QString::fromStdString(trace.undecided->second) : QString();
}

} // namespace sunder::test
