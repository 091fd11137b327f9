#include "verify/traced_call.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

/// Arguments of a call by position, name, and slot.
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
        QTest::newRow("as they are") << false;
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
};

const test::Registered<TracedCallTest> tracedCallTest("traced_call_test");
#include "traced_call_test.moc"
