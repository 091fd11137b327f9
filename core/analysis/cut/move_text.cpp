#include "analysis/cut/move_preview.h"
#include "support/format.h"

namespace sunder {
namespace {

std::string change(std::uint64_t before, std::uint64_t after, const char* more, const char* less)
{
    return after > before ? more + formatBytes(after - before) : less + formatBytes(before - after);
}

} // namespace

std::string describe(const MovePreview& preview, const Graph& graph, const TagAssignment& tags)
{
    if (preview.moved.empty())
        return "nothing moves";
    std::string text = preview.cutBytesAfter == preview.cutBytesBefore
        ? "does not change the cut size"
        : change(preview.cutBytesBefore, preview.cutBytesAfter, "adds ", "removes ")
            + (preview.cutBytesAfter > preview.cutBytesBefore ? " to the cut" : " from the cut");
    for (const PartChange& part : preview.parts)
        if (part.before.usedBytes() != part.after.usedBytes())
            text += "; " + tags.order[static_cast<std::size_t>(part.part)].str()
                + change(part.before.usedBytes(), part.after.usedBytes(), " grows by ", " shrinks by ");
    if (!preview.broken.empty()) {
        text += "; " + describe(preview.broken.front(), graph, tags);
        if (preview.broken.size() > 1)
            text += ", and " + formatCount(preview.broken.size() - 1, "edge") + " more";
    }
    if (!preview.isLegal() && preview.isOrderable)
        text += "; legal with another order of the parts";
    return text;
}

} // namespace sunder
