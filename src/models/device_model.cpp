#include "models/device_model.h"

#include "analysis/cut/cut_text.h"
#include "analysis/device.h"
#include "analysis/device_rows.h"
#include "document/text.h"
#include "models/tag_style_of.h"
#include "support/memory_text.h"
#include "text/amounts.h"
#include "text/shown_text.h"

#include <QMimeData>
#include <QStringList>
#include <algorithm>

namespace sunder {

QString unusedFigures(std::span<const Device> devices, bool usesOwnBandwidth)
{
    QStringList names;
    for (const DeviceFigure& figure : deviceFigures().subspan(1)) // partition methods use the memory
        if (std::ranges::any_of(devices, [&](const Device& device) { return figureOf(device, figure).has_value(); }))
            names << tr(figure.name);
    if (names.isEmpty())
        return {};
    QString listed = names.takeLast();
    if (!names.isEmpty())
        listed = tr("%1 and %2").arg(names.join(QStringLiteral(", ")), listed);
    const QString unused = tr("Not used by this method: %1 of the devices.").arg(listed);
    return usesOwnBandwidth ? tr("%1 It uses the latencies and bandwidth above.").arg(unused) : unused;
}

namespace {

const QString kDeviceMimeType = QStringLiteral("application/x-sunder-device");
constexpr double kUsualMemory = 16e9;

QString nameText(const Device& device)
{
    return device.name.empty() ? QObject::tr("device %1").arg(device.logicalId) : text(device.name);
}

QString cellText(const Device& device, int column)
{
    if (column == DeviceModel::NameColumn)
        return nameText(device);
    if (column == DeviceModel::ratesColumn())
        return text(ratesText(device));
    if (column == DeviceModel::linksColumn())
        return text(linksText(device));
    const DeviceFigure* figure = DeviceModel::figureIn(column);
    const std::optional<double> value = figure == nullptr ? std::nullopt : figureOf(device, *figure);
    return value ? text(figureText(*figure, *value)) : QString();
}

/// Returns the initial text of an editor. Memory is exact to the byte, in the unit it was probably entered in; 64 GiB stays 64 GiB.
QString editedText(const Device& device, int column)
{
    if (column == DeviceModel::NameColumn)
        return text(device.name);
    const DeviceFigure* figure = DeviceModel::figureIn(column);
    return figure != nullptr && figure->unit == FigureUnit::bytes ? text(exactFigureText(*figure, *figureOf(device, *figure)))
                                                                  : cellText(device, column);
}

/// Returns e.g. "80 GB of memory, speed 1.5, 900.0 GB/s to other devices", with the figures that the device has.
QString figuresText(const Device& device)
{
    QStringList facts;
    for (const DeviceFigure& figure : deviceFigures())
        if (const std::optional<double> value = figureOf(device, figure))
            facts << QObject::tr(figure.fact).arg(text(figureText(figure, *value)));
    for (const std::string& fact : {ratesText(device), linksText(device)})
        if (!fact.empty())
            facts << text(fact);
    return facts.join(QStringLiteral(", "));
}

/// Returns whether a figure needs a unit and the text has none. Such figures are not silently bytes.
bool lacksItsUnit(const DeviceFigure& figure, const QString& typed)
{
    return (figure.unit == FigureUnit::bytes || figure.unit == FigureUnit::bytesPerSecond)
        && lacksUnit(typed.trimmed().toStdString());
}

/// Sets a cell from typed text; returns the reason if the text is refused.
QString take(Device& device, int column, const QString& typed)
{
    if (column == DeviceModel::NameColumn) {
        if (typed != text(device.name)) // keep an unchanged name, although the cell displays it differently
            device.name = typed.trimmed().toStdString();
        return {};
    }
    if (column == DeviceModel::ratesColumn()) {
        Result<std::vector<DeviceRate>> rates = parseRates(typed.toStdString());
        if (!rates)
            return sentence(rates.error().message);
        device.rates = std::move(*rates);
        return {};
    }
    const DeviceFigure* figure = DeviceModel::figureIn(column);
    if (figure == nullptr)
        return {};
    const std::string given = withDecimalPoint(typed.trimmed().toStdString());
    if (lacksItsUnit(*figure, typed))
        return (figure->unit == FigureUnit::bytes ? QObject::tr("“%1” has no unit: write %1 GB, %1 MiB, or %1 B.")
                                                  : QObject::tr("“%1” has no unit: write %1 GB/s or %1 MB/s."))
            .arg(typed.trimmed());
    removeFigure(device, *figure);
    if (given.empty() && figure->member != nullptr)
        return {};
    const Result<double> value = parseFigure(*figure, given);
    if (!value && figure->unit == FigureUnit::factor)
        return QObject::tr("“%1” is not a speed: write a factor relative to another device, e.g. 1.5.").arg(typed);
    if (!value)
        return sentence(value.error().message);
    const Result<void> set = setFigure(device, *figure, *value);
    return set ? QString() : sentence(set.error().message);
}

} // namespace

QColor deviceColor(const Device& device, std::size_t place)
{
    const QColor own(text(device.color));
    return own.isValid() ? own : tagStyle(currentTheme(), static_cast<std::uint32_t>(place)).color;
}

int DeviceModel::columnOf(std::string_view key)
{
    const std::span<const DeviceFigure> figures = deviceFigures();
    return MemoryColumn + static_cast<int>(std::ranges::find(figures, key, &DeviceFigure::key) - figures.begin());
}

const DeviceFigure* DeviceModel::figureIn(int column)
{
    return column < MemoryColumn || column >= ratesColumn() ? nullptr
                                                            : &deviceFigures()[static_cast<std::size_t>(column - MemoryColumn)];
}

int DeviceModel::ratesColumn()
{
    return MemoryColumn + static_cast<int>(deviceFigures().size());
}

bool DeviceModel::isStated(const Device& device, int column)
{
    const DeviceFigure* figure = figureIn(column);
    return figure != nullptr      ? figureOf(device, *figure).has_value()
        : column == ratesColumn() ? !device.rates.empty()
                                  : column != linksColumn() || !device.links.empty();
}

DeviceModel::DeviceModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), m_document(document), m_devices(document.devices().list())
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (!what.testFlag(Change::devices)) {
            if (what.testFlag(Change::check) && !m_devices.empty())
                emit dataChanged(index(0, LoadColumn), index(rowCount() - 1, LoadColumn));
            return;
        }
        if (m_document.devices().list().size() == m_devices.size()) { // keeps the editor and the selection
            m_devices = m_document.devices().list();
            if (!m_devices.empty())
                emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            return;
        }
        beginResetModel();
        m_devices = m_document.devices().list();
        endResetModel();
    });
}

