#pragma once

#include "document/document_part.h"
#include "document/selection.h"

#include <QObject>

namespace sunder {

/// The nodes that all views mark: the selection, the nodes under the mouse, and the hits of the search.
class Marks final : public QObject, private DocumentPart {
    Q_OBJECT

public:
    explicit Marks(Document& document) : DocumentPart(document) {}

    [[nodiscard]] const Selection& selection() const { return m_selection; }
    /// Returns the selected nodes in the program of a run: the nodes picked there, else the counterparts of the selected source
    /// nodes. Empty for a run without a program. O(selected × log pairs), or O(pairs) for many nodes.
    [[nodiscard]] std::vector<NodeRef> selectedIn(int run) const;
    /// Returns the ends of the selected edge in a graph of a run's program (`run` 0: the source), or nothing if it is not in that
    /// graph.
    [[nodiscard]] std::optional<EdgeEnds> selectedEdgeIn(int run, GraphId graph) const;
    /// Returns the source nodes under the mouse in any pane.
    [[nodiscard]] const std::vector<NodeId>& hovered() const { return m_hovered; }
    /// Returns the hits of the current search as source nodes; empty without a search.
    [[nodiscard]] const std::vector<NodeId>& found() const { return m_found; }

    /// `what` names a module that is selected as a whole. `focus` is the node that views fold the others into; it defaults to the
    /// only selected node.
    void select(std::vector<NodeId> nodes, const QString& what = {}, NodeId focus = {});
    /// Selects nodes in the program of a run and their counterparts in the source, other parts, and other runs. `focus` is as in
    /// select().
    void selectIn(int run, std::vector<NodeRef> nodes, NodeRef focus = {});
    /// Selects an edge and no nodes. Ignores an edge that carries no value.
    void selectEdge(SelectedEdge edge);
    /// Selects all ops with the tag; −1 selects untagged ops.
    void selectTag(int tag);
    /// Selects and reveals the next untagged node in graph order. Returns false if there is none.
    bool selectNextUntagged();
    void clear() { select({}); }
    /// Asks the views to scroll to the selection.
    void reveal() { emit revealRequested(); }
    /// Sets the source nodes under the mouse; panes highlight their counterparts. Empty if the mouse leaves them.
    void setHovered(std::vector<NodeId> nodes);
    void setFound(std::vector<NodeId> nodes);

signals:
    /// Emitted before the selection changes, while views still show the old one.
    void aboutToSelect();
    /// Asks views to scroll to the selection, e.g. after a search or a click on a problem.
    void revealRequested();
    /// Emitted for every change of hovered(). Separate from Document::changed() because it comes with mouse moves.
    void hoverChanged();
    void foundChanged();

private:
    friend class Document;
    /// Forgets all marks, for another model.
    void reset();
    void setSelection(Selection selection);

    Selection m_selection;
    std::vector<NodeId> m_hovered;
    std::vector<NodeId> m_found;
};

} // namespace sunder
