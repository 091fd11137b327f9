#pragma once

#include "document/document.h"
#include "document/project_state.h"
#include "support/file.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <optional>

namespace sunder {

/// Writes unsaved work to the cache folder as a project: a few seconds after the first change, and again while there are more
/// changes. Runs outside the GUI thread and does not wait for jobs. Deletes the file when the work is saved, undone, or
/// discarded.
class Autosave final : public QObject {
    Q_OBJECT

public:
    /// Delay from the first change to the write. Leaves time for the write within the documented 5 s.
    static constexpr int kDelayMs = 3000;

    /// Calls `state` for each write.
    Autosave(Document& document, std::function<ProjectState()> state, QObject* parent = nullptr);
    /// Finishes writes in progress. Keeps the file unless drop() was called.
    ~Autosave() override;

    /// Applies from the next change on.
    void setDelay(int milliseconds) { m_timer.setInterval(milliseconds); }
    /// Returns the file; empty if the cache folder is not writable.
    [[nodiscard]] const QString& path() const { return m_path; }
    /// Writes to this file instead. The next start does not offer it for recovery; the caller manages the file.
    void keepAt(const QString& path);
    /// Starts a write in the background.
    void write();
    /// Writes unsaved work before the program exits. The file is complete once this object is destroyed.
    void writeLast();
    /// Deletes the file and cancels pending writes.
    void drop();
    /// Returns the number of changes since the program started.
    [[nodiscard]] quint64 changes() const { return m_changes; }

signals:
    /// Emitted when the file contains all changes up to this count of changes().
    void saved(quint64 changes);
    void failed(const QString& why);

private:
    void note(Changes what);
    void written(quint64 changes, const Result<void>& result);

    Document& m_document;
    std::function<ProjectState()> m_state;
    QThreadPool m_pool; ///< separate pool, since jobs can fill the global one
    QTimer m_timer;
    QString m_path;
    std::optional<FileLock> m_lock;
    quint64 m_changes = 0;
    bool m_isWriting = false;
    bool m_isUnwanted = true; ///< the file, or the one being written, is obsolete
    bool m_isMore = false; ///< there were changes during a write
    bool m_hasFailed = false; ///< a failure was reported
};

/// Returns the folder for unsaved work.
[[nodiscard]] QString unsavedFolder();

} // namespace sunder
