#pragma once

#include "ir/ids.h"
#include "panes/pane_header.h"
#include "support/json_tape.h"

#include <QWidget>

#include <memory>
#include <string>

class QVBoxLayout;

namespace sunder {

namespace Ui {
class Pane;
}

class GraphView;
struct Drawing;

/// A view docked next to the source: a header line with title, status, and buttons, and the content below it. The dock uses the
/// header as its title bar.
class Pane : public QWidget {
    Q_OBJECT

public:
    Pane(const QString& title, QWidget* parent);
    ~Pane() override;
    [[nodiscard]] QString title() const { return m_title; }
    [[nodiscard]] PaneHeader& header() const { return *m_header; }
    /// Returns the graph in front, e.g. to export a picture of it; null if there is none.
    [[nodiscard]] virtual GraphView* graphInFront() { return nullptr; }
    /// Brings this graph to the front, in panes that have several.
    virtual void showGraph(GraphId) {}
    /// Returns the choices that a project keeps for the pane, except the position in its graph, as a JSON object on one line. Empty
    /// for the initial state.
    [[nodiscard]] virtual std::string viewState() const { return {}; }
    /// Restores a viewState(), now or once the pane has its content. Its values come from a file; absent for the initial state.
    virtual void restoreViewState(JsonValue) {}
    /// Returns the content for a picture if it is not a graph; otherwise null.
    [[nodiscard]] virtual std::shared_ptr<const Drawing> drawing() const { return nullptr; }
    /// Returns whether the content can be zoomed. If not, the view commands apply to the source.
    [[nodiscard]] virtual bool zooms() { return graphInFront() != nullptr; }
    /// Zoom the content: by default, the graph in front.
    virtual void zoomBy(double factor);
    virtual void showAll();
    [[nodiscard]] virtual double zoom();
    virtual void setZoom(double zoom);
    /// The pane's reaction to selections in other panes.
    [[nodiscard]] Following following() const { return m_link->following(); }
    [[nodiscard]] bool isFollowing() const { return following() != Following::stay; }
    [[nodiscard]] LinkButton& linkButton() { return *m_link; }
    /// Restores the link settings saved under this name, and saves later changes.
    void rememberLinkAs(const QString& name);
    /// Called when colors of the theme, tags, or devices changed.
    virtual void refreshTheme() {}
    /// Updates the hint when shortcuts changed.
    void refreshKeys();

signals:
    void closeRequested();
    /// Emitted to maximize or restore the pane: by its button or a double click on the title.
    void maximizeRequested();
    void exportRequested();
    /// Emitted with a text for the status line.
    void message(const QString& text);
    /// Emitted when the user changes the zoom of the graph in front.
    void zoomChosen(double zoom);
    /// Emitted when the zoom changes for any reason.
    void zoomed();
    /// Emitted when another graph comes to the front.
    void graphShown();
    /// Requests the menu of the selected edge, in any graph of the pane.
    void edgeMenuRequested(const QPoint& globalPosition);

protected:
    /// The layout for the content of subclasses: a column without margins.
    [[nodiscard]] QVBoxLayout& column();
    /// Replaces the column by a hint about how to get content. An empty text shows the column again.
    void showHint(const QString& hint);
    void addExportButton(const QString& tip);
    /// Makes a graph follow the link settings. Call it for each graph that the pane creates.
    void link(GraphView& view);
    void addLinkButton();
    /// Adds the last buttons of the header, after the link button.
    virtual void addWindowButtons();

private:
    QString m_title;
    QString m_hint; ///< with the default shortcuts
    PaneHeader* m_header;
    std::unique_ptr<Ui::Pane> m_ui;
    LinkButton* m_link;
};

} // namespace sunder
