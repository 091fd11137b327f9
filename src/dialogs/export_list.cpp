#include "dialogs/export_list.h"

#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "text/shown_text.h"

namespace sunder {

namespace {

constexpr int kKindRole = Qt::UserRole;

} // namespace

ExportList::ExportList(QWidget* parent) : QListWidget(parent)
{
    setViewportMargins(8, 8, 8, 8);
    connect(this, &QListWidget::currentItemChanged, this, &ExportList::kindChanged);
}

void ExportList::setSubject(const ExportSubject& subject)
{
    clear();
    addGroup(tr("CUT"), subject.runs[static_cast<std::size_t>(ResultKind::parts)],
             {ExportKind::parts, ExportKind::graph, ExportKind::taggedModel, ExportKind::python, ExportKind::dag, ExportKind::cost,
              ExportKind::names});
    if (subject.unflattened)
        addGroup(tr("HIERARCHY"), subject.runs[static_cast<std::size_t>(ResultKind::hierarchy)], {ExportKind::unflattened});
    if (subject.regions)
        addGroup(tr("REGIONS"), subject.runs[static_cast<std::size_t>(ResultKind::regions)],
                 subject.regions->dedup ? std::vector{ExportKind::regions, ExportKind::deduplicated}
                                        : std::vector{ExportKind::regions});
    addGroup(tr("MODEL"), subject.name, {ExportKind::tags, ExportKind::drawing, ExportKind::picture});
}

void ExportList::addGroup(const QString& title, const QString& detail, const std::vector<ExportKind>& kinds)
{
    if (count() > 0) { // air above the next group
        auto* gap = new QListWidgetItem(this);
        gap->setFlags(Qt::NoItemFlags);
        gap->setSizeHint({0, 8});
    }
    auto* heading = new QListWidgetItem(detail.isEmpty() ? title : tr("%1 · %2").arg(title, brief(visible(detail))), this);
    heading->setFlags(Qt::NoItemFlags);
    heading->setForeground(currentTheme().dim);
    heading->setToolTip(folded(visible(detail)));
    QFont font;
    font.setPointSizeF(font.pointSizeF() - 1);
    heading->setFont(font);
    for (const ExportKind kind : kinds) {
        const ExportKindText& text = textOf(kind);
        auto* item = new QListWidgetItem(themedIcon(QLatin1String(text.icon)), text.title, this);
        item->setData(kKindRole, static_cast<int>(kind));
        item->setToolTip(text.what);
    }
}

/// The first line is a heading, which Home would stop at.
QModelIndex ExportList::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    return action == MoveHome ? model()->index(1, 0) : QListWidget::moveCursor(action, modifiers);
}

ExportKind ExportList::kind() const
{
    const QListWidgetItem* item = currentItem();
    return static_cast<ExportKind>(item == nullptr ? 0 : item->data(kKindRole).toInt());
}

void ExportList::setKind(ExportKind kind)
{
    for (int row = 0; row < count(); ++row) {
        const QVariant at = item(row)->data(kKindRole);
        if (at.isValid() && at.toInt() == static_cast<int>(kind))
            setCurrentRow(row);
    }
}

} // namespace sunder
