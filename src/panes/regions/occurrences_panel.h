#pragma once

#include "panes/regions/occurrence_model.h"
#include "panes/regions/paint_all_button.h"

#include <QListView>

#include <memory>

namespace sunder {

namespace Ui {
class OccurrencesPanel;
}

/// The same place in the other occurrences: a row each, with its node where a place is in question, and a button that
/// paints them all.
class OccurrencesPanel final : public QWidget {
    Q_OBJECT

public:
    /// Shares its rows and the current one with the rail.
    OccurrencesPanel(Document& document, OccurrenceModel& occurrences, QItemSelectionModel* rows, QWidget* parent);
    ~OccurrencesPanel() override;
    [[nodiscard]] QListView& list();
    [[nodiscard]] PaintAllButton& paintAll() { return *m_paint; }
    /// What the rows are about: "of add_2", "32 occurrences".
    void setPlace(const QString& place);

private:
    std::unique_ptr<Ui::OccurrencesPanel> m_ui;
    PaintAllButton* m_paint;
};

} // namespace sunder
