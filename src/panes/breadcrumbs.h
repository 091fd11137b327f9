#pragma once

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace sunder {

/// Where one is: "decoder32 › layers › 15"; each part leads there. In little room the first parts give way, then the middle of
/// the last.
class Breadcrumbs final : public QWidget {
    Q_OBJECT

public:
    explicit Breadcrumbs(QWidget* parent = nullptr);
    void setParts(const QStringList& parts);
    [[nodiscard]] QStringList parts() const { return m_parts; }

signals:
    /// 0 is the whole graph.
    void chosen(int part);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    QHBoxLayout* m_row;
    QStringList m_parts;
    std::vector<QToolButton*> m_buttons; ///< a part each
    std::vector<QLabel*> m_arrows;       ///< before each part but the first
};

} // namespace sunder
