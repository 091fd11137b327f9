#pragma once

#include "panes/breadcrumbs.h"

#include <QStringList>
#include <QToolButton>
#include <QWidget>

#include <array>
#include <memory>
#include <vector>

namespace sunder {

namespace Ui {
class PaneHeader;
}

class Pane;

/// The line above the content of a pane: title, breadcrumbs or status, and small buttons.
class PaneHeader final : public QWidget {
    Q_OBJECT

public:
    /// Created by its pane; a dock may reparent it.
    PaneHeader(const QString& title, Pane& pane);
    ~PaneHeader() override;
    [[nodiscard]] Pane& pane() const { return m_pane; }
    [[nodiscard]] Breadcrumbs& breadcrumbs();
    /// Sets the sentence after the title. `look` is "hint", "proven", "warning", or "error", see setLook().
    void setStatus(const QString& text, const QString& look, const QString& tip);
    [[nodiscard]] QString status() const;
    [[nodiscard]] QString statusDetail() const;
    QToolButton* addButton(const QString& icon, const QString& tip);
    /// Adds a widget of the pane (tabs, a combo box) before the buttons.
    void addWidget(QWidget* widget);

signals:
    void doubleClicked();

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    Pane& m_pane;
    std::unique_ptr<Ui::PaneHeader> m_ui;
};

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
