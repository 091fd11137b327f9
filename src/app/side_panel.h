#pragma once

#include <QWidget>

namespace sunder {

/// Holds a panel of the side column. If it is too low for the panel, it cuts off the panel's lower part instead of squeezing all of
/// it, so that the header stays whole.
class SidePanel final : public QWidget {
    Q_OBJECT

public:
    SidePanel(QWidget& panel, QWidget* parent);
    [[nodiscard]] const QWidget& panel() const { return m_panel; }
    [[nodiscard]] int headerHeight() const;
    /// Sets whether only the header is visible; it then looks and acts like a button.
    void setFolded(bool isFolded);
    [[nodiscard]] bool isFolded() const { return m_isFolded; }

signals:
    void headerClicked();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    QWidget& m_panel;
    bool m_isFolded = false;
};

} // namespace sunder
