#include "io/fx_json/fx_json_reader.h"
#include "io/fx_json/fx_json_writer.h"
#include "ir/lint.h"
#include "support/file.h"
#include "test_case.h"
#include "test_support.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace sunder;

namespace {

const char* const kHeader = R"({"k":"fx-json","v":[1,0],"min":[1,0],"producer":"test"})";

/// Returns a file with these lines between a header, a root graph, and an end line.
std::string file(const QStringList& lines)
{
    std::string text = std::string(kHeader) + "\n" + R"({"k":"graph","id":"g0","module":""})" + "\n";
    int nodes = 0;
    for (const QString& line : lines) {
        text += line.toStdString() + "\n";
        nodes += line.contains(R"("k":"node")") ? 1 : 0;
    }
    return text + R"({"k":"end","nodes":)" + std::to_string(nodes) + "}\n";
}

QString node(const QString& name, const QString& args = "[]", const QString& more = {})
{
    return R"({"k":"node","g":"g0","name":")" + name + R"(","op":"call_function","target":"torch.relu","args":)" + args
        + R"(,"kwargs":[])" + more + "}";
}

std::string written(const Program& program)
{
    std::ostringstream out;
    writeFxJson(program, out);
    return out.str();
}

Program parsed(const std::string& text)
{
    Result<Program> program = parseFxJson(text, "test");
    if (!program)
        qFatal("%s", describe(program.error()).c_str());
    return *std::move(program);
}

/// Returns the node lines of the program `result`, written with the program `source` as its source.
QStringList copiesOf(const QStringList& source, const QStringList& result)
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("m.fxj").toStdString();
    const Program from = parsed(file(source));
    if (!writeFxJson(parsed(file(result)), path, folder.path().toStdString(), ProgressMonitor::none(), &from))
        qFatal("not written");
    QStringList nodes;
    for (const QString& line : QString::fromStdString(*readFile(path, 1U << 20U)).split('\n'))
        if (line.contains(R"("k":"node")") || line.contains(R"("k":"copies")"))
            nodes << line;
    return nodes;
}

std::vector<std::string> conformanceFiles()
{
    std::vector<std::string> paths;
    const std::string shared = test::sharedFolder();
    if (shared.empty())
        return paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(shared + "/conformance")) {
        const std::string path = entry.path().string();
        if (path.ends_with(".fxj") || path.ends_with(".fxj.gz"))
            paths.push_back(path);
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

} // namespace

class FxJsonTest final : public QObject {
    Q_OBJECT
private slots:
    void lintFindsGraphsThatHoldThemselves_data()
    {
        QTest::addColumn<QStringList>("lines");
        const QString call = R"({"k":"node","g":"%1","name":"%2","op":"%3","target":"%4","args":[%5],"kwargs":[]})";
        const auto line = [&](const char* g, const char* name, const char* op, const char* target, const char* args) {
            return call.arg(QString(g), QString(name), QString(op), QString(target), QString(args));
        };
        const QString nested = R"({"k":"graph","id":"%1","module":null})";
        QTest::newRow("the root as an argument") << QStringList{line("g0", "a", "call_function", "f", R"({"graph":"g0"})")};
        QTest::newRow("deep in an argument")
            << QStringList{line("g0", "a", "call_function", "f", R"([{"d":[["k",{"graph":"g0"}]]}])")};
        QTest::newRow("the root in a nested graph")
            << QStringList{nested.arg("g1"), line("g0", "a", "call_function", "f", R"({"graph":"g1"})"),
                           line("g1", "b", "call_function", "f", R"({"graph":"g0"})")};
        QTest::newRow("two nested graphs in each other")
            << QStringList{nested.arg("g1"), nested.arg("g2"), line("g1", "b", "call_function", "f", R"({"graph":"g2"})"),
                           line("g2", "c", "call_function", "f", R"({"graph":"g1"})")};
        const QString module = R"({"k":"module","path":"%1","cls":"M"%2})";
        QTest::newRow("a module that contains itself") << QStringList{
            module.arg("m", ""), module.arg("m.again", R"(,"same":"m")"), R"({"k":"graph","id":"g1","module":"m"})",
            line("g0", "a", "call_module", "m", ""), line("g1", "b", "call_module", "again", "")};
    }
    void lintFindsGraphsThatHoldThemselves()
    {
        QFETCH(QStringList, lines);
        const Diagnostics found = lint(parsed(file(lines)));
        QVERIFY(std::any_of(found.begin(), found.end(),
                            [](const Diagnostic& diagnostic) { return diagnostic.message.ends_with("contains itself"); }));
    }

