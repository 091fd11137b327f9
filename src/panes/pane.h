#pragma once

#include "panes/pane_header.h"

#include <QWidget>

class QLabel;
class QStackedLayout;
class QVBoxLayout;

namespace sunder {

class GraphView;

/// One of the views that stand side by side around the source: a header line with title, state and buttons, and below it
/// what it shows. A dock takes the header for its title bar.
class Pane : public QWidget {
    Q_OBJECT

public:
    Pane(const QString& title, QWidget* parent);
    [[nodiscard]] QString title() const { return m_title; }
    [[nodiscard]] PaneHeader& header() const { return *m_header; }
    /// The graph that the pane shows, for a picture of it; null when it shows none.
    [[nodiscard]] virtual GraphView* graphInFront() { return nullptr; }
    /// Colours of the theme, tags or devices have changed.
    virtual void refreshTheme() {}

signals:
    void closeRequested();
    /// Its button or a double click on the title: to fill the workspace, or to go back to its place.
    void maximizeRequested();
    void exportRequested();

protected:
    /// Where subclasses put what they show: a column without margins.
    [[nodiscard]] QVBoxLayout& column() { return *m_column; }
    /// Instead of the column: a line that says how to get something to see. An empty text shows the column.
    void showHint(const QString& hint);
    void addExportButton(const QString& tip);
    /// The last buttons of the header.
    void addWindowButtons();

private:
    QString m_title;
    PaneHeader* m_header;
    QStackedLayout* m_stack;
    QVBoxLayout* m_column;
    QLabel* m_hint;
};

} // namespace sunder
