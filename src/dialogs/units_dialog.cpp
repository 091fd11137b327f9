#include "dialogs/units_dialog.h"

#include "analysis/device.h"
#include "dialogs/ui_units_dialog.h"
#include "document/text.h"
#include "models/name_delegate.h"

#include <QHeaderView>
#include <QPushButton>

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr std::array kUnits = {"GB", "GiB", "MB", "MiB", "kB", "B"};
constexpr std::size_t kMaxPreviewed = 200; ///< rows

void offer(QComboBox& choice, const QString& suffix, double largest)
{
    for (const char* unit : kUnits)
        choice.addItem(QLatin1String(unit) + suffix, QLatin1String(unit));
    choice.setCurrentIndex(choice.findData(text(likelyUnit(largest))));
}

/// Returns the figures in the preview: those with a unit.
std::vector<const DeviceFigure*> previewed()
{
    std::vector<const DeviceFigure*> figures;
    for (const DeviceFigure& figure : deviceFigures())
        if (figure.unit != FigureUnit::factor)
            figures.push_back(&figure);
    return figures;
}

} // namespace

UnitsDialog::UnitsDialog(std::string text, QWidget* parent)
    : QDialog(parent), m_text(std::move(text)), m_ui(std::make_unique<Ui::UnitsDialog>())
{
    m_ui->setupUi(this);
    m_ui->rows->setItemDelegate(new NameDelegate(m_ui->rows));
    QStringList headings{tr("Device")};
    for (const DeviceFigure* figure : previewed())
        headings << tr(figure->heading);
    m_ui->rows->setHeaderLabels(headings);
    m_ui->rows->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_ui->rows->header()->setStretchLastSection(false);
    m_ui->buttons->button(QDialogButtonBox::Ok)->setText(tr("Paste"));
    const Result<DeviceRows> rows = parseDeviceRows(m_text);
    const double memory = rows ? rows->memoryWithoutUnit : 0;
    const double bandwidth = rows ? rows->bandwidthWithoutUnit : 0;
    offer(*m_ui->memory, {}, memory);
    offer(*m_ui->bandwidth, QStringLiteral("/s"), bandwidth);
    m_ui->memoryLabel->setVisible(memory > 0);
    m_ui->memory->setVisible(memory > 0);
    m_ui->bandwidthLabel->setVisible(bandwidth > 0);
    m_ui->bandwidth->setVisible(bandwidth > 0);
    for (const char* unit : {"TFLOP/s", "PFLOP/s", "GFLOP/s", "FLOP/s"})
        m_ui->compute->addItem(QLatin1String(unit), QLatin1String(unit));
    m_ui->computeLabel->setVisible(rows && rows->computeWithoutUnit > 0);
    m_ui->compute->setVisible(rows && rows->computeWithoutUnit > 0);
    connect(m_ui->memory, &QComboBox::currentIndexChanged, this, &UnitsDialog::showPreview);
    connect(m_ui->bandwidth, &QComboBox::currentIndexChanged, this, &UnitsDialog::showPreview);
    connect(m_ui->compute, &QComboBox::currentIndexChanged, this, &UnitsDialog::showPreview);
    showPreview();
}

UnitsDialog::~UnitsDialog() = default;

DeviceUnits UnitsDialog::units() const
{
    return {.memory = m_ui->memory->currentData().toString().toStdString(),
            .bandwidth = m_ui->bandwidth->currentData().toString().toStdString(),
            .compute = m_ui->compute->currentData().toString().toStdString()};
}

void UnitsDialog::showPreview()
{
    m_ui->rows->clear();
    const Result<DeviceRows> rows = parseDeviceRows(m_text, units());
    m_ui->buttons->button(QDialogButtonBox::Ok)->setEnabled(rows.has_value());
    m_ui->refusal->setText(rows ? QString() : sentence(rows.error().message)); // a figure is too large in this unit
    if (!rows)
        return;
    const std::vector<const DeviceFigure*> figures = previewed();
    for (std::size_t i = 0; i < std::min(rows->devices.size(), kMaxPreviewed); ++i) {
        const Device& device = rows->devices[i];
        QStringList cells{brief(text(device.name))};
        for (const DeviceFigure* figure : figures) {
            const std::optional<double> value = figureOf(device, *figure);
            cells << (value ? text(exactFigureText(*figure, *value)) : QString());
        }
        new QTreeWidgetItem(m_ui->rows, cells);
    }
    for (std::size_t i = 0; i < figures.size(); ++i)
        m_ui->rows->setColumnHidden(static_cast<int>(i) + 1, std::ranges::none_of(rows->devices, [&](const Device& device) {
                                        return figureOf(device, *figures[i]).has_value();
                                    }));
}

} // namespace sunder

#include "moc_units_dialog.cpp"
