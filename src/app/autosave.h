#pragma once

#include "document/document.h"
#include "document/project_state.h"
#include "support/file_lock.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <optional>

namespace sunder {

/// Writes what is not saved into the cache folder, as a project: some seconds after the first change, and again as long as there
/// are more. Off the window's thread, and never behind other jobs. What was saved, taken back or given up is taken away.
class Autosave final : public QObject {
    Q_OBJECT

public:
    /// From a change to its being written, at most, with what writing takes: below the 5 s that are promised.
    static constexpr int kDelayMs = 3000;

    /// `state` is asked when it is written.
    Autosave(Document& document, std::function<ProjectState()> state, QObject* parent = nullptr);
    /// What is on its way gets written. Files stay, unless drop() was called.
    ~Autosave() override;

    /// From the next change on.
    void setDelay(int milliseconds) { m_timer.setInterval(milliseconds); }
    /// Where it writes; empty where the cache folder cannot be written to.
    [[nodiscard]] const QString& path() const { return m_path; }
    /// Writes to this file from now on, which nobody is offered at the next start: whoever started the program looks after it.
    void keepAt(const QString& path);
    /// Writes now, in the background.
    void write();
    /// The program ends: what is not saved is in the file when this returns or the object is gone.
    void writeLast();
    /// Nothing of what was written is wanted any more.
    void drop();
    /// How many changes there were since the program began.
    [[nodiscard]] quint64 changes() const { return m_changes; }

signals:
    /// All changes up to now are in the file, as counted by changes().
    void saved(quint64 changes);
    void failed(const QString& why);

private:
    void note(Changes what);
    void written(quint64 changes, const Result<void>& result);

    Document& m_document;
    std::function<ProjectState()> m_state;
    QThreadPool m_pool; ///< of its own: jobs may fill the other
    QTimer m_timer;
    QString m_path;
    std::optional<FileLock> m_lock;
    quint64 m_changes = 0;
    bool m_isWriting = false;
    bool m_isUnwanted = true; ///< what is in the file, or will be
    bool m_isMore = false; ///< changes came while it was written
    bool m_hasFailed = false; ///< that was said
};

/// Where work that was not saved is kept.
[[nodiscard]] QString unsavedFolder();

} // namespace sunder
