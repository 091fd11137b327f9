#pragma once

#include "document/document.h"

#include <QColor>
#include <QList>
#include <QString>

#include <vector>

namespace sunder {

class PartMemories;
class WeightReadings;

/// Action of a click on a line, apart from selecting nodes.
enum class LineAction : quint8 { none, readWeight, saveWeight, countCosts };

/// A line of the inspector; some can be expanded.
struct Property {
    QString key;
    QString value;
    bool mono = true;        ///< names, shapes, code
    NodeRef link = {};       ///< linked node; invalid: none
    int linkRun = 0;         ///< run whose program contains it; 0: the source
    int tag = -1;            ///< tag of the line; −1: none
    QColor tagColor = {};    ///< current color of that tag
    std::vector<Property> children = {};
    TensorId weight = {};           ///< weight of the line; invalid: none
    LineAction action = LineAction::none; ///< on that weight, if it concerns one
    QList<double> bars = {};        ///< drawn instead of the value: heights from 0 to 1
    QString tip = {};               ///< empty: the value
};

/// Returns the properties of the selection: one node, several, or none. Weights have the statistics available in `readings`;
/// null: no lines for weights. Tags unfold to the memory of their part in `memories`; null: they do not.
std::vector<Property> inspect(const Document& document, const WeightReadings* readings = nullptr,
                              const PartMemories* memories = nullptr);

/// Formats an argument for people, e.g. "(x, [1, 2], dim=0)", truncated after `limit` characters.
QString argumentText(const Argument& argument, const Graph& graph, int limit = 400);

} // namespace sunder
