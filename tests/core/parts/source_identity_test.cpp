#include "analysis/stages.h"
#include "changed_archive.h"
#include "io/archives/source_file.h"
#include "io/fx_json/fx_json_reader.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/model_file.h"
#include "io/pt2/pt2_writer.h"
#include "io/torch_save/storage_archives.h"
#include "parts/export_parts.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "support/file.h"
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

#include <algorithm>
#include <array>
#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace sunder;

namespace {

const std::string kResidual = SUNDER_SOURCE "/resources/samples/residual_cnn.pt2";

QJsonObject manifestIn(const std::string& folder)
{
    QFile file(QString::fromStdString(folder) + "/manifest.json");
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

/// All weight bytes of a file, in the order of its tensors.
std::string weightsIn(const std::string& path)
{
    const Result<Program> program = readModel(path);
    StorageArchives archives(*program);
    std::string all;
    for (const TensorEntry& entry : program->tensors.entries()) {
        const Result<StorageRecord> record = archives.find(program->tensors[entry.storage]);
        all += entry.fqn.str() + ' ' + *record->archive->readMember(record->member->name, 1U << 30U) + '\n';
    }
    return all;
}

struct StopSoon final : ProgressMonitor {
    void report(double, std::string_view) override {}
    [[nodiscard]] bool isCancelled() const override { return ++asked > 3; }
    mutable std::atomic<int> asked = 0;
};

} // namespace

/// Parts carry the weights of the file that was read; if it has changed, no parts are written.
class SourceIdentityTest final : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = path("model.pt2");
        m_other = path("other.pt2");
        QVERIFY(test::copyArchive(kResidual, m_file, [](const std::string&, std::string&) {}));
        QVERIFY(test::copyWithOtherWeights(m_file, m_other));
        Result<Program> read = readModel(m_file);
        QVERIFY2(read.has_value(), read ? "" : describe(read.error()).c_str());
        m_source = std::move(*read);
        Result<SplitResult> split = splitByTags(m_source, *consecutiveStages(m_source, 2, StageMeasure::nodes));
        QVERIFY2(split.has_value(), split ? "" : describe(split.error()).c_str());
        m_split = std::move(*split);
    }

    void refusesPartsOfAFileThatWasOverwritten()
    {
        QVERIFY(test::overwriteInPlace(m_file, m_other));
        expectRefusal();
    }

    void refusesPartsOfAFileOverwrittenWithinItsTimeAndSize()
    {
        QCOMPARE(std::filesystem::file_size(m_file), std::filesystem::file_size(m_other));
        const auto time = std::filesystem::last_write_time(m_file);
        QVERIFY(test::overwriteInPlace(m_file, m_other));
        std::filesystem::last_write_time(m_file, time);
        expectRefusal();
    }

    void refusesPartsOfAFileThatWasTruncated()
    {
        std::filesystem::resize_file(m_file, 1000);
        expectRefusal();
    }

    void takesPartsFromTheFileThatWasReadWhenAnotherTookItsPlace()
    {
        const std::string before = sha256OfFile(m_file).value();
        const Result<ExportedParts> wanted = exportParts(m_source, m_split, path("wanted"));
        QVERIFY2(wanted.has_value(), wanted ? "" : describe(wanted.error()).c_str());
        std::filesystem::rename(m_other, m_file);
        const Result<ExportedParts> parts = exportParts(m_source, m_split, path("parts"));
        QVERIFY2(parts.has_value(), parts ? "" : describe(parts.error()).c_str());
        const QJsonObject manifest = manifestIn(path("parts"));
        QCOMPARE(manifest["source"]["sha256"].toString().toStdString(), before);
        QCOMPARE(manifest["parts"].toArray().size(), 2);
        for (int i = 0; i < 2; ++i) {
            const std::string part = parts->files[static_cast<std::size_t>(i)];
            QCOMPARE(manifest["parts"][i]["sha256"].toString().toStdString(), sha256OfFile(part).value());
            QCOMPARE(weightsIn(part), weightsIn(wanted->files[static_cast<std::size_t>(i)]));
        }
    }

    void refusesToWriteTheModelItselfWithOtherWeights()
    {
        QVERIFY(test::overwriteInPlace(m_file, m_other));
        const Result<void> written = writePt2(m_source, path("copy.pt2"));
        QVERIFY(!written.has_value());
        QVERIFY(!std::filesystem::exists(path("copy.pt2")));
    }

    void saysOfAPathWhetherItLeadsToWhatWasRead()
    {
        const SourceFile& opened = *m_source.origin.opened;
        QVERIFY(!opened.changeAtPath().has_value());
        std::filesystem::rename(m_other, m_file);
        QCOMPARE(opened.changeAtPath().value_or(""), std::string("it was replaced by another file"));
        QVERIFY(opened.checkUnchanged().has_value());
        std::filesystem::remove(m_file);
        QVERIFY(opened.changeAtPath().has_value());
    }

    void saysSizesThatDiffer()
    {
        std::ofstream(m_file, std::ios::app | std::ios::binary) << 'x';
        const std::string why = m_source.origin.opened->changeAtPath().value_or("");
        const QStringList figures = QString::fromStdString(why).section("is now ", 1).split(" instead of ");
        QVERIFY2(figures.size() == 2 && figures[0] != figures[1], why.c_str());
    }

    void tellsStretchesOfOneFileApart()
    {
        const std::shared_ptr<const SourceFile> whole = m_source.origin.opened;
        const auto first = SourceFile::stretch(whole, 0, 100);
        QVERIFY(first->isSameAs(*SourceFile::stretch(whole, 0, 100)));
        QVERIFY(!first->isSameAs(*SourceFile::stretch(whole, 100, 100)));
        QVERIFY(!first->isSameAs(*whole));
    }

    void findsTheWeightsOfAnFxJsonOnlyInTheArchiveThatItWasMadeFrom()
    {
        const std::string text = path("model.fxj");
        QVERIFY(writeFxJson(m_source, text).has_value());
        const Result<Program> program = readModel(text);
        const Storage& storage = program->tensors.storages().front();
        {
            const Result<StorageRecord> record = StorageArchives(*program).find(storage);
            QVERIFY2(record.has_value(), record ? "" : describe(record.error()).c_str());
            QVERIFY(record->isIdentified);
        }
        std::filesystem::rename(m_other, m_file);
        const Result<StorageRecord> record = StorageArchives(*program).find(storage);
        QVERIFY(!record.has_value());
        QCOMPARE(record.error().code, ErrorCode::io);
    }

    void holdsAnArchiveToTheHashInAnFxJsonHeader_data()
    {
        QTest::addColumn<std::string>("header");
        QTest::addColumn<bool>("isFound");
        QTest::addColumn<bool>("isIdentified");
        const std::string good = sha256OfFile(kResidual).value();
        QTest::newRow("the right hash") << std::string("{'file':'model.pt2','sha256':'HASH'}") << true << true;
        QTest::newRow("another hash") << "{'file':'model.pt2','sha256':'" + good + "'}" << false << false;
        QTest::newRow("no hash") << std::string("{'file':'model.pt2'}") << true << false;
        QTest::newRow("the hash of another file") << std::string("{'file':'x.pt2','sha256':'HASH'}") << true << false;
    }
    void holdsAnArchiveToTheHashInAnFxJsonHeader()
    {
        QFETCH(std::string, header);
        QFETCH(bool, isFound);
        QFETCH(bool, isIdentified);
        if (const std::size_t at = header.find("HASH"); at != std::string::npos)
            header.replace(at, 4, sha256OfFile(m_file).value());
        std::string text = "{'k':'fx-json','v':[1,0],'min':[1,0],'source':" + header
            + "}\n{'k':'storage','id':'s0','at':{'file':'model.pt2','record':'data/weights/weight_0'}}\n"
              "{'k':'graph','id':'g0','module':''}\n"
              "{'k':'node','g':'g0','name':'output','op':'output','target':'output','args':[null],'kwargs':[]}\n"
              "{'k':'end','nodes':1}\n";
        std::ranges::replace(text, '\'', '"');
        QVERIFY(writeFileAtomically(path("hand.fxj"), text).has_value());
        const Result<Program> program = readModel(path("hand.fxj"));
        QVERIFY2(program.has_value(), program ? "" : describe(program.error()).c_str());
        StorageArchives archives(*program);
        const Result<StorageRecord> found = archives.find(program->tensors.storages().front());
        QCOMPARE(found.has_value(), isFound);
        if (found)
            QCOMPARE(found->isIdentified, isIdentified);
    }

    void readsAModelOutOfAPipeOfAShell()
    {
        std::array<int, 2> ends{};
        QCOMPARE(::pipe(ends.data()), 0);
        std::thread writer([&] {
            const std::string bytes = readFile(m_file, 1U << 30U).value();
            for (std::size_t at = 0; at < bytes.size();) {
                const ssize_t count = ::write(ends[1], bytes.data() + at, bytes.size() - at);
                if (count <= 0)
                    break;
                at += static_cast<std::size_t>(count);
            }
            ::close(ends[1]);
        });
        const Result<Program> program = readModel("/dev/fd/" + std::to_string(ends[0]));
        writer.join();
        ::close(ends[0]);
        QVERIFY2(program.has_value(), program ? "" : describe(program.error()).c_str());
        QCOMPARE(program->nodeCount(), m_source.nodeCount());
        const Result<void> written = writePt2(*program, path("copy.pt2"));
        QVERIFY2(written.has_value(), written ? "" : describe(written.error()).c_str());
        QCOMPARE(weightsIn(path("copy.pt2")), weightsIn(m_file));
    }

    void stopsWaitingForAPipeThatSaysNothing()
    {
        std::array<int, 2> ends{};
        QCOMPARE(::pipe(ends.data()), 0);
        StopSoon monitor;
        const Result<Program> program = readModel("/dev/fd/" + std::to_string(ends[0]), {}, monitor);
        ::close(ends[0]);
        ::close(ends[1]);
        QVERIFY(!program.has_value());
        QCOMPARE(program.error().code, ErrorCode::cancelled);
    }

    /// A pipe may never get a writer, and a device may never end.
    void refusesNamedPipesAndDevicesAtOnce()
    {
        const std::string pipe = path("pipe.pt2");
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        const Result<Program> ofPipe = readModel(pipe);
        QVERIFY(!ofPipe.has_value());
        QVERIFY2(ofPipe.error().message.find("this is a named pipe (FIFO), not a file") == 0, ofPipe.error().message.c_str());
        for (const char* device : {"/dev/zero", "/dev/null"}) {
            const Result<Program> program = readModel(device);
            QVERIFY(!program.has_value());
            QCOMPARE(program.error().message, std::string("this is a device, not a file"));
        }
    }

private:
    [[nodiscard]] std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }

    void expectRefusal()
    {
        const Result<ExportedParts> parts = exportParts(m_source, m_split, path("parts"));
        QVERIFY(!parts.has_value());
        QCOMPARE(parts.error().code, ErrorCode::io);
        QVERIFY2(parts.error().message.find("has changed since it was read") != std::string::npos,
                 describe(parts.error()).c_str());
        QCOMPARE(parts.error().where.file, m_file);
        QVERIFY(!std::filesystem::exists(path("parts")));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_file;
    std::string m_other;
    Program m_source;
    SplitResult m_split;
};

const test::Registered<SourceIdentityTest> sourceIdentityTest("source_identity_test");
#include "source_identity_test.moc"
