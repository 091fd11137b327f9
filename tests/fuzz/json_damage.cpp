#include "json_damage.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

namespace sunder::fuzz {
namespace {

using Json = nlohmann::ordered_json;

// clang-format off
constexpr std::array<const char*, 30> kTargets{
    "torch.ops.higher_order.invoke_subgraph", "torch.ops.higher_order.cond", "torch.ops.higher_order.while_loop",
    "torch.ops.higher_order.map_impl", "torch.ops.higher_order.wrap_with_set_grad_enabled",
    "torch.ops.higher_order.wrap_with_autocast", "torch.ops.higher_order.auto_functionalized",
    "torch.ops.higher_order.auto_functionalized_v2", "torch.ops.higher_order.with_effects",
    "torch.ops.higher_order.scan", "torch.ops.aten.copy_.default", "torch.ops.aten.add_.Tensor",
    "torch.ops.aten.view.default", "torch.ops.aten.slice.Tensor", "torch.ops.aten.t_.default",
    "torch.ops.aten.sym_size.int", "torch.ops.aten.split.Tensor", "torch.ops.aten.add.out",
    "torch.ops.aten.to.dtype", "torch.ops.aten.embedding.default", "torch.ops.aten._assert_scalar.default",
    "torch._C._set_grad_enabled", "torch.amp.autocast_mode._enter_autocast", "torch.amp.autocast_mode._exit_autocast",
    "torch.set_default_dtype", "_operator.getitem", "_operator.is_", "builtins.getattr",
    "torch.utils._pytree.tree_flatten", "torch.utils._pytree.tree_unflatten"};
// clang-format on

constexpr std::array<double, 14> kNumbers{0,    -1,    1,   2,    7, 255, 65536, 2147483647, 4294967296.0, -2147483648.0,
                                          1e18, -1e18, 0.5, 1e300};

/// Values and names of a text, used as replacements elsewhere in it.
struct Pool {
    std::map<std::string, std::vector<Json>> byKey;
    std::vector<Json> values;
    std::vector<std::string> strings;

    void add(const Json& value, const std::string& key)
    {
        byKey[key].push_back(value);
        values.push_back(value);
        if (value.is_string())
            strings.push_back(value.get<std::string>());
        if (value.is_object())
            for (const auto& [name, item] : value.items())
                add(item, name);
        else if (value.is_array())
            for (const Json& item : value)
                add(item, key);
    }
};

struct Place {
    Json* value;
    std::string key; ///< of the containing object, possibly through lists
};

void placesIn(Json& value, const std::string& key, std::vector<Place>& places)
{
    places.push_back({&value, key});
    if (value.is_object())
        for (auto item = value.begin(); item != value.end(); ++item)
            placesIn(item.value(), item.key(), places);
    else if (value.is_array())
        for (Json& item : value)
            placesIn(item, key, places);
}

Json nested(Json value, Random& random)
{
    for (int depth = random.between(1, random.chance(10) ? 70 : 5); depth > 0; --depth)
        value = random.chance(50) ? Json::array({std::move(value)}) : Json{{"t", Json::array({std::move(value)})}};
    return value;
}

void damageItems(Json& value, Random& random)
{
    if (value.is_array() && !value.empty()) {
        const std::size_t at = random.below(value.size());
        switch (random.below(4)) {
        case 0: value.erase(at); break;
        case 1: value.push_back(Json(value[at])); break;
        case 2: std::swap(value[at], value[random.below(value.size())]); break;
        default:
            for (int more = random.between(1, 40); more > 0; --more)
                value.push_back(Json(value[at]));
        }
    } else if (value.is_object() && !value.empty()) {
        const auto at = std::next(value.begin(), static_cast<std::ptrdiff_t>(random.below(value.size())));
        if (random.chance(50))
            value.erase(at.key());
        else
            value["extra \x01 \"key\""] = Json(at.value());
    }
}

void damageValue(const Place& place, const Pool& pool, Random& random)
{
    Json& value = *place.value;
    switch (random.below(20)) {
    default: // values for the same key get further into the reader
        if (const auto same = pool.byKey.find(place.key); same != pool.byKey.end())
            value = Json(random.of(same->second));
        break;
    case 3: value = Json(random.of(pool.values)); break;
    case 4:
        if (!pool.strings.empty())
            value = random.of(pool.strings);
        break;
    case 5: value = random.of(kNumbers); break;
    case 6: value = static_cast<std::int64_t>(random.of(kNumbers)); break;
    case 7: damageItems(value, random); break;
    case 8:
        if (!pool.strings.empty())
            value = Json{{random.word({"n", "graph", "obj", "repr", "sym", "fn", "const", "i", "f"}), random.of(pool.strings)}};
        break;
    case 9:
    case 10:
    case 11:
        if (place.key == "target")
            value = random.of(kTargets);
        break;
    case 12: value = nested(Json(value), random); break;
    }
}

void damageInside(Json& document, const Pool& pool, Random& random)
{
    std::vector<Place> places;
    placesIn(document, {}, places);
    const bool isFrame = random.chance(5);
    std::erase_if(places, [isFrame](const Place& place) {
        return !isFrame && (place.value->is_object() || place.key == "k" || place.key == "v" || place.key == "min");
    });
    if (!places.empty())
        damageValue(random.of(places), pool, random);
}

std::string dumped(const Json& value)
{
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void damageOrder(std::vector<Json>& lines, Random& random)
{
    const std::size_t at = random.below(lines.size());
    const Json line = lines[at];
    if (!random.chance(30))
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
    if (!random.chance(30))
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size() + 1)), line);
}

/// Updates the count in the end line, so that readers get past it.
void countNodes(std::vector<Json>& lines)
{
    std::size_t nodes = 0;
    for (Json& line : lines) {
        const std::string kind = line.is_object() && line.contains("k") && line["k"].is_string() ? line["k"].get<std::string>()
                                                                                                 : "";
        nodes += kind == "node" ? 1 : 0;
        if (kind == "end")
            line["nodes"] = nodes;
    }
}

} // namespace

void damageDocument(std::string& text, Random& random)
{
    Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded())
        return;
    Pool pool;
    pool.add(document, {});
    for (int i = random.between(1, random.chance(30) ? 6 : 2); i > 0; --i)
        damageInside(document, pool, random);
    text = dumped(document);
}

void damageLines(std::string& text, Random& random)
{
    std::vector<Json> lines;
    Pool pool;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        Json line = Json::parse(std::string_view(text).substr(start, end - start), nullptr, false);
        start = end + 1;
        if (line.is_discarded())
            return;
        pool.add(line, {});
        lines.push_back(std::move(line));
    }
    for (int i = random.between(1, random.chance(30) ? 6 : 2); i > 0 && !lines.empty(); --i) {
        if (random.chance(10))
            damageOrder(lines, random);
        else
            damageInside(lines[random.below(lines.size())], pool, random);
    }
    if (random.chance(90))
        countNodes(lines);
    text.clear();
    for (const Json& line : lines)
        text += dumped(line) + '\n';
}

} // namespace sunder::fuzz
