#pragma once

#include "app/main_window.h"

#include "child_of.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <optional>

namespace sunder::bench {

/// Returns the processor time of this thread.
inline double threadMilliseconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// Ticks in the window's thread and keeps the longest time between two ticks.
class Watchdog final {
public:
    Watchdog()
    {
        m_timer.setInterval(2);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { tick(); });
        m_timer.start();
    }

    void restart()
    {
        m_clock.start();
        m_since.start();
        m_cpu = threadMilliseconds();
        m_longest = m_longestCpu = 0;
    }

    void report(const char* step)
    {
        tick();
        std::printf("%-44s %9.0f ms  longest gap %7.1f ms, of that %7.1f ms busy\n", step,
                    static_cast<double>(m_clock.nsecsElapsed()) / 1e6, m_longest, m_longestCpu);
        std::fflush(stdout);
    }

private:
    void tick()
    {
        const double gap = static_cast<double>(m_since.nsecsElapsed()) / 1e6;
        const double cpu = threadMilliseconds();
        m_longest = std::max(m_longest, gap);
        m_longestCpu = std::max(m_longestCpu, cpu - m_cpu);
        m_since.start();
        m_cpu = cpu;
    }

    QTimer m_timer;
    QElapsedTimer m_clock;
    QElapsedTimer m_since;
    double m_cpu = 0;
    double m_longest = 0;
    double m_longestCpu = 0;
};

/// Runs events in an event loop: processEvents() alone would not delete objects of deleteLater().
inline void runEvents(int milliseconds)
{
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

/// Runs events until no job has been running for a while.
inline void settle(MainWindow& window)
{
    QElapsedTimer quiet;
    quiet.start();
    while (quiet.elapsed() < 150) {
        runEvents(20);
        if (test::childOf<Jobs>(window).runningCount() > 0)
            quiet.start();
    }
}

/// A window of its own settings, as at the start of the program.
class ShownWindow final {
public:
    ShownWindow()
    {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_settings.path());
        QApplication::setOrganizationName("sunder-bench");
        m_window.emplace(nullptr);
        m_window->resize(1440, 900);
        m_window->show();
        settle(*m_window);
    }
    MainWindow& operator*() { return *m_window; }

private:
    const QTemporaryDir m_settings;
    std::optional<MainWindow> m_window;
};

/// Runs a step until its jobs have ended, and prints its longest block.
inline void measureStep(MainWindow& window, Watchdog& dog, const char* name, const std::function<void()>& act)
{
    dog.restart();
    act();
    settle(window);
    dog.report(name);
}

} // namespace sunder::bench
