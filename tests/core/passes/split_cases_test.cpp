#include "expected_split.h"
#include "io/side_files/tags_file.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

Result<SplitResult> splitCase(const QString& folder)
{
    const Result<Program> program = readFxJson(test::programFile(folder, "input.fxj"));
    if (!program)
        return forward(program);
    const Result<TagsFile> tags = readTagsFile((folder + "/tags.json").toStdString());
    if (!tags)
        return forward(tags);
    return splitByTags(*program, assignTags(program->rootGraph(), tags->order, tags->tags),
                       {.returnTuple = test::json(folder + "/options.json")["return_tuple"].toBool()});
}

} // namespace

/// Runs every case of tests/cases/split_by_tags, and all shared conformance cases if present.
class SplitCasesTest final : public QObject {
    Q_OBJECT
private slots:
    void splitsAsPyTorchDoes_data() { test::addCases("split_by_tags"); }
    void splitsAsPyTorchDoes()
    {
        QFETCH(QString, folder);
        const Result<SplitResult> split = splitCase(folder);
        test::checkCase(folder, split);
        if (!split)
            return;
        QJsonObject names;
        for (const auto& [before, after] : split->fqnMap)
            names[QString::fromStdString(before.str())] = QString::fromStdString(after.str());
        QCOMPARE(names, test::json(folder + "/expected_map.json"));
    }
};

const test::Registered<SplitCasesTest> splitCasesTest("split_cases_test");
#include "split_cases_test.moc"
