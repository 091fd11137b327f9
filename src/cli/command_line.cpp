#include "cli/command_line.h"

#include "cli/command.h"
#include "cli/file_roles.h"
#include "cli/files.h"
#include "cli/interruption.h"
#include "cli/terminal_monitor.h"
#include "layout/box_layout.h"
#include "support/format.h"
#include "support/scratch_folder.h"
#include "support/text.h"
#include "support/version.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <unistd.h>

namespace sunder::cli {
namespace {

// All output of sunder-cli. A failed write to standard output is an error (a full disk, /dev/full). Names from files cannot control a
// terminal: control and bidirectional characters are escaped.

Result<void> writeTo(int fd, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t put = ::write(fd, text.data(), text.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return fail(ErrorCode::io, std::string("cannot write: ") + std::strerror(errno), {.file = "standard output"});
        text.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
}

void appendEscape(std::string& out, char16_t unit)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "\\u%04x", static_cast<unsigned>(unit));
    out += text.data();
}

/// Escapes characters that JSON permits but a terminal interprets, as \\u sequences. They occur only in strings.
std::string jsonForTerminals(const std::string& json)
{
    if (isVisible(json))
        return json;
    std::string out;
    const QString text = QString::fromStdString(json);
    for (const uint code : text.toUcs4()) {
        const char32_t character = code;
        const QString one = QString::fromUcs4(&character, 1);
        if (const std::string utf8 = one.toStdString(); isVisible(utf8))
            out += utf8;
        else
            for (const QChar unit : one)
                appendEscape(out, unit.unicode());
    }
    return out;
}

/// Prints text of the program, with line ends.
Result<void> printText(const std::string& text)
{
    return writeTo(STDOUT_FILENO, text);
}

/// Prints lines, given without line ends; to standard error if an output file is standard output.
Result<void> printLines(const std::vector<std::string>& lines, bool isTaken)
{
    std::string text;
    for (const std::string& line : lines)
        text += visibleText(line) + "\n";
    return writeTo(isTaken ? STDERR_FILENO : STDOUT_FILENO, text);
}

/// Prints JSON without line ends as a line.
Result<void> printJson(const std::string& json)
{
    return printText(jsonForTerminals(json) + "\n");
}

/// Prints one line to standard error, prefixed with the program name.
void complain(const std::string& line)
{
    (void)writeTo(STDERR_FILENO, "sunder-cli: " + visibleText(line) + "\n");
}

QString callOf(const Command& command)
{
    return (QLatin1String(command.name) + u' ' + QString::fromUtf8(command.positionals)).trimmed();
}

/// Returns a line of help for each command whose name starts with `start`.
std::string listOfCommands(std::string_view start)
{
    qsizetype width = 0;
    for (const Command& command : commands())
        width = std::max(width, callOf(command).size());
    std::string text;
    for (const Command& command : commands())
        if (std::string_view(command.name).starts_with(start))
            text += "  sunder-cli " + callOf(command).leftJustified(width).toStdString() + "  " + command.summary + "\n";
    return text;
}

std::string usage()
{
    return "sunder-cli: split PyTorch models from the command line\n\n" + listOfCommands({})
        + "\nsunder-cli COMMAND --help lists the options of a command. sunder-cli --version prints the version.\n\n"
          "IN is a model (.pt2, .fxj, .fxj.gz, or model.json, recognized by content) or a project (.sunder). A and B are\n"
          "models, or tags files for compare. Exit status: 0: done, 1: refused or not equivalent, 2: wrong command line,\n"
          "3: a file cannot be read or written, 4: interrupted.\n";
}

std::string jsonOf(const Error& error)
{
    JsonWriter json(0);
    json.object([&] {
        json.key("error");
        json.object([&] {
            json.member("code", name(error.code));
            json.member("message", error.message);
            json.key("where");
            json.object([&] {
                const Location& where = error.where;
                json.memberIfAny("file", where.file);
                json.memberIfAny("member", where.member);
                if (where.line != 0)
                    json.member("line", where.line);
                json.memberIfAny("node", where.node);
                json.memberIfAny("other", where.other);
            });
        });
    });
    return json.takeRaw();
}

int failed(const Error& error, bool asJson)
{
    Interruption::holdBack();
    if (!asJson)
        complain(describe(error));
    else if (const Result<void> printed = printJson(jsonOf(error)); !printed)
        complain(describe(printed.error()));
    return exitStatus(error.code);
}

/// Parses the command line and checks the number of positional arguments.
Result<std::vector<std::string>> filesOf(QCommandLineParser& parser, const Command& command, const QStringList& words)
{
    if (!parser.parse(words)) {
        QString why = parser.errorText(); // a sentence of Qt: "Unknown option 'x'."
        why.front() = why.front().toLower();
        while (why.endsWith(u'.'))
            why.chop(1);
        return fail(ErrorCode::usage, why.toStdString() + "; sunder-cli " + command.name + " --help lists the options");
    }
    std::vector<std::string> files;
    for (const QString& file : parser.positionalArguments())
        files.push_back(file.toStdString());
    const QStringList wanted = QString::fromUtf8(command.positionals).split(u' ', Qt::SkipEmptyParts);
    const bool isOpen = !wanted.isEmpty() && wanted.last().endsWith(u'…');
    const auto optional = std::ranges::count_if(wanted, [](const QString& name) { return name.startsWith(u'['); });
    if (parser.isSet(QStringLiteral("help")))
        return files;
    if (parser.positionalArguments().size() < wanted.size() - optional
        || (!isOpen && parser.positionalArguments().size() > wanted.size()))
        return fail(ErrorCode::usage,
                    std::string(command.name) + " needs " + command.positionals + ", got "
                        + formatCount(files.size(), "argument"));
    SUNDER_PROPAGATE(checkOptions(parser, command.options, command.name));
    SUNDER_PROPAGATE(checkFileRoles(command, parser, files));
    return files;
}

/// Adds the members that every command has, and returns the `--json` output.
std::string completedJson(Outcome& outcome, const Invocation& invocation)
{
    JsonWriter& json = outcome.json;
    if (outcome.notes)
        json.member("notes", *outcome.notes);
    if (!invocation.sizes.empty()) {
        json.key("assumed_sizes");
        json.object([&] {
            for (const auto& [symbol, size] : invocation.sizes)
                json.member(symbol, size);
        });
    }
    json.key("seconds");
    json.object([&] {
        for (const auto& [step, seconds] : invocation.timer.seconds()) {
            json.key(step);
            json.figure(seconds);
        }
    });
    json.member("peak_bytes", peakResidentBytes());
    json.endObject();
    return json.takeRaw();
}

int report(Outcome outcome, const QCommandLineParser& parser, const Invocation& invocation)
{
    Interruption::holdBack();
    Result<void> printed = {};
    if (parser.isSet(QStringLiteral("json"))) {
        printed = printJson(completedJson(outcome, invocation));
    } else {
        for (const std::string& warning : outcome.warnings)
            complain(warning);
        if (!parser.isSet(QStringLiteral("quiet")))
            printed = printLines(outcome.lines, invocation.outputs.fillStandardOutput());
    }
    if (printed)
        return outcome.status;
    complain(describe(printed.error()));
    return exitStatus(printed.error().code);
}

int print(const std::string& text)
{
    const Result<void> printed = printText(text);
    if (!printed)
        complain(describe(printed.error()));
    return printed ? 0 : exitStatus(printed.error().code);
}

/// Describes the step that an exception interrupted.
std::string describeStep(std::string_view step)
{
    if (step == "read")
        return " while reading the file";
    if (step == "verify")
        return " while verifying the result";
    if (step == "write")
        return " while writing the result";
    return step.empty() ? "" : " while computing the result";
}

/// Runs the command and converts exceptions to errors. Their resources have been released by then.
Result<Outcome> runGuarded(const Command& command, const Invocation& invocation)
{
    try {
        return command.run(invocation);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::io, "not enough memory" + describeStep(invocation.timer.current()));
    } catch (const std::exception& fault) {
        return fail(ErrorCode::io, "internal error" + describeStep(invocation.timer.current()) + ": " + fault.what());
    }
}

