#pragma once

#include <QSpinBox>

#include <optional>

namespace sunder {

/// A field for a size within a range. Values outside can be typed, so that the refusal can be explained; the value does not
/// change.
class SizeField final : public QSpinBox {
    Q_OBJECT

public:
    explicit SizeField(QWidget* parent = nullptr);

signals:
    /// Emitted when a number outside the range was entered.
    void outside(qint64 wanted);

protected:
    QValidator::State validate(QString& input, int& position) const override;
    void fixup(QString& input) const override;

private:
    mutable std::optional<qint64> m_outside; ///< set by fixup() until editing is finished
};

} // namespace sunder
