#include "document/run.h"

#include "document/text.h"
#include "support/format.h"

#include <QObject>

namespace sunder {

QString kindOf(const Run& run)
{
    struct Kind {
        QString operator()(const SplitOutcomePtr&) const { return QObject::tr("Split by tags"); }
    };
    return std::visit(Kind(), run.result);
}

QString nameOf(const Run& run)
{
    return run.name.isEmpty() ? kindOf(run) : run.name;
}

QString outcomeOf(const Run& run)
{
    struct Text {
        QString operator()(const SplitOutcomePtr& outcome) const
        {
            return text(formatCount(outcome->split.parts.size(), "part"));
        }
    };
    return std::visit(Text(), run.result);
}

Verdict verdictOf(const Run& run)
{
    return std::visit([](const auto& result) { return result->report.verdict; }, run.result);
}

QDateTime timeOf(const Run& run)
{
    return std::visit([](const auto& result) { return result->when; }, run.result);
}

double secondsOf(const Run& run)
{
    struct Seconds {
        double operator()(const SplitOutcomePtr& outcome) const { return outcome->splitSeconds + outcome->verifySeconds; }
    };
    return std::visit(Seconds(), run.result);
}

std::size_t nodesOf(const Run& run)
{
    struct Nodes {
        std::size_t operator()(const SplitOutcomePtr& outcome) const { return outcome->split.program.nodeCount(); }
    };
    return std::visit(Nodes(), run.result);
}

QString textOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::same: return QObject::tr("proven equal");
    case Verdict::different: return QObject::tr("NOT equal");
    case Verdict::undecided: return QObject::tr("not proven");
    }
    return {};
}

} // namespace sunder
