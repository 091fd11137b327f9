#include "dialogs/message_dialog.h"
#include "dialogs/tagging_dialog.h"
#include "menus.h"
#include "models/problem_model.h"
#include "panels/notice_bar.h"
#include "panels/problems_panel.h"
#include "partition_fixture.h"
#include "test_case.h"

#include <QCheckBox>
#include <QListView>
#include <QToolButton>

#include <set>

using namespace sunder;

/// Problems of tags, reached by keyboard and fixed all at once.
class WindowRepairsTest final : public test::PartitionFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepareRow(); }
    void init() { showRow(); }
    void cleanup() { closeWindow(); }

    void keysLeadFromProblemToProblem()
    {
        paintAMess();
        const QListView& list = widget<ProblemsPanel>().view();
        const int rows = list.model()->rowCount();
        QVERIFY(rows >= 2);
        actions().nextProblem->trigger();
        QCOMPARE(list.currentIndex().row(), 0);
        QCOMPARE(document().marks().selection().source, document().checks().problems()[0].nodes);
        actions().nextProblem->trigger();
        QCOMPARE(list.currentIndex().row(), 1);
        actions().problemBefore->trigger();
        actions().problemBefore->trigger();
        QCOMPARE(list.currentIndex().row(), rows - 1); // wraps around
    }

    void repairAllAsksWithItsPriceAndIsOneStep()
    {
        paintAMess();
        const TagAssignment before = document().tags();
        const int steps = document().steps().index();
        auto* button = widget<ProblemsPanel>().findChild<QToolButton*>("repairAll");
        QVERIFY(button->isVisible());
        button->click();
        QTRY_VERIFY(m_window->findChild<MessageDialog*>() != nullptr);
        auto* box = m_window->findChild<MessageDialog*>();
        QVERIFY2(box->explanation().contains("Changes the tag of"), qPrintable(box->explanation()));
        QCOMPARE(document().tags().tagOf, before.tagOf);
        box->button("Fix")->click();
        QTRY_COMPARE(document().steps().index(), steps + 1);
        QVERIFY2(document().steps().undoText().startsWith("Fix all: "), qPrintable(document().steps().undoText()));
        QVERIFY(document().checks().problems().empty());
        QVERIFY(!button->isVisible());
        document().undo();
        QCOMPARE(document().tags().tagOf, before.tagOf);
        QCOMPARE(document().tags().order, before.order);
    }

    void aFixLeavesTheActiveTagActive()
    {
        paintAMess();
        document().tagList().setActive(1);
        const QString active = document().tagName(1);
        actions().repairAll->trigger();
        QTRY_VERIFY(box() != nullptr);
        box()->button("Fix")->click();
        QVERIFY(document().checks().problems().empty());
        QCOMPARE(document().tagName(document().activeTag()), active);
    }

    /// Its buttons cannot be reached with keys.
    void theMenuOfAProblemFixesIt()
    {
        paintAMess();
        actions().nextProblem->trigger();
        QListView& list = widget<ProblemsPanel>().view();
        const QModelIndex first = list.currentIndex();
        const auto* button = list.indexWidget(first)->findChild<QToolButton*>();
        QVERIFY(button != nullptr);
        const int steps = document().steps().index();
        const QStringList titles = test::chooseInMenu(
            [&] { emit list.customContextMenuRequested(list.visualRect(first).center()); }, button->text().remove('&'));
        QVERIFY2(titles.contains(button->text().remove('&')), qPrintable(titles.join(", ")));
        QTRY_COMPARE(document().steps().index(), steps + 1);
    }

    void tagsAreMergedOnlyWhenAskedFor()
    {
        openWhatOnlyMergingRepairs();
        const TagAssignment before = document().tags();
        const std::size_t tags = tagsWithOps();
        QVERIFY(tags > 1);
        actions().repairAll->trigger();
        QTRY_VERIFY(box() != nullptr);
        auto* merges = box()->findChild<QCheckBox*>("choice");
        QVERIFY(merges->isVisible() && !merges->isChecked());
        QVERIFY2(merges->text().startsWith("Also merge tags, which removes ") && merges->text().contains("would not be split"),
                 qPrintable(merges->text()));
        QVERIFY(!box()->button("Fix")->isEnabled()); // no fix keeps both tags
        const QString keeping = box()->headline() + box()->explanation();
        merges->setChecked(true);
        QVERIFY(box()->headline() + box()->explanation() != keeping);
        QVERIFY2(box()->headline().contains(QString::number(countedProblems())) || box()->headline().contains("all problems"),
                 qPrintable(box()->headline()));
        box()->button("Fix")->click();
        QCOMPARE(tagsWithOps(), tags - 1);
        document().undo();
        QCOMPARE(document().tags().tagOf, before.tagOf);
    }

    void aSearchThatEndsBehindADialogWaitsInAStrip()
    {
        paintAMess();
        sourcePane().canvas().setFocus();
        actions().straighten->trigger();
        auto* tagging = m_window->findChild<TaggingDialog*>();
        QVERIFY(tagging != nullptr && tagging->isVisible());
        actions().repairAll->trigger();
        QTRY_VERIFY(notice("repairNotice").isVisible());
        QVERIFY(box() == nullptr);
        QVERIFY2(notice("repairNotice").text().contains("problems"), qPrintable(notice("repairNotice").text()));
        tagging->reject();
        QVERIFY(box() == nullptr && notice("repairNotice").isVisible());
        notice("repairNotice").button(0).click();
        QTRY_VERIFY(box() != nullptr && box()->isVisible());
        QVERIFY(!notice("repairNotice").isVisible());
        QTest::keyClick(box(), Qt::Key_Escape);
        QTRY_VERIFY(box() == nullptr);
        QTRY_VERIFY(QApplication::focusWidget() != nullptr);
        QCOMPARE(QApplication::focusWidget()->window(), m_window.get());
    }

    void aFoundRepairIsReachedByKeys()
    {
        paintAMess();
        actions().straighten->trigger();
        actions().repairAll->trigger();
        QTRY_VERIFY(notice("repairNotice").isVisible());
        m_window->findChild<TaggingDialog*>()->reject();
        sourcePane().canvas().setFocus();
        QTRY_VERIFY(sourcePane().canvas().hasFocus()); // the window is active again
        actions().previousArea->trigger();
        QVERIFY(notice("repairNotice").isAncestorOf(m_window->focusWidget()));
        actions().nextArea->trigger();
        QCOMPARE(m_window->focusWidget(), static_cast<QWidget*>(&sourcePane().canvas()));
    }

    void aFoundRepairGoesWithTheTagsThatItIsOf()
    {
        paintAMess();
        actions().straighten->trigger();
        actions().repairAll->trigger();
        QTRY_VERIFY(notice("repairNotice").isVisible());
        m_window->findChild<TaggingDialog*>()->reject();
        document().undo();
        QVERIFY(!notice("repairNotice").isVisible());
    }

    void escapeGivesTheKeysBackToWhereTheyWere()
    {
        openModel();
        CanvasWidget& canvas = sourcePane().canvas();
        canvas.setFocus();
        for (QAction* action : {actions().straighten, actions().stages, actions().exportAll}) {
            action->trigger();
            QTRY_VERIFY(QApplication::activeModalWidget() != nullptr);
            QWidget* dialog = QApplication::activeModalWidget();
            QTest::keyClick(dialog, Qt::Key_Escape);
            QTRY_VERIFY(QApplication::activeModalWidget() == nullptr);
            QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&canvas));
        }
    }

