#include "models/micro_batch_field.h"

#include <QLineEdit>

namespace sunder {
namespace {

constexpr int kFieldMargins = 6; ///< of a line edit around its text, and its cursor

QString wholeUnit()
{
    return QObject::tr(" micro-batches");
}

} // namespace

MicroBatchField::MicroBatchField(QWidget* parent) : QSpinBox(parent)
{
    setSuffix(wholeUnit());
    connect(this, &QSpinBox::valueChanged, this, &MicroBatchField::fitUnit);
}

QSize MicroBatchField::sizeHint() const
{
    QSize hint = QSpinBox::sizeHint();
    hint.rwidth() += fontMetrics().horizontalAdvance(wholeUnit()) - fontMetrics().horizontalAdvance(suffix());
    return hint;
}

void MicroBatchField::resizeEvent(QResizeEvent* event)
{
    QSpinBox::resizeEvent(event);
    fitUnit();
}

void MicroBatchField::fitUnit()
{
    const int room = lineEdit()->width() - kFieldMargins;
    for (const QString& unit : {wholeUnit(), tr(" batches"), QString()})
        if (unit.isEmpty() || fontMetrics().horizontalAdvance(cleanText() + unit) <= room) {
            setSuffix(unit);
            return;
        }
}

} // namespace sunder

#include "moc_micro_batch_field.cpp"
