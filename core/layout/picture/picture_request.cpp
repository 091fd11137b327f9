#include "layout/picture/picture_request.h"

#include "analysis/part_program.h"
#include "layout/picture/first_sight.h"

#include <utility>

namespace sunder {
namespace {

/// What is drawn: the graph where it is, or a part with its weights known as such.
struct Drawn {
    const Program& program;
    GraphId graph;
};

PictureOptions optionsOf(const PictureRequest& request, std::set<std::string> open)
{
    PictureOptions options{.within = request.hints.within, .asides = request.hints.asides};
    options.open = std::move(open);
    options.openDeep = request.openBelow;
    options.openAll = request.openAll;
    if (request.textWidth)
        options.textWidth = request.textWidth;
    options.columns = request.columns;
    options.previous = request.previous.get();
    return options;
}

/// Keys of all that is open in a picture.
std::set<std::string> framesOf(const Picture& picture)
{
    std::set<std::string> keys;
    for (const Item& item : picture.items)
        if (item.kind == ItemKind::frame && !item.key.empty())
            keys.insert(item.key);
    return keys;
}

/// What must be open besides for the request's node to be seen; not further in than the module that is wanted.
std::set<std::string> opened(const PictureRequest& request, const Drawn& drawn, const std::set<std::string>& open)
{
    std::set<std::string> keys = keysThatShow(drawn.program, drawn.graph, request.openTowards, optionsOf(request, open));
    const std::string inside = request.openUntil + ".";
    if (!request.openUntil.empty())
        std::erase_if(keys, [&](const std::string& key) { return key.starts_with(inside) && open.count(key) == 0; });
    return keys;
}

PictureAnswer answerOf(Picture picture, std::set<std::string> open)
{
    return {scenePictureOf(std::make_shared<const Picture>(std::move(picture))), std::move(open)};
}

} // namespace

Result<PictureAnswer> answer(const PictureRequest& request, const LayoutEngine& anyEngine, ProgressMonitor& monitor)
{
    const std::unique_ptr<LayoutEngine> bounded = anyEngine.forPicture();
    const LayoutEngine& engine = bounded ? *bounded : anyEngine;
    const std::optional<Program> part = partProgram(*request.program, request.graph);
    const Drawn drawn = part ? Drawn{*part, part->root} : Drawn{*request.program, request.graph};
    std::set<std::string> open = request.open.value_or(std::set<std::string>());
    if (!request.open && !request.openAll) {
        Result<FirstSight> first = firstSight(drawn.program, drawn.graph, optionsOf(request, {}), engine, monitor);
        if (!first)
            return forward(first);
        if (!request.openTowards)
            return answerOf(std::move(first->picture), std::move(first->open));
        open = std::move(first->open);
    }
    if (request.openTowards)
        open = opened(request, drawn, open);
    Result<Picture> picture = buildPicture(drawn.program, drawn.graph, optionsOf(request, open), engine, monitor);
    if (!picture)
        return forward(picture);
    if (request.openAll || !request.openBelow.empty())
        open = framesOf(*picture);
    return answerOf(std::move(*picture), std::move(open));
}

} // namespace sunder
