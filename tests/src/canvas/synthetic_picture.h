#pragma once

#include "canvas/picture_style.h"
#include "layout/picture/picture_index.h"
#include "sketched_picture.h"

namespace sunder::test {

inline ScenePicture sceneOf(Picture picture)
{
    return ScenePicture(std::make_shared<const Picture>(std::move(picture)));
}

/// Three tags on layerPicture(), with one backward edge, one untagged node, and one mixed run.
inline PictureStyle layerStyle(const Theme& theme)
{
    PictureStyle style;
    style.theme = &theme;
    style.tags = tagLooks(theme, {intern("stage 0"), intern("stage 1"), intern("stage 2")});
    // embed; front run (8); norm q k v scores softmax context out; back run (6); head (2)
    style.tagOf = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, -1};
    style.marked = NodeSet(std::array{NodeId(24U)});
    style.selected = NodeSet(std::array{NodeId(12U)});
    style.backward.push_back({NodeId(12U), NodeId(15U), "S2 → S1 runs backward", "128 MB · fix ▾"});
    return style;
}

/// `tags` tags for a ladderPicture() by position.
inline PictureStyle ladderStyle(const Picture& picture, std::uint32_t tags, const Theme& theme)
{
    PictureStyle style;
    style.theme = &theme;
    std::vector<InternedString> order;
    for (std::uint32_t i = 0; i < tags; ++i)
        order.push_back(intern("stage " + std::to_string(i)));
    style.tags = tagLooks(theme, order);
    const std::size_t nodes = picture.itemOf.size();
    for (std::size_t i = 0; i < nodes; ++i)
        style.tagOf.push_back(static_cast<std::int32_t>(i * tags / nodes));
    return style;
}

} // namespace sunder::test
