#include "document/runs/torch_process.h"

#include "support/json_tape.h"
#include "support/python_package.h"
#include "text/shown_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace sunder {
namespace {

constexpr int kPollMs = 30;
constexpr unsigned kMaxLineDepth = 16;
constexpr qsizetype kMostOutput = 256'000'000; ///< of a line, in bytes
constexpr qsizetype kKeptOfErrors = 65'536;    ///< the end of standard error, in bytes
constexpr qsizetype kShownOfErrors = 1'500;

/// Reports in JSON what is missing, or runs the module. Older Pythons must be able to read it.
constexpr const char* kStart = R"py(
import json, sys
def say(**line):
    print(json.dumps(line))
    sys.stdout.flush()
def missing(why):
    say(missing=why)
    sys.exit(0)
here = "%d.%d" % sys.version_info[:2]
if sys.version_info < (3, 10):
    missing("is Python %s; 3.10 or later is needed" % here)
try:
    import torch
except ImportError as error:
    missing("has no PyTorch (%s)" % error)
if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 6):
    missing("has PyTorch %s; 2.6 or later is needed" % torch.__version__)
try:
    import sunder
except ImportError as error:
    missing("cannot import the package sunder (%s)" % error)
say(release="PyTorch %s, Python %s" % (torch.__version__, here))
import runpy
name = sys.argv.pop(1)
runpy.run_module(name, run_name="__main__", alter_sys=True)
)py";

QProcessEnvironment environmentOfTorch()
{
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert(QStringLiteral("PYTHONSAFEPATH"), QStringLiteral("1")); // import nothing from the current folder
    all.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
    all.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
    all.insert(QStringLiteral("SUNDER_HOME"), QCoreApplication::applicationDirPath());
    const QString name = QStringLiteral("PYTHONPATH");
    const QString package = exact(pythonPackageFolder(QCoreApplication::applicationFilePath().toStdString()).string());
    if (!package.isEmpty())
        all.insert(name, all.value(name).isEmpty() ? package : package + QLatin1Char(':') + all.value(name));
    return all;
}

/// A process while it runs, with what it wrote.
class TorchProcess final {
public:
    TorchProcess(const QString& python, const QStringList& words, const QString& folder);

    /// Waits for the end. Fails with ErrorCode::cancelled, and if the process cannot be started.
    Result<void> wait(ProgressMonitor& monitor);
    [[nodiscard]] bool hasFailed() const
    {
        return m_process.exitStatus() == QProcess::CrashExit || (m_process.exitCode() != 0 && m_last.isEmpty());
    }
    /// Describes the failure, with the end of standard error.
    [[nodiscard]] std::string failure() const;

    QString missing; ///< what this Python lacks; empty: nothing
    QString release;
    [[nodiscard]] const QByteArray& last() const { return m_last; }

private:
    void kill();
    void read();
    void take(const QByteArray& line);

    QProcess m_process;
    QByteArray m_rest; ///< an unfinished line
    QByteArray m_last; ///< the last line that is neither progress nor about Python
    QByteArray m_errors;
    std::string m_step; ///< the current one; empty: none yet
    double m_share = 0;
};

TorchProcess::TorchProcess(const QString& python, const QStringList& words, const QString& folder)
{
    m_process.setProcessEnvironment(environmentOfTorch());
    m_process.setWorkingDirectory(folder);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([] {
        ::setpgid(0, 0); // a group of its own, to be killed with its children
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    });
    m_process.start(python, QStringList{QStringLiteral("-c"), QString::fromLatin1(kStart)} + words);
}

Result<void> TorchProcess::wait(ProgressMonitor& monitor)
{
    if (!m_process.waitForStarted())
        return fail(ErrorCode::io, "could not be started: " + m_process.errorString().toStdString());
    while (m_process.state() != QProcess::NotRunning) {
        m_process.waitForFinished(kPollMs);
        read();
        if (!m_step.empty())
            monitor.report(m_share, m_step); // again and again, since the monitor drops reports that follow each other quickly
        if (monitor.isCancelled() || m_rest.size() > kMostOutput)
            kill();
    }
    read();
    return monitor.check();
}

