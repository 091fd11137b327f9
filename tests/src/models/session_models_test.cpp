#include "document/document.h"
#include "document/runs/make_runs.h"
#include "models/device_model.h"
#include "models/run_model.h"
#include "test_case.h"
#include "test_support.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace sunder;

/// Devices and runs in the document and as tables.
class SessionModelsTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_document = std::make_unique<Document>();
        m_document->open(prepareModel(std::make_shared<const Snapshot>(test::programFromText("x = placeholder()\n"
                                                                                             "a = relu(x)\n"
                                                                                             "b = gelu(a)\n"
                                                                                             "output(b)\n"))),
                         "/tmp/model.fxj");
    }

    // Devices ---------------------------------------------------------------------------------

    void devicesAreAModel()
    {
        DeviceModel model(*m_document);
        QAbstractItemModelTester tester(&model);
        model.add();
        model.add();
        QCOMPARE(model.rowCount(), 2);
        model.remove(0);
        QCOMPARE(model.rowCount(), 1);
        m_document->undo();
        QCOMPARE(model.rowCount(), 2);
    }

    void takesMemoryAsPeopleWriteIt()
    {
        DeviceModel model(*m_document);
        model.add();
        QVERIFY(type(model, DeviceModel::MemoryColumn, "512 MiB"));
        QCOMPARE(m_document->devices().list()[0].availableBytes, 512.0 * 1024 * 1024);
        QVERIFY(type(model, DeviceModel::columnOf("bandwidth_bytes_per_s"), "900 GB/s"));
        QCOMPARE(m_document->devices().list()[0].bandwidthBytesPerSecond, std::optional<double>(9e11));
        QVERIFY(type(model, DeviceModel::columnOf("bandwidth_bytes_per_s"), ""));
        QVERIFY(!m_document->devices().list()[0].bandwidthBytesPerSecond);
        QVERIFY(type(model, DeviceModel::columnOf("speed"), "1.5"));
        QVERIFY(type(model, DeviceModel::NameColumn, "cuda:0"));
        QCOMPARE(model.index(0, 0).data().toString(), QString("cuda:0"));
        QCOMPARE(model.index(0, DeviceModel::MemoryColumn).data(Qt::EditRole).toString(), QString("512 MiB"));
        QCOMPARE(model.index(0, DeviceModel::MemoryColumn).data().toString(), QString("536.9 MB")); // the same format everywhere
    }

    void saysWhyItRefusesMemory()
    {
        DeviceModel model(*m_document);
        model.add();
        QSignalSpy refused(&model, &DeviceModel::refused);
        QVERIFY(!type(model, DeviceModel::MemoryColumn, "a lot"));
        QCOMPARE(refused.count(), 1);
        QVERIFY2(refused[0][0].toString().contains("a lot"), qPrintable(refused[0][0].toString()));
        QCOMPARE(m_document->devices().list()[0].availableBytes, 16e9);
    }

    void reordersDevicesAndKeepsTheirIds()
    {
        DeviceModel model(*m_document);
        model.insert({{.name = "a"}, {.name = "b"}, {.name = "c"}}, -1, "Paste");
        model.move(0, 2);
        QCOMPARE(m_document->devices().list()[2].name, std::string("a"));
        QCOMPARE(m_document->devices().list()[2].logicalId, std::int64_t(0));
        model.add();
        QCOMPARE(m_document->devices().list()[3].logicalId, std::int64_t(3));
        m_document->undo();
        m_document->undo();
        QCOMPARE(m_document->devices().list()[0].name, std::string("a"));
    }

    void devicesAreUnsavedUntilTheyAreUndone()
    {
        DeviceModel model(*m_document);
        model.add();
        QVERIFY(m_document->isModified());
        m_document->painting().paint(std::array{node("a")}, 0);
        m_document->undo();
        QVERIFY(m_document->isModified());
        m_document->undo();
        QVERIFY(!m_document->isModified());
        QVERIFY(m_document->devices().list().empty());
    }

    void aTagsFileSavesTagsButNoDevices()
    {
        m_document->painting().paint(std::array{node("a")}, 0);
        m_document->markSaved("/tmp/chain.tags.json");
        QVERIFY(!m_document->isModified());
        DeviceModel model(*m_document);
        model.add();
        m_document->markSaved("/tmp/chain.tags.json");
        QVERIFY(m_document->isModified());
        m_document->markSaved("/tmp/chain.sunder");
        QVERIFY(!m_document->isModified());
    }

    // Runs ------------------------------------------------------------------------------------

    void runsAreAModel()
    {
        RunModel model(*m_document);
        QAbstractItemModelTester tester(&model);
        const int first = split();
        const int second = split();
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, 0).data(RunModel::NumberRole).toInt(), second); // newest first
        QVERIFY(model.index(0, 0).data(RunModel::ShownRole).toBool());
        m_document->runs().discard(first);
        QCOMPARE(model.rowCount(), 1);
        m_document->undo();
        QCOMPARE(model.indexOf(first).row(), 1);
        m_document->close();
        QCOMPARE(model.rowCount(), 0);
    }

    void showsAnEarlierRunAgain()
    {
        const int first = split();
        const SplitOutcomePtr outcome = m_document->runs().shownSplit();
        m_document->painting().paint(std::array{node("b")}, 0);
        const int second = split();
        QVERIFY(m_document->runs().shownSplit() != outcome);
        QVERIFY(m_document->runs().isSplitCurrent());
        m_document->runs().show(first);
        QCOMPARE(m_document->runs().shownSplit(), outcome);
        QVERIFY(!m_document->runs().isSplitCurrent()); // it was made from other tags
        m_document->undo(); // restores the tags it was made from
        QVERIFY(m_document->runs().isSplitCurrent());
        m_document->runs().hide(SplitOutcome::kKind);
        QVERIFY(m_document->runs().shownSplit() == nullptr);
        QCOMPARE(m_document->runs().list().size(), 2U);
        QVERIFY(m_document->runs().find(second) != nullptr);
    }

    void renamesARunAndTakesItBack()
    {
        RunModel model(*m_document);
        const int number = split();
        QVERIFY(model.setData(model.index(0, 0), "halves", Qt::EditRole));
        QCOMPARE(nameOf(*m_document->runs().find(number)), QString("halves"));
        QVERIFY(model.index(0, 0).data().toString().contains("halves"));
        m_document->undo();
        QCOMPARE(nameOf(*m_document->runs().find(number)), QString("Split by tags"));
        QVERIFY(m_document->steps().isClean() || m_document->isModified()); // only the strokes are unsaved
    }

    void closesTheResultOfARunThatIsDiscarded()
    {
        const int number = split();
        m_document->runs().discard(number);
        QVERIFY(m_document->runs().shownSplit() == nullptr);
        m_document->undo();
        m_document->runs().show(number);
        QVERIFY(m_document->runs().shownSplit() != nullptr);
    }

private:
    NodeId node(const char* name) const { return m_document->graph().find(intern(name)); }

    int split()
    {
        m_document->painting().paint(std::array{node("a")}, 0);
        if (m_document->runs().list().empty())
            m_document->painting().paint(std::array{node("b")}, 1);
        Result<SplitOutcomePtr> outcome = makeSplit(m_document->snapshot(), m_document->tags(), {}, ProgressMonitor::none());
        return outcome ? m_document->runs().add(std::move(*outcome)) : 0;
    }

    static bool type(DeviceModel& model, int column, const QString& text)
    {
        return model.setData(model.index(0, column), text, Qt::EditRole);
    }

    std::unique_ptr<Document> m_document;
};

const test::Registered<SessionModelsTest> sessionModelsTest("session_models_test");
#include "session_models_test.moc"
