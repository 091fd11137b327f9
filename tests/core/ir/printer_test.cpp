#include "ir/printer.h"

#include "io/fx_json_reader.h"
#include "test_support.h"

#include <QDir>
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

/// Every folder of cases/printer holds a graph, and what PyTorch 2.13 prints for it.
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
        // What stands before the function are calls of wrap(), which a graph does not tell of.
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
        const std::string imports = printImports(*program, program->root);
        for (const char* line : {"import torch\n", "from math import inf\n", "from math import sqrt as math_sqrt\n",
                                 "from _operator import contains as _operator_contains\n"})
            QVERIFY2(imports.find(line) != std::string::npos, imports.c_str());
    }
};

QTEST_GUILESS_MAIN(PrinterTest)
#include "printer_test.moc"
