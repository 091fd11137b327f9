#include "document/document.h"
#include "test_case.h"
#include "test_support.h"

#include <QSignalSpy>
#include <QTest>

#include <array>

using namespace sunder;

/// Locked tags, protected ops, hidden tags, and the list of tags.
class TagLocksTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_document = std::make_unique<Document>();
        m_document->open(prepareModel(std::make_shared<const Snapshot>(test::programFromText("x = placeholder()\n"
                                                                                             "a = relu(x)\n"
                                                                                             "b = relu(a)\n"
                                                                                             "c = add(a, b)\n"
                                                                                             "d = relu(c)\n"
                                                                                             "output(d)\n"))),
                         "/tmp/model.fxj");
        m_document->painting().paint(std::array{node("a"), node("b")}, 0);
        m_document->painting().paint(std::array{node("c")}, 1);
        m_said = std::make_unique<QSignalSpy>(m_document.get(), &Document::messageEmitted);
    }
    void cleanup() { m_said.reset(); }

    void aLockedTagGivesNothing()
    {
        m_document->tagList().setLocked(0, true);
        QCOMPARE(m_document->painting().paint(all(), 1), 1); // only d
        QCOMPARE(tagsOfAll(), (std::vector{0, 0, 1, 1}));
        QCOMPARE(said(), QString("2 ops keep their tags: stage0 is locked."));
        QCOMPARE(m_document->painting().erase(all()), 2);
        QCOMPARE(tagsOfAll(), (std::vector{0, 0, -1, -1}));
    }

    void aLockedTagTakesNothing()
    {
        m_document->tagList().setLocked(0, true);
        const int steps = m_document->steps().count();
        QCOMPARE(m_document->painting().paint(std::array{node("d")}, 0), 0);
        QCOMPARE(said(), QString("1 op keeps its tag: stage0 is locked."));
        QCOMPARE(m_document->steps().count(), steps);
    }

    void aStrokeSaysOnceWhatItMet()
    {
        m_document->tagList().setLocked(0, true);
        m_document->painting().beginStroke();
        m_document->painting().paint(std::array{node("a")}, 1);
        m_document->painting().paint(std::array{node("a"), node("d")}, 1); // it meets a again
        m_document->painting().paint(std::array{node("b")}, 1);
        QCOMPARE(m_said->size(), 2);
        QCOMPARE(said(), QString("2 ops keep their tags: stage0 is locked."));
        m_document->painting().beginStroke();
        m_document->painting().paint(std::array{node("a")}, 1);
        QCOMPARE(said(), QString("1 op keeps its tag: stage0 is locked."));
    }

    void lockingCanBeUndone()
    {
        m_document->tagList().setLocked(1, true);
        QCOMPARE(m_document->steps().undoText(), QString("Lock stage1"));
        m_document->undo();
        QVERIFY(!m_document->tagTraits()[1].isLocked);
        m_document->redo();
        m_document->tagList().setLocked(1, false);
        QCOMPARE(m_document->steps().undoText(), QString("Unlock stage1"));
    }

    void protectionLeavesWhatIsPainted()
    {
        m_document->painting().setProtecting(true);
        QCOMPARE(m_document->painting().paint(all(), 1), 1);
        QCOMPARE(tagsOfAll(), (std::vector{0, 0, 1, 1}));
        QCOMPARE(said(), QString("2 ops keep their tags: painted ops are protected."));
        QCOMPARE(m_document->painting().erase(std::array{node("a")}), 1); // the eraser may still remove tags
        m_document->undo();
        m_document->undo();
        QVERIFY(m_document->tagState().protectsTagged); // a painting mode, not an undo step
    }

    void fillingInGivesNothingToALockedTag()
    {
        m_document->tagList().setLocked(1, true);
        m_document->painting().fillInUntagged(); // d would get the tag of c
        QCOMPARE(tagsOfAll(), (std::vector{0, 0, 1, -1}));
        QCOMPARE(said(), QString("1 op keeps its tag: stage1 is locked."));
    }

    void stagesAreRefusedWholeWhereALockedOpWouldChange()
    {
        m_document->tagList().setLocked(1, true);
        m_document->tagSources().tagInStages(2, StageMeasure::nodes);
        QCOMPARE(tagsOfAll(), (std::vector{0, 0, 1, -1}));
        QCOMPARE(said(), QString("Nothing was changed: 1 op would get another tag, but stage1 is locked."));
        m_document->tagList().setLocked(1, false);
        m_document->tagList().setLocked(0, true);
        m_document->tagSources().tagInStages(2, StageMeasure::nodes); // the same stages
        QCOMPARE(tagsOfAll(), (std::vector{0, 0, 1, 1}));
        QVERIFY(m_document->tagTraits()[0].isLocked); // traits stay with the name
    }

    void halfOfARepairIsNone()
    {
        m_document->tagList().setLocked(0, true);
        const Repair repair{.kind = Repair::Kind::retag, .nodes = {node("b"), node("d")}, .tag = 1};
        m_document->painting().apply(repair);
        QCOMPARE(tagsOfAll(), (std::vector{0, 0, 1, -1}));
        QCOMPARE(said(), QString("Nothing was changed: 1 op would get another tag, but stage0 is locked."));
        m_document->tagList().setLocked(0, false);
        m_document->painting().apply(repair);
        QCOMPARE(tagsOfAll(), (std::vector{0, 1, 1, 1}));
    }

    void aLockedTagIsNeitherRemovedNorMerged()
    {
        m_document->tagList().setLocked(0, true);
        m_document->tagList().remove(0);
        m_document->tagList().merge(0, 1);
        m_document->tagList().merge(1, 0);
        QCOMPARE(m_document->tagCount(), 2);
        QCOMPARE(m_said->size(), 3);
        QCOMPARE(said(), QString("Nothing was changed: stage0 is locked."));
    }

    void mergingIsOneStep()
    {
        m_document->tagList().setActive(0);
        m_document->tagList().merge(0, 1);
        QCOMPARE(m_document->tagCount(), 1);
        QCOMPARE(m_document->tagName(0), QString("stage1"));
        QCOMPARE(m_document->activeTag(), 0);
        QCOMPARE(tagsOfAll(), (std::vector{0, 0, 0, -1}));
        QCOMPARE(m_document->steps().undoText(), QString("Merge stage0 into stage1"));
        m_document->undo();
        QCOMPARE(tagsOfAll(), (std::vector{0, 0, 1, -1}));
    }

    void aCodeIsOfOneTag()
    {
        QVERIFY(m_document->tagList().setCode(0, " ab ").isEmpty());
        QCOMPARE(m_document->tagTraits()[0].code, QString("AB"));
        QCOMPARE(m_document->tagList().setCode(1, "Ab"), QString("stage0 already has the code AB."));
        QCOMPARE(m_document->tagList().setCode(1, "abcd"), QString("A code has one to three letters or digits."));
        QCOMPARE(m_document->tagList().setCode(1, "a b"), QString("A code has one to three letters or digits."));
        QVERIFY(m_document->tagList().setCode(0, {}).isEmpty());
        QVERIFY(m_document->tagTraits()[0].code.isEmpty());
        m_document->undo();
        QCOMPARE(m_document->tagTraits()[0].code, QString("AB"));
    }

    void whatIsHiddenStaysSoWhateverIsUndone()
    {
        m_document->tagList().rename(0, "front");
        m_document->tagList().setHidden(0, true);
        m_document->undo(); // the name changes, the hidden state does not
        QCOMPARE(hidden(), (std::vector{true, false}));
        m_document->tagList().move(0, 1);
        QCOMPARE(hidden(), (std::vector{false, true}));
        m_document->tagList().showAll();
        m_document->undo();
        QCOMPARE(hidden(), (std::vector{false, false}));
    }

    void soloHidesAllOthersAndThenNone()
    {
        m_document->tagList().add();
        m_document->tagList().solo(1);
        QCOMPARE(hidden(), (std::vector{true, false, true}));
        m_document->tagList().solo(2);
        QCOMPARE(hidden(), (std::vector{true, true, false}));
        m_document->tagList().solo(2);
        QCOMPARE(hidden(), (std::vector{false, false, false}));
    }

    void tagsAreOrderedTopologically()
    {
        m_document->tagList().move(0, 1);
        QVERIFY(!m_document->checks().report().backward.empty());
        m_document->tagList().orderTopologically();
        QVERIFY(m_document->checks().report().backward.empty());
        QCOMPARE(m_document->steps().undoText(), QString("Order tags topologically"));
        m_document->tagList().orderTopologically();
        QCOMPARE(said(), QString("The tags are already in a legal order."));
        m_document->painting().paint(std::array{node("d")}, 0);
        m_document->tagList().orderTopologically();
        QVERIFY2(said().startsWith("No order of the tags is legal"), qPrintable(said()));
    }

    void aListIsPaintedAsAStepThatSaysWhich()
    {
        QCOMPARE(m_document->painting().paintList(all(), 1, "hits of op:relu"), 3);
        QCOMPARE(m_document->steps().undoText(), QString("Paint hits of op:relu with stage1: 3 ops"));
        m_document->painting().paintList(std::array{node("a")}, -1, "selection");
        QCOMPARE(m_document->steps().undoText(), QString("Erase selection: 1 op"));
        const int steps = m_document->steps().count();
        m_document->painting().paintWithNewTag(std::array{node("a"), node("b")}, "R1");
        QCOMPARE(m_document->steps().count(), steps + 1);
        QCOMPARE(tagsOfAll(), (std::vector{2, 2, 1, 1}));
        m_document->undo();
        QCOMPARE(m_document->tagCount(), 2);
    }

    void aWayOverManyStepsIsOneChange()
    {
        m_document->tagList().rename(0, "front");
        m_document->devices().set({{.name = "npu0", .availableBytes = 1e9}}, "Add npu0");
        m_document->painting().paint(std::array{node("d")}, 1);
        QSignalSpy changes(m_document.get(), &Document::changed);
        m_document->goToStep(1); // the state in which a and b are painted
        QCOMPARE(changes.size(), 1);
        const auto what = changes[0][0].value<Changes>();
        QVERIFY(what.testFlag(Change::tags) && what.testFlag(Change::tagList) && what.testFlag(Change::devices)
                && what.testFlag(Change::check));
        QCOMPARE(tagsOfAll(), (std::vector{0, 0, -1, -1}));
        QCOMPARE(m_document->tagName(0), QString("stage0"));
        QVERIFY(m_document->devices().list().empty());
        QCOMPARE(m_document->checks().report().untagged.size(), 2U); // checked once, at the end
        QCOMPARE(m_document->checks().totals().tags[0].ops, std::uint64_t(2));
        m_document->goToStep(5);
        QCOMPARE(changes.size(), 2);
        QCOMPARE(tagsOfAll(), (std::vector{0, 0, 1, 1}));
        m_document->goToStep(5); // the current step
        m_document->goToStep(6); // does not exist
        QCOMPARE(changes.size(), 2);
    }

private:
    NodeId node(const char* name) const { return m_document->graph().find(intern(name)); }
    std::vector<NodeId> all() const { return m_document->graph().order(); }
    QString said() const { return m_said->isEmpty() ? QString() : m_said->back()[0].toString(); }
    std::vector<int> tagsOfAll() const
    {
        std::vector<int> tags;
        for (const char* name : {"a", "b", "c", "d"})
            tags.push_back(m_document->tags()[node(name)]);
        return tags;
    }
    std::vector<bool> hidden() const
    {
        std::vector<bool> hidden;
        for (const TagTraits& traits : m_document->tagTraits())
            hidden.push_back(traits.isHidden);
        return hidden;
    }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<QSignalSpy> m_said;
};

const test::Registered<TagLocksTest> tagLocksTest("tag_locks_test");
#include "tag_locks_test.moc"
