#include "cli/command.h"
#include "cli/terminal_monitor.h"
#include "layout/box_layout.h"

#include <QJsonDocument>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

using namespace sunder;
using namespace sunder::cli;

namespace {

std::string usage()
{
    std::string text = "sunder-cli: cut PyTorch models without a window\n\n";
    for (const Command& command : commands()) {
        const std::string call = std::string(command.name) + " " + command.positionals;
        text += "  sunder-cli " + call + std::string(call.size() < 22 ? 22 - call.size() : 1, ' ') + command.summary + "\n";
    }
    return text + "\nsunder-cli COMMAND --help tells the options of a command.\n";
}

void printJson(const QJsonObject& object)
{
    std::cout << QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString() << "\n";
}

QJsonObject jsonOf(const Location& where)
{
    QJsonObject object;
    const auto put = [&object](const char* key, const std::string& text) {
        if (!text.empty())
            object[QLatin1String(key)] = QString::fromStdString(text);
    };
    put("file", where.file);
    put("member", where.member);
    put("node", where.node);
    put("other", where.other);
    if (where.line != 0)
        object[QLatin1String("line")] = static_cast<qint64>(where.line);
    return object;
}

int failed(const Error& error, bool asJson)
{
    if (asJson)
        printJson({{QStringLiteral("error"),
                    QJsonObject{{QStringLiteral("code"), QString::fromUtf8(name(error.code).data())},
                                {QStringLiteral("message"), QString::fromStdString(error.message)},
                                {QStringLiteral("where"), jsonOf(error.where)}}}});
    else
        std::cerr << "sunder-cli: " << describe(error) << "\n";
    return exitStatus(error.code);
}

void declareCommonOptions(QCommandLineParser& parser, const Command& command)
{
    parser.setApplicationDescription(QLatin1String(command.summary));
    parser.addOptions({{{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Tells these options.")},
                       {QStringLiteral("json"), QStringLiteral("Prints the result, or the error, as one JSON object.")},
                       {QStringLiteral("quiet"), QStringLiteral("Prints nothing but errors.")},
                       {QStringLiteral("progress"), QStringLiteral("Shows a bar when standard error is a terminal.")},
                       {QStringLiteral("model"), QStringLiteral("The program to take from an archive of several."),
                        QStringLiteral("NAME")}});
    command.declare(parser);
}

/// The command line must parse and have as many files as the command names.
Result<std::vector<std::string>> filesOf(QCommandLineParser& parser, const Command& command, const QStringList& words)
{
    if (!parser.parse(words))
        return fail(ErrorCode::usage, parser.errorText().toStdString() + " (see sunder-cli " + command.name + " --help)");
    std::vector<std::string> files;
    for (const QString& file : parser.positionalArguments())
        files.push_back(file.toStdString());
    const qsizetype wanted = QString::fromUtf8(command.positionals).split(u' ', Qt::SkipEmptyParts).size();
    if (!parser.isSet(QStringLiteral("help")) && static_cast<qsizetype>(files.size()) != wanted)
        return fail(ErrorCode::usage, std::string(command.name) + " needs " + command.positionals + ", got " +
                                          std::to_string(files.size()) + " file names");
    return files;
}

int report(const Outcome& outcome, const QCommandLineParser& parser, const StepTimer& timer)
{
    if (parser.isSet(QStringLiteral("json"))) {
        QJsonObject json = outcome.json;
        json[QStringLiteral("seconds")] = timer.seconds();
        json[QStringLiteral("peak_bytes")] = static_cast<qint64>(peakResidentBytes());
        printJson(json);
        return outcome.status;
    }
    for (const std::string& warning : outcome.warnings)
        std::cerr << "sunder-cli: " << warning << "\n";
    if (!parser.isSet(QStringLiteral("quiet")))
        std::cout << outcome.text;
    return outcome.status;
}

/// What a command was about when an exception ended it.
std::string describeStep(std::string_view step)
{
    if (step == "read")
        return " while the file was read";
    if (step == "verify")
        return " while the result was compared with its source";
    if (step == "write")
        return " while the result was written";
    return step.empty() ? "" : " while the result was computed";
}

/// Runs the command. Exceptions of the language and of libraries end here: what they had taken is free again.
Result<Outcome> runGuarded(const Command& command, const Invocation& invocation)
{
    try {
        return command.run(invocation);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::io, "there was not enough memory" + describeStep(invocation.timer.current()));
    } catch (const std::exception& fault) {
        return fail(ErrorCode::io, "ended unexpectedly" + describeStep(invocation.timer.current()) + ": " + fault.what());
    }
}

/// Where a library lets an exception out of a destructor nothing can be caught any more.
[[noreturn]] void endForGood()
{
    try {
        if (const std::exception_ptr fault = std::current_exception())
            std::rethrow_exception(fault);
        std::fputs("sunder-cli: ended unexpectedly\n", stderr);
    } catch (const std::bad_alloc&) {
        std::fputs("sunder-cli: there was not enough memory\n", stderr);
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "sunder-cli: ended unexpectedly: %s\n", fault.what());
    } catch (...) {
        std::fputs("sunder-cli: ended unexpectedly\n", stderr);
    }
    std::_Exit(exitStatus(ErrorCode::io));
}

int run(const Command& command, const QStringList& words)
{
    QCommandLineParser parser;
    declareCommonOptions(parser, command);
    const bool asJson = words.contains(QStringLiteral("--json"));
    const Result<std::vector<std::string>> files = filesOf(parser, command, words);
    if (!files)
        return failed(files.error(), asJson);
    if (parser.isSet(QStringLiteral("help"))) {
        std::cout << "sunder-cli " << command.name << " " << command.positionals << ": " << command.summary << "\n"
                  << parser.helpText().section(u'\n', 1).toStdString();
        return 0;
    }
    TerminalMonitor monitor;
    monitor.showBar(parser.isSet(QStringLiteral("progress")));
    StepTimer timer;
    const Result<Outcome> outcome = runGuarded(command, {parser, *files, monitor, timer});
    if (outcome)
        return report(*outcome, parser, timer);
    Error error = outcome.error();
    if (error.where.file.empty() && error.code != ErrorCode::usage && !files->empty())
        error.where.file = files->front();
    return failed(error, asJson);
}

} // namespace

int main(int argc, char** argv)
{
    std::set_terminate(endForGood);
    if (argc == 2 && std::strcmp(argv[1], "--layout-child") == 0)
        return runLayoutChild();
    QStringList words;
    for (int i = 0; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    if (argc < 2 || words[1] == QStringLiteral("--help") || words[1] == QStringLiteral("-h")) {
        (argc < 2 ? std::cerr : std::cout) << usage();
        return argc < 2 ? exitStatus(ErrorCode::usage) : 0;
    }
    const std::string verb = words.takeAt(1).toStdString();
    for (const Command& command : commands())
        if (verb == command.name)
            return run(command, words);
    return failed({ErrorCode::usage, "there is no command " + verb + "; sunder-cli --help lists them"},
                  words.contains(QStringLiteral("--json")));
}
