#include "io/pt2/pt2_writer.h"

#include "io/archives/zip_archive.h"
#include "io/archives/zip_writer.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/model_file.h"
#include "io/pt2/pt2_programs.h"
#include "io/pt2/pt2_reader.h"
#include "io/pt2/pt2_schema.h"
#include "io/pt2/pt2_writer_program.h"
#include "io/pt2/pt2_writer_weights.h"
#include "io/sympy/sympy_infix.h"
#include "io/sympy/sympy_printer.h"
#include "test_case.h"
#include "test_support.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace sunder;

namespace {

std::string inFxJson(Program program)
{
    // The path of the program and the location of its weights differ between a file and its copy.
    program.origin = {};
    for (std::size_t i = 0; i < program.tensors.storageCount(); ++i) {
        program.tensors[StorageId(i)].file = {};
        program.tensors[StorageId(i)].record = {};
    }
    std::ostringstream out;
    writeFxJson(program, out);
    return out.str();
}

QString srepr(const char* infix)
{
    const std::optional<SympyExpression> parsed = parseInfix(infix);
    if (!parsed)
        return "no expression";
    return QString::fromStdString(printSrepr(*parsed, [](std::string_view name) { return name.starts_with('s'); }));
}

} // namespace

class Pt2WriterTest final : public QObject {
    Q_OBJECT
private slots:
    void writesExpressionsAsSreprDoes_data()
    {
        QTest::addColumn<QString>("infix");
        QTest::addColumn<QString>("expected");
        const QString s0 = "Symbol('s0', positive=True, integer=True)";
        const QString u0 = "Symbol('u0', integer=True)";
        QTest::newRow("a symbol") << "s0" << s0;
        QTest::newRow("a product") << "2*s0" << "Mul(Integer(2), " + s0 + ")";
        QTest::newRow("a long product") << "2*s0*u0" << "Mul(Integer(2), " + s0 + ", " + u0 + ")";
        QTest::newRow("a power") << "4*s0**2" << "Mul(Integer(4), Pow(" + s0 + ", Integer(2)))";
        QTest::newRow("a floor division") << "2*s0 + ((u0//3))"
                                          << "Add(Mul(Integer(2), " + s0 + "), FloorDiv(" + u0 + ", Integer(3)))";
        QTest::newRow("a difference") << "u0 - 1" << "Add(" + u0 + ", Integer(-1))";
        QTest::newRow("a comparison") << "u0 >= 2" << "GreaterThan(" + u0 + ", Integer(2))";
        QTest::newRow("a function") << "Min(8, 16*s0)" << "Min(Integer(8), Mul(Integer(16), " + s0 + "))";
        QTest::newRow("a float") << "1.5*ToFloat(u0)" << "Mul(Float('1.5', precision=53), ToFloat(" + u0 + "))";
        QTest::newRow("a fraction") << "s0/2" << "Mul(" + s0 + ", Pow(Integer(2), Integer(-1)))";
        QTest::newRow("equality") << "Eq(u0, 3)" << "Equality(" + u0 + ", Integer(3))";
        QTest::newRow("both") << "(u0 > 1) & (u0 < 4)"
                              << "And(StrictGreaterThan(" + u0 + ", Integer(1)), StrictLessThan(" + u0 + ", Integer(4)))";
        QTest::newRow("broken") << "2*(s0" << "no expression";
        QTest::newRow("too deep") << QString(300, '(') + "1" + QString(300, ')') << "no expression";
    }
    void writesExpressionsAsSreprDoes()
    {
        QFETCH(QString, infix);
        QFETCH(QString, expected);
        QCOMPARE(srepr(infix.toUtf8().constData()), expected);
    }

