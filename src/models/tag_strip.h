#pragma once

#include "canvas/picture_style.h"
#include "models/tag_share.h"

#include <QPainter>

namespace sunder {

/// Paints how tags divide something: bars of their colours side by side; what is untagged stays an empty frame.
void paintTagStrip(QPainter& painter, const QRectF& rect, const TagShares& shares, const std::vector<TagLook>& looks,
                   const Theme& theme);

} // namespace sunder
