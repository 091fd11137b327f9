#include "models/tag_model.h"

#include "analysis/training/backward_tags.h"
#include "document/followed_tags.h"
#include "document/text.h"
#include "models/tag_style_of.h"
#include "tagging/tag_list.h"
#include "text/amounts.h"

#include <QMimeData>

namespace sunder {
namespace {

/// Returns the forward tag of a backward tag; −1 for other tags.
int forwardTagOf(const TagAssignment& tags, int tag)
{
    const std::string_view name = forwardNameOf(tags.order[static_cast<std::size_t>(tag)].view());
    return name.empty() ? -1 : tagCalled(tags, name);
}

const QString kTagMimeType = QStringLiteral("application/x-sunder-tag");
} // namespace

TagModel::TagModel(Document& document, QObject* parent) : QAbstractListModel(parent), m_document(document)
{
    m_rows = document.tagCount();
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::tagList) || what.testFlag(Change::program)) {
            beginResetModel();
            m_rows = m_document.tagCount();
            endResetModel();
        } else if ((what & (Change::check | Change::activeTag | Change::tags)) && rowCount() > 0) {
            emit dataChanged(index(0), index(rowCount() - 1));
        }
    });
}

int TagModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_document.isOpen() ? 0 : m_rows + 1;
}

QVariant TagModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const bool untagged = isUntaggedRow(index);
    const TagTotal& total = untagged ? m_document.checks().totals().untagged
                                     : m_document.checks().totals().tags[static_cast<std::size_t>(index.row())];
    const QString ops = countText(total.ops, "op");
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return untagged ? tr("untagged") : m_document.tagName(index.row());
    case Qt::DecorationRole:
        if (untagged)
            return m_document.checks().isUntaggedShown() ? currentTheme().error : currentTheme().dim;
        return tagLooksOf(m_document, currentTheme())[static_cast<std::size_t>(index.row())].style.color;
    case CodeRole:
        return untagged ? QString() : tagLooksOf(m_document, currentTheme())[static_cast<std::size_t>(index.row())].code;
    case BackwardOfRole: {
        const int forward = untagged ? -1 : forwardTagOf(m_document.tags(), index.row());
        return forward < 0 ? QString() : m_document.tagName(forward);
    }
    case OpsRole: return QVariant::fromValue<quint64>(total.ops);
    case BytesRole: return QVariant::fromValue<quint64>(total.bytes);
    case ActiveRole: return !untagged && index.row() == m_document.activeTag();
    case UntaggedRole: return untagged;
    case LockedRole: return !untagged && m_document.tagTraits()[static_cast<std::size_t>(index.row())].isLocked;
    case HiddenRole: return !untagged && m_document.tagTraits()[static_cast<std::size_t>(index.row())].isHidden;
    case MissingRole: return untagged && m_document.checks().isUntaggedShown();
    case Qt::ToolTipRole:
        if (untagged)
            return tr("%1 without a tag. Press N to select the next one.").arg(ops);
        if (const int forward = forwardTagOf(m_document.tags(), index.row());
            forward >= 0 && followsForward(m_document.tagState(), *m_document.snapshot()))
            return tr("%1: %2, %3 of weights\nThe backward ops of %4; their name, position, and lock follow that tag.")
                .arg(brief(m_document.tagName(index.row())), ops, bytesText(total.bytes), brief(m_document.tagName(forward)));
        return tr("%1: %2, %3 of weights\nClick to make it active%4. Drag, or press Alt+Up or Alt+Down, to reorder the "
                  "parts; double-click or press F2 to rename. The lock protects its ops; the eye hides it, with Alt all others.")
            .arg(brief(m_document.tagName(index.row())), ops, bytesText(total.bytes),
                 index.row() < 9 ? tr(" (key %1)").arg(index.row() + 1) : QString());
    case Qt::AccessibleTextRole:
        return tr("%1, %2, %3").arg(untagged ? tr("untagged") : m_document.tagName(index.row()), ops, bytesText(total.bytes))
            + (index.data(LockedRole).toBool() ? tr(", locked") : QString())
            + (index.data(HiddenRole).toBool() ? tr(", hidden") : QString());
    default: return {};
    }
}

bool TagModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if ((role != Qt::EditRole && role != CodeRole) || !index.isValid() || isUntaggedRow(index))
        return false;
    const QString why = role == CodeRole ? m_document.tagList().setCode(index.row(), value.toString())
                                         : m_document.tagList().rename(index.row(), value.toString());
    if (!why.isEmpty())
        emit renameRefused(why);
    return why.isEmpty();
}

Qt::ItemFlags TagModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::ItemIsDropEnabled; // between rows
    if (isUntaggedRow(index))
        return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemIsDragEnabled;
}

QStringList TagModel::mimeTypes() const
{
    return {kTagMimeType};
}

QMimeData* TagModel::mimeData(const QModelIndexList& indexes) const
{
    if (indexes.isEmpty())
        return nullptr;
    auto* data = new QMimeData;
    data->setData(kTagMimeType, QByteArray::number(indexes.first().row()));
    return data;
}

bool TagModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent)
{
    if (action != Qt::MoveAction || data == nullptr || !data->hasFormat(kTagMimeType))
        return false;
    const int from = data->data(kTagMimeType).toInt();
    int to = row >= 0 ? row : parent.isValid() ? parent.row() : m_rows;
    if (to > from)
        --to; // `row` is the gap before that row, counted with the dragged row in place
    to = std::clamp(to, 0, m_rows - 1);
    m_document.tagList().move(from, to);
    emit moved(to);
    return false; // the model has moved it: the view must not remove the old row
}

} // namespace sunder

#include "moc_tag_model.cpp"
