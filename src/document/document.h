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

struct FillPlan;

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
    opened = 8192,    ///< another document or none; comes with `program`
};
Q_DECLARE_FLAGS(Changes, Change)
Q_DECLARE_OPERATORS_FOR_FLAGS(Changes)

/// Selects which legal tag an untagged op gets.
enum class FillIn : quint8 { earliest, latest };

/// The open model with its tags, undo history, selection, devices, and runs. Views read it and call its verbs. They never change
/// graphs or create undo commands themselves.
class Document final : public QObject {
    Q_OBJECT

public:
    /// With `jobs`, slow work on large models runs in jobs; otherwise all work is synchronous.
    explicit Document(Jobs* jobs = nullptr, QObject* parent = nullptr);

    // Queries ---------------------------------------------------------------------------------

    [[nodiscard]] bool isOpen() const { return m_snapshot != nullptr; }
    [[nodiscard]] const SnapshotPtr& snapshot() const { return m_snapshot; }
    /// Returns whether the snapshot is of the open model, possibly with other operator schemas or sizes.
    [[nodiscard]] bool isOf(const SnapshotPtr& snapshot) const
    {
        return m_snapshot && snapshot && m_snapshot->model == snapshot->model;
    }
    [[nodiscard]] const Graph& graph() const { return m_snapshot->graph(); }
    [[nodiscard]] QString filePath() const { return m_filePath; }
    /// Returns the program name if the file holds several programs; otherwise empty.
    [[nodiscard]] const QString& programName() const { return m_programName; }
    /// Returns programName(), or the file name without folder and suffix, e.g. "decoder32".
    [[nodiscard]] QString displayName() const;
    /// Returns the project or tags file that the tags were last read from or saved to; empty if none.
    [[nodiscard]] QString tagsPath() const { return m_tagsPath; }
    /// Returns whether tagsPath() is a project.
    [[nodiscard]] bool hasProject() const;
    /// Returns whether any project content has changed since the model was opened or saved: tags, devices, runs, sizes,
    /// bookmarks, or notes.
    [[nodiscard]] bool isModified() const { return isOpen() && (!m_undoStack.isClean() || m_isTouched); }

    [[nodiscard]] const TagAssignment& tags() const { return m_state.tags; }
    [[nodiscard]] const TagState& tagState() const { return m_state; }
    [[nodiscard]] int tagCount() const { return static_cast<int>(m_state.tags.order.size()); }
    [[nodiscard]] QString tagName(int tag) const;
    [[nodiscard]] const std::vector<TagTraits>& tagTraits() const { return m_state.traits; }
    [[nodiscard]] int activeTag() const { return m_state.active; }
    /// Returns whether the tags of backward ops follow the forward pass.
    [[nodiscard]] BackwardTags backwardTags() const;
    /// Returns the tag rules and the report of the last tag transfer.
    [[nodiscard]] const TagBasis& basis() const { return m_basis; }

    /// Results of the last check; see isChecking() for a check in progress.
    [[nodiscard]] const TagReport& report() const { return m_tagWatch.last().report; }
    [[nodiscard]] const TagTotals& totals() const { return m_tagWatch.last().totals; }
    [[nodiscard]] const Problems& problems() const { return m_tagWatch.last().problems; }
    /// Returns the duration of the last tag check.
    [[nodiscard]] double checkMilliseconds() const { return m_tagWatch.last().milliseconds; }
    /// Returns whether a job is checking tags that have changed since the last check.
    [[nodiscard]] bool isChecking() const { return m_tagWatch.isLooking(); }

    /// Returns whether untagged ops are shown as missing: after a split was requested, or once two thirds of the ops are tagged.
    /// Until then they are only drawn without color.
    [[nodiscard]] bool isUntaggedShown() const;

