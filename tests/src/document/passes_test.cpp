#include "document/passes/partition_pass.h"
#include "document/passes/pass.h"
#include "document/runs/result_kinds.h"

#include "test_case.h"
#include "text/shown_text.h"

#include <QFile>
#include <QSet>
#include <QTest>

using namespace sunder;

namespace {

/// Adds the rows of the table in docs/passes.md.
void addRows(QString& table, const QString& command, const std::vector<OptionSpec>& specs)
{
    const auto escaped = [](QString text) { return text.replace('|', "\\|").replace('*', "\\*"); };
    for (const OptionSpec& spec : specs) {
        if (*spec.word == '\0')
            continue;
        const QString option = QString("--%1 %2").arg(spec.word, spec.value).trimmed();
        table += QString("| %1 | `%2` | %3 | %4 |\n")
                     .arg(command, escaped(option), escaped(plainTitle(tr(spec.title))), escaped(spec.help));
    }
}

} // namespace

/// The tables of passes and of result kinds, and options as plain values.
class PassesTest final : public QObject {
    Q_OBJECT
private slots:
    void everyPassCanBeFoundShownAndRun()
    {
        QSet<QString> ids;
        QSet<QString> keys;
        for (const Pass& pass : passes()) {
            QVERIFY2(!ids.contains(pass.id), qPrintable(pass.id));
            ids.insert(pass.id);
            QCOMPARE(findPass(pass.id), &pass);
            QVERIFY2(!pass.name.isEmpty() && !pass.text.isEmpty() && !pass.tip.isEmpty() && !pass.jobTitle.isEmpty(),
                     qPrintable(pass.id));
            QVERIFY2(pass.work != nullptr || pass.asking == PassAsking::form, qPrintable(pass.id));
            for (const QKeySequence& key : pass.keys) {
                QVERIFY2(!keys.contains(key.toString()), qPrintable(key.toString()));
                keys.insert(key.toString());
            }
        }
        QCOMPARE(findPass("nothing"), nullptr);
    }

    void everyOptionHasATitleAndWhatItBelongsTo()
    {
        for (const Pass& pass : passes()) {
            QSet<QString> ids;
            for (const PassOption& option : pass.options) {
                QVERIFY2(!option.title.isEmpty() && !ids.contains(option.id), qPrintable(pass.id + '/' + option.id));
                ids.insert(option.id);
                QCOMPARE(option.kind == PassOption::Kind::choice, !option.choices.empty());
                if (option.belongsTo.isEmpty())
                    continue;
                const QString other = option.belongsTo.section('=', 0, 0);
                QVERIFY2(ids.contains(other), qPrintable(option.id + " belongs to " + other + ", which is not before it"));
            }
        }
    }

    void everyKindOfResultSaysWhatItIs()
    {
        for (const ResultDescription& kind : resultKinds()) {
            QCOMPARE(&descriptionOf(kind.kind), &kind);
            QVERIFY(kind.outcome != nullptr && !kind.heading.isEmpty() && kind.does.contains("%1"));
            QCOMPARE(kind.program != nullptr, kind.map != nullptr);
            QCOMPARE(kind.program != nullptr, kind.copyWith != nullptr);
            QCOMPARE(kind.program != nullptr, !kind.programTitle.isEmpty());
        }
    }

    void plainValuesBecomeOptionsOfThePass()
    {
        const auto split = optionsIn<SplitOptions>({{"returnTuple", true}, {"keepSignature", true}});
        QVERIFY(split.returnTuple && split.keepSignature);
        const auto tree = optionsIn<UnflattenOptions>({{"asUpstream", true}, {"crossing", "attribute"}, {"sharedResults", true}});
        QVERIFY(tree.asUpstream && tree.sharedResults);
        QCOMPARE(tree.crossing, CrossingValues::attribute);
        QCOMPARE(optionsIn<UnflattenOptions>({}).crossing, CrossingValues::buffer);
        const auto search = optionsIn<RegionOptions>({{"key", "structural"}, {"asUpstream", true}});
        QVERIFY(search.asUpstream);
        QCOMPARE(*search.key, RegionKey::structural);
        QVERIFY(!optionsIn<RegionOptions>({}).key.has_value());
        QCOMPARE(*optionsIn<SplitModuleOptions>({{"partitionAffix", "pp"}}).partitionAffix, std::string("pp"));
        QVERIFY(!optionsIn<SplitModuleOptions>({}).partitionAffix.has_value());
        const auto moves = optionsIn<MoveByTagsOptions>({{"accelerators", QStringList{"a", "b"}}});
        QCOMPARE(moves.telling, TensorTelling::byValue);
        QCOMPARE(moves.accelerators, (std::vector{intern("a"), intern("b")}));
        QCOMPARE(optionsIn<MoveByTagsOptions>({{"telling", "type"}}).telling, TensorTelling::byType);
    }