void TorchProcess::kill()
{
    if (const qint64 id = m_process.processId(); id > 0)
        ::kill(static_cast<pid_t>(-id), SIGKILL);
    m_process.kill();
    m_process.waitForFinished();
}

void TorchProcess::read()
{
    m_errors = (m_errors + m_process.readAllStandardError()).right(kKeptOfErrors);
    m_rest += m_process.readAllStandardOutput();
    qsizetype from = 0;
    for (qsizetype end = m_rest.indexOf('\n'); end >= 0; end = m_rest.indexOf('\n', from)) {
        take(m_rest.mid(from, end - from));
        from = end + 1;
    }
    m_rest.remove(0, from);
}

void TorchProcess::take(const QByteArray& line)
{
    JsonTape tape;
    const std::string_view words(line.data(), static_cast<std::size_t>(line.size()));
    if (!tape.parseOfPython(words, kMaxLineDepth) || !tape.root().is(JsonType::object))
        return; // a module that is imported first may write anything
    const JsonValue root = tape.root();
    if (const JsonValue step = root.member("step"); step.is(JsonType::string)) {
        m_step = text(step.text()).toStdString();
        m_share = root.member("share").numberOr(0);
    } else if (const JsonValue lacks = root.member("missing"); lacks.is(JsonType::string)) {
        missing = text(lacks.text());
    } else if (const JsonValue said = root.member("release"); said.is(JsonType::string)) {
        release = text(said.text());
    } else {
        m_last = line;
    }
}

std::string TorchProcess::failure() const
{
    const std::string how = m_process.exitStatus() == QProcess::CrashExit
        ? "the process crashed: PyTorch failed, or there was not enough memory"
        : "the process ended with status " + std::to_string(m_process.exitCode());
    const QByteArray errors = m_errors.trimmed().right(kShownOfErrors);
    return errors.isEmpty() ? how : how + "\n" + errors.toStdString();
}

} // namespace

QStringList pythonsToTry(const QString& chosen)
{
    if (!chosen.isEmpty()) {
        const QString onPath = chosen.contains(QLatin1Char('/')) ? QString() : QStandardPaths::findExecutable(chosen);
        return {onPath.isEmpty() ? typedPath(chosen) : onPath};
    }
    QStringList found;
    for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const QString root = qEnvironmentVariable(variable); !root.isEmpty())
            found += root + QStringLiteral("/bin/python");
    for (const char* name : {"python3", "python"})
        found += QStandardPaths::findExecutable(QString::fromLatin1(name));
    QStringList pythons;
    for (const QString& path : std::as_const(found))
        if (QFileInfo(path).isExecutable() && !pythons.contains(path))
            pythons += path;
    return pythons;
}

Result<TorchAnswer> runInTorch(const QStringList& pythons, const QString& module, const QStringList& arguments,
                               const QString& folder, ProgressMonitor& monitor)
{
    std::string lacks;
    for (const QString& python : pythons) {
        monitor.report(0, "Start " + python.toStdString());
        TorchProcess process(python, QStringList{module} + arguments, folder);
        const Result<void> ended = process.wait(monitor);
        if (!ended && ended.error().code == ErrorCode::cancelled)
            return tl::unexpected(ended.error());
        if (ended && process.missing.isEmpty()) {
            if (process.hasFailed() || process.last().isEmpty())
                return fail(ErrorCode::io, process.failure(), {.file = python.toStdString()});
            return TorchAnswer{.line = process.last(), .python = python, .release = process.release};
        }
        lacks += (lacks.empty() ? "" : "; ") + python.toStdString() + " "
            + (ended ? process.missing.toStdString() : ended.error().message);
    }
    return fail(ErrorCode::unsupported, lacks.empty() ? "there is no Python on PATH" : lacks);
}

} // namespace sunder