    [[nodiscard]] const Selection& selection() const { return m_selection; }
    /// Returns all kept runs, oldest first.
    [[nodiscard]] const std::vector<Run>& runs() const { return m_history.runs(); }
    /// Returns the run with this number, or null. Previews have negative numbers.
    [[nodiscard]] const Run* run(int number) const { return m_history.find(number); }
    /// Returns the shown result of this kind (e.g. `SplitOutcomePtr`), or null.
    template <typename T>
    [[nodiscard]] T shown() const
    {
        const Run* run = this->run(shownRun(T::element_type::kKind));
        return run == nullptr ? nullptr : as<T>(run->result);
    }
    /// Returns the shown runs of all kinds.
    [[nodiscard]] std::vector<const Run*> shownRuns() const { return m_history.allShown(); }
    /// Returns the number of the shown run of this kind, or 0.
    [[nodiscard]] int shownRun(ResultKind kind) const { return m_history.shown(kind); }
    [[nodiscard]] bool isShown(const Run& run) const { return m_history.isShown(run); }
    /// Returns the shown split, or null.
    [[nodiscard]] SplitOutcomePtr shownSplit() const { return shown<SplitOutcomePtr>(); }
    /// Returns false if the tags, or the devices of a partition, have changed since the shown split was made.
    [[nodiscard]] bool isSplitCurrent() const { return m_splitCurrent; }
    /// Returns the preview of the split for other devices if there is one, else the shown split.
    [[nodiscard]] SplitOutcomePtr splitInSight() const;
    /// Returns the device usage of the visible partition if it was made for the current devices, else of the tags. Null if there
    /// are no parts or no devices.
    [[nodiscard]] const DeviceFit* deviceFit() const;
    /// Returns whether a shown run is current. Only splits can become outdated.
    [[nodiscard]] bool isCurrent(const Run& run) const
    {
        return run.kind() != SplitOutcome::kKind || (m_splitCurrent && !isForOtherSizes(run.result));
    }
    /// Returns whether a partitioner made this result for other sizes than those assumed now and would now cut differently.
    [[nodiscard]] static bool isForOtherSizes(const RunResult& result)
    {
        const SplitOutcomePtr cut = as<SplitOutcomePtr>(result);
        return cut && cut->plan && cut->plan->isForOtherSizes;
    }
    /// Returns the selected nodes in the program of a run: the nodes picked there, else the counterparts of the selected source
    /// nodes. Empty for a run without a program. O(selected × log pairs), or O(pairs) for many nodes.
    [[nodiscard]] std::vector<NodeRef> selectedIn(int run) const;
    /// Returns the counterparts of source nodes in a run's program.
    [[nodiscard]] std::vector<NodeRef> counterpartsIn(int run, const std::vector<NodeId>& source) const;
    /// Returns only those counterparts that are copies, without nodes that carry values across boundaries.
    [[nodiscard]] std::vector<NodeRef> copiesIn(int run, const std::vector<NodeId>& source) const;
    /// Returns the nodes of the source's root graph that correspond to these nodes of a run's program, ascending.
    [[nodiscard]] std::vector<NodeId> sourcesOf(int run, const std::vector<NodeRef>& nodes) const;
    /// Returns the source nodes under the mouse in any pane.
    [[nodiscard]] const std::vector<NodeId>& hovered() const { return m_hovered; }
    /// Returns the hits of the current search as source nodes; empty without a search.
    [[nodiscard]] const std::vector<NodeId>& found() const { return m_found; }

    /// Returns the devices that the model is partitioned for. They belong to the project; empty without one.
    [[nodiscard]] const std::vector<Device>& devices() const { return m_devices; }
    /// Returns the devices of the last open model that had any, in this or an earlier session. Empty if there was none.
    [[nodiscard]] const std::vector<Device>& lastDevices() const { return m_lastDevices; }

    /// Returns the notes on source ops, at most one per node. Includes notes on nodes that a reload removed.
    [[nodiscard]] const std::vector<ProjectNote>& notes() const { return m_notes; }
    /// Returns the text of the note on this node; empty if there is none.
    [[nodiscard]] QString noteOn(NodeId node) const;

    /// Returns the undo steps, to read only: undo(), redo(), goToStep(), and the verbs below change them.
    [[nodiscard]] const QUndoStack& steps() const { return m_undoStack; }

    // Verbs -----------------------------------------------------------------------------------

