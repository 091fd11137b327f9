#include "models/problem_model.h"

#include "document/text.h"

#include <algorithm>

namespace sunder {
namespace {

QString sentenceOf(const Problem& problem)
{
    const QString shown = text(problem.text);
    return problem.kind != Problem::Kind::nothingTagged
        ? shown
        : shown + QObject::tr(" Paint ops and modules with the brush (B), or start with stages of equal size.");
}

std::vector<NodeId> sorted(std::vector<NodeId> nodes)
{
    std::ranges::sort(nodes);
    return nodes;
}

/// Compares the effects regardless of labels. Fixes that only show something are never equal.
bool doTheSame(const Repair& a, const Repair& b)
{
    return a.kind == b.kind && a.kind != Repair::Kind::show && a.tag == b.tag && a.order == b.order && a.changes == b.changes
        && sorted(a.nodes) == sorted(b.nodes);
}

} // namespace

ProblemModel::ProblemModel(const Document& document, QObject* parent)
    : QAbstractListModel(parent), m_document(document), m_problems(document.checks().problems())
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (!(what & (Change::check | Change::program)))
            return;
        beginResetModel();
        m_problems = m_document.checks().problems();
        endResetModel();
    });
}

int ProblemModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_problems.size());
}

QVariant ProblemModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Problem& at = problem(index);
    switch (role) {
    case Qt::DisplayRole: return sentenceOf(at);
    case Qt::AccessibleTextRole:
        return at.goesWith ? tr("Fixed together with the problem above: %1").arg(sentenceOf(at)) : sentenceOf(at);
    case Qt::ToolTipRole:
        return folded(at.goesWith ? tr("%1\nFixed together with the problem above").arg(sentenceOf(at)) : sentenceOf(at));
    case GoesWithRole: return at.goesWith.has_value();
    case SeverityRole: return static_cast<int>(at.severity);
    case IconRole:
        if (at.kind == Problem::Kind::untagged)
            return QStringLiteral("untagged");
        return at.severity == Severity::error  ? QStringLiteral("error")
            : at.severity == Severity::warning ? QStringLiteral("warning")
                                               : QStringLiteral("note");
    default: return {};
    }
}

const Problem& ProblemModel::problem(const QModelIndex& index) const
{
    return m_problems[static_cast<std::size_t>(index.row())];
}

std::vector<Repair> ProblemModel::ownRepairs(const QModelIndex& index) const
{
    const Problem& at = problem(index);
    std::vector<Repair> own = at.repairs;
    if (at.goesWith)
        std::erase_if(own, [&](const Repair& repair) {
            return std::ranges::any_of(m_problems[*at.goesWith].repairs,
                                       [&](const Repair& other) { return doTheSame(repair, other); });
        });
    return own;
}

std::vector<BlockedRepair> ProblemModel::ownBlocked(const QModelIndex& index) const
{
    return problem(index).goesWith ? std::vector<BlockedRepair>() : problem(index).blocked;
}

bool ProblemModel::canRepair() const
{
    return std::ranges::any_of(m_problems, [](const Problem& problem) {
        return std::ranges::any_of(problem.repairs, [](const Repair& repair) {
            return repair.kind != Repair::Kind::show && repair.kind != Repair::Kind::stages;
        });
    });
}

int ProblemModel::count(Severity severity) const
{
    return static_cast<int>(std::count_if(m_problems.begin(), m_problems.end(), [&](const Problem& problem) {
        return isCounted(problem) && problem.severity == severity;
    }));
}

} // namespace sunder

#include "moc_problem_model.cpp"
