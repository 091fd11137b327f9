#pragma once

#include "document/checks.h"
#include "document/costs.h"
#include "document/devices.h"
#include "document/loads.h"
#include "document/marks.h"
#include "document/notes.h"
#include "document/painting.h"
#include "document/prepared_model.h"
#include "document/runs/regions_outcome.h"
#include "document/runs/runs.h"
#include "document/runs/unflatten_outcome.h"
#include "document/tag_list.h"
#include "document/tag_sources.h"

#include <QObject>
#include <QUndoStack>

namespace sunder {

/// The open model with its undo steps and its parts: tags, checks, marks, devices, notes, and runs. Views read the parts and call
/// their verbs. They never change graphs or create undo commands themselves.
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

    [[nodiscard]] const TagAssignment& tags() const { return m_tags.state().tags; }
    [[nodiscard]] const TagState& tagState() const { return m_tags.state(); }
    [[nodiscard]] int tagCount() const { return static_cast<int>(m_tags.state().tags.order.size()); }
    [[nodiscard]] QString tagName(int tag) const;
    [[nodiscard]] const std::vector<TagTraits>& tagTraits() const { return m_tags.state().traits; }
    [[nodiscard]] int activeTag() const { return m_tags.state().active; }
    /// Returns whether the tags of backward ops follow the forward pass.
    [[nodiscard]] BackwardTags backwardTags() const;
    /// Returns the tag rules and the report of the last tag transfer.
    [[nodiscard]] const TagBasis& basis() const { return m_tags.basis(); }
    /// Returns the undo steps, to read only: undo(), redo(), goToStep(), and the verbs of the parts change them.
    [[nodiscard]] const QUndoStack& steps() const { return m_undoStack; }

    // Parts -----------------------------------------------------------------------------------

    [[nodiscard]] TagList& tagList() { return m_tagList; }
    [[nodiscard]] Painting& painting() { return m_painting; }
    [[nodiscard]] TagSources& tagSources() { return m_tagSources; }
    [[nodiscard]] const TagSources& tagSources() const { return m_tagSources; }
    [[nodiscard]] Checks& checks() { return m_checks; }
    [[nodiscard]] const Checks& checks() const { return m_checks; }
    [[nodiscard]] Marks& marks() { return m_marks; }
    [[nodiscard]] const Marks& marks() const { return m_marks; }
    [[nodiscard]] Devices& devices() { return m_devices; }
    [[nodiscard]] const Devices& devices() const { return m_devices; }
    [[nodiscard]] Notes& notes() { return m_notes; }
    [[nodiscard]] const Notes& notes() const { return m_notes; }
    [[nodiscard]] Costs& costs() { return m_costs; }
    [[nodiscard]] const Costs& costs() const { return m_costs; }
    [[nodiscard]] Loads& loads() { return m_loads; }
    [[nodiscard]] const Loads& loads() const { return m_loads; }
    [[nodiscard]] Runs& runs() { return m_runs; }
    [[nodiscard]] const Runs& runs() const { return m_runs; }

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

    /// Takes the tags, rules, devices, and notes of an earlier session that could not be saved, as one undo step. No step if
    /// nothing differs.
    void takeRecovered(PreparedModel recovered);
    /// Notes that the tags were saved to this file; a project also holds everything else. A tags file holds no devices, runs, or
    /// sizes: if those have changed, the document stays modified.
    void markSaved(const QString& path);
    /// Marks the document as modified by a change that is saved but not undoable: a bookmark, or recovered work. Reports `what`
    /// as changed.
    void touch(Changes what = {});

    void undo() { m_undoStack.undo(); }
    void redo() { m_undoStack.redo(); }
    /// Undoes or redoes up to this step. Emits one changed() and runs one check, regardless of the number of steps.
    void goToStep(int step);

signals:
    /// Reports in the status bar, for a short time, which ops a verb left unchanged and why: "12 ops keep their tags: stage0 is
    /// locked." A change in `until` makes the message obsolete.
    void messageEmitted(const QString& text, sunder::Changes until = {});
    void changed(sunder::Changes what);

private:
    friend class AssumedSizes;
    friend class DocumentPart;
    friend class ReloadCommand;
    void swapModel(PreparedModel& model, RunHistory& runs);
    [[nodiscard]] bool hasUnsavedBesideTags() const;
    /// Checks the tags, or defers that to the end of goToStep().
    void recheck();
    /// Emits changed(), or collects the changes during goToStep().
    void announce(Changes what);

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
    TagStore m_tags{*this};
    TagList m_tagList{*this, m_tags};
    Painting m_painting{*this, m_tags};
    TagSources m_tagSources{*this, m_tags};
    Checks m_checks{*this, m_jobs};
    Marks m_marks{*this};
    Devices m_devices{*this};
    Notes m_notes{*this};
    Costs m_costs{*this};
    Loads m_loads{*this};
    Runs m_runs{*this};
    bool m_isTouched = false; ///< a project would save a change that is not an undo step
    QUndoStack m_undoStack;
    std::optional<Jump> m_jump;
};

} // namespace sunder
