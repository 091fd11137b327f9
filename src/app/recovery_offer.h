#pragma once

#include "document/changes.h"
#include "io/side_files/project_file.h"
#include "support/file.h"

#include <QObject>

#include <functional>
#include <optional>
#include <vector>

class QUndoCommand;

namespace sunder {

class Autosave;
class Document;
class NoticeBar;

/// Unsaved work of an earlier session. Holds a lock, so that no other process offers it at the same time.
struct UnsavedWork {
    QString path;
    FileLock lock;
    ProjectFile file;
};

/// Returns the work of ended sessions in this folder, newest first. Skips damaged files. O(total size).
[[nodiscard]] std::vector<UnsavedWork> unsavedWorkIn(const QString& folder);

/// Returns a summary: "decoder32.pt2 (project.sunder), 24 Nov 10:31: 3 tags on 120 ops, 2 devices."
[[nodiscard]] QString describe(const UnsavedWork& work);

/// Offers unsaved work of earlier sessions one at a time, newest first: recover, discard, or keep for later. While recovered work
/// is open, the other offers wait.
class RecoveryOffer final : public QObject {
    Q_OBJECT

public:
    /// `open` opens a file as an unsaved document. The file is deleted once `autosave` has written it again.
    RecoveryOffer(NoticeBar& bar, Document& document, Autosave& autosave, std::function<void(const QString& path)> open,
                  QObject* parent);

    /// Shows the bar if this folder contains unsaved work.
    void offerFrom(const QString& folder);
    /// Notes that the work in this file was opened.
    void noteOpened(const QString& path);
    /// Says that work was recovered. Its step takes the message along when it is undone, and brings it back when it is redone.
    void sayRecovered(const QString& text);

signals:
    /// Emitted with a message for the time until such a change.
    void messageEmitted(const QString& text, sunder::Changes until);

private:
    void show();
    void choose(int offer);
    void noteOther();
    void takeAway();
    void noteStep();

    NoticeBar& m_bar;
    Document& m_document;
    Autosave& m_autosave;
    std::function<void(const QString&)> m_open;
    std::vector<UnsavedWork> m_left;
    std::optional<UnsavedWork> m_recovering; ///< work not yet written by this session's autosave
    bool m_isOpen = false; ///< it is the open document
    QString m_offerText;
    const QUndoCommand* m_step = nullptr; ///< step of the recovered work; null: none, or replaced by another step
    int m_stepEnd = 0; ///< index of the undo stack after that step
    bool m_isStepDone = true;
};

} // namespace sunder
