#include "app/workspace.h"
#include "dialogs/balance_dialog.h"
#include "panes/timeline/timeline_pane.h"
#include "panes/timeline/timeline_view.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPicture>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>

using namespace sunder;

/// The timeline of the tags, by mouse and keys.
class WindowTimelineTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        QSettings().clear();
        writeModel("x = placeholder() : 256x512\n"
                   "w = placeholder() : 512x512\n"
                   "a = aten.mm.default(x, w) : 256x512\n"
                   "b = aten.mm.default(a, w) : 256x512\n"
                   "c = aten.mm.default(b, w) : 256x512\n"
                   "d = aten.mm.default(c, w) : 256x512\n"
                   "output(d)\n");
        showWindow();
        openModel();
    }
    void cleanup() { closeWindow(); }

    void saysWhatToDoWithoutTags()
    {
        open();
        QVERIFY(pane().plan() == nullptr);
        const auto& why = test::childOf<QLabel>(pane(), "why");
        QVERIFY2(why.isVisible() && why.text().contains("balance the model"), qPrintable(why.text()));
        QTest::mouseClick(&test::childOf<QPushButton>(pane(), "balance"), Qt::LeftButton);
        settle();
        auto& dialog = test::childOf<BalanceDialog>(*m_window);
        QVERIFY(pane().plan() != nullptr); // a preview
        QCOMPARE(pane().plan()->order.sizes.stages, 2U);
        dialog.reject();
        settle();
        QVERIFY(pane().plan() == nullptr);
    }

    void drawsTheTagsAndFollowsThem()
    {
        openTagged(2);
        QCOMPARE(pane().plan()->order.ranks.size(), 2U);
        QCOMPARE(pane().plan()->order.sizes.microBatches, 8U);
        QVERIFY2(figures().contains("bubble") && figures().contains("step "), qPrintable(figures()));
        document().tagSources().tagInStages(4, StageMeasure::nodes);
        settle();
        QCOMPARE(pane().plan()->order.ranks.size(), 4U);
        document().undo();
        settle();
        QCOMPARE(pane().plan()->order.ranks.size(), 2U);
    }

    void followsItsChoices()
    {
        openTagged(4);
        auto& schedule = test::childOf<QComboBox>(pane(), "schedule");
        QCOMPARE(schedule.currentText(), QString("1F1B"));
        QVERIFY(!test::childOf<QComboBox>(pane(), "perDevice").isEnabled());
        QTest::keyClick(&schedule, Qt::Key_Down);
        settle();
        QCOMPARE(pane().plan()->order.schedule, PipelineSchedule::loopedBfs);
        QCOMPARE(pane().plan()->order.ranks.size(), 2U);
        QTest::keyClick(&test::childOf<QSpinBox>(pane(), "microBatches"), Qt::Key_Up);
        settle();
        QCOMPARE(pane().plan()->order.sizes.microBatches, 9U);
        const std::uint64_t before = pane().plan()->times.ranks[0].peakBytes;
        QTest::keyClick(&test::childOf<QComboBox>(pane(), "optimizer"), Qt::Key_End); // Adam
        settle();
        QVERIFY(pane().plan()->times.ranks[0].peakBytes >= before);
        QTest::keyClick(&schedule, Qt::Key_End);
        settle();
        QVERIFY2(figures().contains("latency") && figures().contains("limited by the"), qPrintable(figures()));
    }

    void showsMemoryThatDoesNotFit()
    {
        openTagged(2);
        document().devices().set({device("big", 0, 1e12), device("small", 1, 1000)}, "Devices");
        settle();
        QVERIFY2(figures().contains("does not fit") && figures().contains("small"), qPrintable(figures()));
        const TimelineContent& content = view().content();
        QCOMPARE((*content.lanes)[1].device, QString("small"));
        QVERIFY((*content.lanes)[1].isOver && !(*content.lanes)[0].isOver);
        document().devices().set({device("only", 0, 1e12)}, "Devices");
        settle();
        QVERIFY2(test::childOf<QLabel>(pane(), "why").text().contains("2 ranks need 2 devices"),
                 qPrintable(test::childOf<QLabel>(pane(), "why").text()));
    }

    void anActionSelectsItsStage()
    {
        openTagged(2);
        const TimelinePlace place{1, TimelineRow::compute, 3};
        view().zoomBy(4);
        QTest::keyClick(&view(), Qt::Key_Home);
        const QPoint at = view().viewRectOf(place).center().toPoint();
        QTest::mouseMove(view().viewport(), at);
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, at);
        settle();
        QCOMPARE(view().current(), place);
        QVERIFY(document().marks().selection().source == (std::vector{node("c"), node("d")}));
        QVERIFY(view().marks().selectedStages == (std::vector<char>{0, 1}));
        QVERIFY2(view().describe(place).contains("micro-batch") && view().describe(place).contains("starts at"),
                 qPrintable(view().describe(place)));
        document().marks().select({node("a")}); // elsewhere
        settle();
        QVERIFY(view().marks().selectedStages == (std::vector<char>{1, 0}));
    }

    void keysWalkAndZoom()
    {
        openTagged(2);
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Right);
        QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current(), (TimelinePlace{0, TimelineRow::compute, 1}));
        for (int i = 0; i < 6 && view().current().rank == 0; ++i)
            QTest::keyClick(&view(), Qt::Key_Down);
        QCOMPARE(view().current().rank, 1U);
        QTest::keyClick(&view(), Qt::Key_End);
        for (int i = 0; i < 8; ++i)
            QTest::keyClick(&view(), Qt::Key_Plus);
        QVERIFY(view().zoom() > 4);
        QTest::keyClick(&view(), Qt::Key_Left);
        QVERIFY(view().viewport()->rect().contains(view().viewRectOf(view().current()).center().toPoint()));
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(document().marks().selection().source == (std::vector{node("c"), node("d")}));
        QTest::keyClick(&view(), Qt::Key_Home);
        QCOMPARE(view().zoom(), 1.0);
    }

    void theBestScheduleOpensItsTimeline()
    {
        openTagged(4);
        auto& pages = test::childOf<QTabWidget>(pane(), "pages");
        pages.setCurrentIndex(1);
        settle();
        auto& table = test::childOf<QTableView>(pane(), "rows");
        QVERIFY(table.model()->rowCount() > 8);
        int best = -1;
        for (int row = 0; row < table.model()->rowCount(); ++row)
            if (table.model()->index(row, 0).data(Qt::AccessibleTextRole).toString().endsWith("best that fits"))
                best = row;
        QCOMPARE(table.currentIndex().row(), best);
        QVERIFY(table.horizontalScrollBar()->maximum() == 0); // everything fits into half of the window
        const QString schedule = table.model()->index(best, 0).data().toString();
        QTest::keyClick(&table, Qt::Key_Return);
        settle();
        QCOMPARE(pages.currentIndex(), 0);
        QCOMPARE(QString::fromStdString(std::string(name(pane().plan()->order.schedule))), schedule);
    }

    void aBalancedCutOfTheTableBecomesTheTags()
    {
        openTagged(4);
        test::childOf<QTabWidget>(pane(), "pages").setCurrentIndex(1);
        auto& stages = test::childOf<QLineEdit>(pane(), "stages");
        QTest::keyClicks(&stages, "2");
        QTest::keyClick(&stages, Qt::Key_Return);
        settle();
        QTest::keyClick(&test::childOf<QTableView>(pane(), "rows"), Qt::Key_Return);
        settle();
        QCOMPARE(pane().plan()->order.sizes.stages, 2U);
        QCOMPARE(document().tagCount(), 4);
        QTest::mouseClick(&test::childOf<QPushButton>(pane(), "useTags"), Qt::LeftButton);
        settle();
        QCOMPARE(document().tagCount(), 2);
        QVERIFY(!test::childOf<QPushButton>(pane(), "useTags").isVisible());
    }

    void choicesAreKeptInProjects()
    {
        openTagged(4);
        test::childOf<QComboBox>(pane(), "schedule").setCurrentText("GPipe");
        test::childOf<QSpinBox>(pane(), "microBatches").setValue(3);
        const std::string kept = pane().viewState();
        pane().restoreViewState({});
        QCOMPARE(pane().viewState() == kept, false);
        JsonTape tape;
        QVERIFY(tape.parse(kept, 8).has_value());
        pane().restoreViewState(tape.root());
        QCOMPARE(pane().viewState(), kept);
        settle();
        QCOMPARE(pane().plan()->order.schedule, PipelineSchedule::gpipe);
    }

    void theScheduleIsExported()
    {
        openTagged(2);
        const QString path = m_folder.filePath("step.csv");
        ExportDialog* dialog = exportDialog("scheduleCsv", path);
        QTRY_VERIFY2(QFile::exists(path), qPrintable(dialog->statusText()));
        QTRY_VERIFY(dialog->statusText().contains("32 actions on 2 ranks"));
        dialog->close();
    }

    void aHundredThousandActionsArePaintedByPixels()
    {
        constexpr std::uint32_t kBatches = 12'500;
        TimelineContent content = timelineContent(
            *plannedSchedule(PipelineSchedule::oneForwardOneBackward, {.ranks = 4, .stages = 4, .microBatches = kBatches}));
        QCOMPARE(content.plan->order.actionCount(), 100'000U);
        content.stages = stageLooks(*content.plan, theme(false));
        TimelineView view;
        view.resize(1000, 400);
        view.setContent(content);
        view.grab();
        TimelineScale scale = TimelineScale::fitting(content, 400);
        for (double width = 800; width < 1e6; width *= 1.5) { // every zoom
            scale.perSecond = width / content.step();
            QPicture commands;
            QPainter painter(&commands);
            painter.setClipRect(0, 0, 1000, 400);
            const TimelineMarks marks;
            TimelinePainter(painter, theme(false), content, scale, marks).paintLanes({0, 0, 1000, 400});
            painter.end();
            // some hundred bytes for each column of pixels of the four lanes; 15 MB for all actions
            QVERIFY2(commands.size() > 1000 && commands.size() < 2'000'000, qPrintable(QString::number(commands.size())));
        }
        const TimelinePlace last{3, TimelineRow::compute, 2 * kBatches - 1};
        view.setCurrent({3, TimelineRow::compute, 0});
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(view.current(), last);
        QVERIFY(view.viewport()->rect().contains(view.viewRectOf(last).center().toPoint()));
    }

    void narrowActionsMixTheirColors()
    {
        TimelineContent content = timelineContent(
            *plannedSchedule(PipelineSchedule::gpipe, {.ranks = 1, .stages = 1, .microBatches = 4000}));
        content.stages = stageLooks(*content.plan, theme(false));
        TimelineScale scale = TimelineScale::fitting(content, 100);
        scale.perSecond = 600 / content.step();
        QImage image(800, 100, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        const TimelineMarks marks;
        TimelinePainter(painter, theme(false), content, scale, marks).paintLanes(image.rect());
        painter.end();
        const TimelineScale::Band row = scale.band(0, TimelineRow::compute);
        const int y = static_cast<int>(row.top + row.height / 2);
        const QColor forward = image.pixelColor(static_cast<int>(scale.x(content.step() / 6)), y);
        const QColor backward = image.pixelColor(static_cast<int>(scale.x(content.step() / 2)), y);
        QCOMPARE(forward, content.stages[0].style.color); // no gap is painted as idle
        QVERIFY(backward.lightness() > forward.lightness());
    }

private:
    TimelinePane& pane() const { return workspace().timeline(); }
    TimelineView& view() const { return pane().view(); }
    QString figures() const { return test::childOf<QLabel>(pane(), "figures").text().replace(QChar::Nbsp, u' '); }

    void open()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F11);
        settle();
        QVERIFY(pane().isVisible());
    }

    void openTagged(int stages)
    {
        document().tagSources().tagInStages(stages, StageMeasure::nodes);
        open();
        QVERIFY(pane().plan() != nullptr);
    }

    static Device device(const char* name, std::int64_t id, double bytes)
    {
        return {.name = name,
                .availableBytes = bytes,
                .logicalId = id,
                .bandwidthBytesPerSecond = 1e12,
                .memoryBytesPerSecond = 1e12,
                .flopsPerSecond = 3e12,
                .launchSeconds = 0.0,
                .rates = {{"float32", 3e12}}};
    }
};

const test::Registered<WindowTimelineTest> windowTimelineTest("window_timeline_test");
#include "window_timeline_test.moc"
