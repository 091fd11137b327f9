#include "panes/regions/reason_model.h"

#include "document/text.h"
#include "support/format.h"

namespace sunder {

namespace {

using Kind = RegionBoundary::Kind;

constexpr std::size_t kMostLeftOut = 500; ///< lines; a hostile file has as many regions as nodes

bool isNearMiss(Kind kind)
{
    return kind == Kind::nearMiss || kind == Kind::missing;
}

template <typename Region>
void addLeftOut(const std::vector<Region>& regions, const QString& form, std::vector<ReasonModel::Reason>& reasons)
{
    for (const Region& region : regions) {
        if (reasons.size() >= kMostLeftOut)
            return;
        reasons.push_back({form.arg(text(formatCount(region.nodes.size(), "op")), text(region.why)), region.nodes, true});
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
    case Qt::ToolTipRole: return reason.nodes.empty() ? reason.text : tr("%1\nClick to see it in the source.").arg(reason.text);
    case WarningRole: return reason.isWarning;
    default: return {};
    }
}

std::vector<ReasonModel::Reason> reasonsOf(const std::vector<RegionBoundary>& boundaries)
{
    std::vector<ReasonModel::Reason> reasons;
    ReasonModel::Reason inputs;
    for (const RegionBoundary& boundary : boundaries)
        if (boundary.kind == Kind::modelInput)
            inputs.nodes.push_back(boundary.outside);
        else if (!isNearMiss(boundary.kind))
            reasons.push_back({QObject::tr("stopped: %1").arg(text(boundary.why)), {boundary.outside, boundary.member}, false});
    for (const RegionBoundary& boundary : boundaries)
        if (isNearMiss(boundary.kind))
            reasons.push_back({QObject::tr("near miss: %1").arg(text(boundary.why)), {boundary.outside}, true});
    if (!inputs.nodes.empty()) {
        inputs.text = QObject::tr("reads %1 of the model").arg(text(formatCount(inputs.nodes.size(), "input")));
        reasons.push_back(std::move(inputs));
    }
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
