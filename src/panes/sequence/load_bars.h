#pragma once

#include "analysis/tag_assignment.h"
#include "canvas/picture_style.h"
#include "passes/balance/balance_program.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

namespace sunder {

/// The loads of stages while a boundary or ops move, as texts and bars.
struct LoadWords {
    struct Row {
        QString stage;  ///< "stage0 on cuda:0"
        QString load;   ///< "12.5 ms"
        QString change; ///< "+1.2 ms"; empty: as before
        QString limit;  ///< "compute", "memory 6.2 of 8.0 GB (+1.0 MB)"
        double share = 0;  ///< of the largest load, before or now
        double before = 0; ///< likewise, before the move
    };
    std::vector<Row> rows = {};
    QString largest = {}; ///< "Largest load 12.5 ms, stage0 (+1.2 ms)"
    double trend = 0;     ///< of the largest load: below 0 is better
    QString note = {};    ///< assumption, or why there are no loads

    /// Returns everything as lines, for tests and assistive technology.
    [[nodiscard]] QStringList lines() const;
};

/// Returns the loads of the stages next to the boundary, of those that changed, and of the largest one, at most eight. `before`: as
/// the tags are; nothing if their loads are unknown. `nearby`: tags next to the boundary.
LoadWords loadWords(const BalancePlan& problem, const std::optional<CutLoads>& before, const CutLoads& now,
                    const std::vector<TagLook>& looks, const std::vector<std::int32_t>& nearby);

/// Paints the rows of LoadWords: a bar per stage, with a tick at the load before the move.
class LoadBars final : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    void setRows(std::vector<LoadWords::Row> rows);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Widths of the texts before and behind the bars.
    struct Columns {
        int stage = 0;
        int load = 0;
        int change = 0;
        int limit = 0;
    };
    [[nodiscard]] Columns columns() const;

    std::vector<LoadWords::Row> m_rows;
};

} // namespace sunder
