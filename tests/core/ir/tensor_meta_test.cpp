#include "ir/tensor_meta.h"

#include "test_case.h"

#include <QTest>

#include <limits>

using namespace sunder;

namespace {

TensorMeta meta(const char* dtype, Arguments shape)
{
    return {.dtype = intern(dtype), .shape = std::move(shape)};
}

Argument symbol(const char* expression, std::int64_t hint)
{
    return Argument::symbolic({.expression = intern(expression), .hint = hint});
}

} // namespace

class TensorMetaTest final : public QObject {
    Q_OBJECT
private slots:
    void countsBytes_data()
    {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<int>("bytes");
        QTest::newRow("float32") << "float32" << 24;
        QTest::newRow("bool") << "bool" << 6;
        QTest::newRow("bfloat16") << "bfloat16" << 12;
        QTest::newRow("complex128") << "complex128" << 96;
        QTest::newRow("float8") << "float8_e4m3fn" << 6;
    }
    void countsBytes()
    {
        QFETCH(QString, dtype);
        QFETCH(int, bytes);
        const TensorMeta tensor = meta(dtype.toUtf8().constData(), {Argument::integer(2), Argument::integer(3)});
        QCOMPARE(byteSize(tensor), std::optional<std::uint64_t>(bytes));
    }

    void goesByHintsAndKnowsWhenThereAreNone()
    {
        QCOMPARE(byteSize(meta("int64", {symbol("2*s0", 6)})), std::optional<std::uint64_t>(48));
        QVERIFY(!byteSize(meta("int64", {Argument::symbolic({.expression = intern("u0")})})));
        QVERIFY(!byteSize(meta("float128", {})));
        QVERIFY(!byteSize(meta("int8", {Argument::integer(-1)})));
        QCOMPARE(byteSize(meta("int64", {})), std::optional<std::uint64_t>(8));
        QCOMPARE(byteSize(meta("int64", {Argument::integer(0)})), std::optional<std::uint64_t>(0));
    }

    void doesNotOverflow()
    {
        const Argument large = Argument::integer(std::numeric_limits<std::int64_t>::max());
        QVERIFY(!byteSize(meta("int8", {large, large})));
        QVERIFY(!byteSize(meta("float64", {large})));
    }

    void addsUpTrees()
    {
        const Argument tensor = Argument::tensor(std::make_shared<const TensorMeta>(meta("float32", {Argument::integer(4)})));
        QCOMPARE(byteSize(Argument::tuple({tensor, Argument::list({tensor, Argument()})})), std::optional<std::uint64_t>(32));
    }

    void describesShapes()
    {
        const TensorMeta tensor = meta("float32", {Argument::integer(1), symbol("s27", 4), Argument::integer(16)});
        QCOMPARE(describe(tensor), std::string("f32[1, s27, 16]"));
        QCOMPARE(describeShape(Argument::tensor(std::make_shared<const TensorMeta>(tensor))), std::string("1×s27×16"));
        QCOMPARE(describeShape(Argument::integer(3)), std::string("3"));
    }
};

const test::Registered<TensorMetaTest> tensorMetaTest("tensor_meta_test");
#include "tensor_meta_test.moc"
