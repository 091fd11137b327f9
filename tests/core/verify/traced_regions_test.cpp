#include "verify/trace_builder.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::stepOf;
using sunder::test::TracedProgram;

namespace {

const std::string kEnterAutocast = "torch.amp.autocast_mode._enter_autocast";
const std::string kLeaveAutocast = "torch.amp.autocast_mode._exit_autocast";

} // namespace

/// Global state under which calls run.
class TracedRegionsTest final : public QObject {
    Q_OBJECT
private slots:
    void setsGradModeForWhatFollows()
    {
        TracedProgram traced("x = input; a = aten.sin.default(x); o = torch.set_grad_enabled(False); b = aten.sin.default(x); "
                             "p = torch._C._set_grad_enabled(False); c = aten.sin.default(x); return (a, b, c)");
        const Trace trace = traced.trace();
        const Step before = stepOf(traced, trace, "a");
        const Step after = stepOf(traced, trace, "b");
        QCOMPARE(before.gradientState, TermTable::nothing());
        QVERIFY(after.gradientState != TermTable::nothing());
        QCOMPARE(after.state, TermTable::nothing());
        QCOMPARE(stepOf(traced, trace, "c").gradientState, after.gradientState); // through another function
        QCOMPARE(trace.finalGradientState, after.gradientState);
    }

    void putsBackWhatARegionSet()
    {
        TracedProgram traced("x = input; e = " + kEnterAutocast + "(\"cpu\", float16, True, None); a = aten.sin.default(x); l = "
                             + kLeaveAutocast + "(e); b = aten.sin.default(x); return (a, b)");
        const Trace trace = traced.trace();
        QVERIFY(stepOf(traced, trace, "a").state != TermTable::nothing());
        QCOMPARE(stepOf(traced, trace, "a").gradientState, TermTable::nothing());
        QCOMPARE(stepOf(traced, trace, "b").state, TermTable::nothing());
        QCOMPARE(trace.finalState, TermTable::nothing());
    }

    void notesSettingsThatPyTorchMayRefuse()
    {
        for (const auto& [call, isNoted] : {std::pair<std::string, bool>("torch.set_default_dtype(float64)", false),
                                            {"torch.set_default_dtype(int32)", true},
                                            {"torch.set_grad_enabled(True)", false},
                                            {"torch.set_grad_enabled(5)", true},
                                            {kEnterAutocast + "(\"cpu\", None, True, None)", false},
                                            {kEnterAutocast + "(\"nowhere\", None, True, None)", true}}) {
            TracedProgram traced("x = input; e = " + call + "; return x");
            const Trace trace = traced.trace();
            QCOMPARE(trace.steps.size(), std::size_t(isNoted ? 1 : 0));
            QVERIFY(!isNoted || trace.steps.front().role == CallRole::assertion);
        }
    }

    void takesOverTheTypeOfTheRegionAroundWithoutOneOfItsOwn()
    {
        const std::string outer = "o = " + kEnterAutocast + "(\"cpu\", float16, True, None); ";
        const std::string own = "e = " + kEnterAutocast + "(\"cpu\", float32, True, None); ";
        const std::string none = "e = " + kEnterAutocast + "(\"cpu\", None, True, None); ";
        const auto partsOfSetting = [](const std::string& regions) {
            TracedProgram traced("x = input; " + regions + "return x");
            const TermId setting = traced.terms.children(traced.trace().finalState)[1];
            return traced.terms.children(setting).size();
        };
        QCOMPARE(partsOfSetting(outer + own), std::size_t(4));  // the settings alone
        QCOMPARE(partsOfSetting(outer + none), std::size_t(2)); // the settings and the previous state
    }

    void setsGradModeInInferenceMode()
    {
        TracedProgram traced("x = input; e = torch.autograd.grad_mode._enter_inference_mode(True); a = aten.sin.default(x); "
                             "l = torch.autograd.grad_mode._exit_inference_mode(e); return a");
        const Trace trace = traced.trace();
        QVERIFY(stepOf(traced, trace, "a").gradientState != TermTable::nothing());
        QCOMPARE(stepOf(traced, trace, "a").state, TermTable::nothing());
        QCOMPARE(trace.finalGradientState, TermTable::nothing());
    }

    void givesUpOnRegionsThatItCannotFollow_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        QTest::newRow("computed") << "x = input; y = torch.amp.autocast_mode._enter_autocast(x); return x"
                                  << "it enters a region whose settings are not constant";
        QTest::newRow("not entered") << "x = input; y = torch.amp.autocast_mode._exit_autocast(x); return x"
                                     << "it leaves a region that the program does not enter";
        QString many = "x = input; ";
        for (int i = 0; i < 65; ++i)
            many += QStringLiteral("y%1 = torch.amp.autocast_mode._enter_autocast(\"d%1\"); ").arg(i);
        QTest::newRow("too many") << many + "return x" << "it changes more than 64 global settings";
    }
    void givesUpOnRegionsThatItCannotFollow()
    {
        QFETCH(const QString, text);
        TracedProgram traced(text.toStdString());
        QTEST(test::undecidedWhy(traced.trace()), "why");
    }

    void keepsThePlaceOfWhatSetsSomethingThatIsComputed()
    {
        TracedProgram traced("x = input; y = torch.set_default_dtype(x); z = torch.set_default_dtype(float16); return x");
        const Trace trace = traced.trace();
        QCOMPARE(stepOf(traced, trace, "y").role, CallRole::effect);
        QVERIFY(stepsOf(traced, trace, "z").empty());
        QVERIFY(trace.finalState != TermTable::nothing());
    }

    void keepsThePlaceOfSettingsThatNobodyKeepsApart()
    {
        TracedProgram traced("x = input; y = torch.set_anomaly_enabled(True); a = aten.sin.default(x); "
                             "z = torch.set_anomaly_enabled(True); b = aten.sin.default(x); return (a, b)");
        const Trace trace = traced.trace();
        QCOMPARE(stepOf(traced, trace, "y").role, CallRole::effect);
        QVERIFY(stepOf(traced, trace, "a").state != TermTable::nothing());
        QVERIFY(stepOf(traced, trace, "a").state != stepOf(traced, trace, "b").state);
    }
};

const test::Registered<TracedRegionsTest> tracedRegionsTest("traced_regions_test");
#include "traced_regions_test.moc"
