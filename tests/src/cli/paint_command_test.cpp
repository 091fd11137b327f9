// sunder-cli paint: fills written as tags.
#include "answer.h"
#include "io/fx_json/fx_json_writer.h"
#include "small_models.h"
#include "test_case.h"
#include "training_program.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace sunder;
using sunder::test::Answer;
using sunder::test::read;
using sunder::test::run;
using sunder::test::write;

class PaintCommandTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        write(path("in.fxj"), test::kSkipModel);
        write(path("tags.json"),
              R"({"order":["p","q"],"tags":{"a":"p","b":"p","c":"p"},"color":{"p":")"
              "#112233" // moc treats it as a directive inside a raw string
              R"("}})");
    }

    void givesATagToWhatAScopeTakes()
    {
        const Answer answer = paint({"--tags", path("tags.json"), "--tag", "q", "--scope", "needing", "--at", "b"});
        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.out, QString("everything that needs b: 2 ops → q\nthe cut stays legal\n"));
        QCOMPARE(tagsWritten(), QString("a:p b:q c:q"));
        const QJsonObject all = QJsonDocument::fromJson(read(path("out.json"))).object();
        QCOMPARE(all["color"].toObject()["p"].toString(), QString("#112233")); // existing colors stay
    }

    void saysWhatBecomesOfTheCut()
    {
        const Answer answer = paint({"--tags", path("tags.json"), "--tag", "q", "--scope", "needed", "--at", "b", "--json"});
        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.json()["ops"].toInt(), 2);
        QCOMPARE(answer.json()["backward_added"].toInt(), 2);
        QCOMPARE(answer.json()["legal"].toBool(), false);
    }

    void aNewTagComesBehindTheOthers()
    {
        QCOMPARE(paint({"--tags", path("tags.json"), "--tag", "r", "--scope", "operator", "--at", "c"}).status, 0);
        QCOMPARE(QJsonDocument::fromJson(read(path("out.json"))).object()["order"].toArray().size(), 3);
        QCOMPARE(tagsWritten(), QString("a:p b:p c:r"));
    }

    void takesWhatLiesBetweenTwo()
    {
        const Answer answer = paint({"--tags", path("tags.json"), "--tag", "q", "--scope", "between", "--at", "c", "--to", "b"});
        QCOMPARE(answer.status, 0);
        QCOMPARE(tagsWritten(), QString("a:p b:q c:q"));
    }

    void theBackwardPassFollows()
    {
        writeJoint();
        const Answer answer = paint({"--tag", "s1", "--scope", "module", "--at", "layers.1", "--json"});
        QCOMPARE(answer.status, 0);
        QCOMPARE(tagsWritten(), QString("bw_h1:s1_backward bw_h1_1:s1_backward h1:s1"));
        QCOMPARE(answer.json()["ops"].toInt(), 3);
        QCOMPARE(answer.json()["untagged"].toInt(), 14);
        QFile::rename(path("out.json"), path("one.json"));
        // A backward op as the target means its forward op.
        QCOMPARE(paint({"--tags", path("one.json"), "--tag", "s0", "--scope", "needed", "--at", "h0"}).status, 0);
        QCOMPARE(tagsWritten(), QString("bw_h0:s0_backward bw_h1:s1_backward bw_h1_1:s1_backward h0:s0 h1:s1"));
        QCOMPARE(QJsonDocument::fromJson(read(path("out.json"))).object()["order"].toVariant().toStringList(),
                 (QStringList{"stage0", "stage1", "s1", "s0", "s0_backward", "s1_backward"}));
        QCOMPARE(paint({"--tags", path("one.json"), "--tag", "s2", "--scope", "module", "--at", "bw_h1"}).status, 0);
        QCOMPARE(tagsWritten(), QString("bw_h1:s2_backward bw_h1_1:s2_backward h1:s2"));
    }

    void theBackwardPassIsTaggedApartWhereOneSaysSo()
    {
        writeJoint();
        const QStringList module = {"--scope", "module", "--at", "layers.1"};
        QCOMPARE(paint(QStringList{"--tag", "s1", "--backward", "apart"} + module).status, 0);
        QCOMPARE(tagsWritten(), QString("bw_h1:s1 bw_h1_1:s1 h1:s1"));
        QFile::rename(path("out.json"), path("apart.json"));
        // Tags made with --backward apart remain separate.
        QCOMPARE(paint({"--tags", path("apart.json"), "--tag", "t", "--scope", "operator", "--at", "loss"}).status, 0);
        QCOMPARE(tagsWritten(), QString("bw_h1:s1 bw_h1_1:s1 h1:s1 loss:t"));
        const Answer other = paint({"--tag", "q", "--scope", "module", "--at", "layers.1", "--backward", "both"});
        QCOMPARE(other.status, 2);
        QVERIFY2(other.err.contains("--backward takes follow or apart, not both"), qPrintable(other.err));
    }

    void refusesWhatMakesNoSense_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        QTest::newRow("another scope") << QStringList{"--tag", "q", "--scope", "near", "--at", "b"} << 2 << "--scope";
        QTest::newRow("no tag") << QStringList{"--scope", "needed", "--at", "b"} << 2 << "--tag";
        QTest::newRow("one end") << QStringList{"--tag", "q", "--scope", "between", "--at", "b"} << 2 << "--to";
        QTest::newRow("an end too many") << QStringList{"--tag", "q", "--scope", "needed", "--at", "b", "--to", "c"} << 2
                                         << "--to";
        QTest::newRow("a width in words") << QStringList{"--tag", "q", "--scope", "module", "--at", "b", "--width", "wide"} << 2
                                          << "--width";
        QTest::newRow("no such node") << QStringList{"--tag", "q", "--scope", "needed", "--at", "z"} << 1 << "z";
        QTest::newRow("no module") << QStringList{"--tag", "q", "--scope", "class", "--at", "b"} << 1 << "contains b";
        QTest::newRow("No region") << QStringList{"--tag", "q", "--scope", "occurrences", "--at", "b"} << 1
                                   << "No repeated region";
    }
    void refusesWhatMakesNoSense()
    {
        QFETCH(QStringList, words);
        QFETCH(int, status);
        QFETCH(QString, says);
        const Answer answer = paint(words);
        QCOMPARE(answer.status, status);
        QVERIFY2(answer.err.contains(says), qPrintable(answer.err));
        QVERIFY(!QFile::exists(path("out.json")));
    }

private:
    void writeJoint() const { QVERIFY(writeFxJson(test::trainingProgram(), path("in.fxj").toStdString()).has_value()); }
    QString path(const char* name) const { return m_folder->filePath(name); }
    Answer paint(const QStringList& words) const
    {
        return run(QStringList{"paint", path("in.fxj"), "-o", path("out.json")} + words);
    }
    QString tagsWritten() const
    {
        QStringList tags;
        const QJsonObject all = QJsonDocument::fromJson(read(path("out.json"))).object()["tags"].toObject();
        for (auto at = all.begin(); at != all.end(); ++at)
            tags << at.key() + u':' + at.value().toString();
        return tags.join(' ');
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

const test::Registered<PaintCommandTest> paintCommandTest("paint_command_test");
#include "paint_command_test.moc"
