#include "app/bookmarks.h"

#include "app/sight_text.h"
#include "document/text.h"
#include "panes/source_pane.h"

#include <QInputDialog>
#include <QMenu>

#include <algorithm>

namespace sunder {

Bookmarks::Bookmarks(Document& document, SourcePane& source, const Actions& actions, QWidget& window)
    : QObject(&window), m_document(document), m_source(source), m_actions(actions), m_window(window)
{
    connect(actions.bookmark, &QAction::triggered, this, [this] {
        if (const QString name = askForName(tr("View %1").arg(m_all.size() + 1)); !name.isEmpty())
            add(name);
    });
    for (std::size_t i = 0; i < actions.toBookmark.size(); ++i)
        connect(actions.toBookmark[i], &QAction::triggered, this, [this, i] { go(i); });
}

QString Bookmarks::askForName(const QString& before)
{
    constexpr qsizetype kLongest = 200;
    return QInputDialog::getText(&m_window, tr("Bookmark"), tr("&Name of this view:"), QLineEdit::Normal, before)
        .trimmed()
        .left(kLongest);
}

void Bookmarks::add(const QString& name)
{
    const std::optional<GraphSight> sight = m_source.view().sight();
    const std::string text = sight ? textOfSight(*sight) : std::string();
    if (text.empty()) {
        emit message(tr("There is no view to bookmark yet."));
        return;
    }
    const ProjectBookmark made{.name = name.toStdString(), .sight = text};
    if (const auto same = std::ranges::find(m_all, made.name, &ProjectBookmark::name); same != m_all.end())
        *same = made;
    else
        m_all.push_back(made);
    m_document.touch();
    const std::size_t count = m_all.size();
    emit message(count <= m_actions.toBookmark.size()
                     ? tr("Bookmarked the view as %1. Alt+%2 returns to it.").arg(name).arg(count)
                     : tr("Bookmarked the view as %1.").arg(name));
}

void Bookmarks::rename(std::size_t bookmark, const QString& name)
{
    m_all.at(bookmark).name = name.toStdString();
    m_document.touch();
}

void Bookmarks::remove(std::size_t bookmark)
{
    m_all.erase(m_all.begin() + static_cast<std::ptrdiff_t>(bookmark));
    m_document.touch();
}

void Bookmarks::go(std::size_t bookmark)
{
    if (bookmark >= m_all.size() || !m_document.isOpen())
        return;
    if (const std::optional<GraphSight> sight = sightOfText(m_all[bookmark].sight))
        m_source.view().restore(*sight);
    else
        emit message(tr("Cannot show bookmark %1: its view in the project is invalid.").arg(text(m_all[bookmark].name)));
}

void Bookmarks::show(QMenu& menu)
{
    connect(&menu, &QMenu::aboutToShow, this, [this, &menu] { fill(menu); });
}

void Bookmarks::fill(QMenu& menu)
{
    menu.clear();
    menu.addAction(m_actions.bookmark);
    if (m_all.empty() || !m_document.isOpen())
        return;
    menu.addSeparator();
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        QAction* entry = menu.addAction(caption(text(m_all[i].name)), this, [this, i] { go(i); });
        if (i < m_actions.toBookmark.size()) // the window has an action for this bookmark
            entry->setText(entry->text() + QLatin1Char('\t')
                           + m_actions.toBookmark[i]->shortcut().toString(QKeySequence::NativeText));
    }
    menu.addSeparator();
    QMenu* renaming = menu.addMenu(tr("&Rename"));
    QMenu* removing = menu.addMenu(tr("Re&move"));
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        const QString title = caption(text(m_all[i].name));
        renaming->addAction(title, this, [this, i] {
            if (const QString name = askForName(text(m_all[i].name)); !name.isEmpty())
                rename(i, name);
        });
        removing->addAction(title, this, [this, i] { remove(i); });
    }
}

} // namespace sunder

#include "moc_bookmarks.cpp"
