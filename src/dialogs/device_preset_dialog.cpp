#include "dialogs/device_preset_dialog.h"

#include "analysis/device_presets.h"
#include "analysis/search/text_pattern.h"
#include "dialogs/ui_device_preset_dialog.h"
#include "models/name_delegate.h"
#include "text/amounts.h"
#include "text/shown_text.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>

namespace sunder {

DevicePresetDialog::DevicePresetDialog(QWidget* parent) : QDialog(parent), m_ui(std::make_unique<Ui::DevicePresetDialog>())
{
    m_ui->setupUi(this);
    m_ui->rows->setItemDelegate(new NameDelegate(m_ui->rows));
    m_ui->rows->ensurePolished(); // otherwise rows get their height only once there are some
    m_ui->rows->header()->setStretchLastSection(false);
    m_ui->rows->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_ui->rows->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_ui->buttons->button(QDialogButtonBox::Ok)->setText(tr("Add"));
    m_ui->field->installEventFilter(this);
    connect(m_ui->field, &QLineEdit::textChanged, this, &DevicePresetDialog::filter);
    connect(m_ui->rows, &QTreeWidget::currentItemChanged, this, &DevicePresetDialog::showFacts);
    connect(m_ui->rows, &QTreeWidget::itemDoubleClicked, this, &QDialog::accept);
    connect(m_ui->count, &QSpinBox::valueChanged, this, &DevicePresetDialog::showFacts);
    filter({});
}

DevicePresetDialog::~DevicePresetDialog() = default;

void DevicePresetDialog::filter(const QString& typed)
{
    const std::span<const DevicePreset> all = devicePresets();
    const std::string letters = typed.trimmed().toStdString();
    m_ui->rows->clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const DevicePreset& preset = all[i];
        if (!fuzzyMatch(letters, std::string(preset.vendor) + ' ' + std::string(preset.name)))
            continue;
        const auto figure = [](double value, std::string_view unit) {
            return value > 0 ? text(prefixedText(value, unit)) : QString();
        };
        auto* row = new QTreeWidgetItem(m_ui->rows,
                                        {text(preset.name), text(preset.vendor),
                                         bytesText(static_cast<std::uint64_t>(preset.memoryBytes)),
                                         figure(preset.memoryBytesPerSecond, "B/s"), figure(preset.linkBytesPerSecond, "B/s"),
                                         figure(preset.flopsPerSecond, "FLOP/s")});
        for (const int column : {2, 3, 4, 5})
            row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        row->setToolTip(0, folded(tr("%1\nSource: %2").arg(text(describe(preset)), text(preset.source))));
        row->setData(0, Qt::UserRole, static_cast<int>(i));
    }
    m_ui->rows->setCurrentItem(m_ui->rows->topLevelItem(0));
    showFacts();
}

const DevicePreset* DevicePresetDialog::preset() const
{
    const QTreeWidgetItem* row = m_ui->rows->currentItem();
    return row == nullptr ? nullptr : &devicePresets()[row->data(0, Qt::UserRole).toUInt()];
}

int DevicePresetDialog::count() const
{
    return m_ui->count->value();
}

void DevicePresetDialog::showFacts()
{
    const DevicePreset* chosen = preset();
    m_ui->buttons->button(QDialogButtonBox::Ok)->setEnabled(chosen != nullptr);
    if (chosen == nullptr) {
        m_ui->facts->setText(tr("No matches"));
        return;
    }
    QString facts = tr("%1 × %2: %3.\nSource: %4.")
                        .arg(QString::number(count()), text(chosen->name), text(describe(*chosen)), text(chosen->source));
    if (!chosen->note.empty())
        facts += QLatin1Char('\n') + tr("Note: %1.").arg(text(chosen->note));
    m_ui->facts->setText(facts);
}

/// Forwards arrow keys from the search field to the list.
bool DevicePresetDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown: QCoreApplication::sendEvent(m_ui->rows, event); return true;
        default: break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace sunder

#include "moc_device_preset_dialog.cpp"
