#pragma once

#include "canvas/picture_style.h"
#include "models/tag_share.h"

#include <QPainter>

namespace sunder {

/// Paints a distribution over tags as bars in their colors, side by side. The untagged part is an empty frame.
void paintTagStrip(QPainter& painter, const QRectF& rect, const TagShares& shares, const std::vector<TagLook>& looks,
                   const Theme& theme);

} // namespace sunder
