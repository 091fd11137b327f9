#include "cli/pass_switches.h"

#include <QStringList>

#include <algorithm>
#include <string_view>

namespace sunder::cli {
namespace {

CommandOption switchOf(const OptionSpec& spec)
{
    CommandOption option{Takes::text, spec.word, spec.value, spec.help};
    switch (spec.kind) {
    case OptionKind::file: option.takes = Takes::input; break;
    case OptionKind::number: return CommandOption{Takes::number, spec.word, spec.value, spec.help}.between(1, spec.most);
    case OptionKind::choice:
        option.takes = *spec.value == '\0' ? Takes::nothing : Takes::word;
        option.usual = spec.choices.front().word;
        break;
    case OptionKind::flag: option.takes = Takes::nothing; break;
    case OptionKind::text:
    case OptionKind::tags:
    case OptionKind::note: break;
    }
    return option;
}

/// A choice without a value is a flag: the first choice with it, the last one without.
std::string chosen(const OptionSpec& spec, const Invocation& invocation)
{
    if (*spec.value == '\0')
        return invocation.isSet(spec.word) ? spec.choices.front().id : spec.choices.back().id;
    const std::string word = invocation.value(spec.word);
    return std::ranges::find(spec.choices, word, [](const OptionChoice& choice) { return std::string_view(choice.word); })->id;
}

} // namespace

std::vector<CommandOption> switchesOf(const std::vector<OptionSpec>& specs)
{
    std::vector<CommandOption> options;
    for (const OptionSpec& spec : specs)
        if (*spec.word != '\0')
            options.push_back(switchOf(spec));
    return options;
}

OptionValue givenValue(const OptionSpec& spec, const Invocation& invocation)
{
    if (spec.kind == OptionKind::flag)
        return invocation.isSet(spec.word);
    if (spec.kind == OptionKind::choice && *spec.word != '\0')
        return chosen(spec, invocation);
    if (spec.kind != OptionKind::tags)
        return invocation.value(spec.word);
    std::vector<std::string> tags;
    for (const QString& tag : invocation.options.value(QLatin1String(spec.word)).split(u',', Qt::SkipEmptyParts))
        tags.push_back(tag.toStdString());
    return tags;
}

} // namespace sunder::cli
