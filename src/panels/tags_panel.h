#pragma once

#include "document/document.h"

#include <QListView>
#include <QWidget>
#include <functional>
#include <memory>

class QMenu;

namespace sunder {

/// The actions of a tag menu that need the panel.
struct TagMenuActions {
    std::function<void()> rename;
    std::function<void()> changeCode;
    std::function<void()> chooseColor; ///< any color, in addition to the palette
};

/// Fills a menu with the actions on a tag.
void fillTagMenu(QMenu& menu, Document& document, int tag, const TagMenuActions& actions);

/// Adds colors for a tag: the palette, the palette with patterns, and any other color.
void addColorActions(QMenu& menu, Document& document, int tag, const std::function<void()>& chooseColor);

namespace Ui {
class TagsPanel;
}

class TagDelegate;
class TagModel;

/// The tags: activate, reorder by dragging, rename, recolor, lock, hide, merge, add, and remove; and the number of untagged ops.
class TagsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit TagsPanel(Document& document, QWidget* parent = nullptr);
    ~TagsPanel() override;
    [[nodiscard]] QListView& view();
    /// Starts editing the name of the active tag.
    void renameActive();
    /// Starts editing the code of the active tag.
    void editActiveCode();
    /// Sets the run whose parts the source shows instead of the tags; 0: it shows the tags.
    void showOtherColors(int run);

signals:
    /// Requests that the source shows the tags again.
    void tagColorsWanted();
    /// Emitted with a temporary text for the status line.
    void message(const QString& text);

private:
    void connectView();
    void addActions();
    void editCode(int tag);
    void move(int from, int to);
    /// Returns the tag of the current row; −1: none.
    [[nodiscard]] int currentTag() const;
    void showMenu(const QPoint& at);
    void showColors(int tag);
    void chooseColor(int tag);

    Document& m_document;
    TagModel* m_model;
    TagDelegate* m_delegate;
    int m_row = -1; ///< row to make current after the list is reset
    std::unique_ptr<Ui::TagsPanel> m_ui;
};

} // namespace sunder
