#pragma once

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace sunder {

/// The path to the current place, e.g. "decoder32 › layers › 15"; each part is a button. When space is short, the first parts are
/// dropped, then the middle of the last one is elided.
class Breadcrumbs final : public QWidget {
    Q_OBJECT

public:
    explicit Breadcrumbs(QWidget* parent = nullptr);
    void setParts(const QStringList& parts);
    [[nodiscard]] QStringList parts() const { return m_parts; }

signals:
    /// Part 0 is the whole graph.
    void chosen(int part);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    QHBoxLayout* m_row;
    QStringList m_parts;
    std::vector<QToolButton*> m_buttons; ///< one per part
    std::vector<QLabel*> m_arrows; ///< before each part except the first
};

} // namespace sunder
