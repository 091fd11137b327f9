#include "panels/size_field.h"

#include <utility>

namespace sunder {

SizeField::SizeField(QWidget* parent) : QSpinBox(parent)
{
    setKeyboardTracking(false);
    connect(this, &QSpinBox::editingFinished, this, [this] {
        if (const std::optional<qint64> wanted = std::exchange(m_outside, std::nullopt))
            emit outside(*wanted);
    });
}

QValidator::State SizeField::validate(QString& input, int& position) const
{
    const QValidator::State state = QSpinBox::validate(input, position);
    bool isNumber = false;
    (void)locale().toLongLong(input.trimmed(), &isNumber);
    return state == QValidator::Invalid && isNumber ? QValidator::Intermediate : state;
}

void SizeField::fixup(QString& input) const
{
    bool isNumber = false;
    const qint64 wanted = locale().toLongLong(input.trimmed(), &isNumber);
    if (isNumber && (wanted < minimum() || wanted > maximum()))
        m_outside = wanted;
}

} // namespace sunder

#include "moc_size_field.cpp"
