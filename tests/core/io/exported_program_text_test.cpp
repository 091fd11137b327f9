#include "io/exported_program/exported_program_words.h"
#include "io/sympy/sympy_printer.h"

#include "test_case.h"

#include <QTest>

#include <array>
#include <sstream>

using namespace sunder;

class ExportedProgramTextTest : public QObject {
    Q_OBJECT

private slots:
    void printsExpressionsAsSympyDoes_data();
    void printsExpressionsAsSympyDoes();
    void refusesWhatIsNoExpression_data();
    void refusesWhatIsNoExpression();
    void quotesBareFloatsOnly_data();
    void quotesBareFloatsOnly();
};

void ExportedProgramTextTest::printsExpressionsAsSympyDoes_data()
{
    QTest::addColumn<QString>("srepr");
    QTest::addColumn<QString>("printed");
    const auto row = [](const char* name, const char* srepr, const char* printed) {
        QString text = QString::fromLatin1(srepr);
        for (const char* symbol : {"s0", "s1", "s27"})
            text.replace(QLatin1String("<") + QLatin1String(symbol) + QLatin1String(">"),
                         QStringLiteral("Symbol('%1', positive=True, integer=True)").arg(QLatin1String(symbol)));
        text.replace(QLatin1String("<u0>"), QLatin1String("Symbol('u0', integer=True)"));
        QTest::newRow(name) << text << QString::fromLatin1(printed);
    };
    row("a symbol", "<s27>", "s27");
    row("a multiple", "Mul(Integer(2), <s0>)", "2*s0");
    row("a negative term comes with a minus", "Add(<s0>, Integer(-1))", "s0 - 1");
    row("srepr writes a negative multiple as two factors", "Mul(Integer(-1), Integer(7), <s0>)", "-7*s0");
    row("a sum as a factor", "Mul(<s1>, Add(<s0>, Integer(-1)))", "s1*(s0 - 1)");
    row("powers", "Mul(Integer(4), Pow(<s0>, Integer(2)))", "4*s0**2");
    row("a quotient", "Mul(Rational(1, 2), <s0>, Pow(<s1>, Integer(-1)))", "s0/(2*s1)");
    row("PyTorch's floor division", "Add(Mul(Integer(2), <s0>), FloorDiv(<s1>, Integer(3)))", "2*s0 + ((s1//3))");
    row("functions bind loosely in sums", "Add(IntTrueDiv(<s0>, Integer(2)), <s1>)", "(IntTrueDiv(s0, 2)) + s1");
    row("arguments of Max are sorted", "Max(<s27>, <u0>, Mul(Integer(-1), Integer(7), <u0>))", "Max(s27, -7*u0, u0)");
    row("a comparison", "GreaterThan(<u0>, Integer(0))", "u0 >= 0");
    row("an equality", "Equality(<u0>, Integer(3))", "Eq(u0, 3)");
    row("a float within", "Mul(Float('0.5', precision=53), ToFloat(<s0>))", "0.5*ToFloat(s0)");
    row("a float alone has all its digits", "Float('0.5', precision=53)", "0.500000000000000");
    row("truth", "true", "True");
}

void ExportedProgramTextTest::printsExpressionsAsSympyDoes()
{
    QFETCH(const QString, srepr);
    QFETCH(const QString, printed);
    const auto expression = parseSrepr(srepr.toStdString());
    QVERIFY(expression);
    QCOMPARE(QString::fromStdString(printSympy(*expression)), printed);
}

void ExportedProgramTextTest::refusesWhatIsNoExpression_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("an open bracket") << QByteArray("Mul(Integer(2)");
    QTest::newRow("an open quote") << QByteArray("Symbol('s0");
    QTest::newRow("an escape at the end") << QByteArray("Symbol('s0\\");
    QTest::newRow("infix") << QByteArray("2*s0 + 1");
    QTest::newRow("nested too deep") << QByteArray("Not(").repeated(100'000);
}

void ExportedProgramTextTest::refusesWhatIsNoExpression()
{
    QFETCH(const QByteArray, text);
    QVERIFY(!parseSrepr(text.toStdString()));
}

void ExportedProgramTextTest::quotesBareFloatsOnly_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("quoted");
    QTest::newRow("bare words") << QByteArray("[Infinity, -Infinity,NaN]") << QByteArray("[\"Infinity\", \"-Infinity\",\"NaN\"]");
    QTest::newRow("words of JSON") << QByteArray("[true, false, null, -1, 1e-5, 2E+3]")
                                   << QByteArray("[true, false, null, -1, 1e-5, 2E+3]");
    QTest::newRow("in a text") << QByteArray("{\"a\\\"NaN\": \"Infinity \\\\\", \"b\": NaN}")
                               << QByteArray("{\"a\\\"NaN\": \"Infinity \\\\\", \"b\": \"NaN\"}");
    QTest::newRow("at the end") << QByteArray("NaN") << QByteArray("\"NaN\"");
    QTest::newRow("a long word") << QByteArray("x").repeated(100) << QByteArray("x").repeated(100);
}

void ExportedProgramTextTest::quotesBareFloatsOnly()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QByteArray, quoted);
    std::istringstream in(json.toStdString());
    StreamSource source(in, static_cast<std::uint64_t>(json.size()));
    BareWordSource words(source);
    QByteArray result;
    std::array<char, 5> buffer{};
    for (;;) {
        const auto count = words.read(buffer);
        QVERIFY(count);
        if (*count == 0)
            break;
        result.append(buffer.data(), static_cast<qsizetype>(*count));
    }
    QCOMPARE(result, quoted);
}

const test::Registered<ExportedProgramTextTest> exportedProgramTextTest("exported_program_text_test");
#include "exported_program_text_test.moc"
