#pragma once

#include "panes/regions/region_painting.h"

#include <QToolButton>
#include <QWidget>

#include <memory>
#include <optional>

namespace sunder {

namespace Ui {
class PaintAllButton;
}

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

} // namespace sunder
