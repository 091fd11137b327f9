#pragma once

#include "document/document.h"
#include "panes/graph_view.h"

namespace sunder {

class SourcePane;

/// Places that the person was at, as in a browser: what was selected, what was open, and where the source was looked at when
/// it was left. Each selection is a place, and each jump to elsewhere.
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
        NodeId focus; ///< the one node that it is, with what is folded into its box; invalid for others
        std::optional<SelectedEdge> edge;
        std::optional<GraphSight> sight; ///< when it was left
    };
    /// Of what is selected now.
    [[nodiscard]] Place here() const;
    [[nodiscard]] bool isHere(const Place& place) const;
    /// The place that one is at is about to be left: how it looks.
    void leave();
    /// What is selected now is a place, and the last one.
    void add();
    void go(std::size_t to);

    Document& m_document;
    SourcePane& m_source;
    std::vector<Place> m_places;
    std::size_t m_at = 0; ///< which of them one is at
    bool m_going = false;
};

} // namespace sunder
