#pragma once

#include <QFlags>

namespace sunder {

/// Parts of the document that Document::changed() reports.
enum class Change : quint16 {
    program = 1,   ///< another model or none; with `opened`, another document, otherwise a reloaded file
    tags = 2,      ///< tags of nodes
    tagList = 4,   ///< names, order, and colors of tags; comes with `tags`
    activeTag = 8,
    selection = 16,
    outcome = 32,  ///< another result is shown, or the shown split became outdated
    file = 64,     ///< path or unsaved changes
    check = 128,   ///< report, totals, and problems; in a large model some time after `tags`
    runs = 256,    ///< run history, or the selection of shown runs
    devices = 512,
    basis = 4096,  ///< tag rules, or the report of a tag transfer; often with `tags`
    sizes = 2048,     ///< assumed sizes: another snapshot of the same model, and other results of its runs
    operators = 1024, ///< schemas of custom operators: another snapshot of the same model
    notes = 16384,
    costs = 32768,    ///< counted costs, their failure, or the figure in lists
    opened = 8192,    ///< another document or none; comes with `program`
};
Q_DECLARE_FLAGS(Changes, Change)
Q_DECLARE_OPERATORS_FOR_FLAGS(Changes)

} // namespace sunder
