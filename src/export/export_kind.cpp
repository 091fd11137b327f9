#include "export/export_kind.h"

#include <QObject>

namespace sunder {

const ExportKindText& textOf(ExportKind kind)
{
    static const std::array<ExportKindText, kExportKinds> kTexts = {{
        {"parts", QObject::tr("Parts that run"),
         QObject::tr("Every part as a model of its own that PyTorch loads, weights included, and a manifest.json with "
                     "inputs, outputs and the order of calls."),
         QStringLiteral("-parts"), {}},
        {"graph", QObject::tr("Split graph"),
         QObject::tr("The main graph and all parts in one fx-json file. It opens here again."),
         QStringLiteral("-split.fxj"), QObject::tr("fx-json (*.fxj *.fxj.gz)")},
        {"tags", QObject::tr("Model with tags"),
         QObject::tr("The model as .pt2 with the part of each op in its metadata: torch.export.load gives it back, tags in "
                     "node.meta[\"custom\"]."),
         QStringLiteral("-tagged.pt2"), QObject::tr("Exported programs (*.pt2)")},
        {"file", QObject::tr("Python script"),
         QObject::tr("The graph and its tags as Python that needs no Sunder: split(graph_module) applies the same "
                     "split_by_tags in PyTorch."),
         QStringLiteral("-split.py"), QObject::tr("Python (*.py)")},
        {"split", QObject::tr("Order of parts"),
         QObject::tr("What each part takes and gives, its devices and its bytes, in order of execution, as DAG JSON."),
         QStringLiteral(".dag.json"), QObject::tr("DAG (*.json)")},
        {"stages", QObject::tr("Cost of the cut"),
         QObject::tr("Bytes of weights and values in each part, bytes and values from part to part, and totals with the "
                     "gap to the lower bound, as JSON."),
         QStringLiteral(".cost.json"), QObject::tr("Cost (*.json)")},
        {"file", QObject::tr("Names"),
         QObject::tr("Each module and parameter that the model reads by name, and what it is called in the parts, as JSON."),
         QStringLiteral(".names.json"), QObject::tr("Names (*.json)")},
        {"graph", QObject::tr("Unflattened program"),
         QObject::tr("The model with its modules, each with a graph of its own, in one fx-json file. It opens here again."),
         QStringLiteral("-unflattened.fxj"), QObject::tr("fx-json (*.fxj *.fxj.gz)")},
        {"parts", QObject::tr("Repeated regions"),
         QObject::tr("The regions that repeat each other by the names of their ops, and those that were left out with the "
                     "reason, as JSON."),
         QStringLiteral(".regions.json"), QObject::tr("Regions (*.json)")},
        {"graph", QObject::tr("Deduplicated program"),
         QObject::tr("The model with one graph for each repeated region, called where it stood, in one fx-json file."),
         QStringLiteral("-deduplicated.fxj"), QObject::tr("fx-json (*.fxj *.fxj.gz)")},
        {"tags", QObject::tr("Tags"),
         QObject::tr("Which op has which tag, in order, as JSON: for sunder-cli and for scripts."),
         QStringLiteral(".tags.json"), QObject::tr("Tags (*.json)")},
        {"file", QObject::tr("Graph for other viewers"),
         QObject::tr("Ops, edges, modules and tags as DOT for Graphviz, or as JSON for Model Explorer."),
         QStringLiteral(".dot"), QObject::tr("Graphs (*.dot *.json)")},
        {"picture", QObject::tr("Picture"),
         QObject::tr("A graph as it is drawn now, with its colours."),
         QStringLiteral(".svg"), QObject::tr("Pictures (*.svg *.png *.pdf)")},
    }};
    return kTexts[static_cast<std::size_t>(kind)];
}

} // namespace sunder
