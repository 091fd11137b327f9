#pragma once

#include <QStringList>

class QFontMetricsF;
class QModelIndex;

namespace sunder {

// The only way in which texts of one line are shortened (tests/layers/one_place.py). Room is in the units of the metrics.

/// A name in the room there is. It gives way where it agrees with the names that stand beside it ("…10.attention.query" beside
/// layers.10.attention.key), never where they differ: first what all begin with, then what all end with. Without such names its last
/// step, behind the last dot, stays whole as long as it fits. Numbers of which a name holds several digits stay together.
QString elidedName(const QString& name, const QFontMetricsF& metrics, double room, const QStringList& beside = {});

/// What stands in the rows above and below, in the same column and role: the names to tell this one from.
QStringList namesBeside(const QModelIndex& index, int role = 0 /* Qt::DisplayRole */);

/// Words and figures in the room there is: the first ones that fit whole, and an ellipsis. No number is cut, and what stands in
/// brackets only where nothing else fits: "f32[1, 16] · 64 B" becomes "f32[1, 16]…", "f32[1, …", and then "…".
QString elidedWords(const QString& words, const QFontMetricsF& metrics, double room);

} // namespace sunder