    void readsTheExpressionsThatItPrints()
    {
        for (const char* text :
             {"2*s33 + ((s50//3))", "Max(1, s0)", "u0 >= 2", "-s0 + 4", "Mod(s0, 3)", "s0*(s1 - 1)", "(s0//2)**2"}) {
            const std::optional<SympyExpression> parsed = parseInfix(text);
            QVERIFY(parsed);
            const std::optional<SympyExpression> again = parseSrepr(printSrepr(*parsed, [](std::string_view) { return true; }));
            QVERIFY2(again, text);
            const std::optional<SympyExpression> twice = parseInfix(printSympy(*again));
            QVERIFY2(twice, text);
            QCOMPARE(printSympy(*twice), printSympy(*again));
        }
    }

    void writesZipFilesThatAreRead()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.zip").toStdString();
        {
            std::ofstream out(path, std::ios::binary);
            ZipWriter zip(out);
            zip.add("root/a", "abc");
            zip.begin("root/b");
            for (int i = 0; i < 1000; ++i)
                zip.append(std::string_view("0123456789"));
            zip.add("root/empty", {});
            zip.finish();
        }
        const Result<ZipArchive> archive = ZipArchive::open(path);
        QVERIFY2(archive, archive ? "" : describe(archive.error()).c_str());
        QCOMPARE(archive->readMember("root/a", 10).value(), std::string("abc"));
        QCOMPARE(archive->readMember("root/b", 20'000).value().size(), std::size_t(10'000));
        QCOMPARE(archive->readMember("root/empty", 10).value(), std::string());
        QCOMPARE(archive->commonRoot(), std::string("root/"));
        std::ifstream in(path, std::ios::binary);
        std::stringstream bytes;
        bytes << in.rdbuf();
        QCOMPARE(bytes.str().find("0123456789") % 64, std::size_t(0));
    }

    void putsTagsIntoCustomMetadata_data()
    {
        QTest::addColumn<QString>("custom");
        QTest::addColumn<QString>("tag");
        QTest::addColumn<QString>("expected");
        QTest::newRow("a first tag") << "" << "a" << "{'tag':'a'}";
        QTest::newRow("another tag") << "{'tag':'b','x':[1]}" << "a" << "{'tag':'a','x':[1]}";
        QTest::newRow("no tag any more") << "{'tag':'b','x':[1]}" << "" << "{'x':[1]}";
        QTest::newRow("nothing left") << "{'tag':'b'}" << "" << "";
        QTest::newRow("no object") << "7" << "" << "7";
    }
    void putsTagsIntoCustomMetadata()
    {
        QFETCH(QString, custom);
        QFETCH(QString, tag);
        QFETCH(QString, expected);
        const std::string got = pt2CustomWithTag(custom.replace('\'', '"').toStdString(), tag.toStdString());
        QCOMPARE(QString::fromStdString(got), expected.replace('\'', '"'));
    }

    void refusesWhatTheFormatCannotHold()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.pt2").toStdString();
        Program program = test::programFromText("x = placeholder()\nm = call_module[lin](x)\noutput(m)");
        Result<void> written = writePt2(program, path);
        QVERIFY(!written);
        QVERIFY(written.error().message.find("exported program") != std::string::npos);
        program.signature = ExportSignature{.inputs = {{.value = Argument::node(program.rootGraph().first())}}, .outputs = {}};
        written = writePt2(program, path);
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::refused);
        QCOMPARE(written.error().message, std::string("node m is a call_module, which a .pt2 file cannot hold"));
        program = test::programFromText("x = placeholder() : 2\nfirst = relu(x)\nsecond = relu(first) : 2\noutput(second)");
        program.signature = ExportSignature{.inputs = {{.value = Argument::node(program.rootGraph().first())}}, .outputs = {}};
        written = writePt2(program, path);
        QVERIFY(!written);
        QVERIFY(written.error().message.find("node first has no value (val)") != std::string::npos);
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void readsBackWhatItWrites_data()
    {
        QTest::addColumn<QString>("path");
        const QDir cases(QString::fromStdString(test::sharedFolder() + "/conformance/pt2"));
        for (const QString& name : cases.entryList({"own_*", "v2_14*", "v2_9*", "v2_6*", "layout*"}, QDir::Dirs))
            if (QFile::exists(cases.filePath(name + "/model.pt2")))
                QTest::newRow(qPrintable(name)) << cases.filePath(name + "/model.pt2");
        QTest::newRow("none") << QString();
    }
    void readsBackWhatItWrites()
    {
        QFETCH(QString, path);
        if (path.isEmpty())
            return;
        const Result<std::vector<Pt2ProgramEntry>> programs = programsOfPt2(path.toStdString());
        QVERIFY(programs);
        const QTemporaryDir folder;
        for (const auto& [model, graphBytes, weightBytes] : *programs) {
            const Result<Program> program = readModel(path.toStdString(), {.model = model});
            QVERIFY2(program, program ? "" : describe(program.error()).c_str());
            const std::string copy = folder.filePath("copy.pt2").toStdString();
            const Result<void> written = writePt2(*program, copy);
            QVERIFY2(written, written ? "" : describe(written.error()).c_str());
            const Result<Program> again = readModel(copy, {.model = programs->size() == 1 ? "model" : ""});
            QVERIFY2(again, again ? "" : describe(again.error()).c_str());
            QCOMPARE(QString::fromStdString(inFxJson(*again)), QString::fromStdString(inFxJson(*program)));
        }
    }

    void knowsTheSchemasOfVersions()
    {
        using Case = std::pair<std::string_view, std::string>;
        for (const auto& [torch, version] :
             {Case{"2.4.1", "8.2"}, Case{"2.5.1", "7.3"}, Case{"2.6.0+cpu", "8.2"}, Case{"2.7", "8.7"}, Case{"2.8.0a0", "8.8"},
              Case{"2.9.1", "8.14"}, Case{"2.13.0", "8.20"}, Case{"2.99", "8.20"}, Case{"2.", "8.20"}, Case{"3.0", "8.20"},
              Case{"", "8.20"}})
            QCOMPARE(pt2SchemaOf(torch).version(), version);
        using Container = std::pair<std::string_view, Pt2Container>;
        for (const auto& [torch, container] : {Container{"2.5", Pt2Container::flat}, Container{"2.7.1", Pt2Container::flat},
                                               Container{"2.8.0", Pt2Container::saved},
                                               Container{"2.9.1+cu128", Pt2Container::raw}, Container{"2.99", Pt2Container::raw}})
            QCOMPARE(pt2SchemaFor(torch)->container(), container);
        for (const char* none : {"", "2", "2.", "1.13", "3.0", "new", "2.6x", "2.4.1", " 2.6"})
            QCOMPARE(pt2SchemaFor(none).error().code, ErrorCode::usage);
    }

    /// PyTorch 2.8 and earlier reject unknown fields.
    void writesWhatAReleaseKnows_data()
    {
        QTest::addColumn<QByteArray>("torch");
        QTest::addColumn<QByteArrayList>("has");
        QTest::addColumn<QByteArrayList>("lacks");
        const QByteArray names = "\"forward_arg_names\"";
        const QByteArray fields = "\"treespec_namedtuple_fields\"";
        const QByteArray single = "\"is_hop_single_tensor_return\"";
        const QByteArray guards = "\"guards_code\"";
        const QByteArray name = ",\"name\":\"conv2d";
        QTest::newRow("2.5") << QByteArray("2.5.1") << QByteArrayList{"\"major\":7,\"minor\":3}", "\"torch_version\":\"2.5.1\""}
                             << QByteArrayList{names, fields, single, guards, name, "\"sym_float_values\""};
        QTest::newRow("2.6") << QByteArray("2.6.0") << QByteArrayList{"\"minor\":2}", names}
                             << QByteArrayList{fields, single, guards, name};
        QTest::newRow("2.8") << QByteArray("2.8.0") << QByteArrayList{"\"minor\":8}", fields, single}
                             << QByteArrayList{guards, name};
        QTest::newRow("2.13") << QByteArray("2.13.0") << QByteArrayList{"\"minor\":20}", fields, single, guards, name}
                              << QByteArrayList{};
    }
    void writesWhatAReleaseKnows()
    {
        QFETCH(QByteArray, torch);
        QFETCH(QByteArrayList, has);
        QFETCH(QByteArrayList, lacks);
        Result<Program> program = readModel(std::string(SUNDER_SOURCE) + "/resources/samples/unet.pt2");
        QVERIFY(program);
        const auto check = [&](const Pt2ProgramOptions& options) {
            QByteArray json;
            QVERIFY(writeExportedProgram(*program, options, [&json](std::string_view piece) {
                json.append(piece.data(), static_cast<qsizetype>(piece.size()));
            }));
            for (const QByteArray& key : has)
                QVERIFY2(json.contains(key), key.constData());
            for (const QByteArray& key : lacks)
                QVERIFY2(!json.contains(key), key.constData());
        };
        program->origin.torch = torch.toStdString();
        check({}); // for the release that wrote the program
        program->origin.torch = torch == "2.13.0" ? "2.6.0" : "2.13.0";
        has.removeAll("\"torch_version\":\"2.5.1\""); // the target writes its own release, 2.5.0
        check({.target = *pt2SchemaFor(torch.toStdString())}); // for the requested release
    }

    void refusesWhatAReleaseDoesNotKnow_data()
    {
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<QString>("oldest");
        QTest::newRow("complex") << QStringLiteral("c") << QStringLiteral("float32") << QStringLiteral("2.9");
        QTest::newRow("uint16") << QString() << QStringLiteral("uint16") << QStringLiteral("2.6");
        QTest::newRow("float8") << QString() << QStringLiteral("float8_e5m2") << QStringLiteral("2.8");
        QTest::newRow("plain") << QString() << QStringLiteral("bfloat16") << QStringLiteral("2.5");
    }
    void refusesWhatAReleaseDoesNotKnow()
    {
        QFETCH(QString, argument);
        QFETCH(QString, dtype);
        QFETCH(QString, oldest);
        Result<Program> program = readModel(std::string(SUNDER_SOURCE) + "/resources/samples/unet.pt2");
        QVERIFY(program);
        Graph& graph = program->rootGraph();
        NodeId call = graph.first();
        while (!graph[call].isCall())
            call = graph.next(call);
        TensorMeta meta = graph[call].meta.val->asTensor();
        meta.dtype = intern(dtype.toStdString());
        graph.meta(call).val = Argument::tensor(std::move(meta));
        if (!argument.isEmpty())
            graph.setArguments(call, graph[call].args, {{intern("c"), Argument::complex(1, 2)}});
        for (const std::string torch : {"2.5", "2.6", "2.8", "2.9", "2.13"}) {
            const Result<void> written = writeExportedProgram(*program, {.target = *pt2SchemaFor(torch)},
                                                              [](std::string_view) {});
            const bool isKnown = pt2SchemaFor(torch)->release >= pt2SchemaFor(oldest.toStdString())->release;
            QCOMPARE(written.has_value(), isKnown);
            if (!isKnown)
                QVERIFY(QString::fromStdString(written.error().message).contains(QString::fromStdString("PyTorch " + torch)));
        }
    }

    void keepsTagsAndTheirOrder()
    {
        const std::string source = test::sharedFolder() + "/conformance/pt2/own_nested/model.pt2";
        if (!QFile::exists(QString::fromStdString(source)))
            QSKIP("no conformance cases next to the repository");
        Result<Program> program = readModel(source);
        QVERIFY(program);
        Graph& graph = program->rootGraph();
        for (const NodeId id : graph.nodes())
            if (graph[id].isCall())
                graph.setTag(id, intern("front"));
        const QTemporaryDir folder;
        const std::string copy = folder.filePath("copy.pt2").toStdString();
        QVERIFY(writePt2(*program, copy));
        const Result<Program> again = readModel(copy);
        QVERIFY(again);
        for (const NodeId id : again->rootGraph().nodes())
            if (again->rootGraph()[id].isCall() && !again->rootGraph()[id].target.view().ends_with("getitem"))
                QCOMPARE(again->rootGraph()[id].tag, intern("front"));
    }
};

const test::Registered<Pt2WriterTest> pt2WriterTest("pt2_writer_test");
#include "pt2_writer_test.moc"
