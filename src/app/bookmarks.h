#pragma once

#include "app/actions.h"
#include "document/document.h"
#include "panes/graph_view.h"

#include "io/side_files/project_file.h"

#include <QObject>

class QMenu;

namespace sunder {

class SourcePane;

/// Named views of the source: open modules, zoom, and position. Saved in the project.
class Bookmarks final : public QObject {
    Q_OBJECT

public:
    /// Connects the bookmark actions. The dialog for a name opens over `window`.
    Bookmarks(Document& document, SourcePane& source, const Actions& actions, QWidget& window);

    [[nodiscard]] const std::vector<ProjectBookmark>& all() const { return m_all; }
    /// Sets the bookmarks of an opened project; empty for a model without a project.
    void take(std::vector<ProjectBookmark> bookmarks) { m_all = std::move(bookmarks); }
    /// Adds a bookmark for the current view. Replaces a bookmark with the same name.
    void add(const QString& name);
    void rename(std::size_t bookmark, const QString& name);
    void remove(std::size_t bookmark);
    /// Restores a bookmark; does nothing if the index is out of range.
    void go(std::size_t bookmark);
    /// Fills the menu with commands to add, open, rename, and remove bookmarks. Call whenever it is about to show.
    void show(QMenu& menu);

signals:
    void message(const QString& text);

private:
    void fill(QMenu& menu);
    [[nodiscard]] QString askForName(const QString& before);

    Document& m_document;
    SourcePane& m_source;
    const Actions& m_actions;
    QWidget& m_window;
    std::vector<ProjectBookmark> m_all;
};

} // namespace sunder
