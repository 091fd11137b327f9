#pragma once

#include "document/prepared_model.h"
#include "document/runs/regions_outcome.h"
#include "document/runs/run_history.h"
#include "document/runs/split_outcome.h"
#include "document/runs/unflatten_outcome.h"
#include "document/selection.h"
#include "document/tag_edits.h"
#include "document/tag_watch.h"
#include "jobs/jobs.h"

#include "analysis/device.h"
#include "analysis/stages.h"
#include "io/side_files/project_file.h"

#include <QFlags>
#include <QObject>
#include <QPointF>
#include <QUndoStack>

namespace sunder {

/// What a changed() of the Document is about.
enum class Change : quint16 {
    program = 1,   ///< another model, or none; with `opened` it is another document, else its file was read again
    tags = 2,      ///< who has which tag
    tagList = 4,   ///< names, order, colours of tags; comes with `tags`
    activeTag = 8,
    selection = 16,
    outcome = 32,  ///< another result is shown, or the shown split became outdated
    file = 64,     ///< path or unsaved changes
    check = 128,   ///< report, totals and problems; in a large model some time after `tags`
    runs = 256,    ///< the history of runs, or which of them is shown
    devices = 512,
    basis = 4096,  ///< the rules, or what is said of tags that were taken over; often with `tags`
    sizes = 2048,     ///< what symbols of sizes are taken to be: another snapshot of the same model, and other runs of it
    operators = 1024, ///< the schemas of custom operators: another snapshot of the same model
    notes = 16384,
    opened = 8192,    ///< another document, or none: nothing of the last one is left; comes with `program`
};
Q_DECLARE_FLAGS(Changes, Change)
Q_DECLARE_OPERATORS_FOR_FLAGS(Changes)

/// Which of the legal tags an untagged op takes.
enum class FillIn : quint8 { earliest, latest };

/// The open model with its tags, undo history, selection, devices and the runs made of it. Views read it and call its verbs; they
/// never change a graph nor make undo commands themselves.
class Document final : public QObject {
    Q_OBJECT

public:
    /// With `jobs`, what takes long in a large model is done by a job; without, at once.
    explicit Document(Jobs* jobs = nullptr, QObject* parent = nullptr);

    // Reading ---------------------------------------------------------------------------------

    [[nodiscard]] bool isOpen() const { return m_snapshot != nullptr; }
    [[nodiscard]] const SnapshotPtr& snapshot() const { return m_snapshot; }
    /// Whether this is the model that is open, though perhaps with other schemas of custom operators.
    [[nodiscard]] bool isOf(const SnapshotPtr& snapshot) const
    {
        return m_snapshot && snapshot && m_snapshot->model == snapshot->model;
    }
    [[nodiscard]] const Graph& graph() const { return m_snapshot->graph(); }
    [[nodiscard]] QString filePath() const { return m_filePath; }
    /// Name of the program in a file that holds several; empty where there is one.
    [[nodiscard]] const QString& programName() const { return m_programName; }
    /// That, else the file name without folder and suffix: "decoder32".
    [[nodiscard]] QString displayName() const;
    /// Where the tags were read from or saved to last, a project or a tags file; empty: nowhere yet.
    [[nodiscard]] QString tagsPath() const { return m_tagsPath; }
    /// That is a project.
    [[nodiscard]] bool hasProject() const;
    /// Anything that a project would keep has changed since the model was opened or saved: tags, devices, runs, sizes, bookmarks, notes.
    [[nodiscard]] bool isModified() const { return isOpen() && (!m_undoStack.isClean() || m_isTouched); }

    [[nodiscard]] const TagAssignment& tags() const { return m_state.tags; }
    [[nodiscard]] const TagState& tagState() const { return m_state; }
    [[nodiscard]] int tagCount() const { return static_cast<int>(m_state.tags.order.size()); }
    [[nodiscard]] QString tagName(int tag) const;
    [[nodiscard]] const std::vector<TagTraits>& tagTraits() const { return m_state.traits; }
    [[nodiscard]] int activeTag() const { return m_state.active; }
    /// How tags are made of this model.
    [[nodiscard]] BackwardTags backwardTags() const;
    /// Rules, and what came of taking tags over.
    [[nodiscard]] const TagBasis& basis() const { return m_basis; }

