// sunder-cli check, compared with the window's list of problems.
#include "answer.h"
#include "document/document.h"
#include "document/open_model.h"
#include "models/problem_model.h"
#include "small_models.h"
#include "test_case.h"
#include "test_support.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace sunder;
using sunder::test::Answer;
using sunder::test::kSkipModel;
using sunder::test::read;
using sunder::test::run;
using sunder::test::write;

namespace {

Answer check(const QStringList& words)
{
    return run(QStringList{"check"} + words);
}

} // namespace

class CheckCommandTest final : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        write(path("in.fxj"), kSkipModel);
    }

    void saysWhatTheWindowSays_data()
    {
        QTest::addColumn<QByteArray>("tags");
        QTest::addColumn<int>("status");
        QTest::newRow("no tags at all") << QByteArray() << 1;
        QTest::newRow("legal") << QByteArray(R"({"order":["p","q"],"tags":{"a":"p","b":"p","c":"q"}})") << 0;
        QTest::newRow("an empty tag") << QByteArray(R"({"order":["p","q"],"tags":{"a":"p","b":"p","c":"p"}})") << 0;
        QTest::newRow("an untagged op") << QByteArray(R"({"order":["p","q"],"tags":{"a":"p","b":"q"}})") << 1;
        QTest::newRow("backwards") << QByteArray(R"({"order":["p","q"],"tags":{"a":"q","b":"p","c":"p"}})") << 1;
        QTest::newRow("in a circle") << QByteArray(R"({"order":["p","q"],"tags":{"a":"p","b":"q","c":"p"}})") << 1;
        QTest::newRow("a name that no part can have")
            << QByteArray(R"({"order":["p","cuda"],"tags":{"a":"p","b":"p","c":"cuda"}})") << 1;
        QTest::newRow("both") << QByteArray(R"({"order":["p","q"],"tags":{"a":"q","b":"p"}})") << 1;
    }
    void saysWhatTheWindowSays()
    {
        QFETCH(QByteArray, tags);
        QFETCH(int, status);
        QStringList words{path("in.fxj")};
        if (!tags.isEmpty()) {
            write(path("in.tags.json"), tags); // next to the model, where the window looks for it
            words << "--tags" << path("in.tags.json");
        }
        const Answer answer = check(words + QStringList{"--json"});
        QVERIFY2(answer.status == status, qPrintable(answer.out + answer.err));

        openDocument();
        const ProblemModel shown(m_document);
        const QJsonArray said = answer.json()["problems"].toArray();
        QCOMPARE(said.size(), shown.rowCount());
        for (int row = 0; row < said.size(); ++row)
            compare(said[row].toObject(), shown.problem(shown.index(row)), shown.index(row).data().toString());
    }

    void repairAllKeepsAllTags()
    {
        write(path("in.tags.json"), R"({"order":["p","q"],"tags":{"a":"p","b":"q","c":"p"}})");
        const Answer answer = check(
            {path("in.fxj"), "--tags", path("in.tags.json"), "--repair-all", "-o", path("out.json"), "--json"});
        QCOMPARE(answer.status, 0);
        QVERIFY(answer.json()["repaired"].toObject()["removed_tags"].toArray().isEmpty());
        const QJsonObject tags = QJsonDocument::fromJson(read(path("out.json"))).object();
        QCOMPARE(tags["order"].toArray().size(), 2);
        QStringList used;
        for (const QJsonValue& tag : tags["tags"].toObject())
            used << tag.toString();
        QVERIFY(used.contains("p") && used.contains("q"));
    }

    void repairsAsTheWindowDoes_data()
    {
        QTest::addColumn<QByteArray>("tags");
        QTest::newRow("nothing tagged") << QByteArray(R"({"order":["p","q"],"tags":{}})");
        QTest::newRow("untagged, an empty tag") << QByteArray(R"({"order":["p","q"],"tags":{"a":"p"}})");
        QTest::newRow("backwards") << QByteArray(R"({"order":["p","q"],"tags":{"a":"q","b":"p","c":"p"},"color":{"q":"COLOR"}})")
                                          .replace("COLOR", "#88ccee"); // moc treats # in a raw string as a directive
    }
    void repairsAsTheWindowDoes()
    {
        QFETCH(QByteArray, tags);
        write(path("in.tags.json"), tags);
        openDocument();
        int number = 0;
        for (const Problem& problem : Problems(m_document.checks().problems()))
            for (const Repair& repair : problem.repairs) {
                if (repair.kind == Repair::Kind::show)
                    continue;
                const Answer answer = check({path("in.fxj"), "--tags", path("in.tags.json"), "--repair",
                                             QString::number(++number), "-o", path("cli.json"), "--json"});
                QVERIFY2(answer.status == 0 || answer.status == 1, qPrintable(answer.err));
                QCOMPARE(answer.json()["repaired"].toObject()["label"].toString(), QString::fromStdString(repair.label));
                m_document.painting().apply(repair);
                QCOMPARE(answer.status, m_document.checks().report().isLegal() ? 0 : 1);
                QVERIFY(saveTagsFile(path("window.json"), *m_document.snapshot(), m_document.tagState()).has_value());
                QCOMPARE(read(path("cli.json")), read(path("window.json")));
                m_document.undo();
            }
        QVERIFY(number >= 1);
    }

    void saysRepairsWithNumbersAndPrices()
    {
        write(path("tags.json"), R"({"order":["p","q"],"tags":{"a":"q","b":"p","c":"p"}})");
        const Answer answer = check({path("in.fxj"), "--tags", path("tags.json")});
        QCOMPARE(answer.out,
                 QString::fromUtf8("error: a (tag q) feeds b (tag p) and 1 more, but q comes after p.\n"
                                   "  fix 1: Reorder tags: q, p\n"
                                   "  fix 2: Move a to p, remove q: 1 op, 0 B of weights\n"
                                   "  fix 3: Move b and 1 more op to q, remove p: 2 ops, 0 B of weights\n"));
        write(path("legal.json"), R"({"order":["p"],"tags":{"a":"p","b":"p","c":"p"}})");
        const Answer legal = check({path("in.fxj"), "--tags", path("legal.json")});
        QCOMPARE(legal.status, 0);
        QCOMPARE(legal.out, QString("No problems. Ready to split.\n"));
    }

    void saysWhatIsNotProven()
    {
        // A split drops the star of an input, as PyTorch's does.
        write(path("star.fxj"), QByteArray(kSkipModel).replace("\"target\":\"x\"", "\"target\":\"*x\""));
        write(path("tags.json"), R"({"order":["p","q"],"tags":{"a":"p","b":"p","c":"q"}})");
        const QStringList words{path("star.fxj"), "--tags", path("tags.json"), "--json"};
        const Answer plain = check(words + QStringList{"--no-verify"});
        QCOMPARE(plain.status, 0);
        const QJsonArray notes = plain.json()["problems"].toArray(); // no node has a value
        QCOMPARE(notes.size(), 1);
        QCOMPARE(notes[0].toObject()["kind"].toString(), QString("no_values"));
        const Answer verified = check(words);
        QCOMPARE(verified.status, 1);
        QVERIFY(verified.json()["seconds"].toObject().contains("verify"));
        const QJsonObject problem = verified.json()["problems"].toArray().at(0).toObject();
        QCOMPARE(problem["kind"].toString(), QString("not_equal"));
        QCOMPARE(problem["nodes"].toArray(), QJsonArray{"x"});
    }

    void foreseesWhatPartsRefuse_data()
    {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<QByteArray>("tags");
        QTest::addColumn<QString>("kind"); // empty: not refused
        const QByteArray together = R"({"order":["p","q"],"tags":{"a":"p","b":"q","c":"q"}})";
        const QByteArray apart = R"({"order":["p","q","r"],"tags":{"a":"p","b":"q","c":"r"}})";
        QTest::newRow("a known write in one part") << QByteArray("torch.relu_") << together << QString();
        QTest::newRow("a known write to a copy") << QByteArray("torch.relu_") << apart << QString("split_state");
        QTest::newRow("an unknown call without a proof") << QByteArray("mine.soften") << together << QString("undecided");
        QTest::newRow("an unknown call with a copy") << QByteArray("mine.soften") << apart << QString("split_state");
    }
    void foreseesWhatPartsRefuse()
    {
        QFETCH(QByteArray, call);
        QFETCH(QByteArray, tags);
        QFETCH(QString, kind);
        write(path("call.fxj"), QByteArray(kSkipModel).replace("torch.tanh", call));
        write(path("tags.json"), tags);
        const QStringList words{path("call.fxj"), "--tags", path("tags.json")};
        const Answer checked = check(words + QStringList{"--json"});
        QCOMPARE(checked.status, kind.isEmpty() ? 0 : 1);
        QStringList kinds;
        for (const QJsonValue& problem : checked.json()["problems"].toArray())
            kinds << problem["kind"].toString();
        QVERIFY2(kind.isEmpty() || kinds.contains(kind), qPrintable(kinds.join(", ")));
        QCOMPARE(checked.json()["notes"].toArray().size(), call == "mine.soften" ? 1 : 0);
        const QStringList parts = QStringList{"split"} + words + QStringList{"--parts", path("parts")};
        const Answer written = run(parts);
        QCOMPARE(written.status, checked.status);
        QVERIFY(kind.isEmpty() || written.err.contains("equivalent to the model")
                || written.err.contains("have their own copies"));
        QCOMPARE(run(parts + QStringList{"--unproven"}).status, 0);
    }

    void refusesWhatItCannotDo_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        QTest::newRow("a repair that is not there") << QStringList{"--repair", "9"} << 1 << "check lists 3 fixes";
        QTest::newRow("no number") << QStringList{"--repair", "first"} << 2 << "--repair";
        QTest::newRow("merging without repairing all") << QStringList{"--merge-tags"} << 2 << "--repair-all";
        QTest::newRow("an output without a repair") << QStringList{"-o", "out.json"} << 2 << "-o";
        QTest::newRow("a tag that is not there") << QStringList{"--tag", "r"} << 1 << "unknown tag \"r\"";
    }
    void refusesWhatItCannotDo()
    {
        QFETCH(QStringList, words);
        QFETCH(int, status);
        QFETCH(QString, says);
        write(path("tags.json"), R"({"order":["p","q"],"tags":{"a":"q","b":"p","c":"p"}})");
        const Answer answer = check(QStringList{path("in.fxj"), "--tags", path("tags.json")} + words);
        QCOMPARE(answer.status, status);
        QVERIFY2(answer.err.contains(says), qPrintable(answer.err));
    }

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder->filePath(QString::fromUtf8(name)); }

    void openDocument()
    {
        Result<OpenedModel> opened = openModel(path("in.fxj"), {}, nullptr, ProgressMonitor::none());
        QVERIFY(opened.has_value());
        m_document.open(std::move(opened->model), path("in.fxj"));
    }

    void compare(const QJsonObject& said, const Problem& problem, const QString& shown)
    {
        QVERIFY2(shown.startsWith(said["text"].toString()), qPrintable(shown));
        const std::array severities{"note", "warning", "error"};
        QCOMPARE(said["severity"].toString(), QString(severities[static_cast<std::size_t>(problem.severity)]));
        QStringList nodes;
        for (const QJsonValue& name : said["nodes"].toArray())
            nodes << name.toString();
        QStringList wanted;
        for (const NodeId id : problem.nodes)
            wanted << QString::fromStdString(m_document.graph()[id].name.str());
        QCOMPARE(nodes, wanted);
        QStringList repairs;
        for (const QJsonValue& repair : said["repairs"].toArray())
            repairs << repair["label"].toString();
        QStringList buttons;
        for (const Repair& repair : problem.repairs)
            if (repair.kind != Repair::Kind::show)
                buttons << QString::fromStdString(repair.label);
        QCOMPARE(repairs, buttons);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    Document m_document;
};

const test::Registered<CheckCommandTest> checkCommandTest("check_command_test");
#include "check_command_test.moc"