    /// Replaces the document by another model.
    void open(PreparedModel model, const QString& path);
    /// Replaces the model by its reloaded file, with the tags that fit. Undoable. The runs of the previous model are removed with
    /// it; undo restores them.
    void takeReloaded(PreparedModel model, const QString& undoText);
    void close();
    /// Replaces the model by a copy with other operator schemas, made by withOperators(). Keeps tags, runs, and undo history.
    void setOperators(SnapshotPtr same);
    /// Replaces the model by a copy with other assumed sizes, and the results of runs by number. Keeps tags and undo history.
    void setSizes(SnapshotPtr same, std::vector<std::pair<int, RunResult>> results);

    /// Tags the call nodes among `nodes`, as one undo step or as a part of the current stroke. Returns the number of changed
    /// nodes; said() reports nodes that locked or protected tags keep.
    int paint(std::span<const NodeId> nodes, int tag);
    int erase(std::span<const NodeId> nodes);
    /// Starts a stroke: until commitStroke() or cancelStroke(), all that paint() and erase() change is one undo step.
    void beginStroke();
    void commitStroke() { m_isStroking = false; }
    /// Reverts the stroke and removes its step, so that it cannot be redone.
    void cancelStroke();
    /// Applies the plan as one undo step such as "Fill all Linear modules with stage1: 96 ops". The document must still have the
    /// planned state. Returns the number of changed nodes.
    int fill(const FillPlan& plan);
    /// Paints a list as a named undo step such as "Paint hits of op:linear with stage1: 41 ops". Tag −1 erases.
    int paintList(std::span<const NodeId> nodes, int tag, const QString& what);
    /// Adds a tag and paints the list with it, as one undo step.
    void paintWithNewTag(std::span<const NodeId> nodes, const QString& what);
    /// Emits said() if there is no such tag.
    void setActiveTag(int tag);
    /// Appends a tag and makes it active. The default name is "stage0", "stage1", …
    void addTag(const QString& name = {});
    /// Renames a tag. Returns why the name is refused (empty, contains a dot or line break, or is in use), or an empty string on
    /// success.
    QString renameTag(int tag, const QString& name);
    /// Sets a color; an invalid color restores the theme's.
    void recolorTag(int tag, const QColor& color);
    /// Sets a palette color. A tag that already has this color gets the previous color of `tag`.
    void setTagHue(int tag, std::uint32_t hue);
    void moveTag(int from, int to);
    /// `order` holds old indices.
    void reorderTags(const std::vector<int>& order, const QString& undoText);
    /// Removes a tag and untags its nodes. This and mergeTags() refuse locked tags and report that with said().
    void removeTag(int tag);
    /// Moves the nodes of `from` to `into` and removes `from`.
    void mergeTags(int from, int into);
    /// Orders the tags so that no value flows backward, or reports with said() why that is impossible.
    void orderTagsTopologically();
    /// Sets the code of a tag; an empty code restores the code derived from the name. Returns why the code is refused (invalid or
    /// in use), or an empty string on success.
    QString setTagCode(int tag, const QString& code);
    /// Locks a tag. No edit adds ops to a locked tag or removes ops from it. Undoable.
    void setTagLocked(int tag, bool isLocked);
    /// Hides a tag: its ops are drawn faint. Not affected by undo.
    void setTagHidden(int tag, bool isHidden);
    /// Shows only this tag; shows all tags if only this tag is shown already.
    void soloTag(int tag);
    void showAllTags();
    /// Protects tagged ops from strokes, fills, and lists, but not from the eraser.
    void setProtecting(bool isProtecting);
    /// Sets whether every backward op of a joint forward-backward program has the tag of its forward op. Undoable.
    void setBackwardFollows(bool follows);
    /// Selects all ops with the tag; −1 selects untagged ops.
    void selectTag(int tag);
    /// Replaces all tags. Undoable. Refused as a whole if a locked or protected op would change: returns the reason, which is
    /// also said(); empty on success.
    QString setTags(TagAssignment tags, const QString& undoText, std::vector<TagTraits> traits = {});
    /// Takes the tags of another export together with the report of the op matching. Undoable; refused like setTags().
    QString takeTransfer(const TagTransferPtr& transfer, const QString& undoText);
    /// Takes the tags, rules, devices, and notes of an earlier session that could not be saved, as one undo step. No step if
    /// nothing differs.
    void takeRecovered(PreparedModel recovered);
    /// Marks calls of the transfer as reviewed, by index. With `tag`, assigns that tag (−1: none). Otherwise untagged ops get
    /// their suggested tags and others keep theirs. One undo step.
    void acceptMatches(std::span<const std::size_t> calls, std::optional<int> tag = {});
    /// Applies rules below manual painting: ops whose tag came from the previous rules get the tag of the new rules. One undo
    /// step. An invalid rule is refused and reported with said().
    void applyRules(const TagRules& rules);
    /// Notes that the tags were saved to this file; a project also holds everything else. A tags file holds no devices, runs, or
    /// sizes: if those have changed, the document stays modified.
    void markSaved(const QString& path);
    /// Marks the document as modified by a change that is saved but not undoable: a bookmark, or recovered work.
    void touch();
    /// Gives untagged nodes the earliest tag that their producers allow, or the latest that their consumers allow.
    void fillInUntagged(FillIn which = FillIn::earliest);
    /// Retags calls as one undo step with the text `what`. Skips ops whose old or new tag is locked.
    void retag(std::vector<std::pair<NodeId, std::int32_t>> changes, const QString& what);
    /// Replaces all tags by tags derived from the current ones; a tag keeps its traits by its name. Refused if a locked tag would
    /// gain or lose ops: returns the reason, empty on success.
    QString takeTags(TagAssignment tags, const QString& undoText);
    /// Returns the traits that takeTags() would give these tags.
    [[nodiscard]] std::vector<TagTraits> traitsOnceTaken(const TagAssignment& tags) const;
    /// Tags all ops as `count` consecutive stages. Calls `failed` with the error if that is impossible.
    void tagInStages(int count, StageMeasure measure, std::function<void(const Error&)> failed = {});
    void apply(const Repair& repair);
    /// Records that a split by tags was requested: from now on, untagged ops of this model are problems. Ignored while no op has
    /// a tag.
    void askForSplit();