private:
    MessageDialog* box()
    {
        auto* found = m_window->findChild<MessageDialog*>();
        return found != nullptr && found->isVisible() ? found : nullptr;
    }

    int countedProblems()
    {
        const ProblemModel& model = widget<ProblemsPanel>().model();
        return model.count(Severity::error) + model.count(Severity::warning);
    }

    std::size_t tagsWithOps()
    {
        std::set<std::int32_t> tags;
        for (const NodeId id : document().graph().nodes())
            if (document().snapshot()->isCall(id) && document().tags()[id] >= 0)
                tags.insert(document().tags()[id]);
        return tags.size();
    }

    /// b feeds c against the order of tags. Moving c would make its size cross, so the fix moves b, the only op of its tag.
    void openWhatOnlyMergingRepairs()
    {
        m_model = m_folder.filePath("merge.fxj");
        writeModel("x = placeholder() : 2x3\n"
                   "a = relu(x) : 2x3\n"
                   "s = call_method[size](x)\n"
                   "b = relu(a) : 2x3\n"
                   "c = call_method[view](b, s) : 2x3\n"
                   "output(c)\n");
        openModel();
        while (document().tagCount() < 2)
            document().tagList().add();
        document().painting().paint(std::array{node("a"), node("s"), node("c")}, 0);
        document().painting().paint(std::array{node("b")}, 1);
    }

    /// Two halves with an op of the second in the first, one untagged op, and an unused tag.
    void paintAMess()
    {
        std::string lines = "x = placeholder() : 8x4\n"; // known operators: unknown ones may write to their inputs
        for (int i = 0; i < 12; ++i)
            lines += "c" + std::to_string(i) + " = aten.relu.default(" + (i == 0 ? "x" : "c" + std::to_string(i - 1))
                + ") : 8x4\n";
        m_model = m_folder.filePath("known.fxj");
        writeModel(lines + "output(c11)\n");
        openModel();
        document().tagSources().tagInStages(2, StageMeasure::nodes);
        document().tagList().add();
        const NodeId early = call(2);
        const NodeId none = call(9);
        document().painting().paint({&early, 1}, 1);
        document().painting().erase({&none, 1});
    }
};

const test::Registered<WindowRepairsTest> windowRepairsTest("window_repairs_test");
#include "window_repairs_test.moc"
