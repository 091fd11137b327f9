#pragma once

#include <QSpinBox>

namespace sunder {

/// A number of micro-batches. Shortens its unit, then leaves it out, where there is no room for it.
class MicroBatchField final : public QSpinBox {
    Q_OBJECT

public:
    explicit MicroBatchField(QWidget* parent = nullptr);
    /// With the whole unit.
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitUnit();
};

} // namespace sunder
