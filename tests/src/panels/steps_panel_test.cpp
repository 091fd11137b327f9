#include "panels/steps_panel.h"

#include "models/step_model.h"
#include "panel_fixture.h"
#include "test_case.h"

#include <QAbstractItemModelTester>

using namespace sunder;

/// The history of steps, without the window.
class StepsPanelTest final : public test::PanelFixture {
    Q_OBJECT

private slots:
    void init()
    {
        openChain();
        m_panel = std::make_unique<StepsPanel>(*m_document);
        m_tester = std::make_unique<QAbstractItemModelTester>(m_panel->view().model());
        m_panel->resize(300, 300);
        m_panel->show();
        m_document->painting().paint(std::array{node("a")}, 0);
        m_document->painting().paint(std::array{node("b")}, 1);
        m_document->tagList().add("back");
    }
    void cleanup()
    {
        m_tester.reset();
        m_panel.reset();
    }

    void namesEveryStep()
    {
        QCOMPARE(names(), (QStringList{"Opened chain", "Paint stage0: 1 op", "Paint stage1: 1 op", "Add back"}));
        QCOMPARE(present(), 3);
        QVERIFY(row(0).data(StepModel::SavedRole).toBool());
        m_document->markSaved("/tmp/chain.tags.json");
        QVERIFY(row(3).data(StepModel::SavedRole).toBool() && !row(0).data(StepModel::SavedRole).toBool());
    }

    void aRepairIsCalledSo()
    {
        m_document->painting().apply({.kind = Repair::Kind::retag, .label = "Move b to stage0", .nodes = {node("b")}, .tag = 0});
        m_document->painting().apply(
            {.kind = Repair::Kind::reorder, .label = "Reorder tags: back, stage0, stage1", .order = {2, 0, 1}});
        QCOMPARE(names().mid(4), (QStringList{"Fix: Move b to stage0: 1 op", "Fix: Reorder tags: back, stage0, stage1"}));
    }

    void aClickGoesToAStep()
    {
        QTest::mouseClick(m_panel->view().viewport(), Qt::LeftButton, {}, m_panel->view().visualRect(row(1)).center());
        QCOMPARE(m_document->steps().index(), 1);
        QCOMPARE(present(), 1);
        QCOMPARE(m_panel->view().currentIndex().row(), 1);
        QVERIFY(row(2).data(StepModel::UndoneRole).toBool());
        QCOMPARE(m_document->tags()[node("a")], 0);
        QCOMPARE(m_document->tags()[node("b")], -1);
        emit m_panel->view().activated(row(3));
        QCOMPARE(m_document->tagCount(), 3);
    }

    void whatWasUndoneIsGoneWithTheNextStep()
    {
        m_document->goToStep(0);
        m_document->painting().paint(std::array{node("c")}, 1);
        QCOMPARE(names(), (QStringList{"Opened chain", "Paint stage1: 1 op"}));
        openAgain();
        QCOMPARE(names(), QStringList{"Opened chain"});
        m_document->close();
        QCOMPARE(names(), QStringList());
    }

private:
    void openAgain() { m_document->open(prepareModel(m_document->snapshot()), "/tmp/chain.fxj"); }
    QModelIndex row(int at) const { return m_panel->view().model()->index(at, 0); }
    QStringList names() const
    {
        QStringList names;
        for (int at = 0; at < m_panel->view().model()->rowCount(); ++at)
            names << row(at).data().toString();
        return names;
    }
    int present() const
    {
        for (int at = 0; at < m_panel->view().model()->rowCount(); ++at)
            if (row(at).data(StepModel::PresentRole).toBool())
                return at;
        return -1;
    }

    std::unique_ptr<StepsPanel> m_panel;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

const test::Registered<StepsPanelTest> stepsPanelTest("steps_panel_test");
#include "steps_panel_test.moc"
