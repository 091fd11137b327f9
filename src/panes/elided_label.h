#pragma once

#include <QLabel>

namespace sunder {

/// One line that gives way, as a name or as words and figures (text/elided_name.h); the tooltip has it whole.
class ElidedLabel final : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    /// `tip`: what the tooltip says below the whole text.
    void setLine(const QString& text, const QString& tip);
    /// The same of words and figures, of which the last give way.
    void setFigures(const QString& text, const QString& tip);
    /// The text as it was set.
    [[nodiscard]] const QString& line() const { return m_line; }
    [[nodiscard]] const QString& tip() const { return m_tip; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {48, QLabel::minimumSizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void take(const QString& text, const QString& tip);
    void elide();

    QString m_line;
    QString m_tip;
    bool m_isFigures = false;
};

} // namespace sunder
