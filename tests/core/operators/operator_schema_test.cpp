#include "operators/operator_schema.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

class OperatorSchemaTest final : public QObject {
    Q_OBJECT
private slots:
    void readsArgumentsResultsAndTags()
    {
        const Result<OperatorSchema> schema = parseSchema(
            "aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!)? max_values=None) -> "
            "(Tensor(a!) values, Tensor(b!) indices)\tout,nondeterministic_seeded");
        QVERIFY(schema);
        QCOMPARE(schema->packet.view(), "aten::max");
        QCOMPARE(schema->overload.view(), "dim_max");
        QCOMPARE(schema->arguments.size(), 5U);
        QCOMPARE(schema->positionalCount(), 3U);
        QCOMPARE(schema->arguments[2].defaultValue.view(), "False");
        QVERIFY(schema->arguments[3].written && schema->arguments[3].keywordOnly && !schema->arguments[3].hasDefault);
        QCOMPARE(schema->arguments[4].type.view(), "Tensor?");
        QCOMPARE(schema->results[1].name.view(), "indices");
        QVERIFY(schema->has(OperatorTag::nondeterministicSeeded) && !schema->has(OperatorTag::inplaceView));
    }

    void readsEveryKindOfType_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("written");
        QTest::newRow("list, annotated inside") << "Tensor(a!)[] x" << "Tensor[]" << true;
        QTest::newRow("list, annotated outside") << "Tensor[](a!) x" << "Tensor[]" << true;
        QTest::newRow("optional of a list of optional") << "Tensor?[]? x" << "Tensor?[]?" << false;
        QTest::newRow("sized list with a default") << "int[2] x=[1, 1]" << "int[2]" << false;
        QTest::newRow("the contents of a list afterward") << "Tensor(a -> *) x" << "Tensor" << false;
        QTest::newRow("dictionary") << "Dict(str, t)(a!) x" << "Dict(str, t)" << true;
        QTest::newRow("tuple") << "(Tensor, tVal)[] x" << "(Tensor, tVal)[]" << false;
        QTest::newRow("class") << "__torch__.torch.classes.quantized.LinearPackedParamsBase x"
                               << "__torch__.torch.classes.quantized.LinearPackedParamsBase" << false;
        QTest::newRow("text with a comma for a default") << "str x=\"a, (b\"" << "str" << false;
    }
    void readsEveryKindOfType()
    {
        QFETCH(QString, text);
        QFETCH(QString, type);
        QFETCH(bool, written);
        const Result<OperatorSchema> schema = parseSchema(("my::op(" + text + ", Tensor y) -> ()").toStdString());
        QVERIFY2(schema, schema ? "" : schema.error().message.c_str());
        QCOMPARE(QString::fromStdString(schema->arguments[0].type.str()), type);
        QCOMPARE(schema->arguments[0].written, written);
        QCOMPARE(schema->arguments.size(), 2U);
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("no namespace") << "op(Tensor x) -> Tensor" << "a line must start with an operator name";
        QTest::newRow("no arguments") << "my::op -> Tensor" << "\"(\" is missing";
        QTest::newRow("no results") << "my::op(Tensor x)" << "\"->\"";
        QTest::newRow("no name") << "my::op(Tensor) -> Tensor" << "an argument has no name";
        QTest::newRow("open") << "my::op(Tensor x" << "\",\" is missing";
        QTest::newRow("more behind it") << "my::op(Tensor x) -> Tensor y z" << "unexpected text after the schema";
        QTest::newRow("alias set without an end") << "my::op(Tensor(a x) -> Tensor" << "alias annotation";
        QTest::newRow("text without an end") << "my::op(str x=\"a) -> Tensor" << "a string is not terminated";
        QTest::newRow("deep") << "my::op(" + QString(100, '(') + "int) -> Tensor" << "nested too deep";
        QTest::newRow("deep default") << "my::op(int x=" + QString(100, '[') << "nested too deep";
        QTest::newRow("long") << "my::op(" + QString(70'000, ' ') << "longer than 64 kB";
    }
    void saysWhatIsWrong()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Result<OperatorSchema> schema = parseSchema(text.toStdString());
        QVERIFY(!schema);
        QVERIFY2(QString::fromStdString(schema.error().message).contains(message), schema.error().message.c_str());
    }
};

const test::Registered<OperatorSchemaTest> operatorSchemaTest("operator_schema_test");
#include "operator_schema_test.moc"
