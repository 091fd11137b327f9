#include "io/fx_json/fx_json_writer.h"
#include "io/model_file.h"
#include "io/side_files/cut_summary_file.h"
#include "io/side_files/project_file.h"
#include "io/side_files/project_source.h"
#include "support/version.h"

#include "test_case.h"
#include "test_support.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace sunder;

namespace {

ProjectFile sampleProject()
{
    ProjectFile project;
    project.source = {.relative = "../models/m.pt2",
                      .absolute = "/data/models/m.pt2",
                      .program = "decoder",
                      .mark = {.bytes = 12, .content = "members:ab", .nodes = 4, .graph = "cd"}};
    project.tags = {{.name = intern("sta\"ge0"),
                     .hue = 3,
                     .isHueChosen = true,
                     .color = "#88ccee",
                     .code = "AB",
                     .isLocked = true,
                     .isHidden = true,
                     .nodes = {intern("first"), intern("second")}},
                    {.name = intern("empty")}};
    project.activeTag = intern("empty");
    project.protectsTagged = true;
    project.isBackwardApart = true;
    project.devices = {{.name = "gpu", .availableBytes = 8e9, .logicalId = 7, .speed = 1.5, .extra = R"({"rack":2})"}};
    project.sizes = {{intern("s27"), 16}};
    project.operatorsFile = "/data/ops.txt";
    project.runs = {{.number = 2, .pass = "split", .options = R"({"returnTuple":true})", .name = "mine", .isShown = true},
                    {.number = 5,
                     .pass = "partition",
                     .tags = std::vector<ProjectTag>{{.name = intern("a"), .nodes = {intern("first")}}},
                     .partition = ProjectPartition{.asUpstream = true,
                                                   .config = {.mode = PartitionMode::aotBased,
                                                              .saturateHost = true,
                                                              .devices = {{.name = "d", .availableBytes = 12.5}},
                                                              .transferBytesPerSecond = 1e9,
                                                              .latencies = {{intern("first"), {.memory = 0.5, .compute = 1}}},
                                                              .nodeToPartition = {{intern("first"), 1}},
                                                              .partitionToDevices = {{1, {0, 2}}}}}}};
    project.bookmarks = {{.name = "attention", .sight = R"({"zoom":1.5})"}};
    project.notes = {{.node = intern("first"), .text = "cut here?\nask Kim", .x = -24, .y = 8},
                     {.node = intern("gone"), .text = "n"}};
    project.costs = R"({"nodes":{"first":{"seconds":1.5}}})";
    project.costsSource = "costs.json";
    project.nodeData = {R"({"main":{"name":"heat","results":{"first":{"value":2}}}})"};
    project.view = R"({"source":{"x":1}})";
    project.arrangement = "AAEC";
    project.identity = R"([1,"two"])";
    project.figures = R"({"of":"ef"})";
    project.rules = R"({"rules":[]})";
    project.lost = {{.identity = R"({"was":1})", .tags = {{.name = intern("gone"), .hue = 2, .nodes = {intern("third")}}}}};
    project.unsaved = {.project = "/data/p.sunder", .when = "2026-11-28T17:00:00"};
    project.extra = R"({"of_a_later_version":[1.50,{"a":null}],"b":2})";
    return project;
}

Program chain()
{
    return test::programFromText("x = placeholder()\nfirst = relu(x)\nsecond = gelu(first)\noutput(second)\n");
}

} // namespace

class ProjectFileTest final : public QObject {
    Q_OBJECT
private slots:
    void readsWhatItWrites()
    {
        const ProjectFile project = sampleProject();
        const std::string text = projectFileText(project);
        const Result<ProjectFile> again = parseProjectFile(text, "p.sunder");
        QVERIFY2(again, again ? "" : describe(again.error()).c_str());
        QCOMPARE(again->source.relative, project.source.relative);
        QCOMPARE(again->source.absolute, project.source.absolute);
        QCOMPARE(again->source.program, project.source.program);
        QVERIFY(again->source.mark == project.source.mark);
        QVERIFY(again->tags == project.tags);
        QCOMPARE(again->activeTag, project.activeTag);
        QVERIFY(again->protectsTagged);
        QVERIFY(again->isBackwardApart);
        QVERIFY(again->devices == project.devices);
        QVERIFY(again->sizes == project.sizes);
        QCOMPARE(again->runs.size(), std::size_t(2));
        QCOMPARE(again->runs[0].options, project.runs[0].options);
        QVERIFY(!again->runs[0].tags && again->runs[1].tags == project.runs[1].tags);
        const PartitionerConfig& config = again->runs[1].partition->config;
        QCOMPARE(config.latencies.front().second.memory, 0.5);
        QCOMPARE(config.nodeToPartition.front().second, 1);
        QVERIFY(config.partitionToDevices == project.runs[1].partition->config.partitionToDevices);
        QCOMPARE(again->unsaved.value().project, project.unsaved->project);
        QCOMPARE(again->unsaved->when, project.unsaved->when);
        QCOMPARE(again->extra, project.extra);
        QCOMPARE(again->rules, project.rules);
        QCOMPARE(again->lost.size(), project.lost.size());
        QCOMPARE(again->lost[0].identity, project.lost[0].identity);
        QCOMPARE(again->figures, project.figures);
        QVERIFY(again->lost[0].tags == project.lost[0].tags);
        QCOMPARE(projectFileText(*again), text); // covers the remaining fields
    }

