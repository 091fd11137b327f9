#include "verify/trace_builder.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::stepOf;
using sunder::test::TracedProgram;
using sunder::test::valuesAt;

namespace {

struct LeafSwitch {
    const char* name;
    bool isOn;
};

/// Returns a program with a leaf module "m" of this class and these attributes. Without attributes, the file records none.
Program withLeaf(std::string_view text, const char* cls, std::initializer_list<LeafSwitch> attributes = {})
{
    Program program = test::ProgramText::program(text);
    Module& module = program.modules[program.modules.ensure("m")];
    module.cls = intern(cls);
    module.leaf = true;
    if (attributes.size() != 0)
        module.attributes.emplace();
    for (const LeafSwitch& attribute : attributes)
        module.attributes->push_back({intern(attribute.name), Argument::boolean(attribute.isOn)});
    return program;
}

constexpr std::string_view kCallsM = "x = input; y = module.m(x); return y";
constexpr const char* kRelu = "torch.nn.modules.activation.ReLU";

} // namespace

/// Calls of leaf modules in a trace.
class LeafModuleCallsTest final : public QObject {
    Q_OBJECT
private slots:
    void takesWhatTheModuleHoldsForArguments()
    {
        TracedProgram traced(withLeaf("w = attr m.weight; b = attr m.bias; x = input; y = module.m(x); return y",
                                      "torch.nn.modules.linear.Linear"));
        const Trace trace = traced.trace();
        const ValueId x = trace.roots[0]; // followed by the weight and the bias, in reading order
        const Step step = stepOf(traced, trace, "y");
        QCOMPARE(valuesAt(trace, step.arguments), (std::vector{x, trace.roots[2], trace.roots[1]})); // in name order
        QVERIFY(step.failsByForm && !step.opaque && !step.dependsOnUnlistedAttributes);
        QCOMPARE(step.role, CallRole::function);
        QVERIFY(trace.notes.empty());
    }

    void writesNoStepForDropoutInEvaluation()
    {
        constexpr const char* kDropout = "torch.nn.modules.dropout.Dropout";
        TracedProgram evaluated(withLeaf(kCallsM, kDropout, {{"training", false}, {"p", true}, {"inplace", false}}));
        const Trace none = evaluated.trace();
        QVERIFY(none.steps.empty());
        QCOMPARE(none.output, none.roots.front());
        TracedProgram trained(withLeaf(kCallsM, kDropout, {{"training", true}, {"p", true}, {"inplace", false}}));
        const Trace trace = trained.trace();
        QVERIFY(stepOf(trained, trace, "y").random);
    }

    void writesWhereTheModuleWorksInPlace()
    {
        TracedProgram inPlace(withLeaf(kCallsM, kRelu, {{"inplace", true}}));
        Trace trace = inPlace.trace();
        const ValueId x = trace.roots.front();
        QCOMPARE(valuesAt(trace, stepOf(inPlace, trace, "y").written), std::vector{x});
        QCOMPARE(trace.output, x);
        QVERIFY(trace.regions.isWritten(trace.values[x.index()].region));
        TracedProgram elsewhere(withLeaf(kCallsM, kRelu, {{"inplace", false}}));
        const Trace other = elsewhere.trace();
        QVERIFY(valuesAt(other, stepOf(elsewhere, other, "y").written).empty());
        QVERIFY(other.output != other.roots.front());
    }

    void saysWhatItAssumesWithoutAttributes()
    {
        TracedProgram traced(withLeaf("x = input; y = module.m(x); z = module.m(y); return z", kRelu));
        const Trace trace = traced.trace();
        const Step step = stepOf(traced, trace, "y");
        QVERIFY(step.dependsOnUnlistedAttributes && !step.opaque);
        QCOMPARE(valuesAt(trace, step.written), std::vector{trace.roots.front()});
        QCOMPARE(
            trace.notes,
            std::vector<std::string>{"module m (class torch.nn.modules.activation.ReLU) is assumed to do everything that its "
                                     "class can do: the file does not record whether it is in training mode or works in place"});
    }

    void writesBuffersInTraining()
    {
        Program program = withLeaf("v = attr m.running_var; w = attr m.weight; x = input; y = module.m(x); return y",
                                   "torch.nn.modules.batchnorm.BatchNorm2d", {{"training", true}, {"track_running_stats", true}});
        program.tensors[program.tensors.find(intern("m.running_var"))].role = TensorRole::buffer;
        TracedProgram traced(std::move(program));
        const Trace trace = traced.trace();
        QCOMPARE(valuesAt(trace, stepOf(traced, trace, "y").written), std::vector{trace.roots[1]});
    }

    void assumesAllOfAModuleThatNobodyKnows()
    {
        TracedProgram traced(withLeaf("w = attr m.weight; x = input; y = module.m(x); return y", "m.Own"));
        const Trace trace = traced.trace();
        const Step step = stepOf(traced, trace, "y");
        QVERIFY(step.opaque && step.wholeState);
        QCOMPARE(step.role, CallRole::effect);
        QCOMPARE(valuesAt(trace, step.written), (std::vector{trace.roots[0], trace.roots[1]}));
        QCOMPARE(trace.notes,
                 std::vector<std::string>{
                     "module m (class m.Own) is unknown: it is assumed to write to and return any tensor that it can "
                     "reach, to draw random numbers, and to have side effects"});
    }

    void givesUpOnAModuleThatIsNotThere()
    {
        TracedProgram traced(kCallsM);
        QCOMPARE(test::undecidedWhy(traced.trace()), "there is no module m");
    }
};

const test::Registered<LeafModuleCallsTest> leafModuleCallsTest("leaf_module_calls_test");
#include "leaf_module_calls_test.moc"
