#pragma once

#include "document/document.h"
#include "panes/regions/occurrence_model.h"

#include <QListView>
#include <QToolButton>

#include <memory>
#include <optional>

class QMenu;

namespace sunder {

namespace Ui {
class OccurrencesPanel;
class PaintAllButton;
} // namespace Ui

/// A group of repeated regions of a run, for commands on all its occurrences.
struct RegionGroupRef {
    RegionsOutcomePtr outcome;
    std::size_t group = 0;
    QString title; ///< "R1 ×32"

    [[nodiscard]] const RegionGroup& regions() const { return outcome->regions.groups[group]; }
};

/// Assigns a tag to all ops of a group, in one undo step. A negative tag does nothing.
void paintGroup(Document& document, const RegionGroupRef& group, int tag);

/// Adds "Paint with …" for each tag and for a new one.
void addPaintActions(QMenu& menu, Document& document, const RegionGroupRef& group);

/// Paints all occurrences of a group with the active tag; its menu offers the other tags.
class PaintAllButton final : public QWidget {
    Q_OBJECT

public:
    PaintAllButton(Document& document, QWidget* parent);
    ~PaintAllButton() override;
    void setGroup(std::optional<RegionGroupRef> group);
    /// Updates the button after the tags, the active tag, or colors changed.
    void refresh();
    [[nodiscard]] QToolButton& button();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Names the tag if there is room for it.
    void setTag(const QString& code);
    void fitText();

    Document& m_document;
    std::optional<RegionGroupRef> m_group;
    QString m_code; ///< of the tag to paint with; may be empty
    std::unique_ptr<Ui::PaintAllButton> m_ui;
};

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