    void keepsMembersThatItDoesNotKnow()
    {
        const std::string text = R"({"sunder":1,"source":{},"tags":[],"later":{"x":[1.0,"y"]}})";
        const Result<ProjectFile> project = parseProjectFile(text, "p.sunder");
        QVERIFY(project);
        QVERIFY(projectFileText(*project).find(R"("later":{"x":[1.0,"y"]})") != std::string::npos);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto with = [](const char* member) {
            return QStringLiteral(R"({"sunder":1,"source":{},"tags":[],%1})").arg(QLatin1String(member));
        };
        QTest::newRow("not JSON") << "nope" << "not JSON";
        QTest::newRow("a list") << "[]" << "not an object";
        QTest::newRow("an empty file") << "" << "not JSON";
        QTest::newRow("another kind of file")
            << R"({"order":[],"tags":{}})" << "is not a Sunder project: it lacks the key \"sunder\", in sunder";
        QTest::newRow("a newer version") << R"({"sunder":2,"tags":7})" << "newer Sunder: its version is 2";
        QTest::newRow("no source") << R"({"sunder":1,"tags":[]})" << "lacks a required key, in source";
        QTest::newRow("no tags") << R"({"sunder":1,"source":{}})" << "lacks a required key, in tags";
        QTest::newRow("a key twice") << with(R"("devices":[],"devices":[])") << "duplicate key, in devices";
        QTest::newRow("a key twice within") << R"({"sunder":1,"source":{"bytes":1,"bytes":2},"tags":[]})" << "in source.bytes";
        QTest::newRow("bytes below 0") << R"({"sunder":1,"source":{"bytes":-1},"tags":[]})" << "integer of at least 0";
        QTest::newRow("a tag twice") << R"({"sunder":1,"source":{},"tags":[{"name":"a"},{"name":"a"}]})"
                                     << "has the tag \"a\" twice, in tags[1]";
        QTest::newRow("a node twice")
            << R"({"sunder":1,"source":{},"tags":[{"name":"a","nodes":["x"]},{"name":"b","nodes":["x"]}]})"
            << "two tags to node \"x\", in tags[1].nodes[0]";
        QTest::newRow("a color that is none") << R"({"sunder":1,"source":{},"tags":[{"name":"a","color":"red"}]})"
                                              << "a color such as";
        QTest::newRow("a hue that is too large") << R"({"sunder":1,"source":{},"tags":[{"name":"a","hue":99999999999}]})"
                                                 << "in tags[0].hue";
        QTest::newRow("devices that are none") << with(R"("devices":[{"name":"a"}])") << "in devices.[0].available_mem_bytes";
        QTest::newRow("a size that is text") << with(R"("sizes":{"s1":"x"})") << "in sizes.s1";
        QTest::newRow("a run twice") << with(R"("runs":[{"number":1},{"number":1}])") << "in runs[1]";
        QTest::newRow("options that are a list") << with(R"("runs":[{"number":1,"options":[]}])") << "in runs[0].options";
        QTest::newRow("a partition that is none")
            << with(R"("runs":[{"partition":{"config":{}}}])") << "partition.config.devices";
        QTest::newRow("a sight that is text") << with(R"("bookmarks":[{"sight":"x"}])") << "in bookmarks[0].sight";
        QTest::newRow("a note of no node") << with(R"("notes":[{"text":"x"}])") << "without a node, in notes[0]";
        QTest::newRow("two notes of a node")
            << with(R"("notes":[{"node":"a"},{"node":"a"}])") << "two notes for one node, in notes[1]";
        QTest::newRow("a note far away") << with(R"("notes":[{"node":"a","x":1000001}])") << "in notes[0].x";
        QTest::newRow("a note at no number") << with(R"("notes":[{"node":"a","y":1e9}])") << "in notes[0].y";
        QTest::newRow("a note that is too long")
            << with(qPrintable(QStringLiteral(R"("notes":[{"node":"a","text":"%1"}])").arg(QString(5000, u'x')))) << "4096 bytes";
        QTest::newRow("costs that are a list") << with(R"("costs":{"file":[]})") << "must have an object, in costs.file";
        QTest::newRow("a source of costs that is a number") << with(R"("costs":{"source":1})") << "in costs.source";
        QTest::newRow("node data that is text") << with(R"("node_data":["x"])") << "must have an object, in node_data[0]";
        QTest::newRow("an origin that is text") << with(R"("unsaved":"x")") << "must have an object, in unsaved";
        QTest::newRow("an origin with a number") << with(R"("unsaved":{"when":7})") << "must have a string, in unsaved.when";
        QTest::newRow("a very long name") << with(qPrintable(QStringLiteral(R"("operators":"%1")").arg(QString(5000, u'x'))))
                                          << "4096 bytes";
        QTest::newRow("nested too deeply") << with(
            qPrintable(QStringLiteral(R"("later":%1%2)").arg(QString(80, u'['), QString(80, u']'))))
                                           << "is nested deeper than 64 levels (byte 106)";
    }
    void refuses()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Result<ProjectFile> project = parseProjectFile(text.toStdString(), "p.sunder");
        QVERIFY(!project);
        const QString said = QString::fromStdString(describe(project.error()));
        QVERIFY2(said.contains(message) && said.contains("p.sunder"), qPrintable(said));
    }

    void refusesItWhereverItIsCutOff()
    {
        const std::string text = projectFileText(sampleProject());
        const std::size_t last = text.rfind('}');
        for (std::size_t length = 0; length <= last; ++length)
            QVERIFY2(!parseProjectFile(std::string_view(text).substr(0, length), "p.sunder"), std::to_string(length).c_str());
    }

    void knowsModelsAgain()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("m.fxj").toStdString();
        const auto read = [&path](const Program& program) {
            if (!writeFxJson(program, path))
                qFatal("not written");
            return markOf(readModel(path).value());
        };
        const SourceMark mark = read(chain());
        QCOMPARE(mark.nodes, std::uint64_t(4));
        QVERIFY(!changeBetween(mark, read(chain())));
        const Program other = test::programFromText("x = placeholder()\nfirst = relu(x)\nsecond = tanh(first)\noutput(second)\n");
        QVERIFY(changeBetween(mark, read(other)).value().isOfGraph);
        const Program longer = test::programFromText("x = placeholder()\nfirst = relu(x)\noutput(first)\n");
        QCOMPARE(changeBetween(mark, read(longer)).value().text, std::string("it has 3 nodes instead of 4"));
        SourceMark elsewhere = mark;
        elsewhere.content = "members:other";
        QVERIFY(!changeBetween(mark, elsewhere).value().isOfGraph);
        QVERIFY(changeBetween(SourceMark{}, SourceMark{}).value().isOfGraph); // without marks, a change cannot be ruled out
    }

    void keepsFiguresOfWhatItHasNow()
    {
        ProjectFile project = sampleProject();
        QVERIFY(!keptFigures(project)); // of something else
        const CutSummary figures{
            .parts = {{.name = "sta\"ge0", .ops = 2, .flops = 8, .weights = 16, .sends = 4, .peak = 24, .load = 1e-5},
                      {.name = "empty", .ops = 1}},
            .untagged = 1,
            .crossing = 4,
            .duplicated = 8,
            .memoryImbalance = 1.5,
            .whyNoLoads = "no rate",
            .bound = 5e-6,
            .assumptions = {"one"},
            .by = std::string(version())};
        project.figures = figuresText(figures, project);
        const ProjectFile read = parseProjectFile(projectFileText(project), "p.sunder").value();
        QVERIFY(keptFigures(read) == figures);
        const auto isLostBy = [&read](const auto& change) {
            ProjectFile changed = read;
            change(changed);
            return !keptFigures(changed);
        };
        QVERIFY(!isLostBy([](ProjectFile& it) { it.notes.clear(); }));
        QVERIFY(isLostBy([](ProjectFile& it) { it.tags[0].nodes.pop_back(); }));
        QVERIFY(isLostBy([](ProjectFile& it) { std::swap(it.tags[0], it.tags[1]); }));
        QVERIFY(isLostBy([](ProjectFile& it) { it.source.mark.graph = "another"; }));
        QVERIFY(isLostBy([](ProjectFile& it) { it.devices[0].availableBytes = 1; }));
        QVERIFY(isLostBy([](ProjectFile& it) { it.sizes[0].second = 7; }));
        QVERIFY(isLostBy([](ProjectFile& it) { it.costs.clear(); }));
        QVERIFY(isLostBy([](ProjectFile& it) { it.figures.replace(it.figures.find("\"ops\":2"), 7, "\"ops\":-"); }));
        QVERIFY(isLostBy([](ProjectFile& it) { it.figures.replace(it.figures.find("\"ops\":2"), 7, "\"ops\":[]"); }));
    }

    void findsItsModelBesideItselfFirst()
    {
        const QTemporaryDir folder;
        const QString inner = folder.filePath("project");
        QVERIFY(QDir().mkpath(inner));
        const std::string project = (inner + "/p.sunder").toStdString();
        const std::string beside = (inner + "/m.pt2").toStdString();
        const std::string away = folder.filePath("m.pt2").toStdString();
        const ProjectSource source = sourceAt(beside, project);
        QCOMPARE(source.relative, std::string("m.pt2"));
        QCOMPARE(sourceAt(away, project).relative, std::string("../m.pt2"));
        const ProjectSource both{.relative = "m.pt2", .absolute = away};
        QVERIFY(!findSource(both, project));
        const auto make = [](const std::string& path) { return QFile(QString::fromStdString(path)).open(QFile::WriteOnly); };
        QVERIFY(make(away));
        QCOMPARE(findSource(both, project).value(), away);
        QVERIFY(make(beside));
        QCOMPARE(findSource(both, project).value(), beside);
    }
};

const test::Registered<ProjectFileTest> projectFileTest("project_file_test");

#include "project_file_test.moc"