    /// Of the last check; isChecking() while a newer one is under way.
    [[nodiscard]] const TagReport& report() const { return m_tagWatch.last().report; }
    [[nodiscard]] const TagTotals& totals() const { return m_tagWatch.last().totals; }
    [[nodiscard]] const Problems& problems() const { return m_tagWatch.last().problems; }
    /// How long the last check of the tags took.
    [[nodiscard]] double checkMilliseconds() const { return m_tagWatch.last().milliseconds; }
    /// The tags have changed since the last check and a job looks at them.
    [[nodiscard]] bool isChecking() const { return m_tagWatch.isLooking(); }

    /// Whether ops without a tag are shown as what is missing: since a split was asked for, or two thirds are tagged.
    /// Before that they are only without colour.
    [[nodiscard]] bool isUntaggedShown() const;

    [[nodiscard]] const Selection& selection() const { return m_selection; }
    /// All runs that are kept, oldest first.
    [[nodiscard]] const std::vector<Run>& runs() const { return m_history.runs(); }
    /// Null when there is none of that number. A preview has one below 0.
    [[nodiscard]] const Run* run(int number) const { return m_history.find(number); }
    /// The result of that kind (`SplitOutcomePtr`) that is shown; null when there is none.
    template <typename T>
    [[nodiscard]] T shown() const
    {
        const Run* run = this->run(shownRun(T::element_type::kKind));
        return run == nullptr ? nullptr : as<T>(run->result);
    }
    /// What is shown, of all kinds.
    [[nodiscard]] std::vector<const Run*> shownRuns() const { return m_history.allShown(); }
    /// Number of the run of that kind whose result is beside the source; 0: none.
    [[nodiscard]] int shownRun(ResultKind kind) const { return m_history.shown(kind); }
    [[nodiscard]] bool isShown(const Run& run) const { return m_history.isShown(run); }
    /// The cut that is shown; null when there is none.
    [[nodiscard]] SplitOutcomePtr shownSplit() const { return shown<SplitOutcomePtr>(); }
    /// False when tags, or devices for a cut over devices, have changed since it was made.
    [[nodiscard]] bool isSplitCurrent() const { return m_splitCurrent; }
    /// That, or the preview of it on other devices, where there is one.
    [[nodiscard]] SplitOutcomePtr splitInSight() const;
    /// What lies on the devices: the partition in sight, if it is one over them, else the tags. Null: no parts, or no devices.
    [[nodiscard]] const DeviceFit* deviceFit() const;
    /// The same of any run that is shown; those of other kinds depend on nothing that changes.
    [[nodiscard]] bool isCurrent(const Run& run) const
    {
        return run.kind() != SplitOutcome::kKind || (m_splitCurrent && !isForOtherSizes(run.result));
    }
    /// A partitioner cut it at other sizes than those that are assumed now, and would cut otherwise now.
    [[nodiscard]] static bool isForOtherSizes(const RunResult& result)
    {
        const SplitOutcomePtr cut = as<SplitOutcomePtr>(result);
        return cut && cut->plan && cut->plan->isForOtherSizes;
    }
    /// What is selected in the program of a run: what the person picked there, else what stands for the selected nodes
    /// of the source. Empty for a run without a program. O(selected × log pairs), or O(pairs) for many nodes.
    [[nodiscard]] std::vector<NodeRef> selectedIn(int run) const;
    /// What stands there for these nodes of the source.
    [[nodiscard]] std::vector<NodeRef> counterpartsIn(int run, const std::vector<NodeId>& source) const;
    /// Of those the copies, without what only carries their values over a boundary.
    [[nodiscard]] std::vector<NodeRef> copiesIn(int run, const std::vector<NodeId>& source) const;
    /// The nodes of the source's root graph that these nodes of a run's program stand for, ascending.
    [[nodiscard]] std::vector<NodeId> sourcesOf(int run, const std::vector<NodeRef>& nodes) const;
    /// Nodes of the source under the mouse, in whatever pane that is.
    [[nodiscard]] const std::vector<NodeId>& hovered() const { return m_hovered; }
    /// Hits of the search that is going on, nodes of the source; empty when there is none.
    [[nodiscard]] const std::vector<NodeId>& found() const { return m_found; }

