#include "models/device_model.h"

#include "analysis/cut/cut_text.h"
#include "analysis/device_presets.h"
#include "analysis/device_rows.h"
#include "document/text.h"
#include "models/device_figures.h"
#include "models/tag_style_of.h"
#include "support/memory_text.h"
#include "text/amounts.h"

#include <QMimeData>

#include <algorithm>

namespace sunder {
namespace {

const QString kDeviceMimeType = QStringLiteral("application/x-sunder-device");
constexpr double kUsualMemory = 16e9;

std::uint64_t wholeBytes(double bytes)
{
    return static_cast<std::uint64_t>(std::max(0.0, bytes));
}

QString cellText(const Device& device, int column)
{
    switch (column) {
    case DeviceModel::NameColumn: return device.name.empty() ? QObject::tr("device %1").arg(device.logicalId) : text(device.name);
    case DeviceModel::MemoryColumn: return bytesText(wholeBytes(device.availableBytes));
    case DeviceModel::SpeedColumn: return device.speed ? QString::number(*device.speed) : QString();
    case DeviceModel::BandwidthColumn:
        return device.bandwidthBytesPerSecond ? text(bytesPerSecondText(*device.bandwidthBytesPerSecond)) : QString();
    case DeviceModel::MemorySpeedColumn:
        return device.memoryBytesPerSecond ? text(bytesPerSecondText(*device.memoryBytesPerSecond)) : QString();
    case DeviceModel::ComputeColumn: return device.flopsPerSecond ? text(flopsText(*device.flopsPerSecond)) : QString();
    default: return {};
    }
}

/// Returns the initial text of an editor: exact to the byte, in the unit it was probably entered in; 64 GiB stays 64 GiB.
QString editedText(const Device& device, int column)
{
    switch (column) {
    case DeviceModel::NameColumn: return text(device.name);
    case DeviceModel::MemoryColumn: return text(formatBytesExactly(wholeBytes(device.availableBytes)));
    default: return cellText(device, column);
    }
}

/// Returns e.g. ", speed 1.5, 900.0 GB/s to other devices", with the figures that the device has.
QString optionalFacts(const Device& device)
{
    QString facts;
    if (device.speed)
        facts += QObject::tr(", speed %1").arg(cellText(device, DeviceModel::SpeedColumn));
    if (device.bandwidthBytesPerSecond)
        facts += QObject::tr(", %1 to other devices").arg(cellText(device, DeviceModel::BandwidthColumn));
    if (device.memoryBytesPerSecond)
        facts += QObject::tr(", memory bandwidth %1").arg(cellText(device, DeviceModel::MemorySpeedColumn));
    if (device.flopsPerSecond)
        facts += QObject::tr(", %1 peak (16-bit floats)").arg(cellText(device, DeviceModel::ComputeColumn));
    return facts;
}

/// Sets a cell from typed text; returns the reason if the text is refused.
QString take(Device& device, int column, const QString& typed)
{
    const std::string given = column == DeviceModel::NameColumn ? typed.trimmed().toStdString()
                                                                : withDecimalPoint(typed.trimmed().toStdString());
    const auto put = [](auto parsed, auto& into) {
        if (!parsed)
            return sentence(parsed.error().message);
        into = static_cast<double>(*parsed);
        return QString();
    };
    switch (column) {
    case DeviceModel::NameColumn:
        if (typed != text(device.name)) // keep an unchanged name, although the cell displays it differently
            device.name = given;
        return {};
    case DeviceModel::MemoryColumn:
        if (lacksUnit(given)) // not silently bytes
            return QObject::tr("“%1” has no unit: write %1 GB, %1 MiB, or %1 B.").arg(typed.trimmed());
        return put(parseBytes(given), device.availableBytes);
    case DeviceModel::BandwidthColumn:
    case DeviceModel::MemorySpeedColumn: {
        std::optional<double>& into = column == DeviceModel::BandwidthColumn ? device.bandwidthBytesPerSecond
                                                                             : device.memoryBytesPerSecond;
        into.reset();
        if (lacksUnit(given))
            return QObject::tr("“%1” has no unit: write %1 GB/s or %1 MB/s.").arg(typed.trimmed());
        return given.empty() ? QString() : put(parseBytesPerSecond(given), into);
    }
    case DeviceModel::ComputeColumn:
        device.flopsPerSecond.reset();
        return given.empty() ? QString() : put(parseFlops(given), device.flopsPerSecond);
    case DeviceModel::SpeedColumn: {
        bool ok = false;
        const double speed = text(given).toDouble(&ok);
        device.speed.reset();
        if (given.empty())
            return {};
        if (!ok || speed < 0 || speed > 1e12)
            return QObject::tr("“%1” is not a speed: write a factor relative to another device, e.g. 1.5.").arg(typed);
        device.speed = speed;
        return {};
    }
    default: return {};
    }
}

/// Figures without a unit are not silently bytes.
bool asksForUnit(int column, const QString& typed)
{
    const bool isBytes = column == DeviceModel::MemoryColumn || column == DeviceModel::BandwidthColumn
        || column == DeviceModel::MemorySpeedColumn;
    return isBytes && lacksUnit(typed.trimmed().toStdString());
}

} // namespace

QColor deviceColor(const Device& device, std::size_t place)
{
    const QColor own(text(device.color));
    return own.isValid() ? own : tagStyle(currentTheme(), static_cast<std::uint32_t>(place)).color;
}

DeviceModel::DeviceModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), m_document(document), m_devices(document.devices())
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (!what.testFlag(Change::devices)) {
            if (what.testFlag(Change::check) && !m_devices.empty())
                emit dataChanged(index(0, LoadColumn), index(rowCount() - 1, LoadColumn));
            return;
        }
        if (m_document.devices().size() == m_devices.size()) { // keeps the editor and the selection
            m_devices = m_document.devices();
            if (!m_devices.empty())
                emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
            return;
        }
        beginResetModel();
        m_devices = m_document.devices();
        endResetModel();
    });
}

