#include "analysis/tag_palette.h"
#include "io/model_file.h"
#include "io/side_files/side_file_kind.h"
#include "io/side_files/tags_file.h"

#include "test_case.h"

#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>

#include <fstream>

using namespace sunder;

class TagsFileTest final : public QObject {
    Q_OBJECT
private slots:
    void colorsOfModelsCanHaveNames()
    {
        QCOMPARE(hexColor("Red"), std::optional<std::string>("#ff0000"));
        QCOMPARE(hexColor("aliceblue"), std::optional<std::string>("#f0f8ff"));
        QCOMPARE(hexColor("yellowgreen"), std::optional<std::string>("#9acd32"));
        QCOMPARE(hexColor("#88CCEE"), std::optional<std::string>("#88ccee"));
        for (const char* text : {"", "#", "#88cce", "#88cceg", "reddish", "zzz", "aaa"})
            QVERIFY2(!hexColor(text), text);
    }

    void readsWhatItWrites()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("tags.json").toStdString();
        const TagsFile tags{.order = {intern("a"), intern("b\"")},
                            .tags = {{intern("conv1"), intern("b\"")}, {intern("add"), intern("a")}},
                            .colors = {{intern("a"), intern("#88ccee")}}};
        QVERIFY(writeTagsFile(tags, path));
        const Result<TagsFile> again = readTagsFile(path);
        QVERIFY2(again, again ? "" : describe(again.error()).c_str());
        QCOMPARE(again->order, tags.order);
        QCOMPARE(again->tags, tags.tags);
        // A tag without a color gets the palette color of its position.
        QCOMPARE(again->colors, (std::vector{tags.colors.front(), std::pair(intern("b\""), intern(kTagPalette[1]))}));
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("not JSON") << "nope" << "not JSON";
        QTest::newRow("a list") << "[]" << "not an object";
        QTest::newRow("no tags") << R"({"order":[]})" << "lacks a required key, in tags";
        QTest::newRow("a node twice") << R"({"tags":{"x":"a","x":"b"}})" << "duplicate key, in tags.x";
        QTest::newRow("a key twice") << R"({"tags":{},"tags":{}})" << "duplicate key, in tags";
        QTest::newRow("a tag that is a number") << R"({"tags":{"x":1}})" << "must have a string, in tags.x";
        QTest::newRow("an order that is text") << R"({"order":"a","tags":{}})" << "must have a list, in order";
        QTest::newRow("a tag twice in the order") << R"({"order":["a","a"],"tags":{}})" << "has the tag \"a\" twice, in order[1]";
        QTest::newRow("a color that is none") << R"({"tags":{},"color":{"a":"red"}})" << "not a color";
    }
    void refuses()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Result<TagsFile> tags = parseTagsFile(text.toStdString(), "t.json");
        QVERIFY(!tags);
        const QString said = QString::fromStdString(describe(tags.error()));
        QVERIFY2(said.contains(message), qPrintable(said));
    }

    void tellsKindsOfModelFilesApart_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* name, const QByteArray& head, ModelFileKind kind) {
            QTest::newRow(name) << head << static_cast<int>(kind);
        };
        row("fx-json", R"({"k":"fx-json","v":[1,0]})", ModelFileKind::fxJson);
        row("fx-json, keys in another order", "{\"v\":[1,0],\"k\":\"fx-json\"}\n{}", ModelFileKind::fxJson);
        row("gzip", "\x1f\x8b\x08", ModelFileKind::fxJson);
        row("zip", "PK\x03\x04", ModelFileKind::archive);
        row("exported program", "{\n  \"graph_module\": {", ModelFileKind::exportedProgram);
        row("nothing", "", ModelFileKind::empty);
        row("git LFS", "version https://git-lfs.github.com/spec/v1\n", ModelFileKind::lfsPointer);
        row("pickle", QByteArray("\x80\x02}q\x00", 5), ModelFileKind::other);
        row("white space", "  \n ", ModelFileKind::other);
    }
    void tellsKindsOfModelFilesApart()
    {
        QFETCH(QByteArray, head);
        QFETCH(int, kind);
        QCOMPARE(static_cast<int>(modelFileKind(std::string_view(head.constData(), static_cast<std::size_t>(head.size())))),
                 kind);
    }

    void namesWhatBelongsBesideAModel_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("tags") << QByteArray(R"({"order":["a"],"tags":{"x":"a"}})") << QByteArray("--tags");
        QTest::newRow("many tags") << QByteArray("{ \"tags\": {\"a\\\"b: {\": \"s\",") << QByteArray("--tags");
        QTest::newRow("rules") << QByteArray(R"({"order":["a"],"rules":[{"module":"m","tag":"a"}]})") << QByteArray("--rules");
        QTest::newRow("devices") << QByteArray("\n [ {\"name\" : \"d\", \"available_mem_bytes\": 1}]") << QByteArray("--devices");
        QTest::newRow("project") << QByteArray(R"({"sunder":1,"source":{"relative":"a"}})") << QByteArray(".sunder");
        QTest::newRow("parts") << QByteArray(R"({"format":"sunder-parts","version":1,"source":{}})") << QByteArray("parts");
        QTest::newRow("partitioner") << QByteArray(R"({"mode":"size_based","devices":[]})") << QByteArray("--config");
        QTest::newRow("identity") << QByteArray(R"({"version":1,"texts":["")") << QByteArray("--from");
    }
    void namesWhatBelongsBesideAModel()
    {
        QFETCH(QByteArray, head);
        QFETCH(QByteArray, says);
        const std::string_view name = nameOfSideFile({head.constData(), static_cast<std::size_t>(head.size())});
        QVERIFY2(name.find(says.constData()) != std::string_view::npos, std::string(name).c_str());
        QTemporaryFile file;
        QVERIFY(file.open() && file.write(head) == head.size() && file.flush());
        const Result<Program> read = readModel(file.fileName().toStdString());
        QVERIFY(!read && describe(read.error()).find(name) != std::string::npos);
        for (qsizetype cut = 0; cut < head.size(); ++cut) // no truncation makes it read past the end
            (void)nameOfSideFile({head.constData(), static_cast<std::size_t>(cut)});
    }

    void namesWhatIsNotAModel()
    {
        QVERIFY(nameOfContent("\x89PNG\r\n").find("picture") != std::string_view::npos);
        QVERIFY(nameOfContent(std::string_view("\x08\x07\x12\x07pytorch", 11)).find("ONNX") != std::string_view::npos);
        QCOMPARE(nameOfSideFile(R"({"graph_module":{"tags":1},"schema_version":8})"), std::string_view());
        QCOMPARE(nameOfSideFile(R"({"x":{"tags":{}}})"), std::string_view()); // only top-level keys count
        const Result<Program> folder = readModel("/tmp");
        QVERIFY(!folder);
        QVERIFY(describe(folder.error()).find("/tmp: this is a folder") == 0);
    }
};

const test::Registered<TagsFileTest> tagsFileTest("tags_file_test");
#include "tags_file_test.moc"