    void keepsEveryKindOfValue_data()
    {
        QTest::addColumn<QString>("value");
        for (const char* value : {"null",
                                  "true",
                                  "-9223372036854775808",
                                  "9223372036854775807",
                                  "1.0",
                                  "-0.0",
                                  "1e+22",
                                  "0.1",
                                  "\"a\\n\\\"é\"",
                                  "[]",
                                  R"({"t":[1,[2]]})",
                                  R"({"d":[["a",1],[2,null]]})",
                                  R"({"nt":["m.P",["x","y"],[1,2]]})",
                                  R"({"slice":[null,3,null]})",
                                  R"({"range":[0,10,2]})",
                                  R"({"ellipsis":1})",
                                  R"({"f":"inf"})",
                                  R"({"f":"-inf"})",
                                  R"({"f":"nan"})",
                                  R"({"i":"9223372036854775808"})",
                                  R"({"c":[1.0,-2.5]})",
                                  R"({"dtype":"float16"})",
                                  R"({"device":"cuda:0"})",
                                  R"({"layout":"strided"})",
                                  R"({"mf":"contiguous_format"})",
                                  R"({"fn":"torch.ops.aten.add.Tensor"})",
                                  R"({"sym":"2*s0","hint":8})",
                                  R"({"sym":"f","hint":0.5,"kind":"float"})",
                                  R"({"sym":"b","hint":true,"kind":"bool"})",
                                  R"({"sym":"u0"})",
                                  R"({"graph":"g0"})",
                                  R"({"const":"c.w"})",
                                  R"({"obj":"o","cls":"m.C"})",
                                  R"({"repr":"<x>","cls":"m.X"})",
                                  R"({"tensor":{"dtype":"float32","shape":[{"sym":"s0"},3],"stride":[3,1],"storage":"v7"}})",
                                  R"({"later":[1,{"n":"zz"}]})",
                                  R"({"dtype":"int8","note":{"a":1.50}})",
                                  R"({"n":"x","w":1})"})
            QTest::newRow(value) << value;
    }
    void keepsEveryKindOfValue()
    {
        QFETCH(QString, value);
        const std::string text = file({node("x"), node("y", "[" + value + "]")});
        const std::string out = written(parsed(text));
        QVERIFY2(out.find("\"args\":[" + value.toStdString() + "]") != std::string::npos, out.c_str());
    }

    void keepsWhatItDoesNotKnow()
    {
        const QStringList lines = {
            R"({"k":"str","id":0,"s":"trace","x1":1})",
            R"({"k":"stack","id":0,"mods":[["k","p","c"]],"x2":2})",
            R"({"k":"storage","id":"odd name","nbytes":4,"at":{"file":"f","x3":3},"x4":4})",
            R"({"k":"storage","id":"piece","nbytes":4,"copy":{"file":"f","record":"r","begin":16,"crc32":"00000001","x3":3}})",
            R"({"k":"tensor","fqn":"v","role":"buffer","persistent":true,"requires_grad":false,"dtype":"int8","shape":[4],"storage":"piece"})",
            R"({"k":"module","path":"m","cls":"C","leaf":true,"x5":[5.50]})",
            R"({"k":"tensor","fqn":"w","role":"buffer","persistent":true,"requires_grad":false,"dtype":"int8","shape":[4],"storage":"odd name","x6":6})",
            node("x", "[]", R"(,"mods":0,"trace":0,"size_bytes":{"output":1,"total":2,"x7":7},"x8":{"deep":[8]})"),
            R"({"k":"sig","g":"g0","inputs":[{"user":{"n":"x"},"x9":9}],"outputs":[],"x10":10})",
            R"({"k":"range","sym":"s0","min":null,"max":3,"x11":11})",
            R"({"k":"tags","order":["a"],"x12":12})",
            R"({"k":"future","any":[{}]})"};
        const std::string out = written(parsed(file(lines)));
        for (const QString& line : lines)
            QVERIFY2(out.find(line.toStdString()) != std::string::npos, (line.toStdString() + "\n" + out).c_str());
    }