/// Returns the load by the shown partition, if that is for these devices, or else by the tags. Null: none.
const DeviceLoad* DeviceModel::loadOf(std::size_t row) const
{
    const DeviceFit* fit = m_document.checks().deviceFit();
    if (fit == nullptr || fit->devices.size() != m_devices.size())
        return nullptr;
    return fit->devices[row].logicalId == m_devices[row].logicalId ? &fit->loads[row] : nullptr;
}

QString DeviceModel::loadText(std::size_t row) const
{
    const DeviceLoad* load = loadOf(row);
    if (load == nullptr || load->parts.empty())
        return tr("No parts.");
    QString what = tr("%1 used: %2.").arg(bytesText(load->usedBytes()), text(describeNeed(load->sizes, load->rule)));
    if (load->overflowBytes() > 0)
        what += QLatin1Char(' ') + tr("Over capacity by %1.").arg(bytesText(load->overflowBytes()));
    const std::vector<std::optional<std::uint64_t>>& counts = m_document.checks().deviceFit()->torchCounts;
    if (row < counts.size() && counts[row])
        what += QLatin1Char('\n') + sentence(describeTorchCount(*counts[row]));
    return what;
}

int DeviceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_devices.size());
}

int DeviceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : linksColumn() + 1;
}

QVariant DeviceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const Device& device = m_devices[row];
    if (role == ColorRole)
        return deviceColor(device, row);
    if (index.column() == LoadColumn) {
        const DeviceLoad* load = loadOf(row);
        if (role == UsedShareRole && load != nullptr && load->capacity && (*load->capacity > 0 || load->usedBytes() > 0))
            return static_cast<double>(load->usedBytes()) / static_cast<double>(*load->capacity); // infinite for 0 B
        if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
            return folded(brief(nameText(device)) + QStringLiteral(": ") + loadText(row));
        return {};
    }
    switch (role) {
    case Qt::DisplayRole: return cellText(device, index.column());
    case Qt::EditRole: return editedText(device, index.column());
    case Qt::DecorationRole:
        return index.column() == NameColumn ? QVariant(tagSwatch({.color = deviceColor(device, row)}, currentTheme()))
                                            : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(index.column() == NameColumn || index.column() >= ratesColumn() ? Qt::AlignLeft | Qt::AlignVCenter
                                                                                        : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return tr("%1: %2; logical ID %3\nDouble-click or press Enter to edit: 16 GB, 512 MiB. "
                  "Drag, or press Alt+Up or Alt+Down, to reorder: devices are filled in this order.")
                   .arg(brief(nameText(device)), figuresText(device), QString::number(device.logicalId))
            + (device.source.empty() ? QString() : tr("\nSource: %1").arg(brief(text(device.source), 120)));
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(),
                                cellText(device, index.column()));
    default: return {};
    }
}

