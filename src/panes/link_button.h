#pragma once

#include <QStringList>
#include <QToolButton>

#include <array>
#include <vector>

class QActionGroup;

namespace sunder {

/// A pane's reaction to a selection made in another pane.
enum class Following : quint8 {
    stay,   ///< marks the selection; arrows point to items out of view
    show,   ///< also scrolls it into view
    center, ///< also centers it
};

/// A button in a pane's header that links the pane to others. Its menu sets the reaction to selections elsewhere and the panes
/// that share its zoom.
class LinkButton final : public QToolButton {
    Q_OBJECT

public:
    explicit LinkButton(QWidget* parent = nullptr);

    [[nodiscard]] Following following() const { return m_following; }
    void setFollowing(Following following);
    /// The other panes that can share this pane's zoom, and whether they do. Without peers the menu has no such section.
    struct Peer {
        QString title;
        bool isLocked = false;
    };
    void setPeers(const std::vector<Peer>& peers);
    [[nodiscard]] QAction* followAction(Following following) const { return m_follow[static_cast<std::size_t>(following)]; }

signals:
    void followingChanged(sunder::Following following);
    void lockToggled(int peer, bool isLocked);

private:
    void showState();

    Following m_following = Following::show;
    std::array<QAction*, 3> m_follow;
    std::vector<QAction*> m_peers;
    QAction* m_peersTitle;
    QStringList m_locked;
};

} // namespace sunder
