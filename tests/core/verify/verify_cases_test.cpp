#include "io/fx_json_reader.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace sunder;

namespace {

QString programFile(const QString& folder, const QString& name)
{
    const QString plain = folder + '/' + name;
    return QFile::exists(plain) ? plain : plain + ".gz";
}

Program read(const QString& path)
{
    Result<Program> program = readFxJson(path.toStdString());
    if (!program)
        qFatal("%s", describe(program.error()).c_str());
    return std::move(*program);
}

void addCases(const QString& folder)
{
    for (const QString& name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        QTest::newRow(qPrintable(folder.section('/', -3) + '/' + name)) << folder + '/' + name;
}

} // namespace

/// Every pair of programs in tests/cases/verify, and all pairs of the shared conformance cases where they are there.
class VerifyCasesTest final : public QObject {
    Q_OBJECT
private slots:
    void judgesAsPyTorchDoes_data()
    {
        QTest::addColumn<QString>("folder");
        addCases(QString::fromStdString(test::casePath("verify")));
        if (!test::sharedFolder().empty())
            addCases(QString::fromStdString(test::sharedFolder()) + "/conformance/verify");
    }
    void judgesAsPyTorchDoes()
    {
        QFETCH(QString, folder);
        QFile file(folder + "/expect.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const bool same = QJsonDocument::fromJson(file.readAll()).object()["same"].toBool();
        const Program a = read(programFile(folder, "a.fxj"));
        const Program b = read(programFile(folder, "b.fxj"));
        const VerifyReport report = *verify(a, b);
        QVERIFY2((report.verdict == Verdict::same) == same, report.why.c_str());
        QCOMPARE(report.why.empty(), same);
        QCOMPARE(verify(a, a)->verdict, Verdict::same);
        if (!same)
            QVERIFY2(!report.nameA.empty() || !report.nameB.empty() || report.output == "inputs", report.why.c_str());
    }
};

QTEST_GUILESS_MAIN(VerifyCasesTest)
#include "verify_cases_test.moc"
