#pragma once

#include <QWidget>

namespace sunder {

/// The legend of the memory bars.
class BarLegend final : public QWidget {
public:
    explicit BarLegend(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace sunder
