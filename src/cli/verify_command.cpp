// Verifies models, and runs them in PyTorch (packaging/python/sunder/witness) in a process of a Python.
#include "cli/command.h"
#include "cli/files.h"
#include "cli/verification.h"
#include "parts/stored_contents.h"
#include "support/json_tape.h"
#include "support/python_package.h"
#include "support/scratch_folder.h"
#include "verify/verdict_text.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sys/prctl.h>

namespace sunder::cli {
namespace {

constexpr unsigned kMaxAnswerDepth = 64;
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

QProcessEnvironment environment()
{
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert(QStringLiteral("PYTHONSAFEPATH"), QStringLiteral("1")); // import nothing from the current folder
    const QString name = QStringLiteral("PYTHONPATH");
    const QString package = text(pythonPackageFolder(programPath().toStdString()).string());
    if (!package.isEmpty())
        all.insert(name, all.value(name).isEmpty() ? package : package + QLatin1Char(':') + all.value(name));
    return all;
}

tl::unexpected<Error> failedPython(const std::string& python, std::string why)
{
    return tl::unexpected(Error{ErrorCode::io, std::move(why), Location{.file = python}});
}

Result<Ended> ended(const QString& python, const std::string& request, double seconds, ProgressMonitor& monitor)
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
    process.write(request.data(), static_cast<qint64>(request.size()));
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

ErrorCode codeOf(std::string_view name)
{
    for (const ErrorCode code : {ErrorCode::refused, ErrorCode::usage, ErrorCode::malformed, ErrorCode::unsupported})
        if (name == sunder::name(code))
            return code;
    return ErrorCode::io;
}

/// Returns the last line of the error output, e.g. of a Python without PyTorch or the package.
std::string lastLine(const QByteArray& errors)
{
    return errors.trimmed().split('\n').back().trimmed().toStdString();
}

/// A verdict, which a run in PyTorch may extend or change.
struct Verified {
    JsonTape verdict; ///< JSON object
    std::vector<std::string> notes = {}; ///< further notes
    std::string witness = {}; ///< output of the command: inputs for which the models differ
};

/// Returns the text of a value; empty if it is absent or not a text.
std::string textOf(JsonValue value)
{
    return value && value.is(JsonType::string) ? std::string(value.text()) : std::string();
}

/// Reads the answer of the process. Returns whether it found a witness.
Result<bool> readAnswer(const Ended& run, const std::string& python, JsonTape& answer)
{
    const std::string_view output(run.output.data(), static_cast<std::size_t>(run.output.size()));
    if (run.status != 0 || !answer.parseOfPython(output, kMaxAnswerDepth) || !answer.root().is(JsonType::object))
        return failedPython(python,
                            "cannot run models: " + lastLine(run.errors)
                                + "; --torch needs PyTorch and the sunder package (packaging/python)");
    if (const JsonValue error = answer.root().member("error")) {
        Error passed{codeOf(textOf(error.member("code"))), textOf(error.member("message"))};
        passed.where.file = textOf(error.member("where").member("file"));
        return tl::unexpected(passed);
    }
    const JsonValue found = answer.root().member("run").member("witness");
    return found && found.is(JsonType::boolean) && found.asBoolean();
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

/// Returns the request for the process, as packaging/python/sunder/witness/__main__.py describes it.
std::string requestFor(const Invocation& invocation, const std::string& verdictJson, double seconds, const std::string& witness)
{
    const auto nullable = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
    const auto program = [&](const char* option) {
        return nullable(invocation.value(invocation.isSet(option) ? option : "model"));
    };
    JsonWriter json(0);
    json.object([&] {
        json.member("a", invocation.files[0]);
        json.member("b", invocation.files[1]);
        json.member("model_a", program("model-a"));
        json.member("model_b", program("model-b"));
        json.key("said");
        json.raw(verdictJson);
        json.member("seconds", seconds);
        json.member("witness", witness);
        json.member("replay", nullable(invocation.value("replay")));
    });
    return json.take();
}

/// Runs A and B in a process of the Python that --torch names; timed as "run". `verdictJson` is extended by the results. A
/// witness becomes an output of the command. The process ends with this one, and at most 300 s after the limit of --seconds. If it
/// is stopped or crashes, the verdict is kept, with a note. Returns ErrorCode::io if the process cannot be started or lacks PyTorch
/// or the package sunder, and errors about the file of --replay.
Result<void> runInTorch(const Invocation& invocation, const std::string& verdictJson, Verified& verified)
{
    const double seconds = invocation.isSet("seconds") ? text(invocation.value("seconds")).toDouble() : kSeconds;
    const std::string place = invocation.isSet("witness") ? invocation.value("witness") : kDefaultWitness;
    SUNDER_TRY(const ScratchFolder scratch, ScratchFolder::elsewhere(place));
    const std::string made = (scratch.path() / kDefaultWitness).string();
    const std::string python = invocation.value("torch");
    const std::string request = requestFor(invocation, verdictJson, seconds, made);
    SUNDER_TRY(const Ended run,
               invocation.timer.measure("run", [&] { return ended(text(python), request, seconds, invocation.monitor); }));
    if (run.isLate || run.hasCrashed) {
        const std::string why = run.isLate ? "was stopped after " + QString::number(seconds + kGraceSeconds).toStdString() + " s"
                                           : "crashed: PyTorch failed, or there was not enough memory";
        verified.notes.push_back("the run in PyTorch " + why + "; it decides nothing about the models");
        return {};
    }
    SUNDER_TRY(const bool isFound, readAnswer(run, python, verified.verdict));
    if (!isFound || (invocation.isSet("replay") && !invocation.isSet("witness")))
        return {};
    verified.witness = place;
    return keepWitness(invocation, made, place);
}

/// Formats the verdict as a sentence. `basis` describes the assumptions of a proof.
std::string sentence(const std::string& verdict, const std::string& why, const std::string& basis)
{
    if (verdict == name(Verdict::same))
        return "Equivalent. " + basis;
    if (verdict == name(Verdict::sameUpToRounding))
        return "Equivalent up to rounding: " + why + ". " + basis;
    return (verdict == name(Verdict::different) ? "Not equivalent: " : "Undecided: ") + why;
}

void writeMember(JsonValue key, JsonWriter& json)
{
    json.key(key.text());
    json.raw(key.memberValue().raw());
}

/// Writes the members of a verdict, except its notes.
void write(const Verified& verified, JsonWriter& json)
{
    for (JsonValue key = verified.verdict.root().firstItem(); key; key = key.nextMember()) {
        if (key.text() == "run" && key.memberValue().is(JsonType::object)) {
            json.key("run");
            json.object([&] {
                for (JsonValue about = key.memberValue().firstItem(); about; about = about.nextMember())
                    if (about.text() != "witness")
                        writeMember(about, json);
                json.memberIfAny("witness", verified.witness);
            });
        } else if (key.text() != "notes") {
            writeMember(key, json);
        }
    }
}

Result<Outcome> runVerify(const Invocation& invocation)
{
    SUNDER_TRY(const Program a, readInput(invocation, invocation.files[0], "model-a"));
    SUNDER_TRY(const Program b, readInput(invocation, invocation.files[1], "model-b"));
    const StoredContents contents;
    const VerifyOptions options{.contents = invocation.isSet("no-weights") ? nullptr : &contents,
                                .whyNames = "their contents were not compared (--no-weights)"};
    SUNDER_TRY(const VerifyReport report,
               invocation.timer.measure("verify", [&] { return verify(a, b, options, invocation.monitor); }));
    JsonWriter json(0);
    json.object([&] { writeVerdict(report, json); });
    const std::string verdictJson = json.takeRaw();
    Verified verified;
    SUNDER_PROPAGATE(verified.verdict.parse(verdictJson, kMaxAnswerDepth));
    if (invocation.isSet("torch"))
        SUNDER_PROPAGATE(runInTorch(invocation, verdictJson, verified));
    const JsonValue root = verified.verdict.root();
    const std::string basis = basisText(report);
    const std::string verdict = textOf(root.member("verdict"));
    const bool isEnough = verdict == name(Verdict::same)
        || (verdict == name(Verdict::sameUpToRounding) && invocation.isSet("allow-rounding"));
    std::vector<std::string> notes;
    if (const JsonValue list = root.member("notes"); list && list.is(JsonType::array))
        for (JsonValue note = list.firstItem(); note; note = note.nextItem())
            notes.push_back(textOf(note));
    notes.insert(notes.end(), verified.notes.begin(), verified.notes.end());
    Outcome outcome{.status = isEnough ? 0 : 1, .lines = {sentence(verdict, textOf(root.member("why")), basis)}, .notes = notes};
    for (const std::string& note : notes)
        if (note != basis)
            outcome.say("  " + note);
    if (!verified.witness.empty())
        outcome.say("  witness: " + verified.witness);
    write(verified, outcome.json);
    return outcome;
}

constexpr CommandOption kVerifyOptions[] = {
    flag("no-weights", "Compare graphs only. Weights with equal names are assumed to be equal."),
    flag("allow-rounding", "Exit with status 0 also if the models are equivalent up to rounding."),
    {Takes::text, "model-a", "NAME", "Program of A, instead of --model."},
    {Takes::text, "model-b", "NAME", "Program of B, instead of --model."},
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

} // namespace

Command verifyCommand()
{
    return {"verify", "A B", "Decide whether two models are equivalent.", joined({kVerifyOptions}), runVerify};
}

} // namespace sunder::cli
