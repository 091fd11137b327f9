#pragma once

#include <QSpinBox>

#include <optional>

namespace sunder {

/// A field for a size with a range. What is outside may be typed, so that it can be said why it is not taken; the value stays.
class SizeField final : public QSpinBox {
    Q_OBJECT

public:
    explicit SizeField(QWidget* parent = nullptr);

signals:
    /// A number outside of the range was entered.
    void outside(qint64 wanted);

protected:
    QValidator::State validate(QString& input, int& position) const override;
    void fixup(QString& input) const override;

private:
    mutable std::optional<qint64> m_outside; ///< that fixup() met, until editing has finished
};

} // namespace sunder
