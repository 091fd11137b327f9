#include "allocated_bytes.h"
#include "compare_programs.h"
#include "io/exported_program/exported_program_reader.h"
#include "io/fx_json/fx_json_reader.h"
#include "io/model_file.h"
#include "io/pt2/pt2_programs.h"
#include "io/pt2/pt2_reader.h"
#include "ir/lint.h"
#include "test_case.h"
#include "test_support.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <sstream>

using namespace sunder;

namespace {

/// Upper bound of the heap memory that reading a damaged file of some KB may allocate, regardless of the sizes it claims.
constexpr std::uint64_t kMaxBytes = 256 << 20;

/// Folders of a family of cases: those in the repository, then the shared ones if present.
QStringList caseFolders(const char* family)
{
    QStringList roots{QString::fromStdString(test::casePath(family))};
    if (!test::sharedFolder().empty())
        roots.append(QString::fromStdString(test::sharedFolder() + "/conformance/" + family));
    QStringList folders;
    for (const QString& root : roots)
        for (const QString& name : QDir(root).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            folders.append(root + QLatin1Char('/') + name);
    return folders;
}

QString rowName(const QString& folder)
{
    const bool isOwn = folder.startsWith(QStringLiteral(SUNDER_CASES));
    return QDir(folder).dirName() + (isOwn ? QStringLiteral(" in the repository") : QString());
}

std::string modelOf(const QString& folder)
{
    const QString archive = folder + QStringLiteral("/model.pt2");
    return (QFile::exists(archive) ? archive : folder + QStringLiteral("/model.json")).toStdString();
}

/// Containers and encodings of releases before PyTorch 2.9, which store weights in pickles.
bool isOlder(const QString& name)
{
    for (const char* prefix : {"v2_6_0_", "schema2_", "schema3_", "layout_2_8_"})
        if (name.startsWith(QLatin1String(prefix)))
            return true;
    return false;
}

/// Files without kinds of arguments; the operator's schema decides which arguments are positional.
bool lacksKinds(const QString& name)
{
    return isOlder(name) || name.startsWith(QLatin1String("variant_sparse"));
}

} // namespace

class Pt2ReaderTest : public QObject {
    Q_OBJECT

private slots:
    void rebuildsWhatTorchLoads_data();
    void rebuildsWhatTorchLoads();
    void refusesOrPutsUpWithDamage_data();
    void refusesOrPutsUpWithDamage();
    void namesTheProgramsOfAnArchive();
    void asksWhichOfSeveralPrograms();
    void refusesAProgramThatIsNotThere();
    void knowsWhereTheBytesOfATensorAre();
    void keepsWhatAWriterNeeds();
    void takesNegativeStridesForContiguousOnes();
    void stopsWhenCancelled();
    void readsTheSampleModels_data();
    void readsTheSampleModels();
};

void Pt2ReaderTest::rebuildsWhatTorchLoads_data()
{
    QTest::addColumn<QString>("folder");
    for (const QString& folder : caseFolders("pt2"))
        QTest::newRow(qPrintable(rowName(folder))) << folder;
}

void Pt2ReaderTest::rebuildsWhatTorchLoads()
{
    QFETCH(const QString, folder);
    const QString name = QDir(folder).dirName();
    const QStringList expectations = QDir(folder).entryList({QStringLiteral("expected*.fxj"), QStringLiteral("expected*.fxj.gz")},
                                                            QDir::Files);
    if (expectations.isEmpty())
        QVERIFY(readModel(modelOf(folder)));
    for (const QString& file : expectations) {
        const QString model = file.section(QLatin1Char('.'), 0, 0).mid(9);
        Result<Program> expected = readModel((folder + QLatin1Char('/') + file).toStdString());
        QVERIFY2(expected, expected ? "" : describe(expected.error()).c_str());
        Result<Program> actual = readModel(modelOf(folder), {.model = model.toStdString()});
        QVERIFY2(actual, actual ? "" : describe(actual.error()).c_str());
        for (const Diagnostic& diagnostic : lint(*actual))
            QFAIL(diagnostic.message.c_str());
        if (isOlder(name)) // shared memory is described in a pickle, which is not read
            expected->tensors = actual->tensors = {};
        // Schema 2 does not record which buffers are persistent either.
        const test::CompareOptions options{.signature = !name.startsWith(QLatin1String("schema2_")),
                                           .operands = lacksKinds(name)};
        for (const std::string& difference : test::differences(*expected, *actual, options))
            QFAIL(difference.c_str());
    }
}

void Pt2ReaderTest::refusesOrPutsUpWithDamage_data()
{
    QTest::addColumn<QString>("folder");
    for (const QString& folder : caseFolders("pt2_bad"))
        QTest::newRow(qPrintable(rowName(folder))) << folder;
}

void Pt2ReaderTest::refusesOrPutsUpWithDamage()
{
    QFETCH(const QString, folder);
    QFile file(folder + QStringLiteral("/expect.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject expect = QJsonDocument::fromJson(file.readAll()).object();
    const std::uint64_t before = test::allocatedBytes();
    const Result<Program> program = readModel(
        (folder + QLatin1Char('/') + expect.value(QStringLiteral("file")).toString()).toStdString());
    const std::uint64_t taken = test::allocatedBytes() - before;
    QVERIFY2(taken < kMaxBytes, qPrintable(QString("it took %1 bytes").arg(taken)));
    if (expect.value(QStringLiteral("command")).toString() != QLatin1String("info") && program)
        return; // the writer, which reads the weights, reports the damage
    const int exit = program ? 0 : exitStatus(program.error().code);
    QCOMPARE(exit, expect.value(QStringLiteral("exit")).toInt());
    if (program)
        return;
    const QString message = QString::fromStdString(describe(program.error()));
    for (const QJsonValue& part : expect.value(QStringLiteral("contains")).toArray())
        QVERIFY2(message.contains(part.toString(), Qt::CaseInsensitive), qPrintable(message));
}

void Pt2ReaderTest::namesTheProgramsOfAnArchive()
{
    const auto programs = programsOfPt2(test::casePath("pt2/v2_14_1_multi/model.pt2"));
    QVERIFY(programs);
    QCOMPARE(programs->size(), 2U);
    QCOMPARE((*programs)[0].name, std::string("encoder"));
    QCOMPARE((*programs)[0].graphBytes, 2915U);
    QCOMPARE((*programs)[0].weightBytes, std::optional<std::uint64_t>(48));
    QCOMPARE((*programs)[1].name, std::string("decoder"));
    QCOMPARE((*programs)[1].weightBytes, std::optional<std::uint64_t>(80));
}

void Pt2ReaderTest::asksWhichOfSeveralPrograms()
{
    const Result<Program> program = readPt2(test::casePath("pt2/v2_14_1_multi/model.pt2"));
    QVERIFY(!program);
    QCOMPARE(program.error().code, ErrorCode::usage);
    QVERIFY(program.error().message.find("decoder") != std::string::npos);
}

void Pt2ReaderTest::refusesAProgramThatIsNotThere()
{
    const Result<Program> program = readPt2(test::casePath("pt2/v2_14_1_multi/model.pt2"), {.model = "tail"});
    QVERIFY(!program);
    QCOMPARE(program.error().code, ErrorCode::usage);
    QVERIFY(program.error().message.find("tail") != std::string::npos);
}

void Pt2ReaderTest::knowsWhereTheBytesOfATensorAre()
{
    const std::string path = test::casePath("pt2/own_stored_views/model.pt2");
    const Result<Program> program = readPt2(path);
    QVERIFY(program);
    const TensorEntry& row = program->tensors[program->tensors.find(intern("row"))];
    const Storage& storage = program->tensors[row.storage];
    QCOMPARE(storage.file.str(), path);
    QCOMPARE(storage.record.str(), std::string("model/data/weights/weight_0"));
    QCOMPARE(storage.byteCount, std::optional<std::uint64_t>(96));
    QCOMPARE(row.meta.offset->asInteger(), 12);
    QVERIFY(row.storage == program->tensors[program->tensors.find(intern("turned"))].storage);
}

/// PyTorch behaves the same when it is given negative strides.
void Pt2ReaderTest::takesNegativeStridesForContiguousOnes()
{
    QFile file(QString::fromStdString(test::casePath("pt2/bare_json_cond_in_submodules/model.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    const qsizetype strides = text.indexOf("\"strides\": [{\"as_int\": 4}, {\"as_int\": 1}]", text.indexOf("\"x\": {\"dtype\""));
    QVERIFY(strides > 0);
    text.replace(strides, 41, "\"strides\": [{\"as_int\":-7}, {\"as_int\":-1}]");
    std::istringstream stream(text.toStdString());
    StreamSource source(stream, static_cast<std::uint64_t>(text.size()));
    const Result<Program> program = readExportedProgram(source, ProgressMonitor::none());
    QVERIFY2(program.has_value(), program ? "" : program.error().message.c_str());
    const Node& x = program->rootGraph().node(program->rootGraph().find(intern("x")));
    QCOMPARE((*x.meta.val->asTensor().stride)[0].asInteger(), 4);
    QCOMPARE((*x.meta.val->asTensor().stride)[1].asInteger(), 1);
}

void Pt2ReaderTest::keepsWhatAWriterNeeds()
{
    const Result<Program> program = readPt2(test::casePath("pt2/v2_9_1_annotated/model.pt2"));
    QVERIFY(program);
    QVERIFY(program->origin.extra.view().find("\"schema_version\":{\"major\":8") != std::string_view::npos);
    bool names = false;
    bool custom = false;
    for (const NodeId id : program->rootGraph().nodes()) {
        const std::string_view json = program->rootGraph()[id].meta.json.view();
        names = names || json.find("\"pt2\":{\"inputs\":[\"input\"") != std::string_view::npos;
        custom = custom || json.find("\"custom\":{") != std::string_view::npos;
    }
    QVERIFY(names);
    QVERIFY(custom);
}

void Pt2ReaderTest::stopsWhenCancelled()
{
    class Cancelled final : public ProgressMonitor {
        void report(double, std::string_view) override {}
        [[nodiscard]] bool isCancelled() const override { return true; }
    } monitor;
    const Result<Program> program = readPt2(test::casePath("pt2/own_symbols/model.pt2"), {}, monitor);
    QVERIFY(!program);
    QCOMPARE(program.error().code, ErrorCode::cancelled);
}

void Pt2ReaderTest::readsTheSampleModels_data()
{
    QTest::addColumn<QString>("path");
    const QString folder = QString::fromStdString(test::sharedFolder() + "/samples/models");
    for (const QString& name : QDir(folder).entryList({QStringLiteral("*.pt2")}, QDir::Files))
        QTest::newRow(qPrintable(name)) << folder + QLatin1Char('/') + name;
    if (test::sharedFolder().empty())
        QTest::newRow("none here") << QString();
}

void Pt2ReaderTest::readsTheSampleModels()
{
    QFETCH(const QString, path);
    if (path.isEmpty())
        QSKIP("the sample models are not next to the repository");
    const Result<Program> program = readPt2(path.toStdString());
    QVERIFY2(program, program ? "" : describe(program.error()).c_str());
    QVERIFY(lint(*program).empty());
    QCOMPARE(program->signature->inputs.size(),
             static_cast<std::size_t>(std::count_if(program->rootGraph().nodes().begin(), program->rootGraph().nodes().end(),
                                                    [&](NodeId id) { return program->rootGraph()[id].op == Op::placeholder; })));
}

const test::Registered<Pt2ReaderTest> pt2ReaderTest("pt2_reader_test");
#include "pt2_reader_test.moc"
