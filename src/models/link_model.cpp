#include "models/link_model.h"

#include "analysis/device_links.h"
#include "document/text.h"
#include "models/tag_style_of.h"
#include "text/shown_text.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

QString shownName(const Device& device)
{
    return device.name.empty() ? QObject::tr("device %1").arg(device.logicalId) : brief(text(device.name), 32);
}

} // namespace

LinkModel::LinkModel(std::vector<Device> devices, QObject* parent) : QAbstractTableModel(parent), m_devices(std::move(devices)) {}

int LinkModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_devices.size());
}

int LinkModel::columnCount(const QModelIndex& parent) const
{
    return rowCount(parent);
}

const DeviceLink* LinkModel::own(const QModelIndex& index) const
{
    const std::vector<DeviceLink>& links = m_devices[static_cast<std::size_t>(index.row())].links;
    const std::int64_t to = m_devices[static_cast<std::size_t>(index.column())].logicalId;
    const auto at = std::ranges::find(links, std::optional(to), &DeviceLink::to);
    return at == links.end() ? nullptr : &*at;
}

QVariant LinkModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (index.row() == index.column())
        return role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant();
    const DeviceLink* link = own(index);
    const QString stated = link != nullptr ? text(linkText(*link)) : QString();
    const auto from = static_cast<std::size_t>(index.row());
    const auto to = static_cast<std::size_t>(index.column());
    switch (role) {
    case Qt::EditRole: return stated;
    case Qt::ForegroundRole: return link != nullptr ? QVariant() : QVariant(currentTheme().faint);
    case Qt::DisplayRole:
    case Qt::ToolTipRole: {
        const std::optional<LinkFigures> used = DeviceLinks(m_devices).between(from, to);
        if (role == Qt::DisplayRole && link != nullptr)
            return stated;
        const QString effective = used
            ? text(linkText({.bytesPerSecond = used->bytesPerSecond,
                             .latencySeconds = used->latencySeconds > 0 ? std::optional(used->latencySeconds) : std::nullopt,
                             .efficiency = used->efficiency}))
            : tr("no bandwidth");
        if (role == Qt::DisplayRole)
            return effective;
        return tr("From %1 to %2: %3").arg(shownName(m_devices[from]), shownName(m_devices[to]), effective);
    }
    default: return {};
    }
}

QVariant LinkModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QString name = shownName(m_devices[static_cast<std::size_t>(section)]);
    if (role == Qt::DisplayRole)
        return orientation == Qt::Horizontal ? tr("to %1").arg(name) : tr("from %1").arg(name);
    return {};
}

Qt::ItemFlags LinkModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.row() == index.column() ? flags & ~Qt::ItemIsEnabled : flags | Qt::ItemIsEditable;
}

QString LinkModel::refusalOf(const QString& typed)
{
    const Result<DeviceLink> link = parseLink(typed.toStdString());
    return link ? QString() : sentence(link.error().message);
}

bool LinkModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid) || index.row() == index.column())
        return false;
    const QString typed = value.toString();
    if (typed == data(index, Qt::EditRole).toString())
        return true;
    Result<DeviceLink> link = parseLink(typed.toStdString());
    if (!link) {
        emit refused(sentence(link.error().message));
        return false;
    }
    std::vector<DeviceLink>& links = m_devices[static_cast<std::size_t>(index.row())].links;
    link->to = m_devices[static_cast<std::size_t>(index.column())].logicalId;
    std::erase_if(links, [&](const DeviceLink& known) { return known.to == link->to; });
    if (!linkText(*link).empty())
        links.push_back(*link);
    emit dataChanged(this->index(0, 0), this->index(rowCount() - 1, columnCount() - 1)); // the reverse pair may follow
    emit edited();
    return true;
}

} // namespace sunder

#include "moc_link_model.cpp"
