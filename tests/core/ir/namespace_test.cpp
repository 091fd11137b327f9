#include "ir/namespace.h"

#include <QTest>

using namespace sunder;

namespace {

QStringList made(const QStringList& candidates)
{
    Namespace names;
    QStringList out;
    for (const QString& candidate : candidates)
        out << QString::fromStdString(names.create(candidate.toStdString()).str());
    return out;
}

} // namespace

class NamespaceTest final : public QObject {
    Q_OBJECT
private slots:
    void makesTheNamesThatTorchMakes_data()
    {
        QTest::addColumn<QStringList>("candidates");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("builtins get a number at once") << QStringList{"sum", "sum"} << QStringList{"sum_1", "sum_2"};
        QTest::newRow("a taken suffix counts on") << QStringList{"add", "add", "add_1"} << QStringList{"add", "add_1", "add_2"};
        QTest::newRow("counters belong to the base") << QStringList{"x_1_2", "x_1", "x_1"} << QStringList{"x_1_2", "x_1", "x_2"};
        QTest::newRow("illegal characters") << QStringList{"foo@1", "foo", "foo"} << QStringList{"foo_1", "foo", "foo_2"};
        QTest::newRow("leading digit") << QStringList{"0.weight"} << QStringList{"_0_weight"};
        QTest::newRow("nothing left") << QStringList{""} << QStringList{"_unnamed"};
        QTest::newRow("keywords") << QStringList{"in", "lambda"} << QStringList{"in_1", "lambda_1"};
    }
    void makesTheNamesThatTorchMakes()
    {
        QFETCH(QStringList, candidates);
        QFETCH(QStringList, expected);
        QCOMPARE(made(candidates), expected);
    }

    void staysFastWhenOneBaseIsUsedOften()
    {
        Namespace names;
        for (int i = 0; i < 200'000; ++i)
            names.create("add");
        QVERIFY(names.isUsed(intern("add_199999")));
    }
};

QTEST_GUILESS_MAIN(NamespaceTest)
#include "namespace_test.moc"
