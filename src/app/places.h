#pragma once

#include "document/document.h"

namespace sunder {

class SourcePane;

/// Places that the person was at, as in a browser: each selection is one. Going back and forward selects again and opens what is
/// around it.
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
    };
    void note();
    void go();

    Document& m_document;
    SourcePane& m_source;
    std::vector<Place> m_places;
    std::size_t m_at = 0; ///< which of them is selected, or was last
    bool m_going = false;
};

} // namespace sunder
