#include "models/inspector_model.h"

#include "document/text.h"
#include "models/tag_style_of.h"

#include <QFontDatabase>

namespace sunder {

void InspectorModel::setProperties(std::vector<Property> properties)
{
    beginResetModel();
    m_properties = std::move(properties);
    endResetModel();
}

const Property* InspectorModel::property(const QModelIndex& index) const
{
    if (!index.isValid())
        return nullptr;
    if (index.internalId() == kTop)
        return &m_properties[static_cast<std::size_t>(index.row())];
    return &m_properties[index.internalId()].children[static_cast<std::size_t>(index.row())];
}

QModelIndex InspectorModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || row >= rowCount(parent) || column < 0 || column > 1)
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) : kTop);
}

QModelIndex InspectorModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == kTop)
        return {};
    return createIndex(static_cast<int>(index.internalId()), 0, kTop);
}

int InspectorModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_properties.size());
    if (parent.column() != 0 || parent.internalId() != kTop)
        return 0;
    return static_cast<int>(m_properties[static_cast<std::size_t>(parent.row())].children.size());
}

QVariant InspectorModel::data(const QModelIndex& index, int role) const
{
    const Property* line = property(index);
    if (line == nullptr)
        return {};
    if (role == Qt::ForegroundRole)
        return index.column() == 0                                ? currentTheme().dim
            : line->link.node || line->action != LineAction::none ? currentTheme().selection
                                                                  : currentTheme().text;
    if (role == Qt::FontRole && index.column() == 1 && line->mono) {
        QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        mono.setPointSizeF(8.5);
        return mono;
    }
    if (role == Qt::DecorationRole && index.column() == 1 && line->tag >= 0)
        return line->tagColor;
    if (role == Qt::ToolTipRole && index.column() == 1)
        return folded(line->link.node           ? tr("%1\nClick or press Enter to go there").arg(line->value)
                          : line->tip.isEmpty() ? line->value
                                                : line->tip);
    if (role == kBarsRole && index.column() == 1 && !line->bars.isEmpty())
        return QVariant::fromValue(line->bars);
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return index.column() == 0 ? line->key : line->value;
    return {};
}

} // namespace sunder

#include "moc_inspector_model.cpp"
