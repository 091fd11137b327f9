#pragma once

#include <QSplitter>

#include <vector>

namespace sunder {

class SidePanel;

/// A column of panels. They divide its height by need, until the user drags a splitter. In a low window two of them are open and
/// the others show only their headers. A click on a header, or the focus, opens a panel and closes the one that was opened longer
/// ago.
class SideColumn final : public QSplitter {
    Q_OBJECT

public:
    explicit SideColumn(QWidget* parent);

    /// Adds a panel whose layout begins with its header. `share`: percent of the surplus height.
    void add(QWidget& panel, int share);
    /// Sets the needed height per panel, in pixels, and divides the height again unless the user chose the heights.
    void setNeeds(const QList<int>& needs);
    /// Returns to the division by need.
    void forgetChoice();
    /// Returns the heights chosen by the user; empty if there are none.
    [[nodiscard]] const QList<int>& chosen() const { return m_chosen; }
    /// Ignored unless there is a height for each panel.
    void choose(const QList<int>& heights);
    /// Sets whether the window is low.
    void setLow(bool isLow);
    /// Returns whether only the header of the panel is visible.
    [[nodiscard]] bool isFolded(const QWidget& panel) const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void share();
    void open(SidePanel& panel);
    [[nodiscard]] QList<int> heightsIfLow(int height) const;

    std::vector<SidePanel*> m_panels;
    std::vector<SidePanel*> m_recent; ///< all panels, the one opened last first; in a low window the first two are open
    QList<int> m_shares;
    QList<int> m_needs;
    QList<int> m_chosen;
    bool m_isLow = false;
};

} // namespace sunder
