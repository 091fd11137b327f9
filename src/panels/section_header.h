#pragma once

#include <QLabel>
#include <QToolButton>
#include <QWidget>

class QHBoxLayout;

namespace sunder {

/// The line above a panel: "TAGS", a quiet hint at the right, then small buttons.
class SectionHeader final : public QWidget {
    Q_OBJECT

public:
    explicit SectionHeader(const QString& title, QWidget* parent = nullptr);
    void setHint(const QString& hint) { m_hint->setText(hint); }
    /// A small button at the right end. `tip` carries the shortcut.
    QToolButton* addButton(const QString& icon, const QString& tip);
    void addWidget(QWidget* widget);

private:
    QHBoxLayout* m_row;
    QLabel* m_hint;
};

} // namespace sunder
