#pragma once

#include "document/runs/regions_outcome.h"
#include "passes/deduplicate/region_figures.h"
#include "passes/regions/region_boundaries.h"

#include <QAbstractListModel>
#include <QString>

namespace sunder {

/// Sentences about the regions of a run: why those of one group end where they do, and which were left out.
class ReasonModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { WarningRole = Qt::UserRole + 1 };

    struct Reason {
        QString text;
        std::vector<NodeId> nodes = {}; ///< of the source: what it is about
        QString tip = {};          ///< where it says more than the text
        bool isWarning = false;    ///< worth a thought: a near miss, a region that was left out
    };

    using QAbstractListModel::QAbstractListModel;

    void setReasons(std::vector<Reason> reasons);
    [[nodiscard]] const std::vector<Reason>& reasons() const { return m_reasons; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<Reason> m_reasons;
};

/// Stops first, then near misses, each as growth meets them; values that several occurrences read, and weights and inputs
/// of the model, which explain themselves, become one line each. `program` is the source; `cards` name other regions.
std::vector<ReasonModel::Reason> reasonsOf(const std::vector<RegionBoundary>& boundaries, const Program& program,
                                           const std::vector<RegionFigures>& cards);
/// Regions of the whole run that were dropped or left in place.
std::vector<ReasonModel::Reason> leftOutOf(const RegionsOutcome& outcome);

} // namespace sunder