    /// `what` names a module that is selected as a whole. `focus` is the node that views fold the others into; it defaults to the
    /// only selected node.
    void select(std::vector<NodeId> nodes, const QString& what = {}, NodeId focus = {});
    /// Selects nodes in the program of a run and their counterparts in the source, other parts, and other runs. `focus` is as in
    /// select().
    void selectIn(int run, std::vector<NodeRef> nodes, NodeRef focus = {});
    /// Selects an edge and no nodes. Ignores an edge that carries no value.
    void selectEdge(SelectedEdge edge);
    /// Returns the ends of the selected edge in a graph of a run's program (`run` 0: the source), or nothing if it is not in that
    /// graph.
    [[nodiscard]] std::optional<EdgeEnds> selectedEdgeIn(int run, GraphId graph) const;
    void clearSelection() { select({}); }
    /// Asks the views to scroll to the selection.
    void reveal() { emit revealRequested(); }
    /// Sets the source nodes under the mouse; panes highlight their counterparts. Empty if the mouse leaves them.
    void setHovered(std::vector<NodeId> nodes);
    void setFound(std::vector<NodeId> nodes);
    /// Selects the next untagged node in graph order. Returns false if there is none.
    bool selectNextUntagged();

    /// Adds a run to the history, shows it, and returns its number. Drops the oldest unnamed runs if there are too many. Not
    /// undoable, since it changes nothing that existed before.
    int addRun(RunResult result);
    /// Adds a recomputed run of a project with its number and name.
    void restoreRun(int number, const QString& name, RunResult result, bool isShown);
    /// Replaces the result of a run by the same result, verified again.
    void replaceRun(int number, RunResult result);
    /// Shows a result that is not part of the history, replacing the previous preview. Returns its run number, which is negative
    /// and new for each preview.
    int setPreview(RunResult result);
    void clearPreview();
    /// Shows an earlier run; shown runs of other kinds stay visible.
    void showRun(int number);
    void hideRun(ResultKind kind);
    /// Renames a run; an empty name restores the default. This and the next two are undoable.
    void renameRun(int number, const QString& name);
    void discardRun(int number);
    /// Replaces all devices; makes duplicate ids unique.
    void setDevices(std::vector<Device> devices, const QString& undoText);
    /// Assigns lastDevices() to this model. Undoable.
    void useLastDevices();
    /// Sets the devices of an earlier session, from the settings.
    void setLastDevices(std::vector<Device> devices) { m_lastDevices = std::move(devices); }
    /// Sets the note on a node; an empty text removes it. Texts over 4,096 bytes are truncated. This and moveNote() are undoable.
    void setNote(NodeId node, const QString& text);
    /// Sets the offset of a note from the box of its op, see ProjectNote.
    void moveNote(NodeId node, const QPointF& offset);
    void undo() { m_undoStack.undo(); }
    void redo() { m_undoStack.redo(); }
    /// Undoes or redoes up to this step. Emits one changed() and runs one check, regardless of the number of steps.
    void goToStep(int step);

signals:
    /// Reports in the status bar, for a short time, which ops a verb left unchanged and why: "12 ops keep their tags: stage0 is
    /// locked." A change in `until` makes the message obsolete.
    void said(const QString& text, sunder::Changes until = {});
    /// Emitted before the selection changes, while views still show the old one.
    void aboutToSelect();
    void changed(sunder::Changes what);
    /// Asks views to scroll to the selection, e.g. after a search or a click on a problem.
    void revealRequested();
    /// Emitted for every change of hovered(). Separate from changed() because it comes with mouse moves.
    void hoverChanged();
    void foundChanged();

private:
    friend class AssumedSizes;
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
    /// Applies the result of rules, except for kept ops, which are said().
    void takeRules(const TagRules& rules, const TagAssignment& painted, std::size_t below);
    void swapDevices(std::vector<Device>& devices);
    void swapNotes(std::vector<ProjectNote>& notes);
    void swapRunName(int number, QString& name);
    void insertRun(Run run);
    void removeRun(int number);

