#include "ir/printer.h"

#include "io/fx_json/fx_json_reader.h"
#include "test_case.h"
#include "test_support.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sstream>

using namespace sunder;

namespace {

std::string textOfFile(const std::string& path)
{
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

/// Every folder in cases/printer holds a graph and the text that PyTorch 2.13 prints for it.
class PrinterTest final : public QObject {
    Q_OBJECT
private slots:
    void printsWhatTorchPrints_data()
    {
        QTest::addColumn<QString>("folder");
        const QDir cases(QString::fromStdString(test::casePath("printer")));
        for (const QString& name : cases.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QTest::newRow(qPrintable(name)) << cases.filePath(name);
    }
    void printsWhatTorchPrints()
    {
        QFETCH(QString, folder);
        const std::string path = folder.toStdString();
        const Result<Program> program = readFxJson(path + "/input.fxj");
        QVERIFY2(program, program ? "" : describe(program.error()).c_str());
        QCOMPARE(QString::fromStdString(printGraph(program->rootGraph())),
                 QString::fromStdString(textOfFile(path + "/graph.txt")));
        // The lines before the function are calls of wrap(), which the graph does not record.
        const std::string expected = textOfFile(path + "/code.txt");
        const std::string code = printCode(*program, program->root);
        QCOMPARE(QString::fromStdString(code.substr(code.find("def "))),
                 QString::fromStdString(expected.substr(expected.find("def "))));
    }

    void tellsWhichNodeALineComputes_data() { printsWhatTorchPrints_data(); }
    void tellsWhichNodeALineComputes()
    {
        QFETCH(QString, folder);
        const Result<Program> program = readFxJson(folder.toStdString() + "/input.fxj");
        QVERIFY(program);
        const CodeListing listing = listCode(*program, program->root);
        const QStringList lines = QString::fromStdString(listing.text).split(u'\n');
        QCOMPARE(static_cast<qsizetype>(listing.nodeOfLine.size()), lines.size());
        qsizetype computed = 0;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const NodeId id = listing.nodeOfLine[static_cast<std::size_t>(i)];
            if (!id)
                continue;
            const Node& node = program->rootGraph()[id];
            const QString begin = node.op == Op::output ? QStringLiteral("return") : QString::fromStdString(node.name.str());
            QVERIFY2(lines[i].contains(begin), qPrintable(lines[i]));
            ++computed;
        }
        QCOMPARE(computed > 1, program->rootGraph().size() > 1);
    }

    void importsWhatTheCodeUses()
    {
        const Result<Program> program = readFxJson(test::casePath("printer/hand_made/input.fxj"));
        QVERIFY(program);
        std::string imports;
        for (const PythonImport& import : listCode(*program, program->root).imports)
            imports += importLine(import) + "\n";
        for (const char* line :
             {"from math import sqrt as math_sqrt\n", "from _operator import contains as _operator_contains\n"})
            QVERIFY2(imports.find(line) != std::string::npos, imports.c_str());
    }

    void leavesOutWhatLeadsBeyondValues_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("code");
        QTest::newRow("a method of a module of PyTorch")
            << R"("op":"call_method","target":"load","args":[{"fn":"torch.jit"},"f"],"kwargs":[])"
            << "method_load(torch.jit, 'f')";
        QTest::newRow("a dtype that is a module")
            << R"("op":"call_method","target":"load","args":[{"dtype":"jit"},"f"],"kwargs":[])" << "method_load('jit', 'f')";
        QTest::newRow("a method with dots") << R"("op":"call_method","target":"os.system","args":[{"n":"x"},"f"],"kwargs":[])"
                                            << "getattr(x, \"os.system\")('f');";
        QTest::newRow("a module read from a value")
            << R"("op":"call_function","target":"getattr","args":[{"n":"x"},"os"],"kwargs":[])" << "getattr_os(x, 'os');";
        QTest::newRow("with a default")
            << R"("op":"call_function","target":"getattr","args":[{"n":"x"},"__class__",1],"kwargs":[])"
            << "getattr___class__(x, '__class__', 1);";
        QTest::newRow("a name that is worked out")
            << R"("op":"call_function","target":"getattr","args":[{"n":"x"},{"n":"x"}],"kwargs":[])" << "getattr_1(x, x);";
        QTest::newRow("a reader of attributes")
            << R"("op":"call_function","target":"functools.reduce","args":[{"fn":"getattr"},["a"]],"kwargs":[])"
            << "functools_reduce(getattr_1, ['a'])";
        QTest::newRow("a call of a value") << R"("op":"call_method","target":"__call__","args":[{"n":"x"},"f"],"kwargs":[])"
                                           << "method___call__(x, 'f');";
        QTest::newRow("what Python printed")
            << R"("op":"call_method","target":"load","args":[{"repr":"torch.jit","cls":"m"},"f"],"kwargs":[])"
            << "method_load('torch.jit', 'f')";
    }
    void leavesOutWhatLeadsBeyondValues()
    {
        QFETCH(QString, line);
        const std::string text = R"({"k":"fx-json","v":[1,0],"min":[1,0]}
{"k":"module","path":"","cls":"M"}
{"k":"graph","id":"g0","module":""}
{"k":"node","g":"g0","name":"x","op":"placeholder","target":"x","args":[],"kwargs":[]}
{"k":"node","g":"g0","name":"y",)"
            + line.toStdString() + R"(}
{"k":"node","g":"g0","name":"output","op":"output","target":"output","args":[{"n":"y"}],"kwargs":[]}
{"k":"end","nodes":3}
)";
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("in.fxj")).toStdString();
        std::ofstream(path) << text;
        const Result<Program> program = readFxJson(path);
        QVERIFY2(program, program ? "" : describe(program.error()).c_str());
        const CodeListing listing = listCode(*program, program->root, {.insideClass = true});
        QFETCH(QString, code);
        QVERIFY2(QString::fromStdString(listing.text).contains(QStringLiteral("    y = ") + code), listing.text.c_str());
    }
};

const test::Registered<PrinterTest> printerTest("printer_test");
#include "printer_test.moc"
