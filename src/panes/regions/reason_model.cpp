#include "panes/regions/reason_model.h"

#include "document/text.h"
#include "text/amounts.h"

#include <algorithm>
#include <unordered_set>

namespace sunder {
namespace {

using Kind = RegionBoundary::Kind;

constexpr std::size_t kMaxLeftOut = 500; ///< lines; a malicious file can have as many regions as nodes

bool isNearMiss(Kind kind)
{
    return kind == Kind::nearMiss || kind == Kind::missing;
}

/// Combines the shared inputs of the occurrences into one line, because most regions have several.
ReasonModel::Reason togetherOf(const std::vector<RegionBoundary>& boundaries, const Program& program)
{
    constexpr qsizetype kNamed = 6;
    ReasonModel::Reason reason;
    QStringList names;
    QStringList sentences;
    for (const RegionBoundary& boundary : boundaries)
        if (boundary.kind == Kind::shared) {
            reason.nodes.push_back(boundary.outside);
            names << text(program.rootGraph()[boundary.outside].name);
            sentences << text(boundary.why);
        }
    names.removeDuplicates();
    const auto more = names.size() - kNamed;
    const QString last = more > 0 ? QObject::tr("%1 more").arg(more) : names.takeLast();
    const QString first = names.mid(0, kNamed).join(QStringLiteral(", "));
    const QString list = first.isEmpty() ? last : QObject::tr("%1 and %2").arg(first, last);
    reason.text = names.size() == 0 && first.isEmpty()
        ? QObject::tr("stops here: %1 is a shared input: all occurrences use the same value, so it is not part of any of them")
              .arg(list)
        : QObject::tr(
              "stops here: %1 are shared inputs: all occurrences use the same values, so they are not part of any of them")
              .arg(list);
    reason.tip = sentences.mid(0, 20).join(QLatin1Char('\n'));
    return reason;
}

/// Adds lines for inputs from the model: weights, which differ between occurrences, and model inputs.
void addInputs(const std::vector<RegionBoundary>& boundaries, const Program& program, std::vector<ReasonModel::Reason>& reasons)
{
    std::unordered_set<InternedString> lifted;
    if (program.signature)
        for (const InputSpec& spec : program.signature->inputs)
            if (spec.kind != InputKind::user && spec.kind != InputKind::token)
                lifted.insert(spec.name);
    ReasonModel::Reason weights;
    ReasonModel::Reason inputs;
    for (const RegionBoundary& boundary : boundaries) {
        if (boundary.kind != Kind::modelInput)
            continue;
        const Node& node = program.rootGraph()[boundary.outside];
        const bool isWeight = node.op == Op::getAttr || lifted.contains(node.name);
        (isWeight ? weights : inputs).nodes.push_back(boundary.outside);
    }
    weights.text = QObject::tr("uses %1: passed in, not shared").arg(countText(weights.nodes.size(), "parameter"));
    inputs.text = QObject::tr("uses %1 of the model").arg(countText(inputs.nodes.size(), "input"));
    for (ReasonModel::Reason* reason : {&weights, &inputs})
        if (!reason->nodes.empty())
            reasons.push_back(std::move(*reason));
}

/// Returns the reason of a boundary. A region of another card is called by the name of that card.
QString whyOf(const RegionBoundary& boundary, const Program& program, const std::vector<RegionFigures>& cards)
{
    const auto card = std::ranges::find_if(cards, [&](const RegionFigures& of) { return boundary.otherGroup == of.group; });
    return card == cards.end()
        ? text(boundary.why)
        : QObject::tr("%1 is already part of region %2").arg(text(program.rootGraph()[boundary.outside].name), text(card->name));
}

template <typename Region>
void addLeftOut(const std::vector<Region>& regions, const QString& form, std::vector<ReasonModel::Reason>& reasons)
{
    for (const Region& region : regions) {
        if (reasons.size() >= kMaxLeftOut)
            return;
        reasons.push_back({form.arg(countText(region.nodes.size(), "op"), text(region.why)), region.nodes, {}, true});
    }
}

} // namespace

void ReasonModel::setReasons(std::vector<Reason> reasons)
{
    beginResetModel();
    m_reasons = std::move(reasons);
    endResetModel();
}

int ReasonModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_reasons.size());
}

QVariant ReasonModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Reason& reason = m_reasons[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return reason.text;
    case Qt::ToolTipRole: {
        const QString& whole = reason.tip.isEmpty() ? reason.text : reason.tip;
        return folded(reason.nodes.empty() ? whole : tr("%1\nClick to show it in the source.").arg(whole));
    }
    case WarningRole: return reason.isWarning;
    default: return {};
    }
}

std::vector<ReasonModel::Reason> reasonsOf(const std::vector<RegionBoundary>& boundaries, const Program& program,
                                           const std::vector<RegionFigures>& cards)
{
    std::vector<ReasonModel::Reason> reasons;
    const auto isShared = [](const RegionBoundary& boundary) { return boundary.kind == Kind::shared; };
    const bool isTogether = std::ranges::count_if(boundaries, isShared) > 1;
    if (isTogether)
        reasons.push_back(togetherOf(boundaries, program));
    for (const RegionBoundary& boundary : boundaries)
        if (!isNearMiss(boundary.kind) && boundary.kind != Kind::modelInput && !(isTogether && isShared(boundary)))
            reasons.push_back(
                {QObject::tr("stops here: %1").arg(whyOf(boundary, program, cards)), {boundary.outside, boundary.member}});
    for (const RegionBoundary& boundary : boundaries)
        if (isNearMiss(boundary.kind))
            reasons.push_back({(boundary.kind == Kind::missing ? QObject::tr("almost: %1") : QObject::tr("could not grow: %1"))
                                   .arg(text(boundary.why)),
                               {boundary.outside},
                               {},
                               true});
    addInputs(boundaries, program, reasons);
    return reasons;
}

std::vector<ReasonModel::Reason> leftOutOf(const RegionsOutcome& outcome)
{
    std::vector<ReasonModel::Reason> reasons;
    addLeftOut(outcome.regions.rejected, QObject::tr("dropped a region of %1: %2"), reasons);
    if (outcome.dedup)
        addLeftOut(outcome.dedup->abandoned, QObject::tr("left a region of %1 in place: %2"), reasons);
    return reasons;
}

} // namespace sunder

#include "moc_reason_model.cpp"