/// Returns the load by the shown partition, if that is for these devices, or else by the tags. Null: none.
const DeviceLoad* DeviceModel::loadOf(std::size_t row) const
{
    const DeviceFit* fit = m_document.deviceFit();
    if (fit == nullptr || fit->devices.size() != m_devices.size())
        return nullptr;
    return fit->devices[row].logicalId == m_devices[row].logicalId ? &fit->loads[row] : nullptr;
}

QString DeviceModel::loadText(std::size_t row) const
{
    const DeviceLoad* load = loadOf(row);
    if (load == nullptr || load->parts.empty())
        return tr("No parts.");
    QString what = tr("%1 used: %2.").arg(bytesText(load->usedBytes()), text(describeNeed(*load)));
    if (load->overflowBytes() > 0)
        what += QLatin1Char(' ') + tr("Over capacity by %1.").arg(bytesText(load->overflowBytes()));
    const std::vector<std::optional<std::uint64_t>>& counts = m_document.deviceFit()->torchCounts;
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
    return parent.isValid() ? 0 : ColumnCount;
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
            return folded(brief(cellText(device, NameColumn)) + QStringLiteral(": ") + loadText(row));
        return {};
    }
    switch (role) {
    case Qt::DisplayRole: return cellText(device, index.column());
    case Qt::EditRole: return editedText(device, index.column());
    case Qt::DecorationRole:
        return index.column() == NameColumn ? QVariant(tagSwatch({.color = deviceColor(device, row)}, currentTheme()))
                                            : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(index.column() == NameColumn ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return tr("%1: %2 of memory%4; logical ID %3\nDouble-click or press Enter to edit: 16 GB, 512 MiB. "
                  "Drag, or press Alt+Up or Alt+Down, to reorder: devices are filled in this order.")
                   .arg(brief(cellText(device, NameColumn)), cellText(device, MemoryColumn), QString::number(device.logicalId),
                        optionalFacts(device))
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
    const QString titles[] = {tr("Device"),           tr("Used"),   tr("Memory"), tr("Speed"), tr("Bandwidth"),
                              tr("Memory bandwidth"), tr("Compute")};
    const QString tips[] = {tr("Name of the device"),
                            tr("Peak memory of its parts in a run: weights, activations, and inputs"),
                            tr("Memory for weights and values, e.g. 16 GB or 512 MiB"),
                            tr("Relative to another device, e.g. 1.5; optional"),
                            tr("To other devices, one way, e.g. 450 GB/s; optional"),
                            tr("Between its memory and its compute units, e.g. 2 TB/s; optional"),
                            tr("Peak for 16-bit floats, e.g. 312 TFLOP/s; optional")};
    const bool isUnused = section >= SpeedColumn;
    if (role == Qt::DisplayRole)
        return titles[section];
    if (role == Qt::TextAlignmentRole)
        return QVariant(section == NameColumn ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return folded(isUnused ? tips[section] + QLatin1Char('\n') + unusedFigureNote() : tips[section]);
    return {};
}

QString DeviceModel::refusalOf(const QModelIndex& index, const QString& typed) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || asksForUnit(index.column(), typed)
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
        if (asksForUnit(index.column(), value.toString()))
            emit unitWanted(index, value.toString().trimmed());
        return false;
    }
    m_document.setDevices(std::move(devices), tr("Change %1").arg(cellText(device, NameColumn)));
    return true;
}

Qt::ItemFlags DeviceModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::ItemIsDropEnabled; // between rows
    const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled;
    return index.column() == LoadColumn ? flags : flags | Qt::ItemIsEditable;
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
    m_document.setDevices(std::move(devices), tr("Remove %1").arg(index(row, NameColumn).data().toString()));
}

void DeviceModel::move(int from, int to)
{
    if (from == to || from < 0 || to < 0 || from >= rowCount() || to >= rowCount())
        return;
    std::vector<Device> devices = m_devices;
    Device moved = std::move(devices[static_cast<std::size_t>(from)]);
    devices.erase(devices.begin() + from);
    devices.insert(devices.begin() + to, std::move(moved));
    m_document.setDevices(std::move(devices), tr("Move %1").arg(index(from, NameColumn).data().toString()));
}

void DeviceModel::insert(std::vector<Device> added, int row, const QString& undoText)
{
    std::vector<Device> devices = m_devices;
    const auto place = row < 0 || row >= rowCount() ? devices.end() : devices.begin() + row + 1;
    for (Device& device : added)
        device.logicalId = -1;
    devices.insert(place, std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
    m_document.setDevices(std::move(devices), undoText);
}

void DeviceModel::recolor(int row, const QColor& color)
{
    if (row < 0 || row >= rowCount())
        return;
    std::vector<Device> devices = m_devices;
    devices[static_cast<std::size_t>(row)].color = color.isValid() ? color.name().toStdString() : std::string();
    m_document.setDevices(std::move(devices), tr("Recolor %1").arg(index(row, NameColumn).data().toString()));
}

} // namespace sunder

#include "moc_device_model.cpp"
