// Drives the window with a large model and prints, for each step, the longest time for which its thread did not process events.
#include "app/main_window.h"
#include "app/returned_memory.h"
#include "app/workspace.h"
#include "benchmark.h"
#include "panels/outline_panel.h"
#include "panes/partition_dag/node_drag.h"
#include "panes/partition_dag/part_mover.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/partition_dag/shown_cut.h"
#include "panes/source_pane.h"

#include "child_of.h"
#include "watchdog.h"

#include <QApplication>
#include <QMimeData>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string>

namespace sunder::window_bench {

using namespace bench;

namespace {

/// Resident memory of this process, in MB.
double residentMegabytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:"))
            return std::strtod(line.c_str() + 6, nullptr) / 1000;
    return 0;
}

} // namespace

/// window_bench MODEL
int run(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    freeMemoryEvenly();
    QApplication application(argc, argv);
    if (argc != 2)
        return std::fprintf(stderr, "usage: window_bench MODEL\n"), 2;
    ShownWindow shown;
    MainWindow& window = *shown;

    Watchdog dog;
    const auto step = [&](const char* name, const std::function<void()>& act) { measureStep(window, dog, name, act); };
    Document& document = test::childOf<Document>(window);
    const double atStart = residentMegabytes();
    step("open", [&] { window.openModel(QString::fromLocal8Bit(argv[1])); });
    if (!document.isOpen())
        return std::fprintf(stderr, "%s was not opened\n", argv[1]), 1;
    std::printf("%zu nodes\n", document.graph().size());
    const std::vector<NodeId> all = document.graph().order();
    const NodeId middle = all[all.size() / 2];
    step("paint one op", [&] { document.painting().paint(std::array{middle}, 0); });
    step("paint all", [&] { document.painting().paint(all, 1); });
    step("undo", [&] { document.undo(); });
    step("erase all, redo, undo", [&] {
        document.redo();
        document.painting().erase(all);
        document.undo();
    });
    const int steps = document.steps().index();
    step("1,000 strokes", [&] {
        for (std::size_t stroke = 0; stroke < 1000; ++stroke)
            document.painting().paint(std::span(all).subspan(stroke * (all.size() - 5) / 1000, 5), static_cast<int>(stroke % 2));
    });
    step("jump back over 1,000 steps", [&] { document.goToStep(steps); });
    step("jump forth over 1,000 steps", [&] { document.goToStep(document.steps().count()); });
    document.goToStep(steps);
    step("show the whole graph", [&] { test::childOf<Actions>(window).fit->trigger(); });
    step("paint all, shown as a whole", [&] { document.painting().paint(all, 1); });
    step("zoom in", [&] { test::childOf<Actions>(window).zoomIn->trigger(); });
    step("tag in 4 stages", [&] { test::childOf<Document>(window).tagSources().tagInStages(4, StageMeasure::nodes); });
    step("reorder tags", [&] { document.tagList().move(0, 3); });
    step("undo", [&] { document.undo(); });
    step("select all", [&] { document.marks().select(all); });
    step("select one, show it", [&] {
        document.marks().select({middle});
        document.marks().reveal();
    });
    step("fill in untagged", [&] {
        document.painting().erase(std::vector<NodeId>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2)));
        document.painting().fillInUntagged();
    });
    step("split and verify", [&] {
        test::childOf<Document>(window).tagSources().tagInStages(4, StageMeasure::nodes);
        settle(window);
        test::childOf<Workflow>(window).run("split");
    });
    step("select one in the source", [&] { document.marks().select({middle}); });
    step("select all", [&] { document.marks().select(all); });
    const PartitionDagPane& dag = test::childOf<Workspace>(window).partitionDag();
    auto& mover = test::childOf<PartMover>(dag);
    auto& view = test::childOf<DagView>(dag);
    if (const CutMeasurePtr measure = test::childOf<ShownCut>(dag).measure()) {
        const std::vector<NodeId>& part = measure->nodesOf(0);
        const std::vector<NodeId> half(part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2), part.end());
        step("move the last op of a part: preview", [&] {
            document.marks().select({part.back()});
            mover.moveSelection(1);
        });
        step("on to the part behind", [&] { mover.moveSelection(1); });
        step("cancel", [&] { mover.cancel(); });
        step("select half a part", [&] { document.marks().select(half); });
        step("move half a part: preview", [&] { mover.moveSelection(1); });
        step("cancel while it is computed", [&] {
            mover.moveSelection(1);
            mover.cancel();
        });
        step("drag half a part over three parts", [&] {
            const std::unique_ptr<QMimeData> data(mimeOf(half));
            const std::vector<NodeId> dragged = nodesIn(data.get());
            for (int box = 1; box < static_cast<int>(view.content().boxes.size()); ++box) {
                emit view.dragged(dragged, box);
                QApplication::processEvents();
            }
        });
        step("make the move", [&] { emit view.dropped(half, 1); });
    }
    const double before = residentMegabytes();
    step("close the model", [&] { document.close(); });
    dog.restart();
    runEvents(10'000);
    dog.report("ten seconds afterward");
    std::printf("memory: %.0f MB at the start, %.0f MB before closing, %.0f MB ten seconds after\n", atStart, before,
                residentMegabytes());
    return 0;
}

const Benchmark kBenchmark{"window_bench", run};

} // namespace sunder::window_bench
