#include "document/passes/partition_pass.h"
#include "document/passes/pass.h"
#include "document/passes/regions_pass.h"
#include "document/passes/split_pass.h"
#include "document/passes/unflatten_pass.h"
#include "document/runs/result_kinds.h"

#include "test_case.h"

#include <QSet>
#include <QTest>

using namespace sunder;

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

    void optionsComeBackFromPlainValues()
    {
        const SplitOptions split{.returnTuple = true, .keepSignature = true};
        QVERIFY(splitOptionsOf(asPassOptions(split)).returnTuple && splitOptionsOf(asPassOptions(split)).keepSignature);
        QVERIFY(asPassOptions(SplitOptions{}).isEmpty());
        const UnflattenOptions tree{.asUpstream = true, .crossing = CrossingValues::attribute};
        QVERIFY(unflattenOptionsOf(asPassOptions(tree)).asUpstream);
        QCOMPARE(unflattenOptionsOf(asPassOptions(tree)).crossing, CrossingValues::attribute);
        const RegionOptions search{.key = RegionKey::structural, .asUpstream = true};
        QVERIFY(regionOptionsOf(asPassOptions(search)).asUpstream);
        QCOMPARE(*regionOptionsOf(asPassOptions(search)).key, RegionKey::structural);
        QVERIFY(!regionOptionsOf({}).key.has_value());
    }

    void namesOfRunsSayWhatIsNotAsUsual()
    {
        const Pass& split = *findPass("split");
        QCOMPARE(briefsOf(split.options, {}), QStringList());
        QCOMPARE(briefsOf(split.options, {{"returnTuple", true}, {"keepSignature", true}}),
                 QStringList({"signature kept", "results as tuples"}));
        PartitionRequest request{.is2020 = true, .asUpstream = true};
        QCOMPARE(nameOf(request), QStringLiteral("size-based (2020), as torch"));
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
};

const test::Registered<PassesTest> passesTest("passes_test");
#include "passes_test.moc"
