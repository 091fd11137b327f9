#pragma once

#include "app/model_files.h"

#include <QObject>

namespace sunder {

struct Actions;
class AssumedSizes;
class Autosave;
class Bookmarks;
class DiskNotices;
class LastSession;
class NoticeBar;
class Project;
class RecoveryOffer;
class Session;
class Workspace;

/// The life of the document in files: opens, saves, autosaves, recovers, and reloads it.
class SessionFiles final : public QObject {
    Q_OBJECT

public:
    /// Notices about files.
    struct Notices {
        NoticeBar& recovery;
        NoticeBar& project;
        NoticeBar& model;
        NoticeBar& tags;
    };
    /// Views whose state is stored with the document.
    struct Views {
        Workspace& workspace;
        AssumedSizes& sizes;
        Bookmarks& bookmarks;
    };
    /// All arguments must outlive this object. Dialogs open over `window`.
    SessionFiles(Session& session, const Actions& actions, const Views& views, const Notices& notices, QWidget& window);
    /// Finishes writes of the autosave.
    ~SessionFiles() override;

    [[nodiscard]] ModelFiles& models() { return m_models; }
    /// Opens the model of the last session.
    void reopenLast();
    /// Offers unsaved work of earlier sessions.
    void offerUnsavedWork();
    /// Hands the tags of `model` to a script that waits for the file `tagsOut`. Unsaved work is kept next to it.
    void handTagsTo(const QString& tagsOut, const QString& model);
    /// Ends the session after its document may be lost.
    void end();
    /// Ends the session without asking: hands over tags if a script waits for them, else keeps unsaved work for the next start.
    void endNow();

signals:
    void message(const QString& text);
    /// Emits a message that holds until the document changes in this way.
    void messageEmitted(const QString& text, Changes until);
    /// Emits a text for the log.
    void noted(const QString& text);
    /// Emitted when a notice that had the focus was hidden.
    void left();

private:
    void remember() const;

    ModelFiles m_models;
    LastSession* m_last;
    DiskNotices* m_disk;
    Project* m_project;
    Autosave* m_autosave;
    RecoveryOffer* m_recovery;
};

} // namespace sunder
