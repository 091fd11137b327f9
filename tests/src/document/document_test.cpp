#include "document/document.h"
#include "document/runs/make_runs.h"
#include "tagging/problems.h"
#include "test_case.h"
#include "test_support.h"

#include <QSignalSpy>
#include <QTest>

using namespace sunder;

class DocumentTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_document = std::make_unique<Document>();
        m_document->open(prepareModel(std::make_shared<const Snapshot>(test::programFromText("x = placeholder()\n"
                                                                                             "a = relu(x)\n"
                                                                                             "b = relu(a)\n"
                                                                                             "c = add(a, b)\n"
                                                                                             "output(c)\n"))),
                         "/tmp/model.fxj");
    }

    void startsWithTwoEmptyTagsAndNothingUnsaved()
    {
        QCOMPARE(m_document->tagCount(), 2);
        QCOMPARE(m_document->tagName(0), QString("stage0"));
        QVERIFY(!m_document->isModified());
        QCOMPARE(m_document->checks().report().untagged.size(), 3U);
    }

    void paintsCallsOnly()
    {
        QCOMPARE(m_document->painting().paint(all(), 0), 3);
        QVERIFY(m_document->checks().report().isLegal());
        QVERIFY(m_document->isModified());
        QCOMPARE(m_document->steps().undoText(), QString("Paint stage0: 3 ops"));
    }

    void makesOneUndoStepOfAStroke()
    {
        m_document->painting().beginStroke();
        m_document->painting().paint(std::array{node("a")}, 0);
        m_document->painting().paint(std::array{node("b")}, 0);
        m_document->painting().commitStroke();
        m_document->painting().paint(std::array{node("c")}, 0);
        QCOMPARE(m_document->steps().count(), 2);
        m_document->undo();
        QCOMPARE(tagOf("c"), -1);
        QCOMPARE(tagOf("b"), 0);
        m_document->undo();
        QCOMPARE(tagOf("a"), -1);
        m_document->redo();
        QCOMPARE(tagOf("b"), 0);
    }

    void undoesAStrokeThatPaintsANodeTwice()
    {
        m_document->painting().beginStroke();
        m_document->painting().paint(std::array{node("a")}, 0);
        m_document->painting().paint(std::array{node("a")}, 1);
        m_document->undo();
        QCOMPARE(tagOf("a"), -1);
        m_document->redo();
        QCOMPARE(tagOf("a"), 1);
    }

    void keepsNodesWithTheirTagWhenTagsAreReordered()
    {
        m_document->painting().paint(std::array{node("a")}, 0);
        const std::vector<TagTraits> traits = m_document->tagTraits();
        m_document->tagList().move(0, 1);
        QCOMPARE(m_document->tagName(1), QString("stage0"));
        QCOMPARE(tagOf("a"), 1);
        QCOMPARE(m_document->tagTraits()[1], traits[0]);
        m_document->undo();
        QCOMPARE(tagOf("a"), 0);
    }

    void refusesNamesThatCannotNameAPart()
    {
        QVERIFY(!m_document->tagList().rename(0, "a.b").isEmpty());
        QVERIFY(!m_document->tagList().rename(0, " ").isEmpty());
        QVERIFY(!m_document->tagList().rename(0, "stage1").isEmpty());
        QVERIFY(m_document->tagList().rename(0, "encoder").isEmpty());
        QCOMPARE(m_document->tagName(0), QString("encoder"));
    }

    void removesATagAndItsPaint()
    {
        m_document->painting().paint(std::array{node("a")}, 0);
        m_document->painting().paint(std::array{node("b")}, 1);
        m_document->tagList().remove(0);
        QCOMPARE(tagOf("a"), -1);
        QCOMPARE(tagOf("b"), 0);
        m_document->undo();
        QCOMPARE(tagOf("b"), 1);
    }

    void pricesTheRepairsOfABackwardEdge()
    {
        m_document->painting().paint(std::array{node("a")}, 1);
        m_document->painting().paint(std::array{node("b"), node("c")}, 0);
        QCOMPARE(m_document->checks().report().backward.size(), 2U);
        const Problem problem = m_document->checks().problems().front();
        QCOMPARE(problem.kind, Problem::Kind::backwardEdge);
        QVERIFY(problem.text.find("a") != std::string::npos && problem.text.find("stage1") != std::string::npos);
        for (const Repair::Kind kind : {Repair::Kind::reorder, Repair::Kind::retag}) {
            const auto repair = std::find_if(problem.repairs.begin(), problem.repairs.end(),
                                             [&](const Repair& r) { return r.kind == kind; });
            QVERIFY(repair != problem.repairs.end());
            m_document->painting().apply(*repair);
            QVERIFY(m_document->checks().report().isLegal());
            m_document->undo();
            QVERIFY(!m_document->checks().report().isLegal());
        }
    }

    void fillsInWhatIsUntaggedLegally()
    {
        m_document->painting().paint(std::array{node("a")}, 1);
        m_document->painting().fillInUntagged();
        QVERIFY(m_document->checks().report().isLegal());
        QCOMPARE(tagOf("c"), 1);
    }

    void theFirstStrokeMakesNothingElseAnError()
    {
        m_document->painting().paint(std::array{node("a")}, 0);
        QVERIFY(!m_document->checks().isUntaggedShown());
        QCOMPARE(severityOfUntagged(), Severity::note);
    }

    void whatHasNoTagStandsOutWhenTwoThirdsHaveOne()
    {
        m_document->painting().paint(std::array{node("a"), node("b")}, 0);
        QVERIFY(m_document->checks().isUntaggedShown());
        QCOMPARE(severityOfUntagged(), Severity::error);
        m_document->undo();
        QVERIFY(!m_document->checks().isUntaggedShown());
    }

    void whatHasNoTagStandsOutSinceASplitWasAskedFor()
    {
        m_document->checks().askForSplit(); // without any tag: reported once and forgotten
        m_document->painting().paint(std::array{node("a")}, 0);
        QVERIFY(!m_document->checks().isUntaggedShown());
        const QSignalSpy changed(m_document.get(), &Document::changed);
        m_document->checks().askForSplit();
        QCOMPARE(changed.count(), 1);
        QVERIFY(m_document->checks().isUntaggedShown());
        QCOMPARE(severityOfUntagged(), Severity::error);
        m_document->checks().askForSplit();
        QCOMPARE(changed.count(), 1);
    }

    void walksUntaggedNodesInGraphOrder()
    {
        m_document->painting().paint(std::array{node("b")}, 0);
        QVERIFY(m_document->marks().selectNextUntagged());
        QCOMPARE(m_document->marks().selection().source, std::vector{node("a")});
        m_document->marks().selectNextUntagged();
        QCOMPARE(m_document->marks().selection().source, std::vector{node("c")});
        m_document->marks().selectNextUntagged();
        QCOMPARE(m_document->marks().selection().source, std::vector{node("a")});
    }

    void linksTheSelectionWithTheResultBothWays()
    {
        m_document->painting().paint(std::array{node("a"), node("b")}, 0);
        m_document->painting().paint(std::array{node("c")}, 1);
        const Result<SplitOutcomePtr> outcome = makeSplit(m_document->snapshot(), m_document->tags(), {},
                                                          ProgressMonitor::none());
        QVERIFY(outcome.has_value());
        QVERIFY((*outcome)->isProven());
        const int run = m_document->runs().add(*outcome);
        QVERIFY(m_document->runs().isSplitCurrent());

        m_document->marks().select({node("c")});
        const GraphId part = (*outcome)->split.parts[1];
        const std::vector<NodeRef> result = m_document->marks().selectedIn(run);
        const NodeRef copy{part, (*outcome)->split.program.graph(part).find(intern("c"))};
        QVERIFY(std::find(result.begin(), result.end(), copy) != result.end());
        m_document->marks().clear();
        m_document->marks().selectIn(run, {copy});
        QCOMPARE(m_document->marks().selection().source, std::vector{node("c")});

        m_document->painting().paint(std::array{node("b")}, 1);
        QVERIFY(!m_document->runs().isSplitCurrent());
        m_document->undo();
        QVERIFY(m_document->runs().isSplitCurrent());
    }

    void saysWhatChanged()
    {
        QSignalSpy changes(m_document.get(), &Document::changed);
        m_document->painting().paint(all(), 0);
        QVERIFY(changes.count() >= 1);
        bool tags = false;
        for (const auto& call : changes)
            tags = tags || call.front().value<Changes>().testFlag(Change::tags);
        QVERIFY(tags);
    }

private:
    [[nodiscard]] Severity severityOfUntagged() const
    {
        const auto found = std::ranges::find(m_document->checks().problems(), Problem::Kind::untagged, &Problem::kind);
        return found == m_document->checks().problems().end() ? Severity{} : found->severity;
    }
    NodeId node(const char* name) const { return m_document->graph().find(intern(name)); }
    int tagOf(const char* name) const { return m_document->tags()[node(name)]; }
    std::vector<NodeId> all() const { return m_document->graph().order(); }

    std::unique_ptr<Document> m_document;
};

const test::Registered<DocumentTest> documentTest("document_test");
#include "document_test.moc"
