#pragma once

#include <QLabel>

namespace sunder {

/// A one-line label that elides its text as a name or as words and figures (text/elided_name.h). The tooltip shows the full text.
class ElidedLabel final : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    /// Sets a name. The tooltip shows the full text and, below it, `tip`.
    void setLine(const QString& text, const QString& tip);
    /// Sets words and figures; the last ones are dropped first when space is short.
    void setFigures(const QString& text, const QString& tip);
    /// The full text.
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
