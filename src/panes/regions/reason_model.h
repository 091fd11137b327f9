#pragma once

#include "document/runs/regions_outcome.h"
#include "passes/deduplicate/sharing_summary.h"
#include "passes/regions/region_boundaries.h"

#include <QAbstractListModel>
#include <QString>

namespace sunder {

/// Sentences about the regions of a run: the reasons for the boundaries of a group, and the omitted regions.
class ReasonModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { WarningRole = Qt::UserRole + 1 };

    struct Reason {
        QString text;
        std::vector<NodeId> nodes = {}; ///< nodes of the source that the sentence refers to
        QString tip = {};          ///< if it says more than the text
        bool isWarning = false;    ///< worth checking: a near miss or an omitted region
    };

    using QAbstractListModel::QAbstractListModel;

    void setReasons(std::vector<Reason> reasons);
    [[nodiscard]] const std::vector<Reason>& reasons() const { return m_reasons; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<Reason> m_reasons;
};

/// Returns the boundary reasons: stops first, then near misses, each in the order in which the search met them. Shared inputs of
/// the occurrences, weights, and model inputs become one line each. `program` is the source; `cards` supply the names of other
/// regions.
std::vector<ReasonModel::Reason> reasonsOf(const std::vector<RegionBoundary>& boundaries, const Program& program,
                                           const std::vector<RegionFigures>& cards);
/// Returns the regions of the whole run that were dropped or left in place.
std::vector<ReasonModel::Reason> leftOutOf(const RegionsOutcome& outcome);

} // namespace sunder