    /// What the model is cut for: of its project, and none where it has no project.
    [[nodiscard]] const std::vector<Device>& devices() const { return m_devices; }
    /// Of the last model with devices that was open, in this session or an earlier one. Empty: there was none.
    [[nodiscard]] const std::vector<Device>& lastDevices() const { return m_lastDevices; }

    /// Notes on ops of the source, one a node at most; also of nodes that a reload took away.
    [[nodiscard]] const std::vector<ProjectNote>& notes() const { return m_notes; }
    /// The text of the note on this node; empty: there is none.
    [[nodiscard]] QString noteOn(NodeId node) const;

    [[nodiscard]] QUndoStack& undoStack() { return m_undoStack; }

    // Verbs -----------------------------------------------------------------------------------

    /// Takes another model.
    void open(PreparedModel model, const QString& path);
    /// Takes the same file, read again: another model of the same document, with the tags that fit it. Undoable. The runs of the model
    /// before go with it, and come back with it.
    void takeReloaded(PreparedModel model, const QString& undoText);
    void close();
    /// Takes the same model with other schemas of custom operators, made by withOperators(). Tags, runs and undo stay.
    void setOperators(SnapshotPtr same);
    /// Takes the same model with other assumed sizes, and by their numbers the results of runs with them. Tags and undo stay.
    void setSizes(SnapshotPtr same, std::vector<std::pair<int, RunResult>> results);

    /// Gives the call nodes among `nodes` a tag; calls with one `stroke` > 0 are one undo step. Returns how many
    /// changed.
    /// What locked and protected tags keep is said().
    int paint(std::span<const NodeId> nodes, int tag, int stroke = 0);
    int erase(std::span<const NodeId> nodes, int stroke = 0);
    /// The same of a list, as a step that says which: "Paint hits of op:linear with stage1: 41 ops". A tag of −1 erases.
    int paintList(std::span<const NodeId> nodes, int tag, const QString& what);
    /// Adds a tag and paints the list with it, as one step.
    void paintWithNewTag(std::span<const NodeId> nodes, const QString& what);
    void setActiveTag(int tag);
    /// Adds a tag behind the others and makes it active; without a name "stage0", "stage1", …
    void addTag(const QString& name = {});
    /// Refuses an empty name, one with a dot or a line break and one that another tag has; returns why, empty when done.
    QString renameTag(int tag, const QString& name);
    /// An invalid colour goes back to the theme's.
    void recolorTag(int tag, const QColor& color);
    /// Gives it a colour of the palette; a tag that has it takes the one that this tag had.
    void setTagHue(int tag, std::uint32_t hue);
    void moveTag(int from, int to);
    /// `order` holds old indices.
    void reorderTags(const std::vector<int>& order, const QString& undoText);
    /// Its nodes become untagged. Of a locked one nothing is done but said(), as by the next.
    void removeTag(int tag);
    /// The nodes of `from` go over to `into`, and `from` is gone.
    void mergeTags(int from, int into);
    /// An order in which nothing runs backwards, or said() why there is none.
    void orderTagsTopologically();
    /// Refuses a code that is none, and one that another tag has; returns why, empty when done. Empty: the code that the name gives.
    QString setTagCode(int tag, const QString& code);
    /// A locked tag neither takes nor gives ops, whoever paints, fills or repairs. Undoable.
    void setTagLocked(int tag, bool isLocked);
    /// Hidden tags are drawn faint. Undo leaves that as it is.
    void setTagHidden(int tag, bool isHidden);
    /// This tag alone is shown; where it is so already, all are.
    void soloTag(int tag);
    void showAllTags();
    /// Strokes, fills and lists leave ops that have a tag as they are; the eraser does not.
    void setProtecting(bool isProtecting);
    /// Of a joint forward and backward program: whether every backward op has the tag of its forward op. Undoable.
    void setBackwardFollows(bool follows);
    /// Selects all ops that have the tag; −1: that have none.
    void selectTag(int tag);
    /// All tags at once; `path`: the file that they come from, empty for none. Undoable. Refused as a whole where a locked or
    /// protected op would change: returns why, which is also said(); empty when done.
    QString setTags(TagAssignment tags, const QString& undoText, std::vector<TagTraits> traits = {});
    /// The tags of another export; the report of what each op was taken for goes with them. Undoable, and refused like setTags().
    QString takeTransfer(const TagTransferPtr& transfer, const QString& undoText);
    /// Tags, rules and devices that an earlier session could not save, as one step. None where nothing of that is different.
    void takeRecovered(PreparedModel recovered);
    /// Notes of calls of the transfer, by their places, that they were looked at. `tag`: that those get (−1: none); without it
    /// those without a tag get what is suggested, the others keep theirs. One undo step.
    void acceptMatches(std::span<const std::size_t> calls, std::optional<int> tag = {});
    /// Paints by these rules, below what was painted by hand: ops whose tag is what the rules before gave them take what the new
    /// ones give. One undo step; refused, which is said(), where a rule means nothing.
    void applyRules(const TagRules& rules);
    /// The tags are in this file now; of a project everything else is too. A tags file holds no devices, runs or sizes: where
    /// these have changed, the document stays modified.
    void markSaved(const QString& path);
    /// Something that a file should keep, and undo does not, is another now: a bookmark, all of what was recovered.
    void touch();
    /// Gives untagged nodes the earliest tag that their producers allow, or the latest that their consumers do.
    void fillInUntagged(FillIn which = FillIn::earliest);
    /// Gives calls other tags, one undo step called so. What has a locked tag, or would take one, stays as it is.
    void retag(std::vector<std::pair<NodeId, std::int32_t>> changes, const QString& what);
    /// All tags at once, made out of those that there are: a tag keeps its traits by its name. Refused where a locked tag would
    /// win or lose ops; returns why, empty when done.
    QString takeTags(TagAssignment tags, const QString& undoText);
    /// The traits that these tags would have once they were taken.
    [[nodiscard]] std::vector<TagTraits> traitsOnceTaken(const TagAssignment& tags) const;
    /// Tags everything with `count` consecutive stages. `failed` hears why when that cannot be done.
    void tagInStages(int count, StageMeasure measure, std::function<void(const Error&)> failed = {});
    void apply(const Repair& repair);
    /// Notes that a split of the tags was asked for: from now on, in this model, what has no tag stands in its way. Where nothing
    /// has one yet, that is said once and forgotten.
    void askForSplit();

