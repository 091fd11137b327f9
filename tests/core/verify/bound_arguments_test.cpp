#include "verify/traced_call.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

#include <limits>

using namespace sunder;
using sunder::test::TracedProgram;

/// The arguments of a call as the operator table sees them.
class GivenArgumentsTest final : public QObject {
    Q_OBJECT
private slots:
    void countsArgumentsAndNamesKeywords()
    {
        TracedProgram traced("x = input; return x");
        const TracedCall call{{traced.leaf()}, {{intern("inplace"), traced.number(1)}}};
        const BoundArguments given(traced.draft.trace, traced.terms, call);
        QCOMPARE(given.positionalCount(), std::size_t(1));
        QCOMPARE(given.keywordCount(), std::size_t(1));
        QCOMPARE(given.slotCount(), std::size_t(2));
        QVERIFY(given.keyword(0) == intern("inplace"));
        QCOMPARE(given.truth(1), Truth::on);
    }

    void knowsWhichConstantsAreOff()
    {
        TracedProgram traced("x = input; return x");
        const auto truth = [&](const Argument& literal) {
            const TracedCall call{{traced.constant(literal)}, {}};
            return BoundArguments(traced.draft.trace, traced.terms, call).truth(0);
        };
        QCOMPARE(truth(Argument()), Truth::off);
        QCOMPARE(truth(Argument::boolean(false)), Truth::off);
        QCOMPARE(truth(Argument::boolean(true)), Truth::on);
        QCOMPARE(truth(Argument::integer(0)), Truth::off);
        QCOMPARE(truth(Argument::integer(-1)), Truth::on);
        QCOMPARE(truth(Argument::floating(0.0)), Truth::off);
        QCOMPARE(truth(Argument::floating(-0.0)), Truth::off);
        QCOMPARE(truth(Argument::floating(std::numeric_limits<double>::quiet_NaN())), Truth::on);
        QCOMPARE(truth(Argument::string(intern("mean"))), Truth::on);
        QCOMPARE(truth(Argument::word(ArgumentKind::dtype, intern("float32"))), Truth::unknown);
    }

    void doesNotKnowWhatIsComputed()
    {
        TracedProgram traced("x = input; return x");
        const TracedCall call{{traced.leaf(), traced.list({traced.number(1)}), ValueId()}, {}};
        const BoundArguments given(traced.draft.trace, traced.terms, call);
        QCOMPARE(given.truth(0), Truth::unknown);
        QCOMPARE(given.truth(1), Truth::unknown);
        QCOMPARE(given.truth(2), Truth::unknown);
        QVERIFY(!given.isList(0));
        QVERIFY(given.isList(1));
        QVERIFY(!given.isList(2));
    }
};

const test::Registered<GivenArgumentsTest> givenArgumentsTest("bound_arguments_test");
#include "bound_arguments_test.moc"
