// Uses costs, loads, and the timeline of a large model in the window. Prints, for each step, the longest time for which the window's
// thread did not process events.
//
//     pipeline_bench MODEL [STAGES [MICRO-BATCHES]]
#include "analysis/device_presets.h"
#include "app/actions.h"
#include "app/main_window.h"
#include "app/workspace.h"
#include "benchmark.h"
#include "dialogs/balance_dialog.h"
#include "dialogs/support_dialog.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/sequence/sequence_panel.h"
#include "panes/source_colors.h"
#include "panes/source_pane.h"
#include "panes/timeline/timeline_pane.h"
#include "panes/timeline/timeline_view.h"

#include "child_of.h"
#include "watchdog.h"

#include <QApplication>
#include <QComboBox>
#include <QMouseEvent>
#include <QSpinBox>
#include <QTabWidget>
#include <QTreeView>
#include <QWheelEvent>

#include <cstdio>
#include <functional>

namespace sunder::pipeline_bench {

using namespace bench;

namespace {

using Step = std::function<void(const char* name, const std::function<void()>& act)>;

void sendMouse(QWidget& to, QEvent::Type type, QPointF at, Qt::MouseButtons pressed)
{
    QMouseEvent event(type, at, to.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, pressed,
                      Qt::AltModifier);
    QCoreApplication::sendEvent(&to, &event);
}

/// Drags the middle boundary of the strip, op by op.
void dragBoundary(SequenceStrip& strip)
{
    strip.setCurrent(strip.handleCount() / 2);
    const QPointF start = strip.handleRect(strip.current()).center();
    sendMouse(strip, QEvent::MouseButtonPress, start, Qt::LeftButton);
    for (int move = 1; move <= 30; ++move) {
        sendMouse(strip, QEvent::MouseMove, start + QPointF(0, move <= 15 ? move : 30 - move), Qt::LeftButton);
        runEvents(30);
    }
    runEvents(500);
    sendMouse(strip, QEvent::MouseMove, start + QPointF(0, 6), Qt::LeftButton);
    sendMouse(strip, QEvent::MouseButtonRelease, start + QPointF(0, 6), Qt::NoButton);
}

void colorAndExplain(MainWindow& window, const Step& step)
{
    Document& document = test::childOf<Document>(window);
    auto& colors = test::childOf<SourceColors>(window);
    for (const char* cost : {"flops", "bytes", "seconds"})
        step((std::string("color by ") + cost).c_str(), [&] { colors.showCost(QString::fromLatin1(cost)); });
    step("color by tags", [&] { colors.showTags(); });
    QString why;
    const auto explained = [&](const QString& words) { why = words; };
    const std::vector<NodeId>& all = document.graph().order();
    NodeId op = all[all.size() / 2];
    for (std::size_t at = all.size() / 2; !document.graph()[op].isCall(); ++at)
        op = all[at];
    step("why is this op here", [&] { document.loads().explainOp(op, document.tags(), explained); });
    step("what limits a part", [&] { document.loads().explainTag(1, document.tags(), explained); });
    step("what limits a device", [&] { document.loads().explainDevice(1, document.tags(), explained); });
    std::printf("    %s\n", qPrintable(why));
}

void useDialogs(MainWindow& window, const Step& step)
{
    const Actions& actions = test::childOf<Actions>(window);
    step("balance: find and preview a cut", [&] { actions.balance->trigger(); });
    step("balance: apply it", [&] { test::childOf<BalanceDialog>(window).accept(); });
    step("tag by support", [&] { actions.support->trigger(); });
    auto& dialog = test::childOf<SupportDialog>(window);
    auto& operators = test::childOf<QTreeView>(dialog, QStringLiteral("ops"));
    const auto tick = [&](int row) {
        operators.model()->setData(operators.model()->index(row, 0), Qt::Checked, Qt::CheckStateRole);
    };
    for (int row = 0; row < std::min(4, operators.model()->rowCount()); ++row)
        step("tag by support: tick an operator", [&] { tick(row); });
    auto& pages = test::childOf<QTabWidget>(dialog, QStringLiteral("pages"));
    step("tag by support: what to support next", [&] { pages.setCurrentIndex(1); });
    step("tag by support: close", [&] { dialog.reject(); });
}

void wheel(TimelineView& view, int by, Qt::KeyboardModifiers modifiers)
{
    const QPointF at = QRectF(view.viewport()->rect()).center();
    QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, {0, by}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(view.viewport(), &event);
    runEvents(10);
}

void useTimeline(MainWindow& window, int microBatches, const Step& step)
{
    auto& workspace = test::childOf<Workspace>(window);
    TimelinePane& pane = workspace.timeline();
    step("show the timeline", [&] { workspace.arrange(arrangements().back()); });
    auto& batches = test::childOf<QSpinBox>(pane, QStringLiteral("microBatches"));
    auto& schedule = test::childOf<QComboBox>(pane, QStringLiteral("schedule"));
    step("many micro-batches", [&] { batches.setValue(microBatches); });
    step("one more micro-batch", [&] { batches.stepUp(); });
    step("one less", [&] { batches.stepDown(); });
    for (int row = 0; row < schedule.count(); ++row) {
        if (schedule.itemData(row).isNull()) // a separator
            continue;
        step(qPrintable(schedule.itemText(row)), [&] { schedule.setCurrentIndex(row); });
        std::size_t actions = 0;
        if (pane.plan())
            for (const auto& rank : pane.plan()->order.ranks)
                actions += rank.size();
        std::printf("    %zu actions\n", actions);
    }
    schedule.setCurrentIndex(schedule.findText(QStringLiteral("1F1B")));
    settle(window);
    step("zoom in", [&] {
        for (int i = 0; i < 40; ++i)
            wheel(pane.view(), 120, Qt::ControlModifier);
    });
    step("pan", [&] {
        for (int i = 0; i < 40; ++i)
            wheel(pane.view(), i < 20 ? -240 : 240, Qt::ShiftModifier);
    });
    step("zoom out", [&] {
        for (int i = 0; i < 40; ++i)
            wheel(pane.view(), -120, Qt::ControlModifier);
    });
    step("point at actions", [&] {
        QWidget& port = *pane.view().viewport();
        for (int i = 0; i < 100; ++i) {
            sendMouse(port, QEvent::MouseMove, {port.width() * (0.2 + i * 0.007), port.height() * (0.1 + i * 0.008)},
                      Qt::NoButton);
            runEvents(5);
        }
    });
    step("select a stage", [&] { test::childOf<Document>(window).marks().selectTag(1); });
}

} // namespace

int run(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    if (argc < 2 || argc > 4)
        return std::fprintf(stderr, "usage: pipeline_bench MODEL [STAGES [MICRO-BATCHES]]\n"), 2;
    const int stages = argc > 2 ? std::atoi(argv[2]) : 8;
    const int each = (100'000 / (2 * stages) + stages - 1)
        / stages; // for 100,000 actions; all schedules accept multiples of the ranks
    const int microBatches = argc > 3 ? std::atoi(argv[3]) : each * stages;
    ShownWindow shown;
    MainWindow& window = *shown;

    Watchdog dog;
    const Step step = [&](const char* name, const std::function<void()>& act) { measureStep(window, dog, name, act); };
    Document& document = test::childOf<Document>(window);
    step("open", [&] { window.openModel(QString::fromLocal8Bit(argv[1])); });
    if (!document.isOpen())
        return std::fprintf(stderr, "%s was not opened\n", argv[1]), 1;
    std::printf("%zu nodes\n", document.graph().size());
    step("devices", [&] {
        document.devices().set(*devicesOf(*findDevicePreset("A100 SXM 80 GB"), static_cast<std::size_t>(stages)),
                               QStringLiteral("Devices"));
    });
    step("tag in stages", [&] { document.tagSources().tagInStages(stages, StageMeasure::nodes); });
    SequenceStrip& strip = test::childOf<SourcePane>(window).sequence().strip();
    step("drag a boundary, loads not known", [&] { dragBoundary(strip); });
    step("drag a boundary", [&] { dragBoundary(strip); });
    colorAndExplain(window, step);
    useDialogs(window, step);
    useTimeline(window, microBatches, step);
    step("close the model", [&] { document.close(); });
    return 0;
}

const Benchmark kBenchmark{"pipeline_bench", run};

} // namespace sunder::pipeline_bench