    /// `what` names a module that is selected as a whole. `focus` is the node that all others are folded into; without it, a single
    /// node.
    void select(std::vector<NodeId> nodes, const QString& what = {}, NodeId focus = {});
    /// Selects in the program of a run; counterparts in the source, in other parts and other runs go along. `focus` as above.
    void selectIn(int run, std::vector<NodeRef> nodes, NodeRef focus = {});
    /// Selects an edge, and with it no nodes. One that carries nothing is none.
    void selectEdge(SelectedEdge edge);
    /// What the selected edge is in a graph of a run's program, 0: of the source; nothing where it is not there.
    [[nodiscard]] std::optional<EdgeEnds> selectedEdgeIn(int run, GraphId graph) const;
    void clearSelection() { select({}); }
    /// Asks the views to bring the selection into sight.
    void reveal() { emit revealRequested(); }
    /// What is under the mouse, as nodes of the source; panes mark what stands for them. Empty when it leaves them.
    void setHovered(std::vector<NodeId> nodes);
    void setFound(std::vector<NodeId> nodes);
    /// Selects the untagged node after the selected one in graph order; false when there is none.
    bool selectNextUntagged();

    /// Adds a run to the history and shows it. Very old ones without a name go when there are too many. Not undoable:
    /// it changes nothing that was there. Returns its number.
    int addRun(RunResult result);
    /// A run of a project that was made again, with its number and name.
    void restoreRun(int number, const QString& name, RunResult result, bool isShown);
    /// Puts the same result, verified again, in place of a run's.
    void replaceRun(int number, RunResult result);
    /// A result to look at that is no run of the history, linked like one by the number that this returns: below 0, another
    /// one each time. It takes the place of the one before.
    int setPreview(RunResult result);
    void clearPreview();
    /// Shows an earlier run again, beside what is shown of other kinds.
    void showRun(int number);
    void hideRun(ResultKind kind);
    /// An empty name goes back to the kind's. Undoable, as are the next two.
    void renameRun(int number, const QString& name);
    void discardRun(int number);
    /// The whole table; ids that stand there twice are made unique.
    void setDevices(std::vector<Device> devices, const QString& undoText);
    /// Gives this model those of the last one; undoable.
    void useLastDevices();
    /// As the settings have them from an earlier session.
    void setLastDevices(std::vector<Device> devices) { m_lastDevices = std::move(devices); }
    /// Writes a note on a node, other words into the one that it has, or takes it away where there are none. Texts of more than
    /// 4,096 bytes are cut. Undoable, as is the next.
    void setNote(NodeId node, const QString& text);
    /// The offset of a note from the box of its op, see ProjectNote.
    void moveNote(NodeId node, const QPointF& offset);
    /// Undoes or redoes until so many steps are done. However many these are: one changed(), one check.
    void goToStep(int step);

signals:
    /// What a verb left as it is, and why, for a moment in the status line: "12 ops kept: stage0 is locked." What is changed by
    /// `until` makes it untrue.
    void said(const QString& text, sunder::Changes until = {});
    /// Something else is about to be selected: views are as one leaves them.
    void aboutToSelect();
    void changed(sunder::Changes what);
    /// Views should bring the selection into sight (a search, a problem or the inspector led there).
    void revealRequested();
    /// Other nodes of the source are under the mouse. Not part of changed(): it comes with every move of the mouse.
    void hoverChanged();
    void foundChanged();

private:
    friend class RetagCommand;
    friend class TagStateCommand;
    friend class TagBasisCommand;
    friend class ReloadCommand;
    friend class DevicesCommand;
    friend class RenameRunCommand;
    friend class DiscardRunCommand;
    friend class NotesCommand;
    void swapTags(std::vector<std::pair<NodeId, std::int32_t>>& changes);
    void swapState(TagState& state);
    void swapBasis(TagState& state, TagBasis& basis);
    void swapModel(PreparedModel& model, RunHistory& runs);
    /// Takes over what rules make of the tags, but for what is kept, which is said.
    void takeRules(const TagRules& rules, const TagAssignment& painted, std::size_t below);
    void swapDevices(std::vector<Device>& devices);
    void swapNotes(std::vector<ProjectNote>& notes);
    void swapRunName(int number, QString& name);
    void insertRun(Run run);
    void removeRun(int number);

