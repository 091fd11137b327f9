#pragma once

#include "layout/geometry.h"

namespace sunder::compose {

/// Makes a route that runs downwards begin or end at another x, with a vertical tangent. A straight line there gets a
/// bend close to its end, and so does a curve that would get wider; another curve leads to the new place.
void moveStart(BezierPath& path, float x);
void moveEnd(BezierPath& path, float x);

/// Appends a route that begins where `path` ends; a straight line closes what gap there is.
void append(BezierPath& path, const BezierPath& next, Point offset);

} // namespace sunder::compose
