#include "expected_split.h"
#include "io/side_files/partitions_file.h"
#include "io/side_files/tags_file.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/split_module/split_module.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

Result<SplitResult> splitByTagsCase(const QString& folder)
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

Result<SplitResult> splitModuleCase(const QString& folder)
{
    const Result<Program> program = readFxJson(test::programFile(folder, "input.fxj"));
    if (!program)
        return forward(program);
    const Result<std::vector<PartitionPair>> pairs = readPartitionsFile((folder + "/partitions.json").toStdString());
    if (!pairs)
        return forward(pairs);
    const QJsonObject options = test::json(folder + "/options.json");
    return splitModule(*program, assignPartitions(program->rootGraph(), *pairs),
                       {.keepOriginalOrder = options["keep_original_order"].toBool(),
                        .keepOriginalNodeNames = options["keep_original_node_names"].toBool(),
                        .tupleReturn = options["tuple_return"].toBool()});
}

} // namespace

/// Runs every case of tests/cases/split_by_tags and split_module, and all shared conformance cases if present.
class SplitCasesTest final : public QObject {
    Q_OBJECT
private slots:
    void splitsByTagsAsPyTorchDoes_data() { test::addCases("split_by_tags"); }
    void splitsByTagsAsPyTorchDoes()
    {
        QFETCH(QString, folder);
        const Result<SplitResult> split = splitByTagsCase(folder);
        test::checkCase(folder, split);
        if (!split)
            return;
        QJsonObject names;
        for (const auto& [before, after] : split->fqnMap)
            names[QString::fromStdString(before.str())] = QString::fromStdString(after.str());
        QCOMPARE(names, test::json(folder + "/expected_map.json"));
    }

    void splitsByPartitionsAsPyTorchDoes_data() { test::addCases("split_module"); }
    void splitsByPartitionsAsPyTorchDoes()
    {
        QFETCH(QString, folder);
        const Result<SplitResult> split = splitModuleCase(folder);
        test::checkCase(folder, split);
        if (!split)
            return;
        QJsonObject names;
        for (const auto& [before, after] : split->fqnMap)
            names[QString::fromStdString(after.str())] = QString::fromStdString(before.str());
        QCOMPARE(names, test::json(folder + "/expected_map.json"));
    }
};

const test::Registered<SplitCasesTest> splitCasesTest("split_cases_test");
#include "split_cases_test.moc"
