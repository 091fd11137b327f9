#include "cli/command.h"

#include <QFile>
#include <QStringList>

#include <algorithm>
#include <sys/resource.h>
#include <unistd.h>

namespace sunder::cli {
namespace {

constexpr CommandOption kCommonOptions[] = {
    flag("json", "Print the result, or the error, as one JSON object."),
    flag("quiet", "Print errors only."),
    flag("progress", "Show a progress bar if standard error is a terminal."),
    {Takes::text, "model", "NAME", "Program to read from an archive of several programs."},
    {Takes::text, "assume", "SIZES", "Values for symbolic dimensions, e.g. s27=16,s3=4."},
    {Takes::input, "source", "MODEL", "Model to read instead of the one that a project names."},
    flag("changed-source", "Open a project even if its model changed; transfer tags to matching ops."),
    flag("suggested", "Give ops that a transfer of tags leaves without one the suggested tag."),
    {Takes::input, "operators", "FILE", "Schemas of custom operators, one per line, as torch.library registers them."},
};

QStringList wordsIn(const char* words, QChar between)
{
    return QString::fromUtf8(words).split(between, Qt::SkipEmptyParts);
}

std::string listed(const QStringList& words)
{
    if (words.size() < 3)
        return words.join(QStringLiteral(" or ")).toStdString();
    return (words.first(words.size() - 1).join(QStringLiteral(", ")) + QStringLiteral(", or ") + words.last()).toStdString();
}

std::string numberText(double number)
{
    return QString::number(number, 'g', 10).toStdString();
}

std::string rangeText(const CommandOption& option)
{
    if (option.most < UINT32_MAX)
        return option.takes == Takes::decimal && option.least == 0
            ? "a number above 0 and up to " + numberText(option.most)
            : "a number from " + numberText(option.least) + " to " + numberText(option.most);
    return option.least == 1 ? "a number above 0" : "a number";
}

bool isInRange(const CommandOption& option, const QString& given)
{
    bool isNumber = false;
    const double number = option.takes == Takes::number ? given.toUInt(&isNumber) : given.toDouble(&isNumber);
    const bool isBelow = option.takes == Takes::decimal && option.least == 0 ? !(number > 0) : !(number >= option.least);
    return isNumber && !isBelow && number <= option.most;
}

Result<void> checkValue(const CommandOption& option, const QString& given)
{
    const QStringList words = wordsIn(option.value, u'|');
    std::string wanted;
    if (option.takes == Takes::word && !words.contains(given))
        wanted = listed(words);
    const bool isNumber = option.takes == Takes::number || option.takes == Takes::decimal;
    if (isNumber && !isInRange(option, given) && !words.mid(1).contains(given))
        wanted = (words.size() > 1 ? listed(words.mid(1)) + " or " : "") + rangeText(option);
    if (wanted.empty())
        return {};
    return fail(ErrorCode::usage, spelled(option.name) + " takes " + wanted + ", not " + given.toStdString());
}

/// Returns an option with the name of its value: "--tags TAGS.json".
std::string withValue(std::span<const CommandOption> options, const QString& name)
{
    const auto at = std::ranges::find_if(options, [&](const CommandOption& one) { return name == QLatin1String(one.name); });
    const std::string value = at == options.end() ? "" : at->value;
    return spelled(name.toStdString()) + (value.empty() ? "" : " " + value);
}

Result<void> checkOthers(const QCommandLineParser& parser, std::span<const CommandOption> options, const CommandOption& option)
{
    const auto isGiven = [&](const QString& name) { return parser.isSet(name); };
    QStringList needed = wordsIn(option.needs, u' ');
    if (!needed.isEmpty() && std::ranges::none_of(needed, isGiven)) {
        for (QString& name : needed)
            name = QString::fromStdString(withValue(options, name));
        return fail(ErrorCode::usage, spelled(option.name) + " needs " + listed(needed));
    }
    const QStringList excluded = wordsIn(option.excludes, u' ');
    if (const auto other = std::ranges::find_if(excluded, isGiven); other != excluded.end())
        return fail(ErrorCode::usage, spelled(option.name) + " and " + spelled(other->toStdString()) + " cannot be combined");
    return {};
}

} // namespace

std::vector<CommandOption> joined(std::initializer_list<std::span<const CommandOption>> groups)
{
    std::vector<CommandOption> all;
    for (const std::span<const CommandOption> group : groups)
        all.insert(all.end(), group.begin(), group.end());
    return all;
}

std::span<const CommandOption> commonOptions()
{
    return kCommonOptions;
}

std::string spelled(const std::string& name)
{
    return (name.size() == 1 ? "-" : "--") + name;
}

void declareOptions(QCommandLineParser& parser, std::span<const CommandOption> options)
{
    const auto declare = [&parser](const CommandOption& option) {
        QString help = QString::fromUtf8(option.help);
        if (option.isRepeatable)
            help += QStringLiteral(" Repeatable.");
        QCommandLineOption declared(QString::fromUtf8(option.name), help, QString::fromUtf8(option.value),
                                    QString::fromUtf8(option.usual));
        if (option.isHidden)
            declared.setFlags(QCommandLineOption::HiddenFromHelp);
        parser.addOption(declared);
    };
    std::ranges::for_each(options, declare); // listed first by --help
    parser.addOption({{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this help and exit.")});
    std::ranges::for_each(kCommonOptions, declare);
}

Result<void> checkOptions(const QCommandLineParser& parser, std::span<const CommandOption> options, const std::string& command)
{
    for (const CommandOption& option : joined({options, kCommonOptions})) {
        const QString name = QString::fromUtf8(option.name);
        if (!parser.isSet(name)) {
            if (option.isRequired)
                return fail(ErrorCode::usage, command + " needs " + withValue(options, name));
            continue;
        }
        const QStringList values = parser.values(name);
        if (values.size() > 1 && !option.isRepeatable)
            return fail(ErrorCode::usage, spelled(option.name) + " is given twice");
        if (values.contains(QString()))
            return fail(ErrorCode::usage, spelled(option.name) + " needs a value");
        for (const QString& value : values)
            SUNDER_PROPAGATE(checkValue(option, value));
        SUNDER_PROPAGATE(checkOthers(parser, options, option));
    }
    return {};
}

std::uint64_t peakResidentBytes()
{
    // VmHWM starts at zero in a new program; ru_maxrss includes the process that started it.
    if (QFile status(QStringLiteral("/proc/self/status")); status.open(QIODevice::ReadOnly)) {
        const QByteArray text = status.readAll();
        constexpr QByteArrayView kKey("VmHWM:");
        if (const qsizetype at = text.indexOf(kKey); at >= 0) {
            const QByteArray line = text.mid(at + kKey.size(), text.indexOf('\n', at) - at - kKey.size());
            return line.simplified().split(' ').first().toULongLong() * 1024U;
        }
    }
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U; // kilobytes on Linux
}

void Outcome::note(const std::vector<std::string>& more)
{
    for (const std::string& one : more) {
        notes = notes.value_or(std::vector<std::string>());
        notes->push_back(one);
        warnings.push_back("note: " + one);
    }
}

JsonWriter Outcome::startedObject()
{
    JsonWriter json(0);
    json.beginObject();
    return json;
}

Result<void> Outputs::write(const std::string& path, const std::function<Result<void>(const std::string& at)>& write)
{
    SUNDER_TRY(StagedFile staged, StagedFile::create(path));
    if (Result<void> written = write(staged.path()); !written) {
        if (written.error().where.file == staged.path())
            written.error().where.file = path;
        return written;
    }
    m_fillStandardOutput = m_fillStandardOutput || openFileOf(behindLinks(path)) == STDOUT_FILENO;
    m_files.push_back(std::move(staged));
    return {};
}

Result<void> Outputs::commit()
{
    // Do slow or fallible work first: flushing to disk, and writing to pipes.
    for (StagedFile& file : m_files)
        if (const Result<void> sealed = file.seal(); !sealed)
            return sealed;
    SUNDER_PROPAGATE(place());
    for (const StagedFile& file : m_files)
        file.settle();
    return {};
}

Result<void> Outputs::place()
{
    const CommitGuard guard;
    Result<void> done = {};
    std::size_t placed = 0;
    while (done && placed < m_files.size())
        if (done = m_files[placed].commit(); done)
            ++placed;
    if (done && m_parts)
        done = m_parts->commit();
    while (!done && placed > 0)
        m_files[--placed].undo();
    return done;
}

} // namespace sunder::cli