QVariant DeviceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const DeviceFigure* figure = figureIn(section);
    if (role == Qt::DisplayRole)
        return figure != nullptr       ? tr(figure->heading)
            : section == NameColumn    ? tr("Device")
            : section == ratesColumn() ? tr("Rates")
            : section == linksColumn() ? tr("Links")
                                       : tr("Used");
    if (role == Qt::TextAlignmentRole)
        return QVariant(section == NameColumn ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::ToolTipRole)
        return {};
    if (section == ratesColumn())
        return folded(tr("Dense peak per data type, e.g. float32 19.5 TFLOP/s, bfloat16 312 TFLOP/s; optional\n"
                         "Used by costs and balance: seconds of a call are at least its operations over the rate."));
    if (section == linksColumn())
        return folded(tr("Bandwidth, latency, and efficiency to other devices; double-click to edit\n"
                         "Used by balance and loads for transfers."));
    if (figure == nullptr)
        return folded(section == NameColumn ? tr("Name of the device")
                                            : tr("Peak memory of its parts in a run: weights, activations, and inputs"));
    return folded(QStringLiteral("%1\n%2.").arg(tr(figure->tip), tr(figure->use)));
}

QString DeviceModel::refusalOf(const QModelIndex& index, const QString& typed) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)
        || (figureIn(index.column()) != nullptr && lacksItsUnit(*figureIn(index.column()), typed))
        || typed == data(index, Qt::EditRole).toString())
        return {};
    Device device = m_devices[static_cast<std::size_t>(index.row())];
    return take(device, index.column(), typed);
}

bool DeviceModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    std::vector<Device> devices = m_devices;
    Device& device = devices[static_cast<std::size_t>(index.row())];
    if (value.toString() == data(index, Qt::EditRole).toString())
        return true;
    if (const QString why = take(device, index.column(), value.toString()); !why.isEmpty()) {
        emit refused(why);
        if (const DeviceFigure* figure = figureIn(index.column()); figure != nullptr && lacksItsUnit(*figure, value.toString()))
            emit unitWanted(index, value.toString().trimmed());
        return false;
    }
    m_document.devices().set(std::move(devices), tr("Change %1").arg(nameText(device)));
    return true;
}

Qt::ItemFlags DeviceModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::ItemIsDropEnabled; // between rows
    const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled;
    return index.column() == LoadColumn || index.column() == linksColumn() ? flags : flags | Qt::ItemIsEditable;
}

QStringList DeviceModel::mimeTypes() const
{
    return {kDeviceMimeType};
}

QMimeData* DeviceModel::mimeData(const QModelIndexList& indexes) const
{
    if (indexes.isEmpty())
        return nullptr;
    auto* data = new QMimeData;
    data->setData(kDeviceMimeType, QByteArray::number(indexes.first().row()));
    return data;
}

bool DeviceModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent)
{
    if (action != Qt::MoveAction || data == nullptr || !data->hasFormat(kDeviceMimeType))
        return false;
    const int from = data->data(kDeviceMimeType).toInt();
    int to = row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
    if (to > from)
        --to; // `row` is the gap before that row, counted with the dragged row in place
    move(from, std::clamp(to, 0, rowCount() - 1));
    return false; // the model has moved it: the view must not remove the old row
}

int DeviceModel::add()
{
    Device device;
    if (!m_devices.empty()) {
        device = m_devices.back();
        device.color.clear();
    } else {
        device.availableBytes = kUsualMemory;
    }
    device.logicalId = -1; // assigned when added
    device.name = "device" + std::to_string(m_devices.size());
    insert({device}, -1, tr("Add a device"));
    return rowCount() - 1;
}

void DeviceModel::remove(int row)
{
    if (row < 0 || row >= rowCount())
        return;
    std::vector<Device> devices = m_devices;
    devices.erase(devices.begin() + row);
    m_document.devices().set(std::move(devices), tr("Remove %1").arg(index(row, NameColumn).data().toString()));
}

void DeviceModel::move(int from, int to)
{
    if (from == to || from < 0 || to < 0 || from >= rowCount() || to >= rowCount())
        return;
    std::vector<Device> devices = m_devices;
    Device moved = std::move(devices[static_cast<std::size_t>(from)]);
    devices.erase(devices.begin() + from);
    devices.insert(devices.begin() + to, std::move(moved));
    m_document.devices().set(std::move(devices), tr("Move %1").arg(index(from, NameColumn).data().toString()));
}

void DeviceModel::insert(std::vector<Device> added, int row, const QString& undoText)
{
    std::vector<Device> devices = m_devices;
    const auto place = row < 0 || row >= rowCount() ? devices.end() : devices.begin() + row + 1;
    for (Device& device : added)
        device.logicalId = -1;
    devices.insert(place, std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
    m_document.devices().set(std::move(devices), undoText);
}

void DeviceModel::recolor(int row, const QColor& color)
{
    if (row < 0 || row >= rowCount())
        return;
    std::vector<Device> devices = m_devices;
    devices[static_cast<std::size_t>(row)].color = color.isValid() ? color.name().toStdString() : std::string();
    m_document.devices().set(std::move(devices), tr("Recolor %1").arg(index(row, NameColumn).data().toString()));
}

} // namespace sunder

#include "moc_device_model.cpp"
