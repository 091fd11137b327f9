#include "analysis/training/training_modules.h"
#include "document/document.h"
#include "document/fills.h"
#include "document/project_state.h"
#include "patience.h"
#include "test_case.h"
#include "training_program.h"

#include <QSignalSpy>
#include <QTest>

#include <array>

using namespace sunder;

/// Tags of a joint forward and backward program whose backward ops follow the forward ops.
class FollowedTagsTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_document = std::make_unique<Document>();
        m_document->open(prepareModel(std::make_shared<const Snapshot>(test::trainingProgram())), "/tmp/model.pt2");
        m_said = std::make_unique<QSignalSpy>(m_document.get(), &Document::messageEmitted);
    }
    void cleanup() { m_said.reset(); }

    void aModelThatHasNoTagsYetFollows()
    {
        QVERIFY(m_document->tagState().backwardFollows);
        QCOMPARE(names(), (QStringList{"stage0", "stage1", "stage1_backward", "stage0_backward"}));
        QCOMPARE(m_document->tagTraits()[3].color.hue % 8, m_document->tagTraits()[0].color.hue);
        QVERIFY(m_document->tagTraits()[3].color.hue != m_document->tagTraits()[0].color.hue);
    }

    void aStrokeTakesTheBackwardOpsAlongInOneStep()
    {
        QCOMPARE(m_document->painting().paint(std::array{node("h1"), node("r1")}, 1), 4); // including bw_h1 and bw_h1_1
        QCOMPARE(tagOf("bw_h1"), QString("stage1_backward"));
        m_document->painting().beginStroke();
        QCOMPARE(m_document->painting().paint(std::array{node("h2")}, 1), 4);
        m_document->painting().paint(std::array{node("h2")}, 0);
        QCOMPARE(tagOf("bw_h2"), QString("stage0_backward"));
        m_document->undo();
        QCOMPARE(tagOf("bw_h2"), QString());
        QCOMPARE(tagOf("bw_h1"), QString("stage1_backward"));
        m_document->undo();
        QCOMPARE(tagOf("bw_h1"), QString());
        QCOMPARE(m_document->steps().count(), 2);
    }

    void aBackwardOpAndABackwardTagMeanThoseOfTheForwardPass()
    {
        m_document->painting().paint(std::array{node("bw_h1")}, 3); // stage0_backward
        QCOMPARE(tagOf("h1"), QString("stage0"));
        QCOMPARE(tagOf("bw_h1"), QString("stage0_backward"));
        QCOMPARE(m_document->painting().erase(std::array{node("bw_h1_1")}), 3);
        QCOMPARE(tagOf("h1"), QString());
    }

    void backwardTagsComeAndGoWithTheirForwardTags()
    {
        m_document->tagSources().tagInStages(2, StageMeasure::bytes);
        QCOMPARE(m_document->tagList().rename(0, "front"), QString());
        m_document->tagList().add("last");
        QCOMPARE(names(), (QStringList{"front", "stage1", "last", "last_backward", "stage1_backward", "front_backward"}));
        QCOMPARE(m_document->activeTag(), 2);
        QCOMPARE(tagOf("bw_h0"), QString("front_backward"));
        m_document->tagList().merge(0, 1);
        QCOMPARE(names(), (QStringList{"stage1", "last", "last_backward", "stage1_backward"}));
        QCOMPARE(tagOf("bw_h0"), QString("stage1_backward"));
        m_document->tagList().move(0, 1);
        QCOMPARE(names(), (QStringList{"last", "stage1", "stage1_backward", "last_backward"}));
        m_document->tagList().setLocked(1, true);
        QVERIFY(m_document->tagTraits()[2].isLocked);
        m_document->tagList().setLocked(1, false);
        m_document->tagList().remove(1);
        QCOMPARE(names(), (QStringList{"last", "last_backward"}));
        QCOMPARE(tagOf("bw_h0"), QString());
    }

    void aBackwardTagIsNotChangedByItself()
    {
        const int steps = m_document->steps().count();
        QCOMPARE(m_document->tagList().rename(2, "mine"),
                 QString("The name of stage1_backward follows from stage1. Rename stage1 instead."));
        m_document->tagList().remove(2);
        m_document->tagList().move(2, 3);
        QCOMPARE(m_said->size(), 2);
        QCOMPARE(m_document->steps().count(), steps);
    }

    void theSwitchIsAStepAndKeptInProjects()
    {
        m_document->tagSources().tagInStages(2, StageMeasure::bytes);
        m_document->painting().setBackwardFollows(false);
        m_document->painting().paint(std::array{node("bw_h0")}, 1);
        QCOMPARE(tagOf("bw_h0"), QString("stage1"));
        QCOMPARE(tagOf("h0"), QString("stage0"));
        const ProjectFile file = projectFileOf(projectStateOf(*m_document), "/tmp/model.sunder");
        QVERIFY(file.isBackwardApart);
        QVERIFY(!prepareModel(m_document->snapshot(), tagsOfProject(file, *m_document->snapshot(), {})).state.backwardFollows);
        m_document->painting().setBackwardFollows(true);
        QCOMPARE(tagOf("bw_h0"), QString("stage0_backward"));
        m_document->undo();
        QVERIFY(!m_document->tagState().backwardFollows);
        QCOMPARE(tagOf("bw_h0"), QString("stage1"));
    }

    void tagsThatDoNotFollowStayAsTheyAre()
    {
        const TagAssignment apart = *consecutiveStages(m_document->snapshot()->program, 3, StageMeasure::nodes,
                                                       BackwardTags::apart);
        m_document->tagSources().setTags(apart, "Take tags");
        QVERIFY(!m_document->tagState().backwardFollows);
        QCOMPARE(m_document->tags().tagOf, apart.tagOf);
        m_document->undo();
        QVERIFY(m_document->tagState().backwardFollows);
    }

    void tagsInACircleAreRepairedByFollowing()
    {
        m_document->painting().setBackwardFollows(false);
        for (const char* name : {"h0", "r0", "a0", "bw_h0", "bw_r0"})
            m_document->painting().paint(std::array{node(name)}, 0);
        std::vector<NodeId> others;
        for (const NodeId id : m_document->graph().nodes())
            if (m_document->graph()[id].isCall() && m_document->tags()[id] < 0)
                others.push_back(id);
        m_document->painting().paint(others, 1);
        QVERIFY(!m_document->checks().report().isLegal());
        for (const Problem& problem : m_document->checks().problems())
            for (const Repair& repair : problem.repairs)
                if (repair.kind == Repair::Kind::follow) {
                    m_document->painting().apply(repair);
                    QVERIFY(m_document->checks().report().isLegal());
                    return;
                }
        QFAIL("no repair lets the backward pass follow");
    }

    void rulesByModuleTagTheForwardPassAndTheBackwardPassFollows()
    {
        Program program = test::trainingProgram();
        QVERIFY(placeTrainingModules(program, ProgressMonitor::none()).has_value());
        m_document->open(prepareModel(std::make_shared<const Snapshot>(std::move(program))), "/tmp/model.pt2");
        m_document->tagSources().applyRules(
            {.rules = {{.module = "layers.1", .tag = "stage1"}, {.op = "mm", .onlyUntagged = true, .tag = "stage0"}}});
        QTRY_COMPARE(tagOf("h1"), QString("stage1"));
        QCOMPARE(tagOf("bw_h1"), QString("stage1_backward"));
        QCOMPARE(tagOf("h0"), QString("stage0"));
        QCOMPARE(tagOf("bw_h0"), QString("stage0_backward"));
        QCOMPARE(tagOf("r0"), QString()); // bw_r0 is not an mm
        QCOMPARE(m_said->last().first().toString(), QString("Applied 2 rules: 3 ops changed."));
        m_document->undo();
        QCOMPARE(tagOf("bw_h1"), QString());
    }

    void aFillSaysHowManyOpsAreLeftWithTheBackwardPass()
    {
        const auto plan = [&](std::vector<NodeId> nodes) {
            return planFill(*m_document->snapshot(), m_document->tagState(),
                            {.scope = FillScope::needed, .pick = std::move(nodes)});
        };
        const Result<FillPlan> all = plan({node("loss")});
        QVERIFY(all.has_value());
        QCOMPARE(all->effect.ops, std::size_t{13});
        QCOMPARE(all->effect.untaggedAfter, std::size_t{4}); // a0 and a1, which nothing depends on, and bw_r0 and bw_r1
    }

private:
    [[nodiscard]] NodeId node(const char* name) const { return m_document->graph().find(intern(name)); }
    [[nodiscard]] QString tagOf(const char* name) const
    {
        const std::int32_t tag = m_document->tags()[node(name)];
        return tag < 0 ? QString() : m_document->tagName(tag);
    }
    [[nodiscard]] QStringList names() const
    {
        QStringList found;
        for (int tag = 0; tag < m_document->tagCount(); ++tag)
            found << m_document->tagName(tag);
        return found;
    }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<QSignalSpy> m_said;
};

const test::Registered<FollowedTagsTest> followedTagsTest("followed_tags_test");
#include "followed_tags_test.moc"
