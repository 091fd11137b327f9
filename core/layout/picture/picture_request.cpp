#include "layout/picture/picture_request.h"

#include "analysis/part_for_drawing.h"
#include "layout/picture/first_sight.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sunder {
namespace {

/// The graph to draw: the requested graph itself, or a part whose weights are marked as such.
struct Drawn {
    const Program& program;
    GraphId graph;
};

PictureOptions optionsOf(const PictureRequest& request, const OpenModules& open)
{
    PictureOptions options{.within = request.hints.within, .asides = request.hints.asides};
    options.open = open.open;
    options.openDeep = open.deep;
    options.openAll = open.all;
    options.closed = open.closed;
    if (request.textWidth)
        options.textWidth = request.textWidth;
    options.deadNodes = request.deadNodes;
    options.only = request.only;
    options.direction = request.direction;
    options.columns = request.columns;
    options.previous = request.previous.get();
    return options;
}

/// Adds the keys that must be open for the requested node to be visible, but none inside the module `openUntil`.
OpenModules opened(const PictureRequest& request, const Drawn& drawn, const OpenModules& open)
{
    std::set<std::string> keys = keysThatShow(drawn.program, drawn.graph, request.openTowards, optionsOf(request, open));
    const std::string inside = request.openUntil + ".";
    if (!request.openUntil.empty())
        std::erase_if(keys, [&](const std::string& key) { return key.starts_with(inside) && !open.open.contains(key); });
    OpenModules result = open;
    for (const std::string& key : keys)
        result.openOne(key);
    return result;
}

PictureAnswer answerOf(Picture picture, OpenModules open)
{
    return {scenePictureOf(std::make_shared<const Picture>(std::move(picture))), std::move(open)};
}

} // namespace

void OpenModules::openOne(const std::string& key)
{
    closed.erase(key);
    open.insert(key);
}

void OpenModules::openDeep(const std::string& key)
{
    std::erase_if(closed, [&](const std::string& inner) { return inner == key || inner.starts_with(key + "."); });
    deep.insert(key);
}

void OpenModules::close(const std::string& key)
{
    open.erase(key);
    deep.erase(key);
    closed.insert(key);
}

void OpenModules::closeAll()
{
    std::set<std::string> groups;
    for (const std::set<std::string>* keys : {&open, &deep, &closed})
        std::copy_if(keys->begin(), keys->end(), std::inserter(groups, groups.end()), isGroupKey);
    *this = {.closed = std::move(groups)};
}

Picture columnsOf(const Picture& picture)
{
    Picture columns;
    for (const ItemId start : picture.columnStarts) {
        const Item& item = picture.items[start.index()];
        columns.columnStarts.emplace_back(static_cast<std::uint32_t>(columns.items.size()));
        columns.items.push_back({.kind = item.kind, .key = item.key, .node = item.node});
    }
    return columns;
}

Result<PictureAnswer> answer(const PictureRequest& request, const LayoutEngine& anyEngine, ProgressMonitor& monitor)
{
    const std::unique_ptr<LayoutEngine> bounded = anyEngine.forPicture();
    const LayoutEngine& engine = bounded ? *bounded : anyEngine;
    const std::optional<Program> part = partForDrawing(*request.program, request.graph);
    const Drawn drawn = part ? Drawn{*part, part->root} : Drawn{*request.program, request.graph};
    OpenModules open = request.open.value_or(OpenModules());
    if (!request.open) {
        SUNDER_TRY(FirstSight first, firstSight(drawn.program, drawn.graph, optionsOf(request, {}), engine, monitor));
        if (!request.openTowards)
            return answerOf(std::move(first.picture), {.open = std::move(first.open), .closed = std::move(first.closed)});
        open.open = std::move(first.open);
        open.closed = std::move(first.closed);
    }
    if (request.openTowards)
        open = opened(request, drawn, open);
    SUNDER_TRY(Picture picture, buildPicture(drawn.program, drawn.graph, optionsOf(request, open), engine, monitor));
    return answerOf(std::move(picture), std::move(open));
}

Result<PictureBodies> bodiesOf(const PictureRequest& request, std::shared_ptr<const Picture> picture,
                               const LayoutEngine& anyEngine, ProgressMonitor& monitor)
{
    const std::unique_ptr<LayoutEngine> bounded = anyEngine.forPicture();
    const std::optional<Program> part = partForDrawing(*request.program, request.graph);
    return pictureBodies(part ? *part : *request.program, part ? part->root : request.graph, std::move(picture),
                         optionsOf(request, request.open.value_or(OpenModules())), bounded ? *bounded : anyEngine, monitor);
}

} // namespace sunder
