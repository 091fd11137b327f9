#pragma once

#include <QObject>
#include <QStringList>

#include <utility>
#include <vector>

namespace sunder {

class Pane;

/// Panes with a common zoom. The user links pairs in a menu; linked pairs that share a pane form a group. Stores the links, and
/// whether each pane follows the selection, in the settings.
class ZoomLinks final : public QObject {
    Q_OBJECT

public:
    explicit ZoomLinks(QObject* parent = nullptr);
    /// `name` is the id in the settings.
    void add(Pane& pane, const QString& name);
    /// Links two panes, with the zoom of the first, or unlinks them.
    void setLocked(Pane& pane, Pane& other, bool isLocked);
    [[nodiscard]] bool isLocked(const Pane& pane, const Pane& other) const;

private:
    struct Entry {
        Pane* pane;
        QString name;
        std::vector<Pane*> listed = {}; ///< panes in its menu
    };
    [[nodiscard]] Entry& entryOf(const Pane& pane);
    [[nodiscard]] QString pairOf(const Pane& one, const Pane& other) const;
    /// Returns all panes linked to this one, directly or indirectly, without itself.
    [[nodiscard]] std::vector<Pane*> groupOf(Pane& pane) const;
    void zoom(Pane& from, double zoom) const;
    void takeZoom(Pane& pane) const;
    void listPeers(Entry& entry);
    void listAllPeers();

    std::vector<Entry> m_panes;
    QStringList m_pairs;         ///< "source+submodules"
};

} // namespace sunder
