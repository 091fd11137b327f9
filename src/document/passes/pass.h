#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "document/passes/pass_options.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QKeySequence>

#include <functional>
#include <vector>

namespace sunder {

class Document;
struct CliCommand;

/// What a job does to make a run: all it needs by value.
using PassWork = std::function<Result<RunResult>(const SnapshotPtr& source, ProgressMonitor& monitor)>;

/// How a pass comes by its options.
enum class PassAsking : quint8 {
    menu, ///< its flags are in the menu, for all runs from now on; a run starts at once
    none, ///< a run starts at once, with everything as usual
    form, ///< a form comes up first
};

/// A pass that can be run on the open model. A plain value: action, place in menu and tool bar, forms, job, history and
/// panes follow from the table passes().
struct Pass {
    QString id;   ///< "split": what actions, settings and runs know it by
    QString name; ///< "Split by tags": in the history

    QString text; ///< of its action, with the mnemonic
    QString icon = {};
    QList<QKeySequence> keys = {};
    QString tip = {};
    QString button = {}; ///< on the tool bar; empty: it has none there
    bool isMain = false; ///< its button stands out

    PassAsking asking = PassAsking::none;
    std::vector<PassOption> options = {};

    QString job;      ///< jobs of one key replace each other
    QString jobTitle; ///< "Split by tags and verify"
    bool takesTags = false; ///< it cuts by the tags, so that ops without one stand in its way
    /// Why it cannot be run as the model is now, a sentence; null: it always can.
    QString (*refusal)(const Document& document) = nullptr;
    /// What a run with these options does; refused with what is missing. Null: only its own form can say.
    Result<PassWork> (*work)(const Document& document, const PassOptions& options) = nullptr;
    /// Of a pass that is made of tags: the same with these, asking nothing. Null: it is made of something else.
    PassWork (*workOn)(const TagAssignment& tags, const PassOptions& options) = nullptr;
    /// What the document takes over from a result that has come, with a sentence for it; null: nothing.
    QString (*takeOver)(Document& document, const RunResult& result) = nullptr;
    /// Writes a run of it as a command of sunder-cli.
    void (*command)(const Outcome& result, const Program& source, CliCommand& command) = nullptr;
    QString refused; ///< "The model was not unflattened": title of why; empty: the problems say it
};

/// All passes, in the order of the menu.
const std::vector<Pass>& passes();

/// The one of this id; null when there is none.
const Pass* findPass(const QString& id);

} // namespace sunder
