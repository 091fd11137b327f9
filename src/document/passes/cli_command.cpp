#include "document/passes/cli_command.h"

#include "document/runs/split_outcome.h"
#include "io/side_files/tags_file.h"
#include "io/sympy/size_assumptions.h"
#include "support/text.h"

#include <QFileInfo>

#include <algorithm>

namespace sunder {
namespace {

constexpr int kFirstInput = 3; ///< file descriptor of the first side file; a shell uses 0 to 2

/// Returns the assumed sizes of a run; for a partition, those that it was cut for.
std::vector<AssumedSize> sizesOf(const Run& run, const Program& source)
{
    const SplitOutcomePtr split = as<SplitOutcomePtr>(run.result);
    return split && split->plan ? split->plan->cutFor : assumedSizes(sizeAssumptions(source));
}

/// Returns whether a choice is a flag on the command line (it has no words) and has the value of that flag, its first one.
bool isFlagOf(const PassOption& option, const QVariant& value)
{
    return option.kind == OptionKind::choice && value == option.choices.front().id
        && std::ranges::all_of(option.choices, &QString::isEmpty, &PassChoice::word);
}

/// Returns the choice that needs no option; invalid for other options.
QVariant usualChoice(const PassOption& option)
{
    return option.kind == OptionKind::choice ? QVariant(option.choices.front().id) : QVariant();
}

std::string listed(const std::vector<AssumedSize>& sizes)
{
    std::string list;
    for (const auto& [symbol, value] : sizes)
        list += (list.empty() ? "" : ",") + symbol.str() + "=" + std::to_string(value);
    return list;
}

} // namespace

void CliCommand::addFile(const std::string& option, std::string text)
{
    add(option, "/dev/fd/" + std::to_string(kFirstInput + static_cast<int>(inputs.size())));
    inputs.push_back(std::move(text));
}

void CliCommand::addTags(const Graph& graph, const TagAssignment& tags)
{
    addFile("tags", tagsFileText({.order = tags.order, .tags = tagPairs(graph, tags)}));
}

void CliCommand::addOptions(const Outcome& result)
{
    const std::vector<PassOption>& all = findPass(result.pass)->options;
    for (const PassOption& option : all) {
        if (option.word.isEmpty() || !isInUse(option, all, result.options))
            continue;
        const QVariant value = valueOf(option, result.options);
        const std::string word = option.word.toStdString();
        std::string given = value.toString().toStdString();
        if (option.kind == OptionKind::tags)
            given = value.toStringList().join(u',').toStdString();
        if (option.kind == OptionKind::choice)
            given = std::ranges::find(option.choices, value.toString(), &PassChoice::id)->word.toStdString();
        if (option.kind == OptionKind::flag ? value.toBool() : isFlagOf(option, value))
            add(word);
        else if (option.kind != OptionKind::flag && !given.empty() && value != usualChoice(option))
            add(word, given);
    }
}

std::string assumedSizesText(const Program& program)
{
    return listed(assumedSizes(sizeAssumptions(program)));
}

std::string shellText(const CliCommand& command, const std::string& sizes, const OpenedFiles& files)
{
    CliCommand whole = command;
    if (!files.program.isEmpty())
        whole.add("model", files.program.toStdString());
    if (!sizes.empty())
        whole.add("assume", sizes);
    if (!files.operators.isEmpty())
        whole.add("operators", files.operators.toStdString());
    std::string text = "sunder-cli " + whole.verb + " " + shellWord(files.model.toStdString());
    for (const std::string& word : whole.words)
        text += " " + shellWord(word);
    const QString name = QFileInfo(files.model).fileName();
    text += " -o " + shellWord(name.left(std::max<qsizetype>(1, name.indexOf(u'.'))).toStdString() + whole.ending);
    std::string inputs;
    for (std::size_t i = 0; i < whole.inputs.size(); ++i) {
        const std::string input = shellInput(kFirstInput + static_cast<int>(i), whole.inputs[i]);
        const std::size_t line = input.find('\n');
        text += " " + input.substr(0, line); // the first line names all side files
        inputs += input.substr(line + 1);
    }
    return text + "\n" + inputs;
}

std::string shellCommandOf(const Run& run, const Snapshot& source, const OpenedFiles& files)
{
    CliCommand command;
    if (const Pass* pass = findPass(run.result->pass))
        pass->command(*run.result, source.program, command);
    return shellText(command, listed(sizesOf(run, source.program)), files);
}

} // namespace sunder
