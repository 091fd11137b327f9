#pragma once

#include "document/document.h"

#include <QColor>
#include <QString>

#include <vector>

namespace sunder {

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
};

/// What there is to say about the selection: one node, several, or nothing.
std::vector<Property> inspect(const Document& document);

/// A value as people read it: "(x, [1, 2], dim=0)", cut after `limit` characters.
QString argumentText(const Argument& argument, const Graph& graph, int limit = 400);

} // namespace sunder
