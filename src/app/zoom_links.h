#pragma once

#include <QObject>
#include <QStringList>

#include <utility>
#include <vector>

namespace sunder {

class Pane;

/// Panes whose graphs have one zoom, as the person pairs them in the menu of their links; pairs of pairs go along. Which
/// they are is remembered, and so is how each pane follows the selection.
class ZoomLinks final : public QObject {
    Q_OBJECT

public:
    explicit ZoomLinks(QObject* parent = nullptr);
    /// `name` is what the settings know it by.
    void add(Pane& pane, const QString& name);
    /// Pairs two panes, the zoom of the first for both, or parts them.
    void setLocked(Pane& pane, Pane& other, bool isLocked);
    [[nodiscard]] bool isLocked(const Pane& pane, const Pane& other) const;

private:
    struct Entry {
        Pane* pane;
        QString name;
        std::vector<Pane*> listed = {}; ///< in its menu
    };
    [[nodiscard]] Entry& entryOf(const Pane& pane);
    [[nodiscard]] QString pairOf(const Pane& one, const Pane& other) const;
    /// All that are paired with it, at any remove; not itself.
    [[nodiscard]] std::vector<Pane*> groupOf(Pane& pane) const;
    void zoom(Pane& from, double zoom) const;
    void takeZoom(Pane& pane) const;
    void listPeers(Entry& entry);
    void listAllPeers();

    std::vector<Entry> m_panes;
    QStringList m_pairs;         ///< "source+submodules"
};

} // namespace sunder