    void handbookHasATableOfAllOptions()
    {
        QFile page(SUNDER_SOURCE "/docs/passes.md");
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(page.readAll());
        QString table;
        addRows(table, "split", optionSpecs<SplitOptions>());
        addRows(table, "move-non-tensor", optionSpecs<MoveByTagsOptions>());
        addRows(table, "split-module", optionSpecs<SplitModuleOptions>());
        addRows(table, "unflatten", optionSpecs<UnflattenOptions>());
        addRows(table, "regions, dedup", optionSpecs<RegionOptions>());
        addRows(table, "partition", optionSpecs<SizeBasedOptions>());
        addRows(table, "partition", optionSpecs<PartitionTodayOptions>());
        QVERIFY2(text.contains(table), qPrintable("docs/passes.md needs this table:\n" + table));
    }

    void wordsOfAChoiceAreThoseOfItsValue()
    {
        std::vector<OptionSpec> all = optionSpecs<UnflattenOptions>();
        for (const OptionSpec& spec : optionSpecs<RegionOptions>())
            all.push_back(spec);
        for (const OptionSpec& spec : all) {
            QStringList words;
            for (const OptionChoice& choice : spec.choices)
                words << choice.word;
            words.removeAll(QString());
            QCOMPARE(spec.kind == OptionKind::choice ? QString(spec.value) : QString(), words.join('|'));
        }
    }

    void namesOfRunsSayWhatIsNotAsUsual()
    {
        const Pass& split = *findPass("split");
        QCOMPARE(briefsOf(split.options, {}), QStringList());
        QCOMPARE(briefsOf(split.options, {{"returnTuple", true}, {"keepSignature", true}}),
                 QStringList({"signature kept", "results as tuples"}));
        PartitionRequest request{.is2020 = true, .asUpstream = true};
        QCOMPARE(nameOf(request), QStringLiteral("size-based (2020), as in PyTorch"));
        request = {.config = {.mode = PartitionMode::costAware, .saturateHost = true}};
        QCOMPARE(nameOf(request), QStringLiteral("cost-aware, replicated"));
    }

    void linesSayEveryOptionThatCounts()
    {
        const Pass& pass = *findPass("splitModule");
        QVERIFY(linesOf(pass.options, {}).contains("One partition per: tag"));
        QVERIFY(linesOf(pass.options, {}).filter("Module level").isEmpty());
        const QStringList lines = linesOf(pass.options, {{"from", "modules"}, {"level", 3}, {"tupleReturn", true}});
        QVERIFY(lines.contains("Module level: 3"));
        QVERIFY(lines.contains("Return single results as 1-tuples: yes"));
        const QStringList moves = linesOf(findPass("moveNonTensor")->options, {{"accelerators", QStringList{"a", "b"}}});
        QVERIFY(moves.contains("Accelerator parts: a, b"));
        const QStringList devices = linesOf(findPass("partition")->options,
                                            asPassOptions(PartitionRequest{.config = {.devices = {{.name = "gpu"}}}}));
        QVERIFY2(!devices.filter("Devices: gpu").isEmpty(), qPrintable(devices.join('\n')));
    }

    void changedLinesLeaveOutDefaults()
    {
        const std::vector<PassOption>& split = findPass("split")->options;
        QCOMPARE(changedLinesOf(split, {}), QStringList());
        QCOMPARE(changedLinesOf(split, {{"returnTuple", true}, {"keepSignature", false}}),
                 QStringList("Return single results as 1-tuples: yes"));
        const QStringList partition = changedLinesOf(findPass("partition")->options,
                                                     asPassOptions(PartitionRequest{.config = {.devices = {{.name = "gpu"}}}}));
        QVERIFY2(partition.size() == 1 && partition.front().startsWith("Devices: gpu"), qPrintable(partition.join('\n')));
    }
};

const test::Registered<PassesTest> passesTest("passes_test");
#include "passes_test.moc"
