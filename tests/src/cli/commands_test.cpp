#include "answer.h"
#include "test_case.h"
#include "test_support.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSizeF>
#include <QTemporaryDir>
#include <QTest>

#include <cstddef>
#include <vector>

using sunder::test::Answer;
using sunder::test::read;
using sunder::test::run;
using sunder::test::write;

namespace {

/// Two relus and an add: x → a → c, x → b → c.
const QByteArray kDiamond = R"({"k":"fx-json","v":[1,0],"min":[1,0]}
{"k":"graph","id":"g0","module":""}
{"k":"node","g":"g0","name":"x","op":"placeholder","target":"x","args":[],"kwargs":[]}
{"k":"node","g":"g0","name":"a","op":"call_function","target":"torch.relu","args":[{"n":"x"}],"kwargs":[]}
{"k":"node","g":"g0","name":"b","op":"call_function","target":"torch.tanh","args":[{"n":"x"}],"kwargs":[]}
{"k":"node","g":"g0","name":"c","op":"call_function","target":"_operator.add","args":[{"n":"a"},{"n":"b"}],"kwargs":[]}
{"k":"node","g":"g0","name":"output","op":"output","target":"output","args":[{"n":"c"}],"kwargs":[]}
{"k":"end","nodes":5}
)";

/// y = linear(x, w) with these strides of w.
QByteArray laid(const char* strides)
{
    return QByteArray(R"({"k":"fx-json","v":[1,0],"min":[1,0]}
{"k":"storage","id":"s0","nbytes":24}
{"k":"tensor","fqn":"w","role":"parameter","requires_grad":true,"dtype":"float32","shape":[2,3],"stride":STRIDES,"offset":0,"storage":"s0"}
{"k":"graph","id":"g0","module":""}
{"k":"node","g":"g0","name":"x","op":"placeholder","target":"x","args":[],"kwargs":[]}
{"k":"node","g":"g0","name":"w","op":"get_attr","target":"w","args":[],"kwargs":[]}
{"k":"node","g":"g0","name":"y","op":"call_function","target":"torch.ops.aten.linear.default","args":[{"n":"x"},{"n":"w"}],"kwargs":[]}
{"k":"node","g":"g0","name":"output","op":"output","target":"output","args":[{"n":"y"}],"kwargs":[]}
{"k":"end","nodes":4}
)")
        .replace("STRIDES", strides);
}

} // namespace

