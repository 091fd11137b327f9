#pragma once

#include "app/workflow.h"
#include "document/document.h"

#include <QFileSystemWatcher>
#include <QTimer>

#include <array>
#include <optional>

namespace sunder {

/// Difference between a file on disk and the open document.
struct DiskChange {
    QString path;
    QString what;        ///< "it was replaced by another file"
    bool isThere = true; ///< the file exists and can be reloaded
    bool isLost = false; ///< the open file was overwritten in place, so its weights can no longer be read
};

/// Detects changes of the model file and its tags file on disk, while the window is active and when it becomes active. Checks in
/// the background. Model files are compared by device, inode, size, and time; tags by content.
class DiskWatch final : public QObject {
    Q_OBJECT

public:
    DiskWatch(const Document& document, const Workflow& workflow, QWidget& window);

    /// Starts a check; emits found() if there is a change.
    void check();
    /// Ignores the current change: it is not reported again until the file changes once again.
    void keep(WatchedFile file);

signals:
    /// Reports how a file differs from the open document; nothing if it does not, or if the change is ignored.
    void found(sunder::WatchedFile file, const std::optional<sunder::DiskChange>& change);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// State of a file on disk and its difference from the open document.
    struct Seen {
        QString stamp;
        std::optional<DiskChange> change;
    };
    using Both = std::array<Seen, 2>;

    void watch();
    void take(const Both& seen);

    const Document& m_document;
    const Workflow& m_workflow;
    QWidget& m_window;
    QFileSystemWatcher m_watcher;
    QTimer m_soon;
    bool m_isChecking = false;
    bool m_looksAgain = false;
    Both m_seen;
    std::array<QString, 2> m_kept; ///< stamps of ignored changes
};

} // namespace sunder
