#include "app/sight_text.h"

#include "support/json_writer.h"

#include <cmath>
#include <limits>

namespace sunder {
namespace {

constexpr std::size_t kMaxText = 1 << 20; ///< bytes
constexpr unsigned kMaxSightDepth = 8;
constexpr std::size_t kMaxNames = 10'000;
constexpr std::size_t kLongestName = 4096;
constexpr double kFarthest = 1e9; ///< maximum distance from the origin of the picture
constexpr int kLargestView = 100'000;

std::optional<std::set<std::string>> namesOfJson(JsonValue list)
{
    if (!list.is(JsonType::array) || list.count() > kMaxNames)
        return std::nullopt;
    std::set<std::string> names;
    for (JsonValue name = list.firstItem(); name; name = name.nextItem()) {
        if (!name.is(JsonType::string) || name.text().size() > kLongestName)
            return std::nullopt;
        names.emplace(name.text());
    }
    return names;
}

/// Returns a JSON number within [least, most], or nothing.
std::optional<double> numberIn(JsonValue value, double least, double most)
{
    const double number = value.numberOr(std::nan(""));
    return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

void writeColumns(JsonWriter& json, const Picture& columns)
{
    json.list(columns.columnStarts, [&](ItemId start) {
        const Item& item = columns.items[start.index()];
        json.object([&] {
            json.member("key", item.key);
            json.member("kind", static_cast<int>(item.kind));
            if (item.node)
                json.member("node", item.node.index());
        });
    });
}

std::shared_ptr<const Picture> columnsOfJson(JsonValue list)
{
    if (!list.is(JsonType::array) || list.count() > kMaxNames)
        return nullptr;
    auto columns = std::make_shared<Picture>();
    for (JsonValue one = list.firstItem(); one; one = one.nextItem()) {
        const std::string_view key = one.member("key").textOr({});
        const auto kind = numberIn(one.member("kind"), 0, static_cast<double>(ItemKind::frame));
        const JsonValue node = one.member("node");
        const auto index = numberIn(node, 0, std::numeric_limits<std::int32_t>::max());
        if (!kind || key.size() > kLongestName || (node && !index))
            return nullptr;
        columns->columnStarts.emplace_back(static_cast<std::uint32_t>(columns->items.size()));
        Item& item = columns->items.emplace_back();
        item.kind = static_cast<ItemKind>(static_cast<int>(*kind));
        item.key = key;
        if (index)
            item.node = NodeId(static_cast<std::uint32_t>(*index));
    }
    return columns;
}

} // namespace

std::string textOfSight(const GraphSight& sight)
{
    const OpenModules& open = sight.open;
    if (open.open.size() + open.deep.size() + open.closed.size() + sight.columns->columnStarts.size() > kMaxNames)
        return {};
    JsonWriter json(0);
    json.object([&] {
        json.member("all", open.all);
        json.member("closed", open.closed);
        json.key("columns");
        writeColumns(json, *sight.columns);
        json.member("deep", open.deep);
        json.member("fitted", sight.isFitted);
        json.member("height", sight.view.height());
        json.member("open", open.open);
        json.member("width", sight.view.width());
        json.key("x");
        json.figure(sight.camera.origin().x());
        json.key("y");
        json.figure(sight.camera.origin().y());
        json.key("zoom");
        json.figure(sight.camera.zoom());
    });
    std::string text = json.takeRaw();
    return text.size() > kMaxText ? std::string() : text;
}

std::optional<GraphSight> sightOfText(std::string_view text)
{
    JsonTape tape;
    return text.size() <= kMaxText && tape.parse(text, kMaxSightDepth) ? sightOfJson(tape.root()) : std::nullopt;
}

std::optional<GraphSight> sightOfJson(JsonValue json)
{
    auto open = namesOfJson(json.member("open"));
    auto deep = namesOfJson(json.member("deep"));
    auto closed = namesOfJson(json.member("closed"));
    auto columns = columnsOfJson(json.member("columns"));
    const auto x = numberIn(json.member("x"), -kFarthest, kFarthest);
    const auto y = numberIn(json.member("y"), -kFarthest, kFarthest);
    const auto zoom = numberIn(json.member("zoom"), Camera::kMinZoom, Camera::kMaxZoom);
    const auto width = numberIn(json.member("width"), 0, kLargestView);
    const auto height = numberIn(json.member("height"), 0, kLargestView);
    if (!open || !deep || !closed || !columns || !x || !y || !zoom || !width || !height)
        return std::nullopt;
    return GraphSight{.open = {.open = std::move(*open),
                               .deep = std::move(*deep),
                               .all = json.member("all").isTrue(),
                               .closed = std::move(*closed)},
                      .columns = std::move(columns),
                      .camera = Camera(QPointF(*x, *y), *zoom),
                      .view = QSize(static_cast<int>(*width), static_cast<int>(*height)),
                      .isFitted = json.member("fitted").isTrue()};
}

} // namespace sunder
