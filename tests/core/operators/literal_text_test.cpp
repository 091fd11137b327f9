#include "operators/literal_text.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

Q_DECLARE_METATYPE(sunder::Argument)

namespace {

Argument integers(std::initializer_list<std::int64_t> values)
{
    Arguments items;
    for (const std::int64_t value : values)
        items.push_back(Argument::integer(value));
    return Argument::list(std::move(items));
}

} // namespace

/// Constants parsed from text, and schema defaults as arguments of calls.
class LiteralTextTest final : public QObject {
    Q_OBJECT
private slots:
    void readsConstantsOfPython()
    {
        QVERIFY(literalOf("None") == Argument());
        QVERIFY(literalOf("True") == Argument::boolean(true));
        QVERIFY(literalOf("-7") == Argument::integer(-7));
        QVERIFY(literalOf("1.") == Argument::floating(1.0));
        QVERIFY(literalOf("1e-05") == Argument::floating(1e-05));
        QVERIFY(!literalOf("self"));
        QVERIFY(!literalOf(""));
        QVERIFY(!literalOf("1 2"));
    }

    void readsDefaultsByTheirType_data()
    {
        QTest::addColumn<QString>("schema");
        QTest::addColumn<Argument>("value");
        const auto row = [](const char* schema, const Argument& value) { QTest::newRow(schema) << QString(schema) << value; };
        row("bool k=False", Argument::boolean(false));
        row("int k=-100", Argument::integer(-100));
        row("SymInt k=1", Argument::integer(1));
        row("float k=0.", Argument::floating(0.0));
        row("float? k=1", Argument::floating(1.0));
        row("Scalar k=1", Argument::integer(1));
        row("Scalar k=1.", Argument::floating(1.0));
        row("Tensor? k=None", Argument());
        row("str k=\"none\"", Argument::string(intern("none")));
        row("str? k=None", Argument());
        row("SymInt[2] k=[1, 0]", integers({1, 0}));
        row("int[2] k=1", integers({1, 1}));
        row("int[3] k=[]", integers({}));
        row("int[1]? k=None", Argument());
        row("int[] k=[-2, -1]", integers({-2, -1}));
    }
    void readsDefaultsByTheirType()
    {
        QFETCH(QString, schema);
        QFETCH(Argument, value);
        const Result<OperatorSchema> parsed = parseSchema("my::op(" + schema.toStdString() + ") -> Tensor");
        QVERIFY(parsed.has_value());
        const std::optional<Argument> found = defaultOf(parsed->arguments.front());
        QVERIFY(found && *found == value && found->kind() == value.kind());
    }

    void doesNotGuessWhatItsTextDoesNotTell_data()
    {
        QTest::addColumn<QString>("schema");
        for (const char* schema : {"Tensor k", "ScalarType? k=4", "MemoryFormat k=0", "str k=\"a\\\"b\"", "int k=1.", "bool k=1",
                                   "int[] k=1", "int[-2] k=1", "int[1000000] k=1", "Tensor[] k=[x]"})
            QTest::newRow(schema) << QString(schema);
    }
    void doesNotGuessWhatItsTextDoesNotTell()
    {
        QFETCH(QString, schema);
        const Result<OperatorSchema> parsed = parseSchema("my::op(" + schema.toStdString() + ") -> Tensor");
        QVERIFY(!parsed || !defaultOf(parsed->arguments.front()));
    }
};

const test::Registered<LiteralTextTest> literalTextTest("literal_text_test");
#include "literal_text_test.moc"
