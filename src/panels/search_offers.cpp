#include "panels/search_offers.h"

#include "analysis/search/node_query.h"

#include <QCoreApplication>
#include <QSettings>

namespace sunder {
namespace {

constexpr qsizetype kMaxRecent = 6;
const QString kRecentKey = QStringLiteral("search/recent");

QString shown(const char* text)
{
    return QCoreApplication::translate("sunder::SearchField", text);
}

SearchOffer offerOf(QueryField field)
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

std::vector<SearchOffer> searchOffers()
{
    std::vector<SearchOffer> offers;
    for (const QString& query : QSettings().value(kRecentKey).toStringList())
        offers.push_back({query, shown("recent search")});
    for (const QueryField field : kQueryFields)
        offers.push_back(offerOf(field));
    return offers;
}

void rememberSearch(const QString& query)
{
    QSettings settings;
    QStringList recent = settings.value(kRecentKey).toStringList();
    recent.removeAll(query);
    recent.prepend(query);
    settings.setValue(kRecentKey, recent.mid(0, kMaxRecent));
}

} // namespace sunder