/// Terminate handler, e.g. for an exception from a destructor in a library.
[[noreturn]] void endForGood()
{
    abandonScratchFolders();
    try {
        if (const std::exception_ptr fault = std::current_exception())
            std::rethrow_exception(fault);
        std::fputs("sunder-cli: internal error\n", stderr);
    } catch (const std::bad_alloc&) {
        std::fputs("sunder-cli: not enough memory\n", stderr);
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "sunder-cli: internal error: %s\n", fault.what());
    } catch (...) {
        std::fputs("sunder-cli: internal error\n", stderr);
    }
    std::_Exit(exitStatus(ErrorCode::io));
}

int run(const Command& command, const QStringList& words, const Drawing* drawing)
{
    QCommandLineParser parser;
    declareOptions(parser, command.options);
    const bool asJson = words.contains(QStringLiteral("--json"));
    const Result<std::vector<std::string>> files = filesOf(parser, command, words);
    if (!files)
        return failed(files.error(), asJson);
    if (parser.isSet(QStringLiteral("help"))) {
        return print("Usage: sunder-cli " + callOf(command).toStdString() + " [OPTION]...\n\n" + command.summary + "\n"
                     + parser.helpText().section(u'\n', 1).toStdString());
    }
    TerminalMonitor monitor;
    monitor.showBar(parser.isSet(QStringLiteral("progress")));
    StepTimer timer;
    Outputs outputs;
    InputProject project;
    std::map<std::string, std::int64_t> sizes;
    const Invocation invocation{parser, *files, monitor, timer, outputs, project, sizes, drawing};
    Result<Outcome> outcome = runGuarded(command, invocation);
    if (outcome)
        if (const Result<void> done = timer.measure("write", [&] { return outputs.commit(); }); !done)
            outcome = forward(done);
    if (outcome)
        outcome->note(project.notes);
    if (outcome)
        return report(std::move(*outcome), parser, invocation);
    Error error = outcome.error();
    if (error.where.file.empty() && error.code != ErrorCode::usage && !files->empty())
        error.where.file = files->front();
    return failed(error, asJson);
}

} // namespace

