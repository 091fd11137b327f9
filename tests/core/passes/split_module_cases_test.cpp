#include "compare_programs.h"
#include "io/fx_json_reader.h"
#include "io/partitions_file.h"
#include "ir/lint.h"
#include "passes/split_module/split_module.h"
#include "test_support.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace sunder;

namespace {

std::string programFile(const QString& folder, const QString& name)
{
    const QString plain = folder + '/' + name;
    return (QFile::exists(plain) ? plain : plain + ".gz").toStdString();
}

QJsonObject json(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

void addCases(const QString& folder)
{
    for (const QString& name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        QTest::newRow(qPrintable(folder.section('/', -3) + '/' + name)) << folder + '/' + name;
}

Result<SplitResult> splitCase(const QString& folder)
{
    const Result<Program> program = readFxJson(programFile(folder, "input.fxj"));
    if (!program)
        return forward(program);
    const Result<std::vector<PartitionPair>> pairs = readPartitionsFile((folder + "/partitions.json").toStdString());
    if (!pairs)
        return forward(pairs);
    const QJsonObject options = json(folder + "/options.json");
    return splitModule(*program, assignPartitions(program->rootGraph(), *pairs),
                       {.keepOriginalOrder = options["keep_original_order"].toBool(),
                        .keepOriginalNodeNames = options["keep_original_node_names"].toBool(),
                        .tupleReturn = options["tuple_return"].toBool()});
}

} // namespace

/// Every case of tests/cases/split_module, and all shared conformance cases where they are there.
class SplitModuleCasesTest final : public QObject {
    Q_OBJECT
private slots:
    void splitsAsPyTorchDoes_data()
    {
        QTest::addColumn<QString>("folder");
        addCases(QString::fromStdString(test::casePath("split_module")));
        if (!test::sharedFolder().empty())
            addCases(QString::fromStdString(test::sharedFolder()) + "/conformance/split_module");
    }
    void splitsAsPyTorchDoes()
    {
        QFETCH(QString, folder);
        const Result<SplitResult> split = splitCase(folder);
        if (QFile::exists(folder + "/expected_error.json")) {
            QVERIFY(!split);
            QCOMPARE(split.error().code, ErrorCode::refused);
            QVERIFY(!split.error().message.empty());
            return;
        }
        QVERIFY2(split.has_value(), split ? "" : describe(split.error()).c_str());
        const Result<Program> expected = readFxJson(programFile(folder, "expected.fxj"));
        QVERIFY2(expected.has_value(), expected ? "" : describe(expected.error()).c_str());
        for (const std::string& difference : test::differences(*expected, split->program))
            qWarning("%s", difference.c_str());
        QVERIFY(test::differences(*expected, split->program).empty());
        QVERIFY(lint(split->program).empty());
        QJsonObject names;
        for (const auto& [before, after] : split->fqnMap)
            names[QString::fromStdString(after.str())] = QString::fromStdString(before.str());
        QCOMPARE(names, json(folder + "/expected_map.json"));
    }
};

QTEST_GUILESS_MAIN(SplitModuleCasesTest)
#include "split_module_cases_test.moc"