class CommandsTest final : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        write(path("in.fxj"), kDiamond);
    }

    void comparesTwoCuts()
    {
        write(path("before.json"), R"({"order":["p","q"],"tags":{"a":"p","b":"p","c":"q"}})");
        write(path("after.json"), R"({"order":["p","q"],"tags":{"a":"p","b":"q","c":"q"}})");
        const Answer plain = run({"compare", path("in.fxj"), path("before.json"), path("after.json")});
        QCOMPARE(plain.status, 0);
        QVERIFY2(plain.out.contains("1 op moved\n  1 op from p to q"), qPrintable(plain.out));
        const QJsonObject json = run({"compare", path("in.fxj"), path("before.json"), path("after.json"), "--json"}).json();
        QCOMPARE(json["moved"].toArray().at(0)["node"].toString(), QString("b"));
        QCOMPARE(json["moved"].toArray().at(0)["after"].toString(), QString("q"));
        QCOMPARE(json["parts"].toArray().size(), 2);
        QVERIFY(json["cut"].isObject());
        QCOMPARE(run({"compare", path("in.fxj"), path("before.json"), path("nowhere.json")}).status, 3);
    }

    void findsNodesByAQuery()
    {
        const Answer plain = run({"find", path("in.fxj"), "op:relu|tanh"});
        QCOMPARE(plain.status, 0);
        QCOMPARE(plain.out, QString("a  relu\nb  tanh\n"));
        const QJsonArray nodes = run({"find", path("in.fxj"), "-op:call_function", "--json"}).json()["nodes"].toArray();
        QCOMPARE(nodes.size(), 0); // parsed as an unknown option
        const QJsonArray others = run({"find", "--json", "--", path("in.fxj"), "-op:call_function"}).json()["nodes"].toArray();
        QCOMPARE(others.size(), 2);
        QCOMPARE(others.at(0)["name"].toString(), QString("x"));
    }

    void saysWhyNoNodeIsFound()
    {
        const Answer nothing = run({"find", path("in.fxj"), "op:rel"});
        QCOMPARE(nothing.status, 1);
        QCOMPARE(nothing.out, QString("No node matches op:rel; there is op:relu\n"));
        write(path("tags.json"), R"({"order":["p"],"tags":{"a":"p"}})");
        QCOMPARE(run({"find", path("in.fxj"), "tag:p", "--tags", path("tags.json")}).out, QString("a  relu\n"));
    }

    void wrongCommandLinesExitWithTwo_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        QTest::newRow("an unknown command") << QStringList{"slice"} << "slice";
        QTest::newRow("a query with a mistake") << QStringList{"find", path("in.fxj"), "opp:relu"} << "did you mean op:?";
        QTest::newRow("an unknown option") << QStringList{"info", "--fast", "in.fxj"} << "fast";
        QTest::newRow("a missing file name") << QStringList{"verify", "in.fxj"} << "A B";
        QTest::newRow("split without an output") << QStringList{"split", "in.fxj", "--tags", "t.json"} << "-o";
        QTest::newRow("tags made in two ways")
            << QStringList{"tag", "in.fxj", "--stages", "2", "--fill", "latest", "-o", "t"} << "one of";
        QTest::newRow("tags made in no way") << QStringList{"tag", "in.fxj", "-o", "t"} << "--pattern";
        QTest::newRow("filled in otherwise") << QStringList{"tag", "in.fxj", "--fill", "first", "-o", "t"} << "earliest";
        QTest::newRow("modules without stages")
            << QStringList{"tag", "in.fxj", "--depth", "1", "--at-modules", "-o", "t"} << "--stages";
        QTest::newRow("a begin of nothing") << QStringList{"tag", "in.fxj", "--begin", "stage1", "-o", "t"} << "TAG=NAME";
        QTest::newRow("stages at modules without stages")
            << QStringList{"tag", "in.fxj", "--stages", "2", "--depth", "1", "-o", "t"} << "--at-modules";
        QTest::newRow("a group without a command") << QStringList{"tags"} << "tags needs a command";
        QTest::newRow("an unknown command of a group")
            << QStringList{"tags", "paint", "in.fxj"} << "unknown command \"tags paint\"";
        QTest::newRow("no name to rename") << QStringList{"tags", "rename", "in.fxj", "-o", "t"} << "tags rename needs IN A=B…";
        QTest::newRow("two orders") << QStringList{"tags", "order", "in.fxj", "p,q", "q,p", "-o", "t"} << "got 3 arguments";
        QTest::newRow("an edit without an output")
            << QStringList{"tags", "merge", "in.fxj", "p,q"} << "tags merge needs -o TAGS.json";
        QTest::newRow("a transfer from nothing") << QStringList{"transfer", "in.fxj", "-o", "t"} << "--from OLD or --identity";
        QTest::newRow("a transfer without an output")
            << QStringList{"transfer", "in.fxj", "--from", "in.fxj"} << "transfer needs -o TAGS.json";
        QTest::newRow("a report of no transfer")
            << QStringList{"transfer", "in.fxj", "--identity", "i.json", "--report", "r.json"} << "--report needs --from OLD";
        QTest::newRow("stages that are no number") << QStringList{"tag", "in.fxj", "--stages", "two", "-o", "t"} << "--stages";
    }
    void wrongCommandLinesExitWithTwo()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        const Answer answer = run(words);
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.contains(says), qPrintable(answer.err));
        QVERIFY(answer.out.isEmpty());
    }

    void helpListsEveryCommand()
    {
        const Answer answer = run({"--help"});
        QCOMPARE(answer.status, 0);
        for (const char* command : {"info", "convert", "tag", "tags rename", "transfer", "split", "verify", "render"})
            QVERIFY(answer.out.contains(QStringLiteral("sunder-cli ") + command));
    }

    void unreadableFilesExitWithThreeAndAreNamed_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("empty") << QByteArray() << "empty";
        QTest::newRow("truncated") << kDiamond.left(kDiamond.indexOf("{\"k\":\"end\"")) << "truncated";
        QTest::newRow("of a later version") << QByteArray(kDiamond).replace("\"min\":[1,0]", "\"min\":[2,0]") << "2.0";
        QTest::newRow("no model at all") << QByteArray("hello, this is a letter\n") << "letter.fxj";
    }
    void unreadableFilesExitWithThreeAndAreNamed()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        write(path("letter.fxj"), bytes);
        const Answer answer = run({"convert", path("letter.fxj"), path("out.fxj")});
        QCOMPARE(answer.status, 3);
        QVERIFY2(answer.err.contains("letter.fxj: the file ") && answer.err.contains(says), qPrintable(answer.err));
        QCOMPARE(answer.err.count('\n'), 1);
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), (QStringList{"in.fxj", "letter.fxj"}));
    }

    void errorsAreJsonWhenAskedFor()
    {
        const Answer answer = run({"info", path("missing.pt2"), "--json"});
        QCOMPARE(answer.status, 3);
        const QJsonObject error = answer.json()["error"].toObject();
        QCOMPARE(error["code"].toString(), QStringLiteral("io"));
        QCOMPARE(error["where"].toObject()["file"].toString(), path("missing.pt2"));
        QVERIFY(!error["message"].toString().isEmpty());
    }

    void splitsProvesAndWrites()
    {
        write(path("tags.json"), R"({"order":["p","q"],"tags":{"a":"p","b":"p","c":"q"}})");
        const Answer answer = run({"split", path("in.fxj"), "--tags", path("tags.json"), "-o", path("out.fxj"), "--json"});
        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.json()["verified"].toBool(), true);
        for (const char* step : {"read", "pass", "verify", "write"})
            QVERIFY2(answer.json()["seconds"].toObject().contains(step), step);
        QVERIFY(answer.json()["peak_bytes"].toDouble() > 1e6);
        QCOMPARE(run({"verify", path("in.fxj"), path("out.fxj")}).status, 0);
    }

    void itsMemoryIsNotThatOfTheProcessThatStartsIt()
    {
        constexpr std::size_t kOwn = std::size_t{768} << 20U;
        const std::vector<char> own(kOwn, 1); // resident, since it is written to
        const Answer answer = run({"info", path("in.fxj"), "--json"});
        QCOMPARE(answer.status, 0);
        QVERIFY(answer.json()["peak_bytes"].toDouble() > 1e6);
        QVERIFY(answer.json()["peak_bytes"].toDouble() < static_cast<double>(own.size()) / 2);
    }

    void refusedSplitsNameNodesAndTags_data()
    {
        QTest::addColumn<QByteArray>("tags");
        QTest::addColumn<QStringList>("says");
        QTest::newRow("an untagged node") << QByteArray(R"({"order":["p"],"tags":{"a":"p","c":"p"}})") << QStringList{"b"};
        QTest::newRow("an order that runs backward")
            << QByteArray(R"({"order":["q","p"],"tags":{"a":"p","b":"p","c":"q"}})") << QStringList{"a", "c", "p", "q"};
        QTest::newRow("an unknown tag") << QByteArray(R"({"order":["p"],"tags":{"a":"p","b":"elsewhere","c":"p"}})")
                                        << QStringList{"b", "elsewhere"};
    }
    void refusedSplitsNameNodesAndTags()
    {
        QFETCH(QByteArray, tags);
        QFETCH(QStringList, says);
        write(path("tags.json"), tags);
        const Answer answer = run({"split", path("in.fxj"), "--tags", path("tags.json"), "-o", path("out.fxj")});
        QCOMPARE(answer.status, 1);
        for (const QString& word : says)
            QVERIFY2(answer.err.contains(word), qPrintable(answer.err));
        QVERIFY(!QFile::exists(path("out.fxj")));
    }

    void tagMakesStagesThatSplit()
    {
        QCOMPARE(run({"tag", path("in.fxj"), "--stages", "2", "--by", "nodes", "-o", path("tags.json")}).status, 0);
        const QJsonObject tags = QJsonDocument::fromJson(read(path("tags.json"))).object();
        QCOMPARE(tags["order"].toArray().size(), 2);
        QCOMPARE(tags["tags"].toObject().size(), 3);
        QCOMPARE(run({"split", path("in.fxj"), "--tags", path("tags.json"), "-o", path("out.fxj")}).status, 0);
    }

    void tagFillsInStraightensAndMovesBorders()
    {
        QCOMPARE(run({"tag", path("in.fxj"), "--stages", "2", "--by", "nodes", "-o", path("tags.json")}).status, 0);
        const auto tagOf = [&](const char* file, const char* node) {
            return QJsonDocument::fromJson(read(path(file))).object()["tags"].toObject()[node].toString();
        };
        const QString second = tagOf("tags.json", "b");
        const Answer moved = run(
            {"tags", "begin", path("in.fxj"), "stage1=b", "--tags", path("tags.json"), "-o", path("moved.json"), "--json"});
        QVERIFY2(moved.status == 0, qPrintable(moved.err));
        QCOMPARE(tagOf("moved.json", "b"), QStringLiteral("stage1"));
        QVERIFY(moved.json()["legal"].toBool());
        QCOMPARE(moved.json()["changed"].toInt(), second == QStringLiteral("stage1") ? 0 : 1);
        const Answer nowhere = run(
            {"tags", "begin", path("in.fxj"), "stage1=z", "--tags", path("tags.json"), "-o", path("n.json")});
        QCOMPARE(nowhere.status, 2);
        write(path("free.json"), R"({"order":["p","q"],"tags":{"a":"q","c":"p"}})");
        for (const char* how : {"earliest", "latest"})
            QCOMPARE(run({"tags", "fill", path("in.fxj"), how, "--tags", path("free.json"), "-o", path("full.json")}).status, 0);
        const Answer straight = run(
            {"tags", "straighten", path("in.fxj"), "--tags", path("free.json"), "-o", path("s.json"), "--json"});
        QVERIFY2(straight.status == 0, qPrintable(straight.err));
        QVERIFY(straight.json()["legal"].toBool());
        QVERIFY(straight.json()["why"].toString().startsWith("Reorders the tags by execution"));
        const Answer deep = run({"tag", path("in.fxj"), "--depth", "1", "-o", path("deep.json")});
        QCOMPARE(deep.status, 1); // the model has no modules
        QVERIFY(!QFile::exists(path("deep.json")));
    }

    void verifyTellsDifferentProgramsApart()
    {
        write(path("other.fxj"), QByteArray(kDiamond).replace("torch.tanh", "torch.sigmoid"));
        const Answer answer = run({"verify", path("in.fxj"), path("other.fxj"), "--json"});
        QCOMPARE(answer.status, 1);
        QCOMPARE(answer.json()["verdict"].toString(), QStringLiteral("different"));
        QVERIFY(answer.json()["why"].toString().contains("b"));
    }

    void verifyAllowsForRoundingWhereTold()
    {
        write(path("a.fxj"), laid("[3,1]"));
        write(path("b.fxj"), laid("[1,2]"));
        const QStringList words{"verify", path("a.fxj"), path("b.fxj"), "--no-weights"};
        const Answer answer = run(words + QStringList{"--json"});
        QCOMPARE(answer.status, 1);
        QCOMPARE(answer.json()["verdict"].toString(), QStringLiteral("same_up_to_rounding"));
        const QJsonObject rounding = answer.json()["rounding"].toObject();
        QCOMPARE(rounding["count"].toInt(), 1);
        QCOMPARE(rounding["names"].toArray().first().toString(), QStringLiteral("y"));
        const Answer allowed = run(words + QStringList{"--allow-rounding"});
        QCOMPARE(allowed.status, 0);
        QVERIFY2(allowed.out.startsWith("Equivalent up to rounding: "), qPrintable(allowed.out));
        QCOMPARE(run({"verify", path("a.fxj"), path("a.fxj"), "--no-weights", "--allow-rounding"}).status, 0);
        write(path("other.fxj"), QByteArray(kDiamond).replace("torch.tanh", "torch.sigmoid"));
        QCOMPARE(run({"verify", path("in.fxj"), path("other.fxj"), "--allow-rounding"}).status, 1);
    }

    void drawsWithoutADisplay_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
    }
    void drawsWithoutADisplay()
    {
        QFETCH(QString, suffix);
        QFETCH(QByteArray, begin);
        const QString picture = path("picture." + suffix);
        const Answer answer = run({"render", path("in.fxj"), picture});
        QVERIFY2(answer.status == 0, qPrintable(answer.err));
        QVERIFY(read(picture).startsWith(begin));
    }

    void drawsToTheRightAndInColumns()
    {
        QCOMPARE(run({"render", path("in.fxj"), path("down.svg"), "--columns", "1"}).status, 0);
        QCOMPARE(run({"render", path("in.fxj"), path("right.svg"), "--direction", "right", "--columns", "auto"}).status, 0);
        const Answer converted = run({"convert", path("in.fxj"), path("converted.svg")});
        QCOMPARE(converted.status, 0);
        QCOMPARE(converted.err, QString()); // does not require options that only "render" has
        const auto size = [&](const char* name) {
            const QRegularExpressionMatch box =
                QRegularExpression("viewBox=\"0 0 (\\S+) (\\S+)\"").match(QString(read(path(name))));
            return QSizeF(box.captured(1).toDouble(), box.captured(2).toDouble());
        };
        QVERIFY(size("down.svg").height() > size("right.svg").height());
        QVERIFY(size("down.svg").width() < size("right.svg").width());
        for (const QStringList& wrong : {QStringList{"--columns", "0"}, {"--columns", "many"}, {"--direction", "up"}}) {
            const Answer answer = run(QStringList{"render", path("in.fxj"), path("no.svg")} + wrong);
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.contains(wrong.last()), qPrintable(answer.err));
        }
    }

    void colorsByPartitionsAndByRepeatedRegions()
    {
        write(path("partitions.json"), R"({"a": 0, "c": "tail"})");
        QCOMPARE(
            run({"render", path("in.fxj"), path("p.svg"), "--color-by", "partition", "--partitions", path("partitions.json")})
                .status,
            0);
        QCOMPARE(read(path("p.svg")).count(">P0<"), 1);
        QCOMPARE(run({"render", path("in.fxj"), path("t.svg")}).status, 0);
        QVERIFY(!read(path("t.svg")).contains(">P0<"));
        QByteArray twice = kDiamond; // x → relu → tanh → relu → tanh
        twice.replace(R"("torch.tanh","args":[{"n":"x"}])", R"("torch.tanh","args":[{"n":"a"}])");
        twice.replace(R"("_operator.add","args":[{"n":"a"},{"n":"b"}])", R"("torch.relu","args":[{"n":"b"}])");
        twice.replace(
            R"({"k":"node","g":"g0","name":"output","op":"output","target":"output","args":[{"n":"c"}])",
            R"({"k":"node","g":"g0","name":"d","op":"call_function","target":"torch.tanh","args":[{"n":"c"}],"kwargs":[]}
{"k":"node","g":"g0","name":"output","op":"output","target":"output","args":[{"n":"d"}])");
        twice.replace(R"("nodes":5)", R"("nodes":6)");
        write(path("twice.fxj"), twice);
        const Answer regions = run({"render", path("twice.fxj"), path("r.svg"), "--color-by", "region", "--key", "structural"});
        QVERIFY2(regions.status == 0, qPrintable(regions.err));
        QCOMPARE(read(path("r.svg")).count(">R0<"), 4);
        for (const QStringList& wrong : {QStringList{"--color-by", "partition"},
                                         {"--color-by", "colour"},
                                         {"--color-by", "op", "--key", "tracked"},
                                         {"--partitions", path("partitions.json")}}) {
            const Answer answer = run(QStringList{"render", path("in.fxj"), path("no.svg")} + wrong);
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.contains("--color-by"), qPrintable(answer.err));
        }
    }

    void colorsByCosts()
    {
        write(path("seconds.csv"), "node,seconds\na,0.002\n");
        const Answer bytes = run({"render", path("in.fxj"), path("b.svg"), "--color-by", "bytes", "--expand-all"});
        QVERIFY2(bytes.status == 0, qPrintable(bytes.err));
        QVERIFY(read(path("b.svg")).contains(">Bytes<"));
        QVERIFY2(bytes.out.contains("colors: Bytes from "), qPrintable(bytes.out));
        const Answer seconds = run(
            {"render", path("in.fxj"), path("s.svg"), "--color-by", "seconds", "--costs", path("seconds.csv")});
        QVERIFY2(seconds.status == 0, qPrintable(seconds.err));
        QVERIFY2(seconds.out.contains("to 2 ms, the whole model"), qPrintable(seconds.out));
        QVERIFY2(seconds.out.contains("2 ops without a value"), qPrintable(seconds.out));
        QVERIFY(read(path("s.svg")).contains(">no value<"));
        write(path("data.json"), R"({"main": {"results": {"a": {"value": 3}}}})");
        const Answer data = run(
            {"render", path("in.fxj"), path("d.svg"), "--color-by", "data", "--node-data", path("data.json")});
        QVERIFY2(data.status == 0, qPrintable(data.err));
        QVERIFY2(data.out.contains("2 ops without a value"), qPrintable(data.out));
        for (const QStringList& wrong : {QStringList{"--color-by", "seconds"},
                                         {"--color-by", "data"},
                                         {"--color-by", "flops", "--costs", path("seconds.csv")}}) {
            const Answer answer = run(QStringList{"render", path("in.fxj"), path("no.svg")} + wrong);
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.contains("--color-by"), qPrintable(answer.err));
        }
    }

    void convertsIntoWhatOthersRead()
    {
        QCOMPARE(run({"tag", path("in.fxj"), "--stages", "2", "--by", "nodes", "-o", path("tags.json")}).status, 0);
        for (const char* name : {"out.dot", "out.py", "out.json", "out.fxj"}) {
            const Answer answer = run({"convert", path("in.fxj"), path(name), "--tags", path("tags.json")});
            QVERIFY2(answer.status == 0, qPrintable(answer.err));
            QVERIFY2(read(path(name)).contains("stage1"), name);
        }
        QVERIFY(read(path("out.tags.json")).contains("\"value\":\"stage0\""));
        QVERIFY(read(path("out.py")).contains("def split(graph_module"));
        const Answer answer = run({"convert", path("in.fxj"), path("out.exe")});
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.contains(".dot"), qPrintable(answer.err));
    }

    void saysWhatACutCosts()
    {
        QCOMPARE(run({"tag", path("in.fxj"), "--stages", "2", "--by", "nodes", "-o", path("tags.json")}).status, 0);
        const Answer answer = run(
            {"split", path("in.fxj"), "--tags", path("tags.json"), "-o", path("s.fxj"), "--cost", path("cost.json")});
        QVERIFY2(answer.status == 0, qPrintable(answer.err));
        const QJsonObject report = QJsonDocument::fromJson(read(path("cost.json"))).object();
        const QJsonArray parts = report["parts"].toArray();
        QCOMPARE(parts.size(), 2);
        QVERIFY(!parts[0].toObject()["unknown_values"].toArray().isEmpty()); // the file has no sizes
        QVERIFY(report["ribbons"].toArray()[0].toObject()["values"].toArray()[0].toObject()["bytes"].isNull());
        QVERIFY2(answer.out.contains("unknown"), qPrintable(answer.out));
    }

    void convertsThereAndBack()
    {
        QCOMPARE(run({"convert", path("in.fxj"), path("packed.fxj.gz")}).status, 0);
        QVERIFY(read(path("packed.fxj.gz")).startsWith("\x1f\x8b"));
        QCOMPARE(run({"convert", path("packed.fxj.gz"), path("again.fxj")}).status, 0);
        QCOMPARE(run({"convert", path("in.fxj"), path("once.fxj")}).status, 0);
        QCOMPARE(read(path("again.fxj")), read(path("once.fxj")));
    }

    void leavesNothingBehindWhenThePlaceCannotBeWritten()
    {
        const Answer answer = run({"convert", path("in.fxj"), path("no/such/folder/out.fxj")});
        QCOMPARE(answer.status, 3);
        QVERIFY(answer.err.contains("no/such/folder/out.fxj"));
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return m_folder->filePath(name); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

const sunder::test::Registered<CommandsTest> commandsTest("commands_test");
#include "commands_test.moc"
