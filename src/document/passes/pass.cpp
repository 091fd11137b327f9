#include "document/passes/pass.h"

#include "text/shown_text.h"

#include <QFileInfo>
#include <QObject>

#include <algorithm>

namespace sunder {
namespace {

const PassChoice* choiceOf(const PassOption& option, const PassOptions& options)
{
    const QString id = valueOf(option, options).toString();
    const auto at = std::ranges::find(option.choices, id, &PassChoice::id);
    return at == option.choices.end() ? nullptr : &*at;
}

QString textOf(const PassOption& option, const PassOptions& options)
{
    const QVariant value = valueOf(option, options);
    switch (option.kind) {
    case PassOption::Kind::flag: return value.toBool() ? QObject::tr("yes") : QObject::tr("no");
    case PassOption::Kind::choice: {
        const PassChoice* choice = choiceOf(option, options);
        return choice == nullptr ? QString() : plainTitle(choice->title);
    }
    case PassOption::Kind::file: return brief(visible(QFileInfo(value.toString()).fileName()));
    case PassOption::Kind::text: return value.toString().isEmpty() ? QObject::tr("none") : brief(visible(value.toString()));
    case PassOption::Kind::number: return QString::number(value.toInt());
    case PassOption::Kind::tags: {
        QStringList names;
        for (const QString& name : value.toStringList())
            names << brief(visible(name));
        return names.isEmpty() ? QObject::tr("all") : names.join(QStringLiteral(", "));
    }
    case PassOption::Kind::note: break;
    }
    return brief(visible(value.toString()), 160);
}

QString lineOf(const PassOption& option, const PassOptions& options)
{
    return QObject::tr("%1: %2").arg(plainTitle(option.title), textOf(option, options));
}

} // namespace

std::vector<PassOption> shownOptions(const std::vector<OptionSpec>& specs)
{
    std::vector<PassOption> shown;
    for (const OptionSpec& spec : specs) {
        shown.push_back({.id = QString::fromUtf8(spec.id),
                         .kind = spec.kind,
                         .title = tr(spec.title),
                         .tip = tr(spec.help),
                         .brief = tr(spec.brief),
                         .belongsTo = QString::fromUtf8(spec.belongsTo),
                         .most = spec.most,
                         .word = QString::fromUtf8(spec.word)});
        PassOption& option = shown.back();
        option.tip.chop(1); // tooltips have no full stop at the end
        if (spec.kind == OptionKind::file)
            option.filter = tr("%1 (*.json);;All files (*)").arg(plainTitle(option.title));
        for (const OptionChoice& choice : spec.choices)
            option.choices.push_back({.id = QString::fromUtf8(choice.id),
                                      .title = tr(choice.title),
                                      .brief = tr(choice.brief),
                                      .tip = tr(choice.tip),
                                      .word = QString::fromUtf8(choice.word)});
    }
    return shown;
}

OptionValue plainValue(const OptionSpec& spec, const PassOptions& options)
{
    const QVariant value = options.value(QString::fromUtf8(spec.id));
    if (spec.kind == OptionKind::flag)
        return value.toBool();
    if (spec.kind == OptionKind::choice && !value.isValid())
        return std::string(spec.choices.front().id);
    if (spec.kind != OptionKind::tags)
        return value.toString().toStdString();
    std::vector<std::string> tags;
    for (const QString& tag : value.toStringList())
        tags.push_back(tag.toStdString());
    return tags;
}

QVariant valueOf(const PassOption& option, const PassOptions& options)
{
    if (const auto at = options.constFind(option.id); at != options.constEnd())
        return *at;
    switch (option.kind) {
    case PassOption::Kind::flag: return false;
    case PassOption::Kind::choice: return option.choices.empty() ? QString() : option.choices.front().id;
    case PassOption::Kind::number: return 1;
    case PassOption::Kind::tags: return QStringList();
    case PassOption::Kind::file:
    case PassOption::Kind::text:
    case PassOption::Kind::note: break;
    }
    return QString();
}

bool isInUse(const PassOption& option, const std::vector<PassOption>& all, const PassOptions& options)
{
    if (option.belongsTo.isEmpty())
        return option.kind != PassOption::Kind::note || options.contains(option.id);
    const QString on = option.belongsTo.section(QLatin1Char('='), 0, 0);
    const auto at = std::ranges::find(all, on, &PassOption::id);
    return at != all.end() && valueOf(*at, options).toString() == option.belongsTo.section(QLatin1Char('='), 1);
}

QStringList briefsOf(const std::vector<PassOption>& all, const PassOptions& options)
{
    QStringList parts;
    for (const PassOption& option : all) {
        if (!isInUse(option, all, options))
            continue;
        QString part;
        if (option.kind == PassOption::Kind::flag && valueOf(option, options).toBool())
            part = option.brief;
        else if (const PassChoice* choice = choiceOf(option, options))
            part = choice->brief;
        else if (option.kind == PassOption::Kind::note && !option.brief.isEmpty())
            part = textOf(option, options);
        if (!part.isEmpty())
            parts << part;
    }
    return parts;
}

QStringList linesOf(const std::vector<PassOption>& all, const PassOptions& options)
{
    QStringList lines;
    for (const PassOption& option : all)
        if (isInUse(option, all, options))
            lines << lineOf(option, options);
    return lines;
}

QStringList changedLinesOf(const std::vector<PassOption>& all, const PassOptions& options)
{
    QStringList lines;
    for (const PassOption& option : all)
        if (isInUse(option, all, options) && valueOf(option, options) != valueOf(option, {}))
            lines << lineOf(option, options);
    return lines;
}

} // namespace sunder
