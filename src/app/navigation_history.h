#pragma once

#include "document/document.h"
#include "panes/graph_view.h"

namespace sunder {

class SourcePane;

/// Navigation history, as in a browser: the selection, open modules, and view of the source at the time of leaving. Each
/// selection and each jump adds an entry.
class Places final : public QObject {
    Q_OBJECT

public:
    Places(Document& document, SourcePane& source, QObject* parent = nullptr);

    [[nodiscard]] bool canGoBack() const { return m_at > 0; }
    [[nodiscard]] bool canGoForward() const { return m_at + 1 < m_places.size(); }
    void back();
    void forward();

signals:
    void changed();

private:
    struct Place {
        std::vector<NodeId> nodes;
        QString what;
        NodeId focus; ///< single selected node, including nodes folded into its box; otherwise invalid
        std::optional<SelectedEdge> edge;
        std::optional<GraphSight> sight; ///< view when the entry was left
    };
    /// Returns the entry for the current selection.
    [[nodiscard]] Place here() const;
    [[nodiscard]] bool isHere(const Place& place) const;
    /// Stores the view in the current entry before leaving it.
    void leave();
    /// Appends the current selection.
    void add();
    void go(std::size_t to);

    Document& m_document;
    SourcePane& m_source;
    std::vector<Place> m_places;
    std::size_t m_at = 0; ///< index of the current entry
    bool m_going = false;
};

} // namespace sunder
