#pragma once

#include "document/document.h"

#include <QColor>
#include <QList>
#include <QString>

#include <vector>

namespace sunder {

class WeightReadings;

/// What a click on a line does besides selecting nodes.
enum class LineAction : quint8 { none, readWeight, saveWeight };

/// One line of the inspector; some open to more.
struct Property {
    QString key;
    QString value;
    bool mono = true;        ///< names, shapes, code
    NodeRef link = {};       ///< node that it leads to; invalid: none
    int linkRun = 0;         ///< in the program of that run; 0: in the source
    int tag = -1;            ///< tag that it is about; −1: none
    QColor tagColor = {};    ///< of that tag, as it looks now
    std::vector<Property> children = {};
    TensorId weight = {};           ///< that it is about; invalid: none
    LineAction action = LineAction::none; ///< on that weight
    QList<double> bars = {};        ///< in place of the value: heights from 0 to 1
    QString tip = {};               ///< empty: the value
};

/// What there is to say about the selection: one node, several, or nothing.
/// Weights have statistics as far as `readings` has them; null: no lines about weights.
std::vector<Property> inspect(const Document& document, const WeightReadings* readings = nullptr);

/// A value as people read it: "(x, [1, 2], dim=0)", cut after `limit` characters.
QString argumentText(const Argument& argument, const Graph& graph, int limit = 400);

} // namespace sunder