    void setShownRun(ResultKind kind, int number);
    /// Returns false if there was no preview.
    bool dropPreview();
    [[nodiscard]] bool hasUnsavedBesideTags() const;
    void setSelection(Selection selection);
    void noteCurrent();
    void look();
    void tagsChanged(Changes more = {});
    /// Emits changed(), or collects the changes during goToStep().
    void announce(Changes what);
    void applyChanges(std::vector<std::pair<NodeId, std::int32_t>> changes, const QString& verb);
    void applyTags(const Repair& repair);
    void pushState(TagState state, const QString& text);
    void pushBasis(TagState state, TagBasis basis, const QString& text);
    /// Pushes a command with these changes, except for kept ops, which are said(). Returns the number of changes.
    int pushChanges(std::vector<std::pair<NodeId, std::int32_t>> wanted, int stroke, const QString& verb);
    void reportSkipped(const KeptOps& kept, int stroke);
    [[nodiscard]] bool isLocked(int tag) const;
    /// Returns whether the tag is locked, and reports that with said().
    bool refusesAsLocked(int tag);
    template <typename T>
    void compute(const QString& title, std::function<Result<T>(ProgressMonitor&)> work, std::function<void(Result<T>)> done);
    /// Destroys a value in the background if there are jobs.
    template <typename T>
    void letGo(T value);

    /// Work deferred to the end of goToStep().
    struct Jump {
        Changes changes = {};
        bool looks = false;
    };

    Jobs* m_jobs; ///< may be null
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
    bool m_isTouched = false; ///< a project would save a change that is not an undo step
    bool m_splitWanted = false; ///< a split by tags of this model was requested
    std::vector<NodeId> m_hovered;
    std::vector<NodeId> m_found;
    QUndoStack m_undoStack;
    std::optional<Jump> m_jump;
    int m_stroke = 0; ///< number of the current or last stroke
    bool m_isStroking = false;
    bool m_isCancelling = false; ///< undo removes the step
    KeptOps m_kept; ///< ops kept in the stroke m_keptStroke
    int m_keptStroke = 0;
};

} // namespace sunder
