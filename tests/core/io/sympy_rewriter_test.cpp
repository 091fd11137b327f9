#include "io/sympy/sympy_infix.h"
#include "io/sympy/sympy_printer.h"
#include "io/sympy/sympy_range.h"
#include "io/sympy/sympy_rewriter.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

SympyPolynomial read(SympyRewriter& rewriter, const char* text)
{
    return rewriter.read(*parseInfix(text));
}

/// Rewrites the text by the equations "product = value", added in this order.
QString rewritten(const char* text, const QStringList& equations)
{
    SympyRewriter rewriter;
    for (const QString& equation : equations) {
        const SympyPolynomial product = read(rewriter, qPrintable(equation.section('=', 0, 0).trimmed()));
        const SympyPolynomial value = read(rewriter, qPrintable(equation.section('=', 1).trimmed()));
        rewriter.addEquation(product.terms.begin()->first, value);
    }
    return QString::fromStdString(printSympy(rewriter.write(read(rewriter, text))));
}

} // namespace

class SympyRewriterTest final : public QObject {
    Q_OBJECT
private slots:
    void rewritesByEquations_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("equations");
        QTest::addColumn<QString>("wanted");
        const QStringList half = {"(s0 - 1)//2 = s9 - 1"};
        QTest::newRow("the expression itself") << "((s0 - 1)//2) + 1" << half << "s9";
        QTest::newRow("a multiple of it") << "4*((s0 - 1)//2) + 4" << half << "4*s9";
        QTest::newRow("a product of two") << "(((s0 - 1)//2) + 1)*(((s1 - 1)//2) + 1)"
                                          << QStringList{half[0], "(s1 - 1)//2 = s8 - 1"} << "s8*s9";
        QTest::newRow("a quotient of the same") << "((s0 - 1)//8) + 1" << half << "(((s9 - 1)//4)) + 1";
        QTest::newRow("a shifted one") << "(s0 + 3)//4" << half << "((s9 + 1)//2)";
        QTest::newRow("what only looks like one") << "s0//4" << half << "(s0//4)";
        QTest::newRow("in a function") << "Max(1, ((s0 - 1)//2) + 1)" << half << "Max(1, s9)";
        QTest::newRow("in a comparison") << "((s0 - 1)//2) + 1 >= 4" << half << "s9 >= 4";
        QTest::newRow("a symbol") << "2*s0 + (s0//3)" << QStringList{"s0 = s9 - 1"} << "(((s9 - 1)//3)) + 2*s9 - 2";
        QTest::newRow("a product before its factors") << "s0*s1*s2 + s0" << QStringList{"s0 = s7", "s0*s1 = s9"} << "s2*s9 + s7";
        QTest::newRow("a power") << "s0**3" << QStringList{"s0**2 = s9"} << "s0*s9";
        QTest::newRow("floats stay") << "1.5*ToFloat(s0)" << QStringList{"s0 = s9"} << "1.5*ToFloat(s9)";
        QTest::newRow("quotients of quotients") << "((s0//2)//3)" << QStringList{} << "(s0//6)";
        QTest::newRow("an exact quotient") << "(4*s0 + 8)//4" << QStringList{} << "s0 + 2";
    }
    void rewritesByEquations()
    {
        QFETCH(QString, text);
        QFETCH(QStringList, equations);
        QFETCH(QString, wanted);
        QCOMPARE(rewritten(qPrintable(text), equations), wanted);
    }

    void boundsExpressions_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wanted");
        for (const auto& [text, wanted] :
             std::initializer_list<std::pair<const char*, const char*>>{{"s0", "2..10"},
                                                                        {"((s0 - 1)//4) + 1", "1..3"},
                                                                        {"s0**2", "4..100"},
                                                                        {"s0*u0", "-30..50"},
                                                                        {"u0**2", "0..25"},
                                                                        {"Mod(s0, 4)", "0..3"},
                                                                        {"Mod(s0, 100)", "2..10"},
                                                                        {"Max(5, s0)", "5..10"},
                                                                        {"Min(5, u0)", "-3..5"},
                                                                        {"s0 - s1", "..9"},
                                                                        {"s0*s1", "2.."},
                                                                        {"s0//s1", "0..10"},
                                                                        {"CeilToInt(IntTrueDiv(s0, 3))", "1..4"},
                                                                        {"Strange(s0)", ".."},
                                                                        {"-3*s0", "-30..-6"},
                                                                        {"s0*9223372036854775807", ".."}})
            QTest::newRow(text) << QString(text) << QString(wanted);
    }
    void boundsExpressions()
    {
        QFETCH(QString, text);
        QFETCH(QString, wanted);
        const SympyRange range = rangeOf(*parseInfix(text.toStdString()), [](std::string_view symbol) {
            if (symbol == "u0")
                return SympyRange{-3, 5};
            return symbol == "s0" ? SympyRange{2, 10} : SympyRange{1, {}};
        });
        const auto bound = [](const std::optional<std::int64_t>& value) { return value ? QString::number(*value) : QString(); };
        QCOMPARE(bound(range.min) + ".." + bound(range.max), wanted);
    }
};

const test::Registered<SympyRewriterTest> sympyRewriterTest("sympy_rewriter_test");
#include "sympy_rewriter_test.moc"
