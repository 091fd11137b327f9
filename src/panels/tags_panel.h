#pragma once

#include "document/document.h"

#include <QListView>
#include <QWidget>

#include <memory>

class QMenu;

namespace sunder {

namespace Ui {
class TagsPanel;
}

class TagDelegate;
class TagModel;

/// The tags: choose the active one, drag into another order, rename, recolour, add, remove; how much is untagged.
class TagsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit TagsPanel(Document& document, QWidget* parent = nullptr);
    ~TagsPanel() override;
    [[nodiscard]] QListView& view();
    /// Starts editing the name of the active tag.
    void renameActive();
    /// The source shows the parts of this run instead of the tags; 0: it shows the tags.
    void showOtherColors(int run);

signals:
    /// The source is to show the tags again.
    void tagColorsWanted();
    /// Something to say for a moment in the status line.
    void message(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showMenu(const QPoint& at);
    void addColors(QMenu& menu, int tag);
    void showColors(int tag);
    void chooseColor(int tag);

    Document& m_document;
    TagModel* m_model;
    TagDelegate* m_delegate;
    std::unique_ptr<Ui::TagsPanel> m_ui;
};

} // namespace sunder
