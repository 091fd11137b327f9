#pragma once

#include <QStringList>
#include <QToolButton>

#include <array>
#include <vector>

class QActionGroup;

namespace sunder {

/// What a pane does when something is selected in another one.
enum class Following : quint8 {
    stay,   ///< marks it, with arrows to what is out of sight
    show,   ///< and moves just as far as brings it into sight
    center, ///< and puts it in the middle
};

/// A button of a pane's header: how the pane goes along with the others. Its menu holds what it does when something is
/// selected elsewhere, and the panes that have the same zoom.
class LinkButton final : public QToolButton {
    Q_OBJECT

public:
    explicit LinkButton(QWidget* parent = nullptr);

    [[nodiscard]] Following following() const { return m_following; }
    void setFollowing(Following following);
    /// The other panes whose zoom this one can have, with those that it has. None: the menu does not speak of it.
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
