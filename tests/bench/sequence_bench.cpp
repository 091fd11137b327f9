// Moves a boundary of the sequence strip in the window, op by op and module by module. Prints the time from each move until the
// window has painted it, in milliseconds of wall time and of processor time of the window's thread.
//
//     sequence_bench MODEL
#include "app/main_window.h"
#include "benchmark.h"
#include "panes/sequence/sequence_panel.h"
#include "panes/source_pane.h"

#include "child_of.h"
#include "watchdog.h"

#include <QApplication>
#include <QKeyEvent>

#include <algorithm>
#include <cstdio>

namespace sunder::sequence_bench {

using namespace bench;

namespace {

void print(const char* what, std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) { return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))]; };
    std::printf("%-28s %4zu moves: p50 %.2f ms, p95 %.2f ms, max %.2f ms\n", what, times.size(), at(0.5), at(0.95), times.back());
}

void measure(SequenceStrip& strip, const char* what, Qt::KeyboardModifiers modifiers, int moves)
{
    std::vector<double> busy;
    std::vector<double> clock;
    for (int move = 0; move < moves; ++move) {
        QElapsedTimer timer;
        timer.start();
        const double before = threadMilliseconds();
        QKeyEvent key(QEvent::KeyPress, move % 40 < 20 ? Qt::Key_Down : Qt::Key_Up, modifiers);
        QCoreApplication::sendEvent(&strip, &key);
        QCoreApplication::processEvents();
        busy.push_back(threadMilliseconds() - before);
        clock.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    print((std::string(what) + ", busy").c_str(), std::move(busy));
    print((std::string(what) + ", by the clock").c_str(), std::move(clock));
    strip.cancel();
}

} // namespace

int run(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    if (argc != 2)
        return std::fprintf(stderr, "usage: sequence_bench MODEL\n"), 2;
    ShownWindow shown;
    MainWindow& window = *shown;
    window.openModel(QString::fromLocal8Bit(argv[1]));
    settle(window);
    test::childOf<Document>(window).tagSources().tagInStages(20, StageMeasure::nodes);
    settle(window);
    SequenceStrip& strip = test::childOf<SourcePane>(window).sequence().strip();
    std::printf("%u ops, %d borders\n", strip.content().isEmpty() ? 0 : strip.content().sequence->callCount(),
                strip.handleCount());
    strip.setCurrent(strip.handleCount() / 2);
    measure(strip, "op by op", Qt::AltModifier, 400);
    measure(strip, "any module", Qt::ShiftModifier, 400);
    test::childOf<Document>(window).close();
    return 0;
}

const Benchmark kBenchmark{"sequence_bench", run};

} // namespace sunder::sequence_bench
