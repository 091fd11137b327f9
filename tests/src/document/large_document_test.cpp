#include "document/document.h"
#include "patience.h"
#include "test_case.h"
#include "test_support.h"

#include <QSignalSpy>
#include <QTest>

using namespace sunder;

/// A model so large that a job checks its tags.
class LargeDocumentTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        std::string lines = "n0 = placeholder() : 4\n";
        for (int i = 1; i <= kOps; ++i)
            lines += "n" + std::to_string(i) + " = relu(n" + std::to_string(i - 1) + ") : 4\n";
        m_snapshot = std::make_shared<const Snapshot>(test::programFromText(lines + "output(n" + std::to_string(kOps) + ")\n"));
    }

    void init()
    {
        m_document = std::make_unique<Document>(&m_jobs);
        m_document->open(prepareModel(m_snapshot), "/tmp/large.fxj");
        if (m_document->tagCount() < 2)
            m_document->tagList().add();
        if (m_document->tagCount() < 2)
            m_document->tagList().add();
        QTRY_VERIFY(!m_document->checks().isRunning());
    }

    void countsBesideTheWindow()
    {
        const std::vector<NodeId> all = m_document->graph().order();
        QSignalSpy changes(m_document.get(), &Document::changed);
        m_document->painting().paint(all, 0);
        QVERIFY(m_document->checks().isRunning());
        QTRY_VERIFY(!m_document->checks().isRunning());
        QCOMPARE(m_document->checks().totals().tags[0].ops, std::uint64_t(kOps));
        QCOMPARE(changes.back()[0].value<Changes>(), Changes(Change::check)); // the figures arrive in a separate change
    }

    void theLastStrokeCounts()
    {
        const std::vector<NodeId> all = m_document->graph().order();
        for (std::size_t i = 1; i <= 10; ++i) // faster than a job can finish
            m_document->painting().paint(std::span(all).first(i * 1000), 1);
        QVERIFY(m_document->checks().isRunning());
        QTRY_VERIFY(!m_document->checks().isRunning());
        QCOMPARE(m_document->checks().totals().tags[1].ops, std::uint64_t(10 * 1000 - 1)); // the first node is an input
    }

    void nothingOfAModelThatWasClosedIsTakenOver()
    {
        m_document->painting().paint(m_document->graph().order(), 0);
        m_document->close();
        QTRY_COMPARE(m_jobs.runningCount(), 0);
        QVERIFY(!m_document->isOpen());
        QVERIFY(m_document->checks().problems().empty());
    }

    void stagesAreMadeByAJob()
    {
        m_document->tagSources().tagInStages(4, StageMeasure::nodes);
        QCOMPARE(m_jobs.runningCount() > 0, true);
        QTRY_COMPARE(m_document->tagCount(), 4);
        QTRY_VERIFY(!m_document->checks().isRunning());
        for (const TagTotal& total : m_document->checks().totals().tags)
            QCOMPARE(total.ops, std::uint64_t(kOps / 4));
    }

private:
    static constexpr int kOps = 40'000;
    SnapshotPtr m_snapshot;
    Jobs m_jobs;
    std::unique_ptr<Document> m_document;
};

const test::Registered<LargeDocumentTest> largeDocumentTest("large_document_test");
#include "large_document_test.moc"
