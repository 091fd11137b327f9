#pragma once

#include "layout/geometry.h"

namespace sunder::compose {

/// Moves the start or end of a downward route to another x, with a vertical tangent. A straight line gets a bend close to the
/// moved end, and so does a curve that would become wider. Other curves lead directly to the new position.
void moveStart(BezierPath& path, float x);
void moveEnd(BezierPath& path, float x);

/// Appends a route that begins where `path` ends; a straight line fills any gap.
void append(BezierPath& path, const BezierPath& next, Point offset);

} // namespace sunder::compose
