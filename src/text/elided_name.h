#pragma once

#include <QStringList>

class QFontMetricsF;
class QModelIndex;

namespace sunder {

// Single-line text is elided only by these functions (tests/layers/one_place.py). `room` is in the units of the metrics.

/// Elides a name to fit `room`. Drops text that the name shares with the names in `beside` ("…10.attention.query" next to
/// layers.10.attention.key) and keeps the text that distinguishes it: first the common prefix, then the common suffix. Without
/// such names, keeps the component after the last dot whole if it fits. Never splits a number of several digits. Keeps or drops
/// whole words of a name with spaces; of one without common words, keeps the first words.
QString elidedName(const QString& name, const QFontMetricsF& metrics, double room, const QStringList& beside = {});

/// Returns the texts of the rows above and below, in the same column and role.
QStringList namesBeside(const QModelIndex& index, int role = 0 /* Qt::DisplayRole */);

/// Elides words and figures to fit `room`: as many leading ones as fit, then an ellipsis. Never cuts a number. Cuts inside
/// brackets only if nothing else fits: "f32[1, 16] · 64 B" becomes "f32[1, 16]…", then "f32[1, …", then "…".
QString elidedWords(const QString& words, const QFontMetricsF& metrics, double room);

} // namespace sunder
