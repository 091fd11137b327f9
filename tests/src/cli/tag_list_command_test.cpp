// sunder-cli tag --rename, --merge, --order and sunder-cli devices.
#include "answer.h"
#include "io/side_files/partitioner_files.h"
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
        const Answer answer = edit({"--rename", "q=s", "--merge", "r,s", "--json"});
        QVERIFY2(answer.status == 0, qPrintable(answer.out + answer.err));
        QCOMPARE(written()["order"].toArray(), (QJsonArray{"p", "s"}));
        QCOMPARE(written()["tags"].toObject(), (QJsonObject{{"a", "p"}, {"b", "s"}, {"c", "s"}}));
        QCOMPARE(written()["color"].toObject()["s"].toString(), QString("#112233")); // the color moves with it
        QCOMPARE(answer.json()["tags"].toArray().size(), 2);
    }

    void ordersTopologically()
    {
        QCOMPARE(edit({"--order", "topological"}).status, 0);
        QCOMPARE(written()["order"].toArray(), (QJsonArray{"p", "q", "r"}));
        QCOMPARE(edit({"--order", "q,r,p"}).status, 0);
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
            {"tag", path("shared.fxj"), "--tags", path("shared.json"), "--rename", "s=q", "-o", path("out.json"), "--json"});
        QVERIFY2(answer.status == 0, qPrintable(answer.out + answer.err));
        for (const QJsonValue& tag : answer.json()["tags"].toArray())
            QCOMPARE(tag.toObject()["bytes"].toInt(), 64);
    }

    void refusesWhatCannotBe_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        QTest::newRow("no such tag") << QStringList{"--rename", "t=u"} << 1 << "unknown tag \"t\"";
        QTest::newRow("a name that is taken") << QStringList{"--rename", "p=q"} << 1 << "tag \"q\" already exists";
        QTest::newRow("a dot") << QStringList{"--rename", "p=a.b"} << 1 << "it contains a dot";
        QTest::newRow("no pair") << QStringList{"--merge", "p"} << 2 << "--merge takes A,B, not p";
        QTest::newRow("into itself") << QStringList{"--merge", "p,p"} << 2 << "cannot merge tag \"p\" into itself";
        QTest::newRow("an order of some") << QStringList{"--order", "p,q"} << 1 << "is missing the tag \"r\"";
        QTest::newRow("a circle") << QStringList{"--merge", "r,p", "--order", "topological"} << 1 << "p feeds q feeds p";
        QTest::newRow("with stages") << QStringList{"--stages", "2", "--merge", "p,q"} << 2 << "tag needs one of --stages K";
    }
    void refusesWhatCannotBe()
    {
        QFETCH(QStringList, words);
        QFETCH(int, status);
        QFETCH(QString, says);
        const Answer answer = edit(words);
        QCOMPARE(answer.status, status);
        QVERIFY2(answer.err.contains(says), qPrintable(answer.err));
        QVERIFY(!QFile::exists(path("out.json")));
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
        return run(QStringList{"tag", path("in.fxj"), "--tags", path("in.json"), "-o", path("out.json")} + words);
    }
    QJsonObject written() const { return QJsonDocument::fromJson(read(path("out.json"))).object(); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

const test::Registered<TagListCommandTest> tagListCommandTest("tag_list_command_test");
#include "tag_list_command_test.moc"
