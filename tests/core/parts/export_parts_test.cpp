#include "analysis/stages.h"
#include "io/archives/zip_writer.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/model_file.h"
#include "io/torch_save/storage_archives.h"
#include "parts/export_parts.h"
#include "parts/part_manifest.h"
#include "parts/part_weights.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "support/sha256.h"
#include "test_case.h"
#include "test_support.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

using namespace sunder;

namespace {

/// Sample models: those of the repository, and the larger shared ones if present.
QStringList models()
{
    QStringList found;
    QStringList folders = {QStringLiteral(SUNDER_SOURCE "/resources/samples")};
    if (!test::sharedFolder().empty())
        folders << QString::fromStdString(test::sharedFolder()) + "/samples/models";
    for (const QString& folder : folders)
        for (const QString& name : QDir(folder).entryList({"*.pt2"}, QDir::Files, QDir::Name))
            found << folder + '/' + name;
    return found;
}

QJsonObject manifestIn(const QString& folder)
{
    QFile file(folder + "/manifest.json");
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

/// Returns the first fault in the wiring of a manifest; empty if every input is available before it is needed.
QString fault(const QJsonObject& manifest)
{
    QStringList known;
    for (const QJsonValue value : manifest["inputs"].toArray())
        known << value["name"].toString();
    for (const QJsonValue part : manifest["parts"].toArray()) {
        for (const QJsonValue value : part["inputs"].toArray())
            if (!known.contains(value["name"].toString()))
                return part["name"].toString() + " needs " + value["name"].toString();
        for (const QJsonValue value : part["outputs"].toArray()) {
            if (known.contains(value["name"].toString()))
                return part["name"].toString() + " gives " + value["name"].toString() + " again";
            known << value["name"].toString();
        }
    }
    for (const QJsonValue value : manifest["outputs"].toArray())
        if (!value.toObject().contains("literal") && !known.contains(value["name"].toString()))
            return "nothing gives " + value["name"].toString();
    return {};
}

Program chain()
{
    return test::programFromText(R"(
        x = placeholder()
        a = relu(x)
        b = add(a, x)
        out = output(b))");
}

/// Writes a plain program whose second call reads the tensor `w` of `elements` elements from an archive in the same folder.
/// Returns the path of the program.
std::string weightedChain(const QString& folder, std::int64_t elements)
{
    const std::string beside = (folder + "/weights.zip").toStdString();
    std::ofstream out(beside, std::ios::binary);
    ZipWriter zip(out);
    zip.add("w", std::string(32, '\1'));
    zip.finish();
    out.close();
    Program program = test::programFromText("x = placeholder() : 8\na = call_function[torch.relu](x) : 8\n"
                                            "w = get_attr[w]() : 8\nb = call_function[torch.mul](a, w) : 8\nout = output(b)");
    const StorageId storage = program.tensors.addStorage({.id = intern("s0"),
                                                          .byteCount = 4 * static_cast<std::uint64_t>(elements),
                                                          .file = intern("weights.zip"),
                                                          .record = intern("w"),
                                                          .placeExtra = storagePlaceExtra(*ZipArchive::open(beside)->find("w"))});
    TensorEntry entry{.fqn = intern("w"), .persistent = true, .storage = storage};
    entry.meta = {.dtype = intern("float32"), .shape = {Argument::integer(elements)}, .storage = intern("s0")};
    entry.meta.stride = Arguments{Argument::integer(1)};
    program.tensors.add(std::move(entry));
    const std::string path = (folder + "/chain.fxj").toStdString();
    static_cast<void>(writeFxJson(program, path));
    return path;
}

SplitResult splitChain(const Program& source)
{
    const std::vector<TagPair> pairs = {{intern("a"), intern("First/Part")}, {intern("b"), intern("first_part")}};
    return *splitByTags(source, assignTags(source.rootGraph(), {pairs[0].second, pairs[1].second}, pairs));
}

} // namespace

class ExportPartsTest final : public QObject {
    Q_OBJECT
private slots:
    void exportsEveryModelInStages_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("stages");
        for (const QString& model : models())
            for (const int stages : model.startsWith(SUNDER_SOURCE) ? std::vector{2, 5} : std::vector{5})
                QTest::newRow(qPrintable(model.section('/', -1) + " in " + QString::number(stages))) << model << stages;
    }
    void exportsEveryModelInStages()
    {
        QFETCH(QString, model);
        QFETCH(int, stages);
        const Result<Program> source = readModel(model.toStdString());
        QVERIFY2(source.has_value(), source ? "" : describe(source.error()).c_str());
        const TagAssignment tags = *consecutiveStages(*source, static_cast<std::uint32_t>(stages), StageMeasure::nodes);
        const Result<SplitResult> split = splitByTags(*source, tags);
        QVERIFY2(split.has_value(), split ? "" : describe(split.error()).c_str());
        QTemporaryDir folder;
        const Result<ExportedParts> parts = exportParts(*source, *split, folder.filePath("parts").toStdString());
        QVERIFY2(parts.has_value(), parts ? "" : describe(parts.error()).c_str());
        QCOMPARE(parts->files.size(), static_cast<std::size_t>(stages));
        QCOMPARE(fault(manifestIn(folder.filePath("parts"))), QString());
        QVERIFY(QFile::exists(QString::fromStdString(parts->runner)));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{"parts"});
    }

    void writesPartsOfGraphModulesAsFxJson()
    {
        const Program source = chain();
        const SplitResult split = splitChain(source);
        QTemporaryDir folder;
        const Result<ExportedParts> parts = exportParts(source, split, folder.path().toStdString());
        QVERIFY2(parts.has_value(), parts ? "" : describe(parts.error()).c_str());
        QCOMPARE(fault(manifestIn(folder.path())), QString());
        const Result<Program> first = readModel(parts->files[0]);
        QVERIFY2(first.has_value(), first ? "" : describe(first.error()).c_str());
        QCOMPARE(test::textOf(first->rootGraph()),
                 std::string("x = placeholder[x]()\na = call_function[torch.ops.test.relu](x)\noutput = output[output](a)\n"));
    }

    /// Each part of a plain program has its weights in a file in the same folder and needs no other file.
    void keepsWeightsBesidePartsOfFxJson()
    {
        QTemporaryDir folder;
        const Program source = *readModel(weightedChain(folder.path(), 8));
        const auto parts = exportParts(source, splitChain(source), folder.filePath("parts").toStdString());
        QVERIFY2(parts.has_value(), parts ? "" : describe(parts.error()).c_str());
        QVERIFY2(parts->contents.taken.empty(), parts->contents.taken.empty() ? "" : parts->contents.taken.front().why.c_str());
        QCOMPARE(parts->contents.bytes, std::uint64_t{32});
        QVERIFY(QFile::remove(folder.filePath("weights.zip")) && QDir(folder.path()).rename("parts", "moved"));
        const QJsonObject part = manifestIn(folder.filePath("moved"))["parts"].toArray()[1].toObject();
        QCOMPARE(part["weights"].toObject()["file"].toString(), QString("first_part_1.weights.zip"));
        const Result<std::string> hash = sha256OfFile(folder.filePath("moved/first_part_1.weights.zip").toStdString());
        QCOMPARE(part["weights"].toObject()["sha256"].toString().toStdString(), hash.value_or(""));
        const Program read = *readModel(folder.filePath("moved/first_part_1.fxj").toStdString());
        QVERIFY(StorageArchives(read).find(read.tensors.storages().front()).has_value());
        QVERIFY(!QFile::exists(folder.filePath("moved/First_Part.weights.zip"))); // it reads no weights
    }

    void writesPartsOfPlainProgramsAsPt2()
    {
        QTemporaryDir folder;
        const Program source = *readModel(weightedChain(folder.path(), 8));
        const auto parts = exportParts(source, splitChain(source), folder.filePath("parts").toStdString(),
                                       {.format = PartFormat::pt2});
        QVERIFY2(parts.has_value(), parts ? "" : describe(parts.error()).c_str());
        const Result<Program> last = readModel(parts->files[1]);
        QVERIFY2(last.has_value(), last ? "" : describe(last.error()).c_str());
        QCOMPARE(last->signature->inputs.front().target, intern("w"));
        QCOMPARE(last->tensors.size(), std::size_t{1});
    }

    void refusesWhatDoesNotFitTheDiskBeforeItWrites()
    {
        QTemporaryDir folder;
        const Program source = *readModel(weightedChain(folder.path(), std::int64_t{1} << 60));
        const auto refused = exportParts(source, splitChain(source), folder.filePath("parts").toStdString());
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::io);
        QVERIFY2(refused.error().message.find("about 4.6 EB, but only ") != std::string::npos, refused.error().message.c_str());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
    }

    /// The nodes of the graph are then both in the parts and in the graph that is passed as an argument.
    void exportsACallThatIsGivenTheRootGraph_data()
    {
        QTest::addColumn<bool>("exported");
        QTest::newRow("graph module") << false;
        QTest::newRow("exported program") << true;
    }
    void exportsACallThatIsGivenTheRootGraph()
    {
        QFETCH(bool, exported);
        Program source = chain();
        Graph& graph = source.rootGraph();
        const NodeId x = graph.first();
        const NodeId a = graph.next(x);
        const NodeId b = graph.next(a);
        for (const NodeId id : {x, a, b})
            graph.meta(id).val = Argument::tensor(TensorMeta{.dtype = intern("float32"), .shape = {Argument::integer(4)}});
        graph.setArguments(a, {Argument::node(x), Argument::graph(source.root)}, {});
        if (exported)
            source.signature = ExportSignature{.inputs = {{.kind = InputKind::user, .value = Argument::node(x)}},
                                               .outputs = {{.kind = OutputKind::user, .value = Argument::node(b)}}};
        QTemporaryDir folder;
        const Result<ExportedParts> parts = exportParts(source, splitChain(source), folder.path().toStdString(),
                                                        {.unproven = true});
        QVERIFY2(parts.has_value(), parts ? "" : describe(parts.error()).c_str());
        QCOMPARE(fault(manifestIn(folder.path())), QString());
        QCOMPARE(parts->files.size(), std::size_t{2});
    }

    void refusesWhatIsNotProven()
    {
        const Program source = chain();
        const SplitResult split = splitChain(source);
        QTemporaryDir folder;
        const std::string path = folder.filePath("parts").toStdString();
        const auto refused = exportParts(source, split, path, {.proof = Proof::different, .why = "a write moved"});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::refused);
        QVERIFY(refused.error().message.ends_with("a write moved"));
        QVERIFY(!QFile::exists(folder.filePath("parts")));
        QVERIFY(exportParts(source, split, path, {.proof = Proof::different, .unproven = true}).has_value());
    }

    void leavesTheFolderAsItWasOnFailure()
    {
        const Program source = chain();
        const SplitResult split = splitChain(source);
        QTemporaryDir folder;
        // A folder blocks the path of the second part.
        QVERIFY(QDir(folder.path()).mkpath("first_part_1.fxj/inner"));
        QFile old(folder.filePath("First_Part.fxj"));
        QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
        old.close();
        const auto failed = exportParts(source, split, folder.path().toStdString());
        QVERIFY(!failed);
        QCOMPARE(failed.error().code, ErrorCode::io);
        QVERIFY(old.open(QIODevice::ReadOnly));
        QCOMPARE(old.readAll(), QByteArray("old"));
        QVERIFY(!QFile::exists(folder.filePath("manifest.json")));
    }

    void writesItsRunPyAgainAndKeepsThatOfOthers()
    {
        const Result<Program> source = readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        const Result<SplitResult> split = splitByTags(*source, *consecutiveStages(*source, 2, StageMeasure::nodes));
        const auto exportInto = [&](const QTemporaryDir& folder) {
            return exportParts(*source, *split, folder.path().toStdString());
        };
        QTemporaryDir ours;
        QFile own(ours.filePath("run.py"));
        QVERIFY(exportInto(ours).has_value() && own.open(QIODevice::ReadOnly));
        const QByteArray text = own.readAll();
        own.close();
        QVERIFY(own.open(QIODevice::Append) && own.write("# changed") == 9);
        own.close();
        QVERIFY(exportInto(ours).has_value() && own.open(QIODevice::ReadOnly));
        QCOMPARE(own.readAll(), text);

        QTemporaryDir others;
        QFile theirs(others.filePath("run.py"));
        QVERIFY(theirs.open(QIODevice::WriteOnly) && theirs.write("mine") == 4);
        theirs.close();
        for (int i = 0; i < 2; ++i) {
            const Result<ExportedParts> parts = exportInto(others);
            QVERIFY2(parts.has_value(), parts ? "" : describe(parts.error()).c_str());
            QVERIFY(parts->runner.empty() && !manifestIn(others.path()).contains("runner"));
        }
        QVERIFY(theirs.open(QIODevice::ReadOnly));
        QCOMPARE(theirs.readAll(), QByteArray("mine"));
    }

    void saysHowExportsAreCalled()
    {
        const Result<Program> source = readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        const Result<SplitResult> split = splitByTags(*source, *consecutiveStages(*source, 2, StageMeasure::nodes));
        QTemporaryDir folder;
        QVERIFY(exportParts(*source, *split, folder.path().toStdString()).has_value());
        const QJsonObject call = manifestIn(folder.path())["call"].toObject();
        QCOMPARE(call["in_spec"].toString().toStdString(), source->calls.front().inSpec.text());
        QCOMPARE(call["out_spec"].toString().toStdString(), source->calls.front().outSpec.text());
        QVERIFY(call.contains("args") && call.contains("kwargs") && call.contains("result"));
    }

    void saysHowGraphModulesAreCalled()
    {
        Program source = chain();
        Graph& graph = source.rootGraph();
        const NodeId b = graph.node(graph.output()).args.front().asNode();
        graph.setArguments(graph.output(),
                           {Argument::dict({Argument::string(intern("b")), Argument::string(intern("none"))},
                                           {Argument::list({Argument::node(b)}), Argument()})},
                           {});
        QTemporaryDir folder;
        const Result<ExportedParts> parts = exportParts(source, splitChain(source), folder.path().toStdString());
        QVERIFY2(parts.has_value(), parts ? "" : describe(parts.error()).c_str());
        QVERIFY(parts->runner.empty());
        const QJsonObject call = manifestIn(folder.path())["call"].toObject();
        QCOMPARE(QJsonDocument(call["result"].toObject()).toJson(QJsonDocument::Compact),
                 QByteArray(R"({"dict":{"b":{"list":[0]},"none":1}})"));
        QCOMPARE(call["args"].toArray(), QJsonArray{0});
    }

    /// Two tensors with shared memory in two parts, a tensor used in both, and one without aliases.
    void saysWhichWeightsAreOne()
    {
        Program source;
        const StorageId one = source.tensors.addStorage({.id = intern("s0"), .byteCount = {}});
        for (const char* name : {"embed", "head", "scale", "alone", "unused"})
            source.tensors.add(
                {.fqn = intern(name),
                 .persistent = {},
                 .storage = std::string_view(name) == "embed" || std::string_view(name) == "head" ? one : StorageId()});
        SharedWeights shared(source);
        const auto addPart = [&shared](const std::string& part, const std::vector<const char*>& names) {
            Program program;
            for (const char* name : names)
                program.tensors.add({.fqn = intern(name), .persistent = {}});
            shared.add(part, program);
        };
        addPart("a", {"embed", "scale"});
        addPart("b", {"head", "scale", "alone"});
        const std::vector<ManifestTie> ties = shared.ties();
        QCOMPARE(ties.size(), std::size_t{2});
        QCOMPARE(ties[0].names, (std::vector<std::string>{"embed", "head"}));
        QCOMPARE(ties[1].names, std::vector<std::string>{"scale"});
        for (const ManifestTie& tie : ties)
            QCOMPARE(tie.parts, (std::vector<std::string>{"a", "b"}));
    }

    void saysForWhichDevicesPartsAre()
    {
        const Program source = chain();
        const std::vector<PartitionDagNode> dag = {{.submodule = intern("first_part"), .devices = {2, 5}}};
        QTemporaryDir folder;
        QVERIFY(exportParts(source, splitChain(source), folder.path().toStdString(), {.dag = dag}).has_value());
        const QJsonArray parts = manifestIn(folder.path())["parts"].toArray();
        QVERIFY(!parts[0].toObject().contains("devices"));
        QCOMPARE(parts[1]["devices"].toArray(), (QJsonArray{2, 5}));
    }

    void refusesAFileInPlaceOfTheFolder()
    {
        const Program source = chain();
        QTemporaryDir folder;
        QFile file(folder.filePath("parts"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const auto failed = exportParts(source, splitChain(source), folder.filePath("parts").toStdString());
        QVERIFY(!failed);
        QCOMPARE(failed.error().code, ErrorCode::io);
    }

    void listsOperatorsThatHaveToBeRegistered()
    {
        Program program = test::programFromText(R"(
            x = placeholder()
            a = call_function[torch.ops.aten.relu.default](x)
            b = call_function[torch.ops.mylib.scale.default](a)
            c = call_function[torch.ops.mylib.scale](b)
            d = call_function[torch.ops.quantized_decomposed.choose_qparams.tensor](c)
            e = call_function[torch.ops.higher_order.auto_functionalized](d)
            f = call_function[torch.nn.functional.relu](e)
            out = output(f))");
        Graph& graph = program.rootGraph();
        const Argument given = Argument::word(ArgumentKind::function, intern("torch.ops.other.write_.default"));
        graph.setArguments(graph.find(intern("e")), {Argument::list({given})}, {});
        const std::vector<ManifestOperator> wanted = {
            {.name = "mylib::scale"},
            {.name = "other::write_"},
            {.name = "quantized_decomposed::choose_qparams", .module = "torch.ao.quantization.fx._decomposed"}};
        QCOMPARE(operatorsToRegister(program), wanted);
        QCOMPARE(operatorsToRegister(test::programFromText("x = placeholder()\na = call_method[relu](x)\nout = output(a)")),
                 std::vector<ManifestOperator>());
    }

    void namesFilesThatEverySystemCanHold()
    {
        const std::vector<std::string> names = partFileNames({"a b", "../x", "A_B", "größer", "", "a_b"}, ".pt2");
        const std::vector<std::string> wanted = {"a_b.pt2", "part.._x.pt2", "A_B_1.pt2", "gr____er.pt2", "part.pt2", "a_b_2.pt2"};
        QCOMPARE(names, wanted);
    }

    void hashesAsSha256()
    {
        QCOMPARE(sha256(""), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(sha256("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(sha256(std::string(1000, 'a')), std::string("41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"));
    }
};

const test::Registered<ExportPartsTest> exportPartsTest("export_parts_test");
#include "export_parts_test.moc"