    void setShownRun(ResultKind kind, int number);
    /// False when there was none.
    bool dropPreview();
    [[nodiscard]] bool hasUnsavedBesideTags() const;
    void setSelection(Selection selection);
    void noteCurrent();
    void look();
    void tagsChanged(Changes more = {});
    /// changed(), but for what is done on the way to another step: that is said at its end.
    void announce(Changes what);
    void applyChanges(std::vector<std::pair<NodeId, std::int32_t>> changes, const QString& verb);
    void applyTags(const Repair& repair);
    void pushState(TagState state, const QString& text);
    void pushBasis(TagState state, TagBasis basis, const QString& text);
    /// A step that makes these changes, but for what is kept, which is said. Returns how many.
    int pushChanges(std::vector<std::pair<NodeId, std::int32_t>> wanted, int stroke, const QString& verb);
    void sayKept(const KeptOps& kept, int stroke);
    [[nodiscard]] bool isLocked(int tag) const;
    /// Says that a locked tag stays; true where it is locked.
    bool refusesAsLocked(int tag);
    template <typename T>
    void compute(const QString& title, std::function<Result<T>(ProgressMonitor&)> work, std::function<void(Result<T>)> done);
    /// Drops a value, in the background where that takes long.
    template <typename T>
    void letGo(T value);

    /// What is to be done at the end of a way over several steps.
    struct Jump {
        Changes changes = {};
        bool looks = false;
    };

    Jobs* m_jobs; ///< null: none
    SnapshotPtr m_snapshot;
    QString m_filePath;
    QString m_programName;
    QString m_tagsPath;
    TagState m_state;
    TagBasis m_basis;
    TagWatch m_tagWatch;
    Selection m_selection;
    std::vector<Device> m_devices;
    std::vector<Device> m_lastDevices;
    std::vector<ProjectNote> m_notes;
    RunHistory m_history;
    bool m_splitCurrent = false;
    bool m_isTouched = false; ///< what a project keeps has changed without a step of undo
    bool m_splitWanted = false; ///< somebody asked for a split by tags of this model
    std::vector<NodeId> m_hovered;
    std::vector<NodeId> m_found;
    QUndoStack m_undoStack;
    std::optional<Jump> m_jump;
    KeptOps m_kept; ///< of the stroke m_keptStroke
    int m_keptStroke = 0;
};

} // namespace sunder
