#pragma once

#include "app/workflow.h"
#include "document/document.h"

#include <QFileSystemWatcher>
#include <QTimer>

#include <array>
#include <optional>

namespace sunder {

/// How a file on disk differs from what is open.
struct DiskChange {
    QString path;
    QString what;        ///< "it was replaced by another file"
    bool isThere = true; ///< it can be read again
    bool isLost = false; ///< what was open was overwritten itself: its weights cannot be read any more
};

/// Notices that the model or its tags file changed on disk: when the window gets the focus, and while it has it. Looks in
/// the background; a file is compared by what it is (device, inode, size, time), tags by what they say.
class DiskWatch final : public QObject {
    Q_OBJECT

public:
    DiskWatch(const Document& document, const Workflow& workflow, QWidget& window);

    /// Looks now; found() or nothing follows.
    void look();
    /// The change is known: it is not reported again until the file changes once more.
    void keep(WatchedFile file);

signals:
    /// How the file differs from what is open; nothing when it does not, or is to be kept.
    void found(sunder::WatchedFile file, const std::optional<sunder::DiskChange>& change);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A state of a file on disk, and how it differs from what is open.
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
    bool m_isLooking = false;
    bool m_looksAgain = false;
    Both m_seen;
    std::array<QString, 2> m_kept; ///< stamps
};

} // namespace sunder
