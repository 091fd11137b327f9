#pragma once

#include "ir/ids.h"
#include "panes/link_button.h"
#include "panes/pane_header.h"

#include <QWidget>

#include <memory>

class QVBoxLayout;

namespace sunder {

namespace Ui {
class Pane;
}

class GraphView;
struct Drawing;

/// One of the views that stand side by side around the source: a header line with title, state and buttons, and below it
/// what it shows. A dock takes the header for its title bar.
class Pane : public QWidget {
    Q_OBJECT

public:
    Pane(const QString& title, QWidget* parent);
    ~Pane() override;
    [[nodiscard]] QString title() const { return m_title; }
    [[nodiscard]] PaneHeader& header() const { return *m_header; }
    /// The graph that the pane shows, for a picture of it; null when it shows none.
    [[nodiscard]] virtual GraphView* graphInFront() { return nullptr; }
    /// Brings this graph to the front, where it has several that can be.
    virtual void showGraph(GraphId) {}
    /// What it shows that is no graph, for a picture of it; null when it shows nothing of the kind.
    [[nodiscard]] virtual std::shared_ptr<const Drawing> drawing() const { return nullptr; }
    /// Has something to zoom now: else the commands of the view are for the source.
    [[nodiscard]] virtual bool zooms() { return graphInFront() != nullptr; }
    /// Of what it shows: the graph in front, unless a pane shows something else.
    virtual void zoomBy(double factor);
    virtual void showAll();
    [[nodiscard]] virtual double zoom();
    virtual void setZoom(double zoom);
    /// How it goes along with what is selected in other panes.
    [[nodiscard]] Following following() const { return m_link->following(); }
    [[nodiscard]] bool isFollowing() const { return following() != Following::stay; }
    [[nodiscard]] LinkButton& linkButton() { return *m_link; }
    /// Remembers under this name how it is linked, and takes what is remembered.
    void rememberLinkAs(const QString& name);
    /// Colours of the theme, tags or devices have changed.
    virtual void refreshTheme() {}
    /// Commands have other keys, which a hint may name.
    void refreshKeys();

signals:
    void closeRequested();
    /// Its button or a double click on the title: to fill the workspace, or to go back to its place.
    void maximizeRequested();
    void exportRequested();
    /// Something to say in the status line.
    void message(const QString& text);
    /// The person has chosen the zoom of the graph in front.
    void zoomChosen(double zoom);
    /// What it shows is seen at another zoom, whoever chose it.
    void zoomed();
    /// Another graph is in front.
    void graphShown();
    /// Of the edge that is selected, in whichever of its graphs.
    void edgeMenuRequested(const QPoint& globalPosition);

protected:
    /// Where subclasses put what they show: a column without margins.
    [[nodiscard]] QVBoxLayout& column();
    /// Instead of the column: a line that says how to get something to see. An empty text shows the column.
    void showHint(const QString& hint);
    void addExportButton(const QString& tip);
    /// A graph of the pane goes along as the person wants it to. Call it for each one that it makes.
    void link(GraphView& view);
    void addLinkButton();
    /// The last buttons of the header, the link in front of them.
    virtual void addWindowButtons();

private:
    QString m_title;
    QString m_hint; ///< with the keys that commands have at first
    PaneHeader* m_header;
    std::unique_ptr<Ui::Pane> m_ui;
    LinkButton* m_link;
};

} // namespace sunder
