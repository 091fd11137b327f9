#include "cli/problem_text.h"

#include "cli/files.h"
#include "support/format.h"

namespace sunder::cli {
namespace {

const char* word(Severity severity)
{
    switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: break;
    }
    return "note";
}

bool changesTags(const Repair& repair)
{
    return repair.kind != Repair::Kind::show;
}

} // namespace

std::vector<const Repair*> repairsOf(const Problems& problems)
{
    std::vector<const Repair*> repairs;
    for (const Problem& problem : problems)
        for (const Repair& repair : problem.repairs)
            if (changesTags(repair))
                repairs.push_back(&repair);
    return repairs;
}

std::string ProblemTexts::line(const Repair& repair) const
{
    if (repair.kind != Repair::Kind::reorder)
        return repair.label + ": " + formatCount(repair.calls, "op") + ", " + formatBytes(repair.bytes) + " of weights";
    std::string order;
    for (const int tag : repair.order)
        order += (order.empty() ? "" : ", ") + tagName(tag);
    return repair.label + ": " + order;
}

QJsonObject ProblemTexts::json(const Repair& repair) const
{
    QJsonObject json{{QStringLiteral("kind"), text(name(repair.kind))},
                     {QStringLiteral("label"), text(repair.label)},
                     {QStringLiteral("calls"), static_cast<qint64>(repair.calls)},
                     {QStringLiteral("bytes"), static_cast<qint64>(repair.bytes)}};
    if (repair.kind == Repair::Kind::retag)
        json[QStringLiteral("nodes")] = names(repair.nodes);
    if (repair.kind == Repair::Kind::retag || repair.kind == Repair::Kind::removeTag || repair.kind == Repair::Kind::mergeTags)
        json[QStringLiteral("tag")] = text(tagName(repair.tag));
    QJsonArray emptied;
    for (const int tag : repair.emptied)
        emptied.append(text(tagName(tag)));
    if (!emptied.isEmpty())
        json[QStringLiteral("removes")] = emptied;
    if (repair.kind == Repair::Kind::reorder || repair.kind == Repair::Kind::mergeTags) {
        QJsonArray order;
        for (const int tag : repair.order)
            order.append(text(tagName(tag)));
        json[repair.kind == Repair::Kind::reorder ? QStringLiteral("order") : QStringLiteral("merged")] = order;
    }
    return json;
}

void ProblemTexts::add(const Problems& problems, Outcome& outcome) const
{
    if (problems.empty())
        outcome.say("No problems. Ready to split.");
    QJsonArray all;
    int number = 0;
    for (const Problem& problem : problems) {
        outcome.say(std::string(word(problem.severity)) + ": " + problem.text);
        QJsonArray repairs;
        for (const Repair& repair : problem.repairs) {
            if (!changesTags(repair))
                continue;
            outcome.say("  fix " + std::to_string(++number) + ": " + line(repair));
            QJsonObject one = json(repair);
            one[QStringLiteral("repair")] = number;
            repairs.append(one);
        }
        QJsonObject one{{QStringLiteral("kind"), text(name(problem.kind))},
                        {QStringLiteral("severity"), QLatin1String(word(problem.severity))},
                        {QStringLiteral("text"), text(problem.text)},
                        {QStringLiteral("nodes"), names(problem.nodes)},
                        {QStringLiteral("repairs"), repairs}};
        if (problem.goesWith)
            one[QStringLiteral("goes_with")] = static_cast<qint64>(*problem.goesWith);
        all.append(one);
    }
    outcome.json[QStringLiteral("problems")] = all;
}

QJsonArray ProblemTexts::names(const std::vector<NodeId>& nodes) const
{
    QJsonArray names;
    for (const NodeId id : nodes)
        names.append(text(m_graph[id].name.view()));
    return names;
}

std::string ProblemTexts::tagName(int tag) const
{
    return m_tags.order[static_cast<std::size_t>(tag)].str();
}

} // namespace sunder::cli
