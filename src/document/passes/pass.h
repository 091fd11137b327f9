#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "document/runs/outcome.h"
#include "passes/pass_options.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QKeySequence>
#include <QString>

#include <functional>
#include <vector>

namespace sunder {

/// A value of an option with choices.
struct PassChoice {
    QString id;         ///< the value in PassOptions
    QString title;      ///< with mnemonic
    QString brief = {}; ///< used in the name of a run with this value
    QString tip = {};
    QString word = {}; ///< in sunder-cli
};

/// An option of a pass, for display. A plain value: dialogs, menus, history, and panes are derived from it.
struct PassOption {
    using Kind = OptionKind;

    QString id; ///< the key in PassOptions
    Kind kind = Kind::flag;
    QString title;                        ///< with mnemonic
    QString tip = {};                     ///< a sentence
    QString brief = {};                   ///< of a flag: used in the name of a run with this flag
    std::vector<PassChoice> choices = {}; ///< of a choice; the first is the default
    QString belongsTo = {};               ///< "from=file": the choice that enables this option; empty if always enabled
    QString filter = {};                  ///< file dialog filter of a file
    int most = 1;                         ///< maximum of a number
    QString word = {};                    ///< in sunder-cli: "keep-signature"; empty if there is no such option
};

/// Returns declared options with texts in the language of the user.
[[nodiscard]] std::vector<PassOption> shownOptions(const std::vector<OptionSpec>& specs);

/// Returns the effective value of a declared option.
[[nodiscard]] OptionValue plainValue(const OptionSpec& spec, const PassOptions& options);

/// Converts the options of a run to those of the pass: optionsIn<SplitOptions>(run.options).
template <typename Options>
[[nodiscard]] Options optionsIn(const PassOptions& plain)
{
    return optionsFrom<Options>([&plain](const OptionSpec& spec) { return plainValue(spec, plain); });
}

/// Returns the effective value: the given one, or the default (false, the first choice, no file or text, 1, all tags).
[[nodiscard]] QVariant valueOf(const PassOption& option, const PassOptions& options);

/// Returns whether the other options enable this one.
[[nodiscard]] bool isInUse(const PassOption& option, const std::vector<PassOption>& all, const PassOptions& options);

/// Returns the parts of a run's name that describe its options: "signature kept", "results as tuples".
[[nodiscard]] QStringList briefsOf(const std::vector<PassOption>& all, const PassOptions& options);

/// Returns all enabled options with their values, one per line: "Keep the signature of the model: no".
[[nodiscard]] QStringList linesOf(const std::vector<PassOption>& all, const PassOptions& options);

/// Returns the enabled options whose value differs from the default, as linesOf() does.
[[nodiscard]] QStringList changedLinesOf(const std::vector<PassOption>& all, const PassOptions& options);

class Document;
struct CliCommand;

/// The work of the job that makes a run; owns all its inputs.
using PassWork = std::function<Result<RunResult>(const SnapshotPtr& source, ProgressMonitor& monitor)>;

/// How the options of a pass are chosen.
enum class PassAsking : quint8 {
    menu, ///< flags in the menu that apply to all later runs; a run starts at once
    none, ///< a run starts at once with default options
    form, ///< a form is shown first
};

/// A pass that can run on the open model. A plain value: actions, menus, tool bar, forms, jobs, history, and panes are derived
/// from the table passes().
struct Pass {
    QString id;   ///< "split": id in actions, settings, and runs
    QString name; ///< "Split by tags": name in the history

    QString text; ///< text of its action, with mnemonic
    QString icon = {};
    QList<QKeySequence> keys = {};
    QString tip = {};
    QString button = {}; ///< text of its tool bar button; empty if it has none
    bool isMain = false; ///< highlights its button

    PassAsking asking = PassAsking::none;
    std::vector<PassOption> options = {};

    QString job;      ///< a new job cancels the running job with the same key
    QString jobTitle; ///< "Split by tags and verify"
    bool takesTags = false; ///< cuts by tags, so that untagged ops are problems
    /// Returns why the pass cannot run on the current model, as a sentence; empty if it can. Null if it always can.
    QString (*refusal)(const Document& document) = nullptr;
    /// Returns the work of a run with these options, or why it cannot run. Null if only the pass's own form can provide it.
    Result<PassWork> (*work)(const Document& document, const PassOptions& options) = nullptr;
    /// Returns the work of a run with these tags, without user interaction. Null if the pass does not use tags.
    PassWork (*workOn)(const TagAssignment& tags, const PassOptions& options) = nullptr;
    /// Applies a result to the document and returns a sentence that describes the change. Null if there is nothing to apply.
    QString (*takeOver)(Document& document, const RunResult& result) = nullptr;
    /// Adds the sunder-cli words that reproduce a run.
    void (*command)(const Outcome& result, const Program& source, CliCommand& command) = nullptr;
    QString refused; ///< "The model was not unflattened": title of the refusal message; empty if the problems explain it
};

/// Returns all passes, in menu order.
const std::vector<Pass>& passes();

/// Returns the pass with this id, or null.
const Pass* findPass(const QString& id);

} // namespace sunder
