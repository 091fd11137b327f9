#include "panels/picture_request.h"

#include "panels/part_program.h"

namespace sunder {

namespace {

constexpr int kRounds = 24; ///< levels that are opened at once

/// What is drawn: the graph where it is, or a part with its weights known as such.
struct Drawn {
    const Program& program;
    GraphId graph;
};

Result<std::shared_ptr<const Picture>> draw(const PictureRequest& request, const Drawn& drawn,
                                            const std::set<std::string>& open, const LayoutEngine& engine,
                                            ProgressMonitor& monitor)
{
    PictureOptions options;
    options.open = open;
    options.openAll = request.openAll;
    if (request.textWidth)
        options.textWidth = request.textWidth;
    options.previous = request.previous.get();
    Result<Picture> picture = buildPicture(drawn.program, drawn.graph, options, engine, monitor);
    if (!picture)
        return forward(picture);
    return std::make_shared<const Picture>(std::move(*picture));
}

/// Keys of closed items inside frames whose key is in `below`.
std::set<std::string> closedBelow(const Picture& picture, const std::set<std::string>& below)
{
    std::set<std::string> keys;
    std::vector<bool> inside(picture.items.size(), false);
    for (std::size_t i = 0; i < picture.items.size(); ++i) { // frames come before what they hold
        const Item& item = picture.items[i];
        inside[i] = below.count(item.key) > 0 || (item.parent && inside[item.parent.index()]);
        if (inside[i] && item.canOpen && item.kind != ItemKind::frame)
            keys.insert(item.key);
    }
    return keys;
}

std::set<std::string> framesOf(const Picture& picture)
{
    std::set<std::string> keys;
    for (const Item& item : picture.items)
        if (item.kind == ItemKind::frame && !item.key.empty())
            keys.insert(item.key);
    return keys;
}

/// The key of the closed item that hides what the request wants to see; empty when nothing does.
std::string hiding(const Picture& picture, const PictureRequest& request)
{
    if (!request.openTowards || request.openTowards.index() >= picture.itemOf.size())
        return {};
    const ItemId id = picture.itemOf[request.openTowards.index()];
    if (!id || !picture.items[id.index()].canOpen)
        return {};
    if (!request.openUntil.empty())
        for (const Item& item : picture.items)
            if (item.kind == ItemKind::frame && item.key == request.openUntil)
                return {};
    return picture.items[id.index()].key;
}

} // namespace

Result<PictureAnswer> answer(const PictureRequest& request, const LayoutEngine& engine, ProgressMonitor& monitor)
{
    const std::optional<Program> part = partProgram(*request.program, request.graph);
    const Drawn drawn = part ? Drawn{*part, part->root} : Drawn{*request.program, request.graph};
    std::set<std::string> open = request.open ? *request.open : initialOpenKeys(drawn.program, drawn.graph);
    Result<std::shared_ptr<const Picture>> picture = draw(request, drawn, open, engine, monitor);
    if (!picture)
        return forward(picture);
    if (request.openAll)
        return PictureAnswer{*picture, framesOf(**picture)};
    for (int round = 0; round < kRounds && !request.openBelow.empty(); ++round) {
        const std::set<std::string> more = closedBelow(**picture, request.openBelow);
        const std::size_t before = open.size();
        open.insert(more.begin(), more.end());
        if (open.size() == before)
            break;
        picture = draw(request, drawn, open, engine, monitor);
        if (!picture)
            return forward(picture);
    }
    for (int round = 0; round < kRounds; ++round) {
        const std::string key = hiding(**picture, request);
        if (key.empty() || !open.insert(key).second)
            break;
        picture = draw(request, drawn, open, engine, monitor);
        if (!picture)
            return forward(picture);
    }
    return PictureAnswer{*picture, open};
}

} // namespace sunder
