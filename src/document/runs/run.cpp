#include "document/runs/run.h"

#include "document/passes/pass.h"
#include "document/runs/result_kinds.h"
#include "document/text.h"

namespace sunder {

QString passOf(const Run& run)
{
    const Pass* pass = findPass(run.result->pass);
    if (pass == nullptr)
        return tr("A run");
    return (QStringList(pass->name) + briefsOf(pass->options, run.result->options)).join(QStringLiteral(", "));
}

QString nameOf(const Run& run)
{
    return run.name.isEmpty() ? passOf(run) : run.name;
}

QStringList optionsOf(const Run& run)
{
    const Pass* pass = findPass(run.result->pass);
    return pass == nullptr ? QStringList() : linesOf(pass->options, run.result->options);
}

QStringList changedOptionsOf(const Run& run)
{
    const Pass* pass = findPass(run.result->pass);
    return pass == nullptr ? QStringList() : changedLinesOf(pass->options, run.result->options);
}

QString outcomeOf(const Run& run)
{
    return descriptionOf(run.kind()).outcome(*run.result);
}

bool isVerified(const Run& run)
{
    return programOf(run) != nullptr;
}

std::size_t nodesOf(const Run& run)
{
    const Program* program = programOf(run);
    return program == nullptr ? 0 : program->nodeCount();
}

const Program* programOf(const Run& run)
{
    const ResultDescription& kind = descriptionOf(run.kind());
    return kind.program == nullptr ? nullptr : kind.program(*run.result);
}

const IdentityMap* mapOf(const Run& run)
{
    const ResultDescription& kind = descriptionOf(run.kind());
    return kind.map == nullptr ? nullptr : kind.map(*run.result);
}

QString hintOf(const VerifyReport& report)
{
    constexpr qsizetype kShown = 3;
    if (report.unknownOperators.empty())
        return {};
    QStringList names;
    for (const std::string& name : report.unknownOperators)
        names << text(name);
    const qsizetype all = names.size();
    QString listed = names.mid(0, kShown).join(QStringLiteral(", "));
    if (all > kShown)
        listed += tr(" and %1 more").arg(all - kShown);
    return tr("No schema for %1. Passes › Custom operators… loads schemas.").arg(listed);
}

QString textOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::same: return tr("equivalent");
    case Verdict::different: return tr("NOT equivalent");
    case Verdict::sameUpToRounding: return tr("equivalent up to rounding");
    case Verdict::undecided: return tr("undecided");
    }
    return {};
}

} // namespace sunder
