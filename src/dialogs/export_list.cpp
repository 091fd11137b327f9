#include "dialogs/export_list.h"

#include "document/runs/result_kinds.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "text/shown_text.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr int kFormatRole = Qt::UserRole; ///< id of the format

} // namespace

ExportList::ExportList(QWidget* parent) : QListWidget(parent)
{
    setViewportMargins(8, 8, 8, 8);
    connect(this, &QListWidget::currentItemChanged, this, &ExportList::formatChanged);
}

void ExportList::setSubject(const ExportSubject& subject)
{
    clear();
    m_results.clear();
    for (const ShownResult& shown : subject.results)
        m_results.push_back(shown.result);
    for (const ResultDescription& kind : resultKinds()) {
        const auto at = std::ranges::find_if(subject.results,
                                             [&](const ShownResult& shown) { return shown.result->kind == kind.kind; });
        addGroup(kind.heading, at == subject.results.end() ? QString() : at->run, kind.kind);
    }
    addGroup(tr("MODEL"), subject.name, std::nullopt);
}

/// Adds a heading and its formats; nothing if there are none.
void ExportList::addGroup(const QString& title, const QString& detail, std::optional<ResultKind> kind)
{
    std::vector<const ExportFormat*> formats;
    for (const ExportFormat& format : exportFormats())
        if (format.of == kind && (format.isListedWithout || format.isThere(m_results)))
            formats.push_back(&format);
    if (formats.empty())
        return;
    if (count() > 0) { // space above the next group
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
    for (const ExportFormat* format : formats) {
        auto* item = new QListWidgetItem(themedIcon(format->icon), format->title, this);
        item->setData(kFormatRole, format->id);
        item->setToolTip(format->what);
    }
}

/// Skips the heading in the first row, where Home would stop.
QModelIndex ExportList::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    return action == MoveHome ? model()->index(1, 0) : QListWidget::moveCursor(action, modifiers);
}

const ExportFormat& ExportList::format() const
{
    const QListWidgetItem* item = currentItem();
    return item == nullptr ? exportFormats().front() : exportFormat(item->data(kFormatRole).toString());
}

void ExportList::setFormat(const QString& id)
{
    for (int row = 0; row < count(); ++row)
        if (item(row)->data(kFormatRole).toString() == id)
            setCurrentRow(row);
}

void ExportList::setUsualFormat()
{
    const auto usual = std::ranges::find_if(exportFormats(),
                                            [this](const ExportFormat& format) { return format.isThere(m_results); });
    setFormat(usual->id);
}

} // namespace sunder

#include "moc_export_list.cpp"
