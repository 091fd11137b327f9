#include "verify/traced_call.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

#include <limits>

using namespace sunder;
using sunder::test::TracedProgram;

/// Arguments of a call by position, name, and slot, and as the operator tables see them.
class TracedCallTest final : public QObject {
    Q_OBJECT
private slots:
    void countsPositionalArgumentsBeforeKeywords()
    {
        const TracedCall call{{ValueId(4U), ValueId(5U)}, {{intern("out"), ValueId(6U)}}};
        QCOMPARE(call.slot(1), ValueId(5U));
        QCOMPARE(call.slot(2), ValueId(6U));
        QCOMPARE(call.argument(1), ValueId(5U));
        QVERIFY(!call.argument(2).isValid());
    }

    void findsKeywordsByName()
    {
        const TracedCall call{{}, {{intern("b"), ValueId(1U)}, {intern("a"), ValueId(2U)}}};
        QCOMPARE(call.keyword("a"), ValueId(2U));
        QVERIFY(!call.keyword("c").isValid());
    }

    void findsKeywordsAmongMany_data()
    {
        QTest::addColumn<bool>("isSorted");
        QTest::newRow("by name") << true;
        QTest::newRow("unchanged") << false;
    }
    void findsKeywordsAmongMany()
    {
        QFETCH(const bool, isSorted);
        TracedCall call;
        call.isSorted = isSorted;
        for (unsigned i = 0; i < 26; ++i)
            call.keywords.emplace_back(intern(std::string(1, static_cast<char>(isSorted ? 'a' + i : 'z' - i))), ValueId(i));
        QCOMPARE(call.keyword("a"), ValueId(isSorted ? 0U : 25U));
        QCOMPARE(call.keyword("z"), ValueId(isSorted ? 25U : 0U));
        QVERIFY(!call.keyword("mm").isValid());
        QVERIFY(!call.keyword("~").isValid());
    }

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

const test::Registered<TracedCallTest> tracedCallTest("traced_call_test");
#include "traced_call_test.moc"