int runCommandLine(int argc, char** argv, const Drawing* drawing)
{
    std::set_terminate(endForGood);
    if (argc == 2 && std::strcmp(argv[1], "--layout-child") == 0)
        return runLayoutChild();
    Interruption::watch(std::any_of(argv, argv + argc, [](const char* word) { return std::strcmp(word, "--json") == 0; }));
    QStringList words;
    for (int i = 0; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    if (argc < 2 || words[1] == QStringLiteral("--help") || words[1] == QStringLiteral("-h")) {
        if (argc >= 2)
            return print(usage());
        std::fputs(usage().c_str(), stderr);
        return exitStatus(ErrorCode::usage);
    }
    if (words[1] == QStringLiteral("--version") || words[1] == QStringLiteral("-v"))
        return print("sunder-cli " + std::string(version()) + "\n");
    std::string verb = words.takeAt(1).toStdString();
    if (const std::string group = listOfCommands(verb + " "); !group.empty()) {
        const QString action = words.size() > 1 ? words.takeAt(1) : QString();
        if (action == QStringLiteral("--help") || action == QStringLiteral("-h"))
            return print(group + "\nsunder-cli " + verb + " COMMAND --help lists the options of a command.\n");
        if (action.isEmpty())
            return failed({ErrorCode::usage, verb + " needs a command; sunder-cli " + verb + " --help lists them"}, false);
        verb += " " + action.toStdString();
    }
    for (const Command& command : commands())
        if (verb == command.name)
            return run(command, words, drawing);
    return failed({ErrorCode::usage, "unknown command \"" + verb + "\"; sunder-cli --help lists the commands"},
                  words.contains(QStringLiteral("--json")));
}

} // namespace sunder::cli
