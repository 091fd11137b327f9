// The options of `sunder-cli schedule` and `balance --objective step`. tests/torch compares the orders with PyTorch.
#include "answer.h"
#include "test_case.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using sunder::test::Answer;
using sunder::test::run;

class ScheduleCommandTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        QCOMPARE(run({"tag", kModel, "--stages", "4", "-o", path("tags.json")}).status, 0);
        QCOMPARE(run({"devices", "--preset", "H100 SXM 80 GB", "--count", "2", "-o", path("two.json")}).status, 0);
    }

    void withoutAModelTimesAreUnits()
    {
        const QJsonObject said = schedule({"--schedule", "1f1b", "--ranks", "4", "--micro-batches", "8"}).json();
        QCOMPARE(said["step"].toDouble(), 33.0);
        QCOMPARE(said["in_flight"].toArray(), (QJsonArray{4, 3, 2, 1}));
        QVERIFY(said["ranks"][0]["device"].isNull());
        QVERIFY(!said.contains("stages"));
    }

    void stagesShareTheGivenDevices()
    {
        const QJsonObject said = schedule({kModel, "--tags", path("tags.json"), "--devices", path("two.json"), "--schedule",
                                           "Interleaved1F1B", "--micro-batches", "4"})
                                     .json();
        QCOMPARE(said["ranks"].toArray().size(), 2);
        QCOMPARE(said["ranks"][1]["device"].toString(), QStringLiteral("H100 SXM 1"));
        QCOMPARE(said["ranks"][0]["available_bytes"].toDouble(), 80e9);
        QCOMPARE(said["stages"][3]["rank"].toInt(), 1);
        QVERIFY(said["ranks"][0]["peak_bytes"].toInt() > 0);
    }

    void bestRowOfASweepIsWritten()
    {
        const QJsonObject said = schedule({kModel, "--sweep", "--devices", path("two.json"), "--schedule", "GPipe,zbvzerobubble",
                                           "--micro-batches", "4,8", "-o", path("best.json")})
                                     .json();
        QCOMPARE(said["rows"].toArray().size(), 4); // GPipe with 2 stages, ZBV with 4
        const QJsonObject best = said["rows"][3].toObject();
        QVERIFY(best["best"].toBool());
        const QJsonObject again = schedule({kModel, "--tags", path("best.json"), "--devices", path("two.json"), "--schedule",
                                            "ZBVZeroBubble", "--micro-batches", "8"})
                                      .json();
        QCOMPARE(again["step"].toDouble(), best["step"].toDouble());
    }

    void stepOfBalanceIsThatOfTheSchedule()
    {
        const Answer balanced = run({"balance", kModel, "--stages", "4", "--objective", "step", "--schedule", "1F1B",
                                     "--micro-batches", "8", "-o", path("fast.json"), "--json"});
        QVERIFY2(balanced.status == 0, qPrintable(balanced.err));
        const QJsonObject said =
            schedule({kModel, "--tags", path("fast.json"), "--schedule", "1F1B", "--micro-batches", "8"}).json();
        QVERIFY(std::abs(said["step"].toDouble() / balanced.json()["step"].toDouble() - 1) < 1e-9);
        QVERIFY(balanced.json()["step_bound"].toDouble() <= balanced.json()["step"].toDouble());
    }

    void stepsAndLoadsOfTwoCutsAreCompared()
    {
        QCOMPARE(run({"balance", kModel, "--stages", "4", "-o", path("even.json")}).status, 0);
        const QStringList words{"compare",         kModel, path("tags.json"), path("even.json"), "--loads", "--schedule", "1F1B",
                                "--micro-batches", "8"};
        const Answer plain = run(words);
        QVERIFY2(plain.status == 0, qPrintable(plain.err));
        QVERIFY2(plain.out.contains("after: optimal, proven (bound "), qPrintable(plain.out));
        QVERIFY2(plain.out.contains("1F1B, 8 micro-batches: step "), qPrintable(plain.out));
        const QJsonObject said = run(words + QStringList{"--json"}).json();
        const QJsonObject before = said["loads"]["before"].toObject();
        const QJsonObject after = said["loads"]["after"].toObject();
        QCOMPARE(after["gap"].toDouble(), 0.0);
        QCOMPARE(before["bound"].toDouble(), after["load"].toDouble());
        QCOMPARE(before["stages"].toArray().size(), 4);
        const QJsonObject alone =
            schedule({kModel, "--tags", path("tags.json"), "--schedule", "1F1B", "--micro-batches", "8"}).json();
        QCOMPARE(said["step"]["before"]["step"].toDouble(), alone["step"].toDouble());
        QCOMPARE(said["step"]["before"]["ranks"][3]["peak_bytes"].toDouble(), alone["ranks"][3]["peak_bytes"].toDouble());
        const Answer refused = run(words + QStringList{"--devices", path("two.json")});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("4 stages are more than 2 devices"), qPrintable(refused.err));
    }

    void refusesWhatHasNoMeaning_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("message");
        QTest::newRow("no schedule") << QStringList{"--micro-batches", "4"} << 2 << "--schedule NAME, or --sweep";
        QTest::newRow("no ranks") << QStringList{"--schedule", "GPipe", "--micro-batches", "4"} << 2 << "IN or --ranks";
        QTest::newRow("no micro-batch") << QStringList{"--schedule", "GPipe", "--ranks", "2", "--micro-batches", "0"} << 2
                                        << "numbers from 1";
        QTest::newRow("several") << QStringList{"--schedule", "GPipe", "--ranks", "2", "--micro-batches", "4,8"} << 2
                                 << "need --sweep";
        QTest::newRow("tags without a model")
            << QStringList{"--schedule", "GPipe", "--ranks", "2", "--micro-batches", "4", "--tags", "TAGS"} << 2 << "needs IN";
        QTest::newRow("sizes") << QStringList{"--schedule", "1F1B", "--ranks", "4", "--micro-batches", "2"} << 1
                               << "at least as many micro-batches as stages";
        QTest::newRow("devices") << QStringList{kModel,  "--tags",          "TAGS", "--devices", "TWO", "--schedule",
                                                "GPipe", "--micro-batches", "4"}
                                 << 1 << "4 ranks need 4 devices; there are 2";
        QTest::newRow("sweep of a cut") << QStringList{kModel, "--tags",          "TAGS", "--sweep", "--stages",
                                                       "2",    "--micro-batches", "4"}
                                        << 2 << "--tags is one cut";
    }
    void refusesWhatHasNoMeaning()
    {
        QFETCH(QStringList, words);
        words.replaceInStrings("TAGS", path("tags.json")).replaceInStrings("TWO", path("two.json"));
        const Answer answer = schedule(words);
        QTEST(answer.status, "status");
        QFETCH(QString, message);
        QVERIFY2((answer.out + answer.err).contains(message), qPrintable(answer.out + answer.err));
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return m_folder->filePath(name); }
    static Answer schedule(const QStringList& words) { return run(QStringList{"schedule", "--json"} + words); }

    static inline const QString kModel = QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2");
    std::unique_ptr<QTemporaryDir> m_folder;
};

const sunder::test::Registered<ScheduleCommandTest> scheduleCommandTest("schedule_command_test");
#include "schedule_command_test.moc"
