// The options of `sunder-cli memory`. tests/torch compares its figures with PyTorch.
#include "answer.h"
#include "test_case.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using sunder::test::Answer;
using sunder::test::run;
using sunder::test::write;

class MemoryCommandTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        QCOMPARE(run({"tag", kModel, "--stages", "2", "-o", path("tags.json")}).status, 0);
    }

    void withoutTagsTheModelIsOnePart()
    {
        const QJsonObject said = memory({}).json();
        QCOMPARE(said["parts"].toArray().size(), 1);
        const QJsonObject model = said["parts"][0].toObject();
        QCOMPARE(model["resident"].toInt(), 318'720); // torch._inductor.fx_passes.memory_estimator
        QCOMPARE(model["peak"].toInt(), 356'608);
        QCOMPARE(model["peak_node"].toString(), QStringLiteral("gelu"));
        QCOMPARE(model["resident"].toInt(), model["weights"].toInt() + model["inputs"].toInt());
        const QJsonArray curve = model["curve"].toArray();
        QCOMPARE(curve.size(), model["ops"].toInt());
        int highest = 0;
        for (const QJsonValue& point : curve)
            highest = std::max(highest, point["bytes"].toInt());
        QCOMPARE(highest, model["peak"].toInt());
        QVERIFY(!model.contains("kept_for_backward"));
        QCOMPARE(said["assumptions"]["mode"].toString(), QStringLiteral("inference"));
    }

    void laterStagesHaveFewerMicroBatchesInFlightUnder1F1B()
    {
        const QStringList tags{"--tags", path("tags.json"), "--training"};
        const QJsonArray one = memory(tags).json()["parts"].toArray();
        const QJsonArray many =
            memory(tags + QStringList{"--schedule", "1f1b", "--micro-batches", "8"}).json()["parts"].toArray();
        const QJsonArray all =
            memory(tags + QStringList{"--schedule", "GPipe", "--micro-batches", "8"}).json()["parts"].toArray();
        QCOMPARE(many.size(), 2);
        for (int stage = 0; stage < 2; ++stage) {
            const int kept = one[stage]["kept_for_backward"].toInt();
            QVERIFY(kept > 0);
            QCOMPARE(many[stage]["in_flight"].toInt(), 2 - stage);
            QCOMPARE(many[stage]["kept_for_backward"].toInt(), (2 - stage) * kept);
            QCOMPARE(all[stage]["kept_for_backward"].toInt(), 8 * kept);
        }
    }

    void theOptimizerDecidesItsState()
    {
        for (const auto& [optimizer, buffers] : {std::pair("sgd", 0), {"momentum", 1}, {"adam", 2}}) {
            const QJsonObject part = memory({"--training", "--optimizer", optimizer}).json()["parts"][0].toObject();
            QCOMPARE(part["optimizer"].toInt(), buffers * part["gradients"].toInt());
            QCOMPARE(part["total"].toInt(),
                     part["peak"].toInt() + part["kept_for_backward"].toInt() + part["gradients"].toInt()
                         + part["optimizer"].toInt());
        }
    }

    void extraMemoryAndRecomputedModulesAreRead()
    {
        write(path("costs.json"), R"({"nodes":{"gelu":{"seconds":0.001,"extra_bytes":1000}},"recompute":["blocks"]})");
        const QJsonObject plain = memory({"--training"}).json()["parts"][0].toObject();
        const Answer answer = memory({"--training", "--costs", path("costs.json")});
        QVERIFY2(answer.status == 0, qPrintable(answer.err));
        const QJsonObject part = answer.json()["parts"][0].toObject();
        QCOMPARE(part["extra"].toInt(), 1000);
        QCOMPARE(part["peak"].toInt(), plain["peak"].toInt() + 1000);
        QVERIFY(part["kept_for_backward"].toInt() < plain["kept_for_backward"].toInt());
    }

    void refusesWhatHasNoMeaning_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("message");
        QTest::newRow("schedule") << QStringList{"--training", "--schedule", "PipeDream", "--micro-batches", "4"} << 2
                                  << "unknown schedule";
        QTest::newRow("sizes") << QStringList{"--training", "--schedule", "DualPipeV", "--micro-batches", "4"} << 1
                               << "two stages per rank: 1 stage";
        QTest::newRow("inference") << QStringList{"--training", "--schedule", "inference", "--micro-batches", "4"} << 2
                                   << "not inference";
        QTest::newRow("no micro-batches") << QStringList{"--training", "--schedule", "GPipe"} << 2 << "--micro-batches";
        QTest::newRow("no training") << QStringList{"--schedule", "GPipe", "--micro-batches", "4"} << 2 << "--training";
        QTest::newRow("optimizer without training") << QStringList{"--optimizer", "adam"} << 2 << "--training";
        QTest::newRow("unknown node") << QStringList{"--costs", "COSTS"} << 1 << "nobody";
    }
    void refusesWhatHasNoMeaning()
    {
        QFETCH(QStringList, words);
        write(path("costs.json"), R"({"nodes":{"nobody":{"extra_bytes":1}}})");
        const Answer answer = memory(words.replaceInStrings("COSTS", path("costs.json")));
        QTEST(answer.status, "status");
        QFETCH(QString, message);
        QVERIFY2((answer.out + answer.err).contains(message), qPrintable(answer.out + answer.err));
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return m_folder->filePath(name); }
    static Answer memory(const QStringList& words) { return run(QStringList{"memory", kModel, "--json"} + words); }

    static inline const QString kModel = QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2");
    std::unique_ptr<QTemporaryDir> m_folder;
};

const sunder::test::Registered<MemoryCommandTest> memoryCommandTest("memory_command_test");
#include "memory_command_test.moc"
