#include "panels/search_offers.h"

#include "analysis/search/node_query.h"
#include "document/text.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

constexpr qsizetype kMaxRecent = 6;
const QString kRecentKey = QStringLiteral("search/recent");

QString shown(const char* text)
{
    return QCoreApplication::translate("sunder::SearchField", text);
}

/// Returns the query for a field, and its meaning.
std::pair<QString, QString> offerOf(QueryField field)
{
    switch (field) {
    case QueryField::op: return {QStringLiteral("op:"), shown("operator: op:mul, op:conv2d|linear")};
    case QueryField::cls: return {QStringLiteral("class:"), shown("module class: class:Linear")};
    case QueryField::module: return {QStringLiteral("module:"), shown("module path: module:layers.3")};
    case QueryField::tag: return {QStringLiteral("tag:"), shown("tag: tag:stage0, tag:none")};
    case QueryField::name: return {QStringLiteral("name:"), shown("node name: name:add_*, /a.+b/")};
    case QueryField::shape: return {QStringLiteral("shape:"), shown("shape: shape:[1, *, 16]")};
    case QueryField::dtype: return {QStringLiteral("dtype:"), shown("element type: dtype:f16")};
    case QueryField::bytes: return {QStringLiteral("bytes>"), shown("result size: bytes>1MB")};
    case QueryField::weights: return {QStringLiteral("weights>"), shown("weight size: weights>1MB")};
    case QueryField::any: break;
    }
    return {};
}

} // namespace

SearchOffers::SearchOffers(QWidget* parent) : QTreeWidget(parent)
{
    connect(this, &QTreeWidget::itemClicked, this, &SearchOffers::choose);
}

void SearchOffers::fill(int rowHeight)
{
    header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    clear();
    for (const QString& query : QSettings().value(kRecentKey).toStringList())
        add(query, shown("recent search"), rowHeight);
    for (const QueryField field : kQueryFields) {
        const auto [query, finds] = offerOf(field);
        add(query, finds, rowHeight);
    }
    setCurrentItem(nullptr);
}

void SearchOffers::add(const QString& query, const QString& finds, int rowHeight)
{
    auto* row = new QTreeWidgetItem(this, {brief(visible(query), 60), finds});
    row->setData(0, Qt::UserRole, query);
    row->setSizeHint(0, {0, rowHeight});
}

void SearchOffers::choose(const QTreeWidgetItem* row)
{
    emit chosen(row->data(0, Qt::UserRole).toString());
}

bool SearchOffers::takeKey(int key)
{
    const int now = indexOfTopLevelItem(currentItem());
    switch (key) {
    case Qt::Key_Down: setCurrentItem(topLevelItem(std::min(topLevelItemCount() - 1, now + 1))); return true;
    case Qt::Key_Up: setCurrentItem(topLevelItem(std::max(0, now - 1))); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (now < 0)
            return false;
        choose(currentItem());
        return true;
    default: return false;
    }
}

void SearchOffers::remember(const QString& query)
{
    QSettings settings;
    QStringList recent = settings.value(kRecentKey).toStringList();
    recent.removeAll(query);
    recent.prepend(query);
    settings.setValue(kRecentKey, recent.mid(0, kMaxRecent));
}

} // namespace sunder

#include "moc_search_offers.cpp"
