#include "cli/torch_run.h"

#include "cli/files.h"
#include "support/scratch_folder.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>

#include <csignal>
#include <filesystem>
#include <sys/prctl.h>

namespace sunder::cli {
namespace {

constexpr double kSeconds = 60;        ///< default time limit in seconds
constexpr double kMaxSeconds = 86400;
constexpr double kGraceSeconds = 300; ///< extra seconds to load the models and to finish a running call
constexpr int kPollMs = 50;
constexpr qsizetype kKeptErrors = 65536; ///< size of the kept end of standard error, in bytes
constexpr const char* kDefaultWitness = "witness.zip";

/// Result of the process.
struct Ended {
    QByteArray output;
    QByteArray errors;
    bool isLate = false;
    bool hasCrashed = false;
    int status = 0;
};

/// Returns the folder that contains the Python package sunder: above bin/ in a wheel, packaging/python in a source tree. Empty
/// for other installations, where Python must have the package.
QString packageFolder()
{
    const QString package = QStringLiteral("sunder/witness/__main__.py");
    QDir folder = QFileInfo(programPath()).dir();
    if (const QDir around(folder.filePath(QStringLiteral("../.."))); QFileInfo::exists(around.filePath(package)))
        return around.canonicalPath();
    do {
        if (const QDir source(folder.filePath(QStringLiteral("packaging/python"))); QFileInfo::exists(source.filePath(package)))
            return source.canonicalPath();
    } while (folder.cdUp());
    return {};
}

QProcessEnvironment environment()
{
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert(QStringLiteral("PYTHONSAFEPATH"), QStringLiteral("1")); // import nothing from the current folder
    const QString name = QStringLiteral("PYTHONPATH");
    if (const QString package = packageFolder(); !package.isEmpty())
        all.insert(name, all.value(name).isEmpty() ? package : package + QLatin1Char(':') + all.value(name));
    return all;
}

tl::unexpected<Error> failedPython(const std::string& python, std::string why)
{
    return tl::unexpected(Error{ErrorCode::io, std::move(why), Location{.file = python}});
}

Result<Ended> ended(const QString& python, const QJsonObject& request, double seconds, ProgressMonitor& monitor)
{
    std::string name = "sunder-cli"; // QProcess needs an application to wait for its pipes
    char* words[] = {name.data(), nullptr};
    int count = 1;
    const QCoreApplication application(count, words);
    QProcess process;
    process.setProcessEnvironment(environment());
    process.setChildProcessModifier([] {
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    });
    process.start(python, {QStringLiteral("-m"), QStringLiteral("sunder.witness")});
    if (!process.waitForStarted())
        return failedPython(python.toStdString(), "could not be started: " + process.errorString().toStdString());
    process.write(QJsonDocument(request).toJson(QJsonDocument::Compact));
    process.closeWriteChannel();
    QElapsedTimer clock;
    clock.start();
    Ended result;
    while (!process.waitForFinished(kPollMs) && process.state() != QProcess::NotRunning) {
        result.errors = (result.errors + process.readAllStandardError()).right(kKeptErrors);
        result.isLate = clock.elapsed() > static_cast<qint64>((seconds + kGraceSeconds) * 1000);
        if (result.isLate || monitor.isCancelled()) {
            process.kill();
            process.waitForFinished();
        }
    }
    SUNDER_PROPAGATE(monitor.check());
    result.output = process.readAllStandardOutput();
    result.errors = (result.errors + process.readAllStandardError()).right(kKeptErrors);
    result.hasCrashed = process.exitStatus() == QProcess::CrashExit;
    result.status = process.exitCode();
    return result;
}

ErrorCode codeOf(const QString& name)
{
    for (const ErrorCode code : {ErrorCode::refused, ErrorCode::usage, ErrorCode::malformed, ErrorCode::unsupported})
        if (name == text(sunder::name(code)))
            return code;
    return ErrorCode::io;
}

void addNoteTo(QJsonObject& said, const QString& note)
{
    QJsonArray notes = said[QStringLiteral("notes")].toArray();
    notes.append(note);
    said[QStringLiteral("notes")] = notes;
}

/// Returns the last line of the error output, e.g. of a Python without PyTorch or the package.
std::string lastLine(const QByteArray& errors)
{
    return errors.trimmed().split('\n').back().trimmed().toStdString();
}

Result<QJsonObject> answerOf(const Ended& run, const std::string& python, const QJsonObject& said, double seconds)
{
    if (run.isLate || run.hasCrashed) {
        QJsonObject unchanged = said;
        const QString why = run.isLate ? QStringLiteral("was stopped after %1 s").arg(seconds + kGraceSeconds)
                                       : QStringLiteral("crashed: PyTorch failed, or there was not enough memory");
        addNoteTo(unchanged, QStringLiteral("the run in PyTorch %1; it decides nothing about the models").arg(why));
        return unchanged;
    }
    QJsonObject answer = QJsonDocument::fromJson(run.output).object();
    if (run.status != 0 || answer.isEmpty())
        return failedPython(python,
                            "cannot run models: " + lastLine(run.errors)
                                + "; --torch needs PyTorch and the sunder package (packaging/python)");
    if (const QJsonObject error = answer[QStringLiteral("error")].toObject(); !error.isEmpty()) {
        Error passed{codeOf(error[QStringLiteral("code")].toString()), error[QStringLiteral("message")].toString().toStdString()};
        passed.where.file = error[QStringLiteral("where")].toObject()[QStringLiteral("file")].toString().toStdString();
        return tl::unexpected(passed);
    }
    return answer;
}

/// Copies a witness to an output of the command.
Result<void> keepWitness(const Invocation& invocation, const std::string& made, const std::string& place)
{
    return invocation.outputs.write(place, [&](const std::string& at) -> Result<void> {
        std::error_code error;
        std::filesystem::copy_file(made, at, error);
        if (error)
            return fail(ErrorCode::io, "cannot write the witness: " + error.message());
        return {};
    });
}

} // namespace

std::span<const CommandOption> torchRunOptions()
{
    static constexpr CommandOption kOptions[] = {
        CommandOption{Takes::text, "torch", "PYTHON",
                      "Also run both models in PyTorch on generated inputs. PYTHON is an interpreter that has PyTorch."}
            .excluding("no-weights"),
        CommandOption{Takes::output, "witness", "WITNESS.zip",
                      "With --torch: file for inputs for which the models differ. Default: witness.zip."}
            .needing("torch"),
        CommandOption{Takes::decimal, "seconds", "N", "With --torch: time limit after loading the models. Default: 60."}
            .between(0, kMaxSeconds)
            .needing("torch"),
        CommandOption{Takes::input, "replay", "WITNESS.zip",
                      "With --torch: run the models on the inputs of a witness instead of generated ones."}
            .needing("torch"),
    };
    return kOptions;
}

Result<QJsonObject> runInTorch(const Invocation& invocation, QJsonObject said)
{
    const double seconds = invocation.isSet("seconds") ? text(invocation.value("seconds")).toDouble() : kSeconds;
    const std::string place = invocation.isSet("witness") ? invocation.value("witness") : kDefaultWitness;
    SUNDER_TRY(const ScratchFolder scratch, ScratchFolder::elsewhere(place));
    const std::string made = (scratch.path() / kDefaultWitness).string();
    const bool isReplay = invocation.isSet("replay");
    const auto program = [&](const char* option) {
        const std::string chosen = invocation.value(invocation.isSet(option) ? option : "model");
        return chosen.empty() ? QJsonValue() : QJsonValue(text(chosen));
    };
    const QJsonObject request{{QStringLiteral("a"), text(invocation.files[0])},
                              {QStringLiteral("b"), text(invocation.files[1])},
                              {QStringLiteral("model_a"), program("model-a")},
                              {QStringLiteral("model_b"), program("model-b")},
                              {QStringLiteral("said"), said},
                              {QStringLiteral("seconds"), seconds},
                              {QStringLiteral("witness"), text(made)},
                              {QStringLiteral("replay"), isReplay ? QJsonValue(text(invocation.value("replay"))) : QJsonValue()}};
    const std::string python = invocation.value("torch");
    SUNDER_TRY(const Ended run,
               invocation.timer.measure("run", [&] { return ended(text(python), request, seconds, invocation.monitor); }));
    Result<QJsonObject> answer = answerOf(run, python, said, seconds);
    if (!answer)
        return answer;
    QJsonObject about = (*answer)[QStringLiteral("run")].toObject();
    const bool isFound = about.take(QStringLiteral("witness")).toBool();
    if (isFound && (!isReplay || invocation.isSet("witness"))) {
        SUNDER_PROPAGATE(keepWitness(invocation, made, place));
        about[QStringLiteral("witness")] = text(place);
    }
    if (!about.isEmpty())
        (*answer)[QStringLiteral("run")] = about;
    return answer;
}

} // namespace sunder::cli