    void keepsAttributesOfModules()
    {
        const QStringList lines = {
            R"({"k":"module","path":"a","cls":"C","leaf":true,"attrs":{}})",
            R"({"k":"module","path":"b","cls":"C","leaf":true,"attrs":{"training":false,"p":0.1,"mode":"sum","n":-3,"dim":null,"max":{"f":"inf"},"big":{"i":"123456789012345678901"},"later":{"new":[1]}},"x":1})"};
        const std::string out = written(parsed(file(lines)));
        for (const QString& line : lines)
            QVERIFY2(out.find(line.toStdString()) != std::string::npos, (line.toStdString() + "\n" + out).c_str());
        const Program program = parsed(file(lines));
        QVERIFY(program.modules[program.modules.find(intern("a"))].attributes->empty());
        const auto& attributes = *program.modules[program.modules.find(intern("b"))].attributes;
        QCOMPARE(attributes[0].name.str(), std::string("training"));
        QCOMPARE(attributes[0].value, Argument::boolean(false));
        QVERIFY(!parsed(file({R"({"k":"module","path":"a"})"})).modules[ModuleId(1U)].attributes);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& text, const char* message) {
            QTest::newRow(name) << QString::fromStdString(text) << message;
        };
        const std::string header = std::string(kHeader) + "\n";
        row("an empty file", "", "empty");
        const auto attributes = [&](const char* name, const char* value, const char* message) {
            row(name, file({QString(R"({"k":"module","path":"a.b","attrs":%1})").arg(value)}), message);
        };
        attributes("attributes in a list", R"([1])", "\"attrs\"");
        attributes("an attribute that is a list", R"({"p":[1]})",
                   "the attribute \"p\" of module \"a.b\" is not true, false, a number, a string, or null, line 3");
        attributes("an attribute that is a tuple", R"({"p":{"t":[1]}})", "is not true, false, a number, a string, or null");
        attributes("an attribute that is a node", R"({"p":{"n":"x"}})", "\"x\"");
        attributes("an attribute that is a graph", R"({"p":{"graph":"g0"}})", "is not true");
        attributes("an attribute twice", R"({"p":1,"p":2})", "\"p\" of module \"a.b\" is defined twice");
        row("no header", R"({"k":"graph","id":"g0","module":""})", "not a header");
        row("no end line", header + R"({"k":"graph","id":"g0","module":""})", "truncated");
        row("a later version", R"({"k":"fx-json","v":[2,0],"min":[2,0]})", "2.0");
        row("a wrong count", header + R"({"k":"end","nodes":3})", "states 3 nodes, but there are 0");
        row("a line behind the end", file({}) + R"({"k":"module","path":"a"})", "after the end line");
        row("no root graph", header + R"({"k":"end","nodes":0})", "no root graph");
        row("an unknown graph", file({QString(node("x")).replace("g0", "g9")}), "\"g9\", which does not exist");
        row("an unknown stack", file({node("x", "[]", R"(,"mods":4)")}), "stack 4, which does not exist");
        row("an unknown string", file({node("x", "[]", R"(,"trace":4)")}), "trace 4, which does not exist");
        row("an offset that is no number",
            file({R"({"k":"tensor","fqn":"w","role":"buffer","dtype":"int8","shape":[],"offset":[4],"storage":"s"})"}),
            "whose offset is negative or not a number");
        row("an unknown storage", file({R"({"k":"tensor","fqn":"w","role":"buffer","dtype":"int8","shape":[],"storage":"s"})"}),
            "storage \"s\"");
        row("use before definition", file({node("x", R"([{"n":"y"}])"), node("y")}),
            "node x holds the node \"y\", which is used before it is defined, line 3");
        row("two nodes of a name", file({node("x"), node("x")}), "named \"x\"");
        row("two modules of a path", file({R"({"k":"module","path":"a"})", R"({"k":"module","path":"a"})"}),
            "\"a\" is defined twice");
        row("two strings of an id", file({R"({"k":"str","id":1,"s":"a"})", R"({"k":"str","id":1,"s":"b"})"}), "twice");
        row("two graphs of an id", file({R"({"k":"graph","id":"g0","module":null})"}), "twice");
        row("two graphs of a module", file({R"({"k":"graph","id":"g1","module":""})"}), "two graphs");
        row("an integer too large", file({node("x", "[9223372036854775808]")}), "out of range: 9223372036854775808");
        row("a negative size", file({R"({"k":"storage","id":"s","nbytes":-1})"}), "negative");
        row("a piece of no record", file({R"({"k":"storage","id":"s","nbytes":1,"copy":{"file":"f"}})"}), "\"record\"");
        row("a piece that begins nowhere", file({R"({"k":"storage","id":"s","copy":{"record":"r","begin":-4}})"}), "negative");
        row("too deep", file({node("x", QString(70, '[') + QString(70, ']'))}), "deeper than 64");
        row("a wrong type", file({node("x", "[]", R"(,"tag":5)")}), "\"tag\" that is not a string");
        row("a key twice", file({node("x", "[]", R"(,"args":[])")}), "\"args\" twice");
        row("no args", file({R"({"k":"node","g":"g0","name":"x","op":"output","target":"o","kwargs":[]})"}), "lacks \"args\"");
        row("an unknown op", file({node("x").replace("call_function", "call_me")}), "call_me");
        row("not JSON", file({"{oops"}), "not JSON");
        row("a lone surrogate", file({node("x", R"(["\ud800"])")}), "JSON");
        row("an alias of nothing", file({R"({"k":"module","path":"a","same":"b"})"}), "\"b\", which does not precede it");
    }
    void refuses()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Result<Program> program = parseFxJson(text.toStdString(), "bad.fxj");
        QVERIFY(!program);
        const QString said = QString::fromStdString(describe(program.error()));
        QVERIFY2(said.contains(message) && said.startsWith("bad.fxj: "), qPrintable(said));
    }

    void refusesTextThatIsNotUtf8()
    {
        std::string text = file({node("x", "[\"?\"]")});
        text[text.find('?')] = '\xc3';
        const Result<Program> program = parseFxJson(text, "bad.fxj");
        QVERIFY(!program);
        QVERIFY(program.error().message.find("UTF-8") != std::string::npos);
    }

    void refusesALineThatIsTooLong()
    {
        const Result<Program> program = parseFxJson(std::string(kHeader) + "\n" + std::string(40U << 20U, ' '), "bad.fxj");
        QVERIFY(!program);
        QVERIFY(program.error().message.find("longer than") != std::string::npos);
    }

    void numbersGraphsInTheOrderOfTheirLines()
    {
        const std::string text = std::string(kHeader) + R"(
{"k":"module","path":"d","calls":["late","early"]}
{"k":"graph","id":"root","module":""}
{"k":"node","g":"root","name":"x","op":"call_function","target":"f","args":[[{"graph":"late"}]],"kwargs":[]}
{"k":"graph","id":"early","module":null}
{"k":"graph","id":"late","module":null}
{"k":"end","nodes":1}
)";
        const Program program = parsed(text);
        QCOMPARE(program.root.index(), 0U);
        QCOMPARE((*program.modules[program.modules.find(intern("d"))].calls)[0].index(), 2U);
        const Graph& graph = program.rootGraph();
        QCOMPARE(graph.node(graph.first()).args[0].items()[0].asGraph().index(), 2U);
    }

    void findsNodesBehindGraphsThatComeLater_data()
    {
        QTest::addColumn<int>("graphs");
        for (const int graphs : {1, 15, 16, 17, 31, 32, 33, 64, 300}) // the table of graphs grows at some of these counts
            QTest::addRow("%d graphs", graphs) << graphs;
    }
    void findsNodesBehindGraphsThatComeLater()
    {
        QFETCH(int, graphs);
        QStringList args;
        QStringList later;
        for (int i = 0; i < graphs; ++i) {
            args << QStringLiteral(R"({"graph":"h%1"},{"n":"x"})").arg(i);
            later << QStringLiteral(R"({"k":"graph","id":"h%1","module":null})").arg(i);
        }
        const Program program = parsed(file(QStringList{node("x"), node("f", "[" + args.join(',') + "]")} + later));
        const Graph& graph = program.rootGraph();
        QCOMPARE(program.graphs.size(), static_cast<std::size_t>(graphs) + 1);
        QCOMPARE(graph.node(graph.last()).args.size(), 2 * static_cast<std::size_t>(graphs));
        QCOMPARE(graph.node(graph.last()).args.back().asNode(), graph.first());
    }

    void restoresTheOrderOfUsers()
    {
        const Program program = parsed(file({node("x", "[]", R"(,"users":["b","gone","a"])"), node("a", R"([{"n":"x"}])"),
                                             node("b", R"([{"n":"x"}])"), node("c", R"([{"n":"x"}])")}));
        const Graph& graph = program.rootGraph();
        std::string users;
        for (const NodeId user : graph.users(graph.first()))
            users += graph.node(user).name.str();
        QCOMPARE(users, std::string("bac"));
        QVERIFY(lint(graph).empty());
        QVERIFY(written(program).find(R"("users":["b","a","c"])") != std::string::npos);
    }

    void readsWhatItWrites_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::newRow("plain") << ".fxj";
        QTest::newRow("gzipped") << ".fxj.gz";
    }
    void readsWhatItWrites()
    {
        QFETCH(QString, suffix);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("m" + suffix).toStdString();
        const Program program = test::programFromText("x = placeholder()\ny = relu(x)\noutput(y)");
        QVERIFY(writeFxJson(program, path));
        const Result<Program> again = readFxJson(path);
        QVERIFY2(again, again ? "" : describe(again.error()).c_str());
        QCOMPARE(test::textOf(again->rootGraph()), test::textOf(program.rootGraph()));
    }

    void writesNodesThatEqualNodesOfTheSourceAsCopies()
    {
        const QString meta = R"(,"meta":{"#":%1})";
        const QStringList lines{node("a", "[]", meta.arg(0)), node("b", R"([{"n":"a"},[{"n":"a"}]])", meta.arg(1)),
                                node("c", R"([{"n":"b"},2])", meta.arg(2)), node("d", R"([{"n":"c"}])", meta.arg(3))};
        QCOMPARE(copiesOf(lines, lines), QStringList{R"({"k":"copies","g":"g0","of":[0,1,2,3]})"});
        QStringList other = lines;
        other[1] = node("b", R"([{"n":"a"},[3]])", meta.arg(1)); // c and d take the counterparts of b and c
        QCOMPARE(copiesOf(lines, other),
                 QStringList({R"({"k":"copies","g":"g0","of":[0]})", other[1], R"({"k":"copies","g":"g0","of":[2,3]})"}));
        other = lines;
        other[2] = node("c", R"([{"n":"b"},2])"); // has no counterpart in the source
        QCOMPARE(copiesOf(lines, other), QStringList({R"({"k":"copies","g":"g0","of":[0,1]})", other[2], other[3]}));
        other = lines;
        other[0].replace(R"("name":"a")", R"("name":"z")");
        other[1].replace(R"({"n":"a"})", R"({"n":"z"})");
        QCOMPARE(copiesOf(lines, other), QStringList({other[0], R"({"k":"copies","g":"g0","of":[1,2,3]})"}));
    }

    void doesNotReadCopiesWithoutTheirSource()
    {
        const std::string text = R"({"k":"fx-json","v":[1,1],"min":[1,1]})";
        QVERIFY(parseFxJson(text + "\n", "test").error().message.find("needs a reader of fx-json 1.1") != std::string::npos);
    }

    void refusesTruncatedGzip()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("m.fxj.gz").toStdString();
        QVERIFY(writeFxJson(test::programFromText("x = placeholder()\noutput(x)"), path));
        std::filesystem::resize_file(path, std::filesystem::file_size(path) - 9);
        const Result<Program> program = readFxJson(path);
        QVERIFY(!program);
        QVERIFY(program.error().message.find("truncated") != std::string::npos);
    }

    void namesArchivesFromTheFolderOfTheFile()
    {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("models") && QDir(folder.path()).mkdir("results"));
        QFile archive(folder.filePath("models/w.zip"));
        QVERIFY(archive.open(QIODevice::WriteOnly));
        const std::string model = folder.filePath("models/m.fxj").toStdString();
        const QString storage = R"({"k":"storage","id":"s","nbytes":4,"at":{"file":"%1","record":"r"}})";
        std::ofstream(model) << file({storage.arg("w.zip"), storage.arg("gone.zip").replace("\"s\"", "\"t\"")});
        const Result<Program> read = readFxJson(model);
        QVERIFY2(read, read ? "" : describe(read.error()).c_str());
        const std::string result = folder.filePath("results/m.fxj").toStdString();
        QVERIFY(writeFxJson(*read, result));
        QVERIFY(readFile(result, 1 << 20)->find("\"../models/w.zip\"") != std::string::npos);
        QVERIFY(readFile(result, 1 << 20)->find("\"gone.zip\"") != std::string::npos); // its location is unknown
        QVERIFY(writeFxJson(*read, model));
        QVERIFY(readFile(model, 1 << 20)->find("\"w.zip\"") != std::string::npos);
    }

    void keepsRandomFloats()
    {
        std::mt19937_64 random(7);
        for (int i = 0; i < 2000; ++i) {
            const double value = std::bit_cast<double>(random());
            Program program;
            program.addGraph(ModuleTree::root());
            program.rootGraph().append({.name = intern("x"), .target = intern("f"), .args = {Argument::floating(value)}});
            const Program again = parsed(written(program));
            QCOMPARE(again.rootGraph().node(again.rootGraph().first()).args[0], Argument::floating(value));
        }
    }

    void writesTheSameBytesAgainForEveryConformanceFile()
    {
        const std::vector<std::string> paths = conformanceFiles();
        if (paths.empty())
            QSKIP("no conformance cases next to the repository");
        for (std::size_t i = 0; i < paths.size(); i += 7) { // every seventh file, a sample of all families
            const Result<Program> first = readFxJson(paths[i]);
            QVERIFY2(first, first ? "" : describe(first.error()).c_str());
            const std::string once = written(*first);
            QCOMPARE(written(parsed(once)), once);
        }
    }
};

const test::Registered<FxJsonTest> fxJsonTest("fx_json_test");
#include "fx_json_test.moc"
