#pragma once

#include <QTabWidget>

namespace sunder {

/// Tabs below the panes. Their height and tab positions do not depend on their content.
class BottomPanel final : public QTabWidget {
    Q_OBJECT

public:
    explicit BottomPanel(QWidget* parent);

    void add(QWidget& page, const QString& title, const QString& tip);
    /// Adds a page whose tab can show a count after the title. The tab always has room for three digits; a count of 0 is hidden.
    void addCounted(QWidget& page, const QString& title, const QString& tip);
    void setCount(QWidget& page, int count);
    /// Sets whether the panel folds to its tabs, as in a low window: at once, and later when the current tab is clicked. A click on
    /// a tab or the focus unfolds it.
    void setFolding(bool isFolding);
    [[nodiscard]] bool isFolding() const { return m_isFolding; }
    [[nodiscard]] bool isFolded() const { return m_isFolded; }
    void unfold() { setFolded(false); }

signals:
    void foldedChanged();

private:
    void setFolded(bool isFolded);

    bool m_isFolding = false;
    bool m_isFolded = false;
};

} // namespace sunder
