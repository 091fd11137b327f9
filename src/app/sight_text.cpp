#include "app/last_session.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <limits>

namespace sunder {
namespace {

constexpr qsizetype kMaxText = 1 << 20; ///< characters
constexpr std::size_t kMaxNames = 10'000;
constexpr qsizetype kLongestName = 4096;
constexpr double kFarthest = 1e9; ///< maximum distance from the origin of the picture
constexpr int kLargestView = 100'000;

QJsonArray namesToJson(const std::set<std::string>& names)
{
    QJsonArray all;
    for (const std::string& name : names)
        all.append(QString::fromStdString(name));
    return all;
}

std::optional<std::set<std::string>> namesOfJson(const QJsonValue& value)
{
    const QJsonArray all = value.toArray();
    if (!value.isArray() || static_cast<std::size_t>(all.size()) > kMaxNames)
        return std::nullopt;
    std::set<std::string> names;
    for (const QJsonValue& name : all) {
        if (!name.isString() || name.toString().size() > kLongestName)
            return std::nullopt;
        names.insert(name.toString().toStdString());
    }
    return names;
}

/// Returns a JSON number within [least, most], or nothing.
std::optional<double> numberIn(const QJsonValue& value, double least, double most)
{
    const double number = value.toDouble(std::nan(""));
    return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

QJsonArray columnsToJson(const Picture& columns)
{
    QJsonArray all;
    for (const ItemId start : columns.columnStarts) {
        const Item& item = columns.items[start.index()];
        QJsonObject one{{QStringLiteral("key"), QString::fromStdString(item.key)},
                        {QStringLiteral("kind"), static_cast<int>(item.kind)}};
        if (item.node)
            one.insert(QStringLiteral("node"), static_cast<double>(item.node.index()));
        all.append(one);
    }
    return all;
}

std::shared_ptr<const Picture> columnsOfJson(const QJsonValue& value)
{
    const QJsonArray all = value.toArray();
    if (!value.isArray() || static_cast<std::size_t>(all.size()) > kMaxNames)
        return nullptr;
    auto columns = std::make_shared<Picture>();
    for (const QJsonValue& entry : all) {
        const QJsonObject one = entry.toObject();
        const QString key = one.value(QStringLiteral("key")).toString();
        const auto kind = numberIn(one.value(QStringLiteral("kind")), 0, static_cast<double>(ItemKind::frame));
        const QJsonValue node = one.value(QStringLiteral("node"));
        const auto index = numberIn(node, 0, std::numeric_limits<std::int32_t>::max());
        if (!kind || key.size() > kLongestName || (!node.isUndefined() && !index))
            return nullptr;
        columns->columnStarts.emplace_back(static_cast<std::uint32_t>(columns->items.size()));
        Item& item = columns->items.emplace_back();
        item.kind = static_cast<ItemKind>(static_cast<int>(*kind));
        item.key = key.toStdString();
        if (index)
            item.node = NodeId(static_cast<std::uint32_t>(*index));
    }
    return columns;
}

} // namespace

QString textOfSight(const GraphSight& sight)
{
    const OpenModules& open = sight.open;
    if (open.open.size() + open.deep.size() + open.closed.size() + sight.columns->columnStarts.size() > kMaxNames)
        return {};
    const QJsonObject all{{QStringLiteral("open"), namesToJson(open.open)},
                          {QStringLiteral("deep"), namesToJson(open.deep)},
                          {QStringLiteral("closed"), namesToJson(open.closed)},
                          {QStringLiteral("all"), open.all},
                          {QStringLiteral("columns"), columnsToJson(*sight.columns)},
                          {QStringLiteral("x"), sight.camera.origin().x()},
                          {QStringLiteral("y"), sight.camera.origin().y()},
                          {QStringLiteral("zoom"), sight.camera.zoom()},
                          {QStringLiteral("width"), sight.view.width()},
                          {QStringLiteral("height"), sight.view.height()},
                          {QStringLiteral("fitted"), sight.isFitted}};
    const QString text = QString::fromUtf8(QJsonDocument(all).toJson(QJsonDocument::Compact));
    return text.size() > kMaxText ? QString() : text;
}

std::optional<GraphSight> sightOfText(const QString& text)
{
    if (text.size() > kMaxText)
        return std::nullopt;
    const QJsonDocument document = QJsonDocument::fromJson(text.toUtf8());
    const auto value = [all = document.object()](const char* name) { return all.value(QLatin1String(name)); };
    auto open = namesOfJson(value("open"));
    auto deep = namesOfJson(value("deep"));
    auto closed = namesOfJson(value("closed"));
    auto columns = columnsOfJson(value("columns"));
    const auto x = numberIn(value("x"), -kFarthest, kFarthest);
    const auto y = numberIn(value("y"), -kFarthest, kFarthest);
    const auto zoom = numberIn(value("zoom"), Camera::kMinZoom, Camera::kMaxZoom);
    const auto width = numberIn(value("width"), 0, kLargestView);
    const auto height = numberIn(value("height"), 0, kLargestView);
    if (!open || !deep || !closed || !columns || !x || !y || !zoom || !width || !height)
        return std::nullopt;
    return GraphSight{
        .open = {.open = std::move(*open), .deep = std::move(*deep), .all = value("all").toBool(), .closed = std::move(*closed)},
        .columns = std::move(columns),
        .camera = Camera(QPointF(*x, *y), *zoom),
        .view = QSize(static_cast<int>(*width), static_cast<int>(*height)),
        .isFitted = value("fitted").toBool()};
}

} // namespace sunder
