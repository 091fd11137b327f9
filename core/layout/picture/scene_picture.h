#pragma once

#include "layout/picture/picture_index.h"

#include <memory>

namespace sunder {

/// A picture with all the lookup structures of a canvas. Immutable: a large graph is drawn in the background, and canvases share
/// the result.
struct ScenePicture {
    explicit ScenePicture(std::shared_ptr<const Picture> drawn) : picture(std::move(drawn)), index(*picture), tables(*picture) {}

    std::shared_ptr<const Picture> picture; ///< never null
    PictureIndex index;
    PictureTables tables;
};

using ScenePicturePtr = std::shared_ptr<const ScenePicture>;

/// Returns null for null. O(items + edges).
inline ScenePicturePtr scenePictureOf(std::shared_ptr<const Picture> picture)
{
    return picture == nullptr ? nullptr : std::make_shared<const ScenePicture>(std::move(picture));
}

} // namespace sunder
