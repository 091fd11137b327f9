#pragma once

#include <QString>

#include <array>

namespace sunder {

/// What can leave the program as a file or a folder.
enum class ExportKind : quint8 {
    parts,        ///< every part of a cut as a model of its own, and manifest.json
    graph,        ///< the split program as fx-json
    taggedModel,  ///< the source with the cut as tags, as .pt2
    python,       ///< code that applies the same split_by_tags
    dag,          ///< DAG.json: parts and how they depend on each other
    cost,         ///< COST.json: bytes a part, bytes from part to part, totals
    names,        ///< MAP.json: names before and after
    unflattened,  ///< the program with its hierarchy, as fx-json
    regions,      ///< REGIONS.json
    deduplicated, ///< the program in which repeated regions are calls, as fx-json
    tags,         ///< TAGS.json
    drawing,      ///< DOT or Model Explorer: a graph for other viewers
    picture,      ///< SVG, PNG or PDF of a graph
};
constexpr int kExportKinds = 13;

/// How a kind is called and what it is, for people.
struct ExportKindText {
    const char* icon;   ///< for themedIcon()
    QString title;      ///< "Parts that run"
    QString what;       ///< one plain sentence or two
    QString ending;     ///< behind the model's name in the proposed path: "-split.fxj"
    QString filter;     ///< of a file dialog; empty: a folder
};
const ExportKindText& textOf(ExportKind kind);

} // namespace sunder
