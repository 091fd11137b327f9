#pragma once

#include "app/actions.h"
#include "document/document.h"
#include "panes/graph_view.h"

#include "io/side_files/project_file.h"

#include <QObject>

class QMenu;

namespace sunder {

class SourcePane;

/// Places in the source that a person gave names: what is open there, and where one looks. Kept in the project.
class Bookmarks final : public QObject {
    Q_OBJECT

public:
    /// Connects their actions. The dialog that asks for a name comes up over `window`.
    Bookmarks(Document& document, SourcePane& source, const Actions& actions, QWidget& window);

    [[nodiscard]] const std::vector<ProjectBookmark>& all() const { return m_all; }
    /// Those of a project that was opened; none, of a model without one.
    void take(std::vector<ProjectBookmark> bookmarks) { m_all = std::move(bookmarks); }
    /// The view as it is now. One of that name is replaced.
    void add(const QString& name);
    void rename(std::size_t bookmark, const QString& name);
    void remove(std::size_t bookmark);
    /// Goes there; nothing where there is no such one.
    void go(std::size_t bookmark);
    /// Fills a menu whenever it comes up: add, go, rename, remove.
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
