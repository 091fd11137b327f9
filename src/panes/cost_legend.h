#pragma once

#include "canvas/cost_colors.h"

#include <QWidget>

#include <optional>

class QToolButton;

namespace sunder {

/// The line above a graph that is colored by costs: the scale with its ends, or why there is none.
class CostLegend final : public QWidget {
    Q_OBJECT

public:
    explicit CostLegend(QWidget* parent = nullptr);

    void showScale(const CostColors& costs);
    /// Shows a sentence instead of a scale; with a button to count again if `canRetry`.
    void showText(const QString& text, bool canRetry);
    /// The scale; nothing while a sentence is shown.
    [[nodiscard]] const std::optional<CostColors>& scale() const { return m_costs; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void retryRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<CostColors> m_costs;
    QString m_text;
    QToolButton* m_retry;
};

} // namespace sunder
