#pragma once

#include "panes/regions/occurrence_model.h"
#include "panes/regions/paint_all_button.h"

#include <QListView>

#include <memory>

namespace sunder {

namespace Ui {
class OccurrencesPanel;
}

/// The list of occurrences, each with its node at the current place, and a button that paints them all.
class OccurrencesPanel final : public QWidget {
    Q_OBJECT

public:
    /// Shares its model and selection with the rail.
    OccurrencesPanel(Document& document, OccurrenceModel& occurrences, QItemSelectionModel* rows, QWidget* parent);
    ~OccurrencesPanel() override;
    [[nodiscard]] QListView& list();
    [[nodiscard]] PaintAllButton& paintAll() { return *m_paint; }
    /// Sets the subject of the rows, e.g. "ops like add_2", "32 in model.decoder".
    void setPlace(const QString& place);
    [[nodiscard]] QSize minimumSizeHint() const override;

private:
    void fitNames();

    const OccurrenceModel& m_occurrences;
    std::unique_ptr<Ui::OccurrencesPanel> m_ui;
    PaintAllButton* m_paint;
    int m_nameWidth = 0; ///< pixels that the names need
};

} // namespace sunder
