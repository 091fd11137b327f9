// Measures the time from program start to the first picture of a model, offscreen: first_picture_bench MODEL …. Starts itself
// again for every model and run, so that each figure comes from a new process. Prints milliseconds of wall time until the window
// is shown and until the picture is shown, as the minimum and the median of several runs.

#include "app/appearance.h"
#include "app/main_window.h"
#include "benchmark.h"
#include "panes/source_pane.h"

#include "child_of.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace sunder::first_picture_bench {

namespace {

constexpr int kRuns = 7;
constexpr int kLongestMs = 60'000;

/// Runs one start and prints "SHOWN PICTURE" in milliseconds.
int startOnce(int argc, char** argv, const QElapsedTimer& clock)
{
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setOrganizationName(QStringLiteral("sunder-bench"));
    Appearance look(application);
    MainWindow window(&look);
    window.resize(1440, 900);
    window.show();
    QApplication::processEvents();
    const qint64 shown = clock.elapsed();
    QObject::connect(&test::childOf<SourcePane>(window), &SourcePane::pictureShown, &window, [&] {
        window.grab();
        std::printf("%lld %lld\n", static_cast<long long>(shown), static_cast<long long>(clock.elapsed()));
        std::fflush(stdout);
        std::_Exit(0);
    });
    QTimer::singleShot(kLongestMs, &window, [] { std::_Exit(1); });
    window.openModel(QString::fromLocal8Bit(argv[2]));
    return QApplication::exec();
}

bool measure(const char* program, const char* model)
{
    std::vector<int> shown;
    std::vector<int> picture;
    for (int i = 0; i < kRuns; ++i) {
        QProcess process;
        process.start(QString::fromLocal8Bit(program), {QStringLiteral("--once"), QString::fromLocal8Bit(model)});
        process.waitForFinished(2 * kLongestMs);
        const QList<QByteArray> figures = process.readAllStandardOutput().simplified().split(' ');
        if (process.exitCode() != 0 || figures.size() != 2) {
            std::fprintf(stderr, "%s: no picture came\n", model);
            return false;
        }
        shown.push_back(figures[0].toInt());
        picture.push_back(figures[1].toInt());
    }
    std::sort(shown.begin(), shown.end());
    std::sort(picture.begin(), picture.end());
    std::printf("%-60s window %4d to %4d ms, picture %5d to %5d ms\n", model, shown.front(), shown[kRuns / 2], picture.front(),
                picture[kRuns / 2]);
    return true;
}

} // namespace

int run(int argc, char** argv)
{
    QElapsedTimer clock;
    clock.start();
    qputenv("QT_QPA_PLATFORM", "offscreen");
    if (argc == 3 && qstrcmp(argv[1], "--once") == 0)
        return startOnce(argc, argv, clock);
    if (argc < 2) {
        std::fprintf(stderr, "first_picture_bench MODEL …\n");
        return 2;
    }
    bool allDone = true;
    for (int i = 1; i < argc; ++i)
        allDone = measure(argv[0], argv[i]) && allDone;
    return allDone ? 0 : 1;
}

const Benchmark kBenchmark{"first_picture_bench", run};

} // namespace sunder::first_picture_bench
