// sunder-cli tags …, transfer, their old spellings, and sunder-cli devices.
#include "answer.h"
#include "io/side_files/devices_file.h"
#include "small_models.h"
#include "test_case.h"

#include <QJsonArray>
#include <QTemporaryDir>

using namespace sunder;
using sunder::test::Answer;
using sunder::test::kSkipModel;
using sunder::test::read;
using sunder::test::run;
using sunder::test::write;

class TagListCommandTest final : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        write(path("in.fxj"), kSkipModel);
        write(path("in.json"),
              QJsonDocument(QJsonObject{{"order", QJsonArray{"r", "p", "q"}},
                                        {"tags", QJsonObject{{"a", "p"}, {"b", "q"}, {"c", "r"}}},
                                        {"color", QJsonObject{{"q", "#112233"}}}})
                  .toJson());
    }

    void renamesMergesAndOrders()
    {
        QCOMPARE(edit({"rename", path("in.fxj"), "q=s", "p=first"}).status, 0);
        QCOMPARE(written()["order"].toArray(), (QJsonArray{"r", "first", "s"}));
        QCOMPARE(written()["color"].toObject()["s"].toString(), QString("#112233")); // the color moves with it
        const Answer answer = edit({"merge", path("in.fxj"), "r,q", "q,p", "--json"});
        QVERIFY2(answer.status == 0, qPrintable(answer.out + answer.err));
        QCOMPARE(written()["order"].toArray(), QJsonArray{"p"});
        QCOMPARE(answer.json()["tags"].toArray().size(), 1);
    }

    void ordersTopologically()
    {
        QCOMPARE(edit({"order", path("in.fxj"), "topological"}).status, 0);
        QCOMPARE(written()["order"].toArray(), (QJsonArray{"p", "q", "r"}));
        QCOMPARE(edit({"order", path("in.fxj"), "q,r,p"}).status, 0);
        QCOMPARE(written()["order"].toArray(), (QJsonArray{"q", "r", "p"}));
    }

    /// The command counted them only for the tag of the first reader, unlike the list of tags in the window.
    void countsSharedWeightsForEachTag()
    {
        write(path("shared.fxj"), R"({"k":"fx-json","v":[1,0],"min":[1,0]}
{"k":"tensor","fqn":"w","role":"parameter","requires_grad":true,"dtype":"float32","shape":[4,4]}
{"k":"graph","id":"g0","module":""}
{"k":"node","g":"g0","name":"x","op":"placeholder","target":"x","args":[],"kwargs":[]}
{"k":"node","g":"g0","name":"w","op":"get_attr","target":"w","args":[],"kwargs":[]}
{"k":"node","g":"g0","name":"a","op":"call_function","target":"_operator.add","args":[{"n":"x"},{"n":"w"}],"kwargs":[]}
{"k":"node","g":"g0","name":"b","op":"call_function","target":"_operator.mul","args":[{"n":"a"},{"n":"w"}],"kwargs":[]}
{"k":"node","g":"g0","name":"output","op":"output","target":"output","args":[{"n":"b"}],"kwargs":[]}
{"k":"end","nodes":5}
)");
        write(path("shared.json"), R"({"order":["p","s"],"tags":{"a":"p","b":"s"}})");
        const Answer answer = run(
            {"tags", "rename", path("shared.fxj"), "s=q", "--tags", path("shared.json"), "-o", path("out.json"), "--json"});
        QVERIFY2(answer.status == 0, qPrintable(answer.out + answer.err));
        for (const QJsonValue& tag : answer.json()["tags"].toArray())
            QCOMPARE(tag.toObject()["bytes"].toInt(), 64);
    }

    /// Until the old spellings go.
    void oldSpellingsDoTheSameAndNameTheNewOnes_data()
    {
        QTest::addColumn<QStringList>("before");
        QTest::addColumn<QStringList>("now");
        QTest::addColumn<QString>("note");
        const auto row = [](const QStringList& before, const QStringList& now, const char* note) {
            QTest::newRow(note) << before << now << QString::fromUtf8(note);
        };
        row({"--rename", "q=s"}, {"tags", "rename", "IN", "q=s"}, "tag --rename is now sunder-cli tags rename");
        row({"--merge", "p,q"}, {"tags", "merge", "IN", "p,q"}, "tag --merge is now sunder-cli tags merge");
        row({"--order", "p,q,r"}, {"tags", "order", "IN", "p,q,r"}, "tag --order is now sunder-cli tags order");
        row({"--fill", "latest"}, {"tags", "fill", "IN", "latest"}, "tag --fill is now sunder-cli tags fill");
        row({"--straighten"}, {"tags", "straighten", "IN"}, "tag --straighten is now sunder-cli tags straighten");
        row({"--begin", "q=c"}, {"tags", "begin", "IN", "q=c"}, "tag --begin is now sunder-cli tags begin");
        row({"--from", "IN"}, {"transfer", "IN", "--from", "IN"}, "tag --from is now sunder-cli transfer");
    }
    void oldSpellingsDoTheSameAndNameTheNewOnes()
    {
        QFETCH(QStringList, before);
        QFETCH(QStringList, now);
        QFETCH(QString, note);
        const QStringList files{"--tags", path("in.json"), "-o", path("out.json")};
        before = (QStringList{"tag", "IN"} + before + files).replaceInStrings("IN", path("in.fxj"));
        now = (now + files).replaceInStrings("IN", path("in.fxj"));
        const Answer wanted = run(now);
        QVERIFY2(wanted.status == 0, qPrintable(wanted.err));
        const QByteArray made = read(path("out.json"));
        QVERIFY(QFile::remove(path("out.json")));
        const Answer old = run(before);
        QCOMPARE(old.status, 0);
        QCOMPARE(read(path("out.json")), made);
        QCOMPARE(old.out, wanted.out);
        QCOMPARE(old.err, wanted.err + "sunder-cli: note: " + note + '\n');
        QCOMPARE(run(before + QStringList{"--quiet"}).err, run(now + QStringList{"--quiet"}).err);
        QJsonObject json = run(before + QStringList{"--json"}).json();
        QJsonObject jsonNow = run(now + QStringList{"--json"}).json();
        for (const char* figure : {"seconds", "peak_bytes"}) {
            json.remove(figure);
            jsonNow.remove(figure);
        }
        QCOMPARE(json, jsonNow);
        QCOMPARE(run(before + QStringList{"--json"}).err, QString());
    }

    void oneTagCommandMakesSeveralEdits()
    {
        const Answer answer = tag({"--rename", "q=s", "--merge", "r,s"});
        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.err, "sunder-cli: note: tag --rename, --merge is now sunder-cli tags rename, sunder-cli tags merge\n");
        QCOMPARE(written()["order"].toArray(), (QJsonArray{"p", "s"}));
        QCOMPARE(written()["tags"].toObject(), (QJsonObject{{"a", "p"}, {"b", "s"}, {"c", "s"}}));
    }

    void identitiesAreWrittenByBothSpellings()
    {
        QCOMPARE(run({"transfer", path("in.fxj"), "--identity", path("now.json")}).status, 0);
        const Answer old = run({"tag", path("in.fxj"), "--identity", path("old.json")});
        QCOMPARE(old.err, "sunder-cli: note: tag --identity is now sunder-cli transfer\n");
        QCOMPARE(read(path("old.json")), read(path("now.json")));
        QVERIFY(!read(path("now.json")).isEmpty());
    }

    void refusesWhatCannotBe_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("old");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QStringList& words, const QStringList& old, int status, const char* says) {
            QTest::newRow(name) << words << old << status << QString::fromUtf8(says);
        };
        row("no such tag", {"rename", "IN", "t=u"}, {"--rename", "t=u"}, 1, "IN: unknown tag \"t\"");
        row("a name that is taken", {"rename", "IN", "p=q"}, {"--rename", "p=q"}, 1, "IN: tag \"q\" already exists");
        row("a dot", {"rename", "IN", "p=a.b"}, {"--rename", "p=a.b"}, 1, "IN: \"a.b\" cannot name a part: it contains a dot");
        row("no pair", {"merge", "IN", "p"}, {"--merge", "p"}, 2, "SPELLEDmerge takes A,B, not p");
        row("into itself", {"merge", "IN", "p,p"}, {"--merge", "p,p"}, 2, "SPELLEDmerge cannot merge tag \"p\" into itself");
        row("an order of some", {"order", "IN", "p,q"}, {"--order", "p,q"}, 1, "IN: the order is missing the tag \"r\"");
        row("filled in otherwise", {"fill", "IN", "first"}, {"--fill", "first"}, 2,
            "SPELLEDfill takes earliest or latest, not first");
        row("a begin of nothing", {"begin", "IN", "q"}, {"--begin", "q"}, 2,
            "SPELLEDbegin takes TAG=NAME, a tag and the node or module where it begins, not q");
        row("the beginning of no tag", {"begin", "IN", "t=c"}, {"--begin", "t=c"}, 2,
            "tag \"t\" does not follow another stage, so its beginning cannot be moved");
    }
    /// Errors have the same status and text in both spellings, and are one line.
    void refusesWhatCannotBe()
    {
        QFETCH(QStringList, words);
        QFETCH(QStringList, old);
        QFETCH(int, status);
        QFETCH(QString, says);
        const auto line = [&](const char* spelled) {
            return "sunder-cli: " + QString(says).replace("IN", path("in.fxj")).replace("SPELLED", spelled) + '\n';
        };
        const Answer answer = edit(words.replaceInStrings("IN", path("in.fxj")));
        QCOMPARE(answer.status, status);
        QCOMPARE(answer.err, line("tags "));
        const Answer before = tag(old);
        QCOMPARE(before.status, status);
        QCOMPARE(before.err, line("--"));
        QVERIFY(!QFile::exists(path("out.json")));
    }

    void refusesCyclesAndSeveralWays()
    {
        const Answer circle = tag({"--merge", "r,p", "--order", "topological"});
        QCOMPARE(circle.status, 1);
        QVERIFY2(circle.err.contains("p feeds q feeds p"), qPrintable(circle.err));
        const Answer both = tag({"--stages", "2", "--merge", "p,q"});
        QCOMPARE(both.status, 2);
        QVERIFY2(both.err.contains("tag needs one of --stages K, --depth N"), qPrintable(both.err));
    }

    void writesDevicesOfPresets()
    {
        const Answer answer = run(
            {"devices", "--preset", "h100 sxm 80 gb", "--count", "2", "--preset", "L4 24 GB", "-o", path("devices.json")});
        QVERIFY2(answer.status == 0, qPrintable(answer.err));
        const Result<std::vector<Device>> devices = readDevicesFile(path("devices.json").toStdString());
        QVERIFY(devices.has_value());
        QCOMPARE(devices->size(), 3U);
        QCOMPARE((*devices)[1].name, std::string("H100 SXM 1"));
        QCOMPARE((*devices)[1].availableBytes, 80e9);
        QVERIFY((*devices)[2].source.find("NVIDIA L4") == 0);
        QCOMPARE(run({"devices", "--preset", "H1000", "-o", path("none.json")}).status, 2);
        const Answer list = run({"devices", "--list", "--json"});
        QVERIFY(list.json()["presets"].toArray().size() > 20);
        QVERIFY(!list.json()["presets"].toArray()[0].toObject()["source"].toString().isEmpty());
    }

private:
    QString path(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
    Answer edit(const QStringList& words)
    {
        return run(QStringList{"tags"} + words + QStringList{"--tags", path("in.json"), "-o", path("out.json")});
    }
    Answer tag(const QStringList& words)
    {
        return run(QStringList{"tag", path("in.fxj"), "--tags", path("in.json"), "-o", path("out.json")} + words);
    }
    QJsonObject written() const { return QJsonDocument::fromJson(read(path("out.json"))).object(); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

const test::Registered<TagListCommandTest> tagListCommandTest("tag_list_command_test");
#include "tag_list_command_test.moc"
