#include "diagnostics/crash_log.h"

#include "diagnostics/logging.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <execinfo.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace sunder {

void writeSafely(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

Digits::Digits(std::uint64_t number, int width) : m_begin(m_text.size())
{
    for (; number != 0 || width > 0; number /= 10, --width)
        m_text[--m_begin] = static_cast<char>('0' + number % 10);
}

void writeTime(int descriptor, std::int64_t seconds)
{
    using namespace std::chrono;
    const sys_seconds at{std::chrono::seconds(seconds)};
    const sys_days day = floor<days>(at);
    const year_month_day date(day);
    const hh_mm_ss time(at - day);
    const auto two = [descriptor](auto number) { writeSafely(descriptor, Digits(static_cast<std::uint64_t>(number), 2).text()); };
    writeSafely(descriptor, Digits(static_cast<std::uint64_t>(static_cast<int>(date.year())), 4).text());
    writeSafely(descriptor, "-");
    two(static_cast<unsigned>(date.month()));
    writeSafely(descriptor, "-");
    two(static_cast<unsigned>(date.day()));
    writeSafely(descriptor, " ");
    two(time.hours().count());
    writeSafely(descriptor, ":");
    two(time.minutes().count());
    writeSafely(descriptor, ":");
    two(time.seconds().count());
    writeSafely(descriptor, " UTC");
}

} // namespace sunder

#ifdef SUNDER_COUNTS_LINES
extern "C" void __gcov_dump(void); // writes the counters of the coverage preset, as exit() would
#endif

namespace sunder {
namespace {

constexpr off_t kMaxBytes = 1'000'000;
constexpr const char* kReport = "Sunder crashed: "; // marks the first line of a report, after the time

struct FatalSignal {
    int number;
    const char* what;
};
constexpr std::array kFatalSignals{
    FatalSignal{SIGSEGV, "SIGSEGV, invalid memory access"},
    FatalSignal{SIGBUS, "SIGBUS, memory or a mapped file is no longer available"},
    FatalSignal{SIGILL, "SIGILL, invalid instruction"},
    FatalSignal{SIGFPE, "SIGFPE, arithmetic error"},
    FatalSignal{SIGABRT, "SIGABRT, aborted"},
};

// State of the signal handler, prepared in advance.
std::string logFile;
std::string factLines;
std::array<char, 256> cause{}; // message of the exception that terminated the process
std::atomic_flag isWriting = ATOMIC_FLAG_INIT;
std::array<char, 65536> signalStack{}; // the regular stack may have overflowed

const char* meaningOf(int signal)
{
    const auto found = std::ranges::find(kFatalSignals, signal, &FatalSignal::number);
    return found == kFatalSignals.end() ? "a signal" : found->what;
}

void writeReport(int descriptor, int signal)
{
    writeTime(descriptor, std::time(nullptr));
    writeSafely(descriptor, " ");
    writeSafely(descriptor, kReport);
    writeSafely(descriptor, meaningOf(signal));
    if (cause[0] != '\0') {
        writeSafely(descriptor, ": ");
        writeSafely(descriptor, cause.data());
    }
    writeSafely(descriptor, " (process ");
    writeSafely(descriptor, Digits(static_cast<std::uint64_t>(::getpid())).text());
    writeSafely(descriptor, ")\n");
    writeSafely(descriptor, factLines);
    writeSafely(descriptor, "  Last lines of the log:\n");
    recentLines().writeTo(descriptor);
    writeSafely(descriptor, "  Call stack, innermost first:\n");
    std::array<void*, 64> calls{};
    ::backtrace_symbols_fd(calls.data(), ::backtrace(calls.data(), static_cast<int>(calls.size())), descriptor);
    writeSafely(descriptor, "\n");
}

extern "C" void onFatalSignal(int signal)
{
    if (!isWriting.test_and_set()) {
        const int descriptor = ::open(logFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        struct stat about{};
        if (descriptor >= 0 && ::fstat(descriptor, &about) == 0 && about.st_size < kMaxBytes)
            writeReport(descriptor, signal);
        if (descriptor >= 0)
            ::close(descriptor);
#ifdef SUNDER_COUNTS_LINES
        __gcov_dump();
#endif
    }
    ::raise(signal); // SA_RESETHAND has restored the default handler
}

void onTerminate()
{
    const auto say = [](const char* what) { std::strncpy(cause.data(), what, cause.size() - 1); };
    try {
        if (const std::exception_ptr thrown = std::current_exception())
            std::rethrow_exception(thrown);
        say("std::terminate() without an exception");
    } catch (const std::exception& e) {
        say(e.what());
    } catch (...) {
        say("an exception without a message");
    }
    std::replace(cause.begin(), cause.end(), '\n', ' ');
    std::abort();
}

} // namespace

QString crashLogPath()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::CacheLocation)).filePath(QStringLiteral("crashes.log"));
}

void writeCrashesTo(const QString& path, const QString& facts)
{
    QDir().mkpath(QFileInfo(path).path());
    logFile = QFile::encodeName(path).toStdString();
    factLines.clear();
    for (const QString& line : facts.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        factLines += "  " + line.toStdString() + "\n";

    std::array<void*, 1> first{};
    ::backtrace(first.data(), 1); // the first call loads a library, which a signal handler must not do
    recentLines();
    const stack_t stack{.ss_sp = signalStack.data(), .ss_flags = 0, .ss_size = signalStack.size()};
    ::sigaltstack(&stack, nullptr);
    struct sigaction action{};
    action.sa_handler = onFatalSignal;
    action.sa_flags = SA_RESETHAND | SA_ONSTACK | SA_NODEFER;
    for (const FatalSignal& signal : kFatalSignals)
        ::sigaction(signal.number, &action, nullptr);
    std::set_terminate(onTerminate);
}

std::optional<CrashReports> unseenCrashes(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    CrashReports reports{.last = {}, .text = QString::fromUtf8(file.read(2 * kMaxBytes))};
    for (const QString& line : reports.text.split(QLatin1Char('\n')))
        if (line.contains(QLatin1String(kReport)) && !line.startsWith(QLatin1Char(' ')))
            reports.last = line;
    if (reports.last.isEmpty())
        return std::nullopt;
    return reports;
}

bool markCrashesSeen(const QString& path)
{
    return std::rename(QFile::encodeName(path).constData(), QFile::encodeName(path + QStringLiteral(".seen")).constData()) == 0;
}

} // namespace sunder
