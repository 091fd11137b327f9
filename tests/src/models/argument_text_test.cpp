#include "models/inspection.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

/// Argument values as readable text.
class ArgumentTextTest final : public QObject {
    Q_OBJECT

private slots:
    void writesValuesAsPythonDoes()
    {
        QCOMPARE(said(Argument()), QString("None"));
        QCOMPARE(said(Argument::boolean(true)), QString("True"));
        QCOMPARE(said(Argument::boolean(false)), QString("False"));
        QCOMPARE(said(Argument::integer(-3)), QString("-3"));
        QCOMPARE(said(Argument::floating(0.5)), QString("0.5"));
        QCOMPARE(said(Argument::string(intern("a b"))), QString("\"a b\""));
        QCOMPARE(said(Argument::ellipsis()), QString("..."));
        QCOMPARE(said(Argument::complex(1, 2)), QString("(1+2j)"));
        QCOMPARE(said(Argument::graph(GraphId(3U))), QString("graph 3"));
    }

    void writesWhatHoldsOthers()
    {
        const Argument none;
        const Arguments two{Argument::integer(1), Argument::node(m_program.rootGraph().first())};
        QCOMPARE(said(Argument::list(two)), QString("[1, x]"));
        QCOMPARE(said(Argument::tuple(two)), QString("(1, x)"));
        QCOMPARE(said(Argument::tuple({Argument::integer(1)})), QString("(1,)"));
        QCOMPARE(said(Argument::dict({Argument::string(intern("k"))}, {Argument::integer(1)})), QString("{\"k\": 1}"));
        QCOMPARE(said(Argument::slice(Argument::integer(1), none, none)), QString("slice(1, None, None)"));
        QCOMPARE(said(Argument::range(Argument::integer(0), Argument::integer(4), Argument::integer(2))),
                 QString("range(0, 4, 2)"));
        QCOMPARE(said(Argument::list({Argument::list({}), Argument::tuple({})})), QString("[[], ()]"));
    }

    void cutsWhatIsTooLong()
    {
        const Argument many = Argument::list(Arguments(1000, Argument::integer(7)));
        const QString cut = argumentText(many, m_program.rootGraph(), 50);
        QCOMPARE(cut.size(), 51);
        QVERIFY(cut.startsWith("[7, 7, ") && cut.endsWith(QChar(0x2026)));
    }

    /// Only a damaged file contains such values.
    void endsInValuesWithoutABottom()
    {
        Argument deep = Argument::integer(1);
        for (int i = 0; i < 1000; ++i)
            deep = Argument::list({deep});
        QVERIFY(said(deep).size() < 100);
    }

private:
    QString said(const Argument& value) const { return argumentText(value, m_program.rootGraph()); }

    Program m_program = test::programFromText("x = placeholder()\noutput(x)\n");
};

const test::Registered<ArgumentTextTest> argumentTextTest("argument_text_test");
#include "argument_text_test.moc"
