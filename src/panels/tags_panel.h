#pragma once

#include "document/document.h"

#include <QListView>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class TagsPanel;
}

class TagDelegate;
class TagModel;

/// The tags: choose the active one, drag into another order, rename, recolour, lock, hide, merge, add, remove; how much is untagged.
class TagsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit TagsPanel(Document& document, QWidget* parent = nullptr);
    ~TagsPanel() override;
    [[nodiscard]] QListView& view();
    /// Starts editing the name of the active tag.
    void renameActive();
    /// The same of its code.
    void editActiveCode();
    /// The source shows the parts of this run instead of the tags; 0: it shows the tags.
    void showOtherColors(int run);

signals:
    /// The source is to show the tags again.
    void tagColorsWanted();
    /// Something to say for a moment in the status line.
    void message(const QString& text);

private:
    void connectView();
    void addActions();
    void editCode(int tag);
    void move(int from, int to);
    /// Of the current row; −1 where it is none of a tag.
    [[nodiscard]] int currentTag() const;
    void showMenu(const QPoint& at);
    void showColors(int tag);
    void chooseColor(int tag);

    Document& m_document;
    TagModel* m_model;
    TagDelegate* m_delegate;
    int m_row = -1; ///< that is to be current when the list is another one
    std::unique_ptr<Ui::TagsPanel> m_ui;
};

} // namespace sunder
