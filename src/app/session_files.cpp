#include "app/session_files.h"

#include "app/autosave.h"
#include "app/bookmarks.h"
#include "app/disk_notices.h"
#include "app/last_session.h"
#include "app/project.h"
#include "app/project_offer.h"
#include "app/recovery_offer.h"
#include "app/session.h"
#include "app/workspace.h"

#include <QDir>

namespace sunder {
namespace {

/// Returns the project file for unsaved work in a session whose tags go to this file.
QString unsavedBeside(const QString& tagsOut)
{
    return QDir::current().absoluteFilePath(tagsOut) + QStringLiteral(".unsaved.sunder");
}

} // namespace

SessionFiles::SessionFiles(Session& session, const Actions& actions, const Views& views, const Notices& notices, QWidget& window)
    : QObject(&window), m_models(session.document(), session.workflow(), actions, window),
      m_last(new LastSession(session.document(), session.workflow(), views.workspace.source(), views.sizes, this)),
      m_disk(new DiskNotices(session.document(), session.workflow(), notices.model, notices.tags, window)),
      m_project(new Project({session.document(), session.workflow(), session.jobs(), views.sizes, session.operators(),
                             views.workspace, views.bookmarks},
                            this)),
      m_autosave(new Autosave(
          session.document(), [this] { return m_project->state(); }, this)),
      m_recovery(new RecoveryOffer(
          notices.recovery, session.document(), *m_autosave, [this](const QString& path) { m_models.open(path); }, this))
{
    new ProjectOffer(notices.project, session.document(), m_models, session.workflow(), this);
    m_models.setState([this] { return m_project->state(); });
    connect(m_last, &LastSession::message, this, &SessionFiles::message);
    connect(m_project, &Project::message, this, &SessionFiles::message);
    connect(m_autosave, &Autosave::failed, this, &SessionFiles::message);
    connect(m_disk, &DiskNotices::noted, this, &SessionFiles::noted);
    connect(m_disk, &DiskNotices::projectWanted, &m_models, &ModelFiles::open);
    connect(m_disk, &DiskNotices::left, this, &SessionFiles::left);
    connect(&session.workflow(), &Workflow::projectOpened, m_recovery, &RecoveryOffer::noteOpened);
    connect(&session.workflow(), &Workflow::recovered, m_recovery, &RecoveryOffer::sayRecovered);
    connect(m_recovery, &RecoveryOffer::said, this, &SessionFiles::said);
}

SessionFiles::~SessionFiles()
{
    delete m_autosave; // finishes its write while the objects it needs still exist
    delete m_disk;
}

void SessionFiles::reopenLast()
{
    m_last->restore([this](const QString& path) { m_models.open(path); });
}

void SessionFiles::offerUnsavedWork()
{
    m_recovery->look(unsavedFolder());
}

void SessionFiles::handTagsTo(const QString& tagsOut, const QString& model)
{
    m_models.handTagsTo(tagsOut, model);
    m_autosave->keepAt(unsavedBeside(tagsOut));
}

void SessionFiles::end()
{
    remember();
    m_autosave->drop();
}

void SessionFiles::endNow()
{
    if (m_models.handTags())
        m_autosave->drop();
    else
        m_autosave->writeLast();
    remember();
}

void SessionFiles::remember() const
{
    if (!m_models.handsTags())
        m_last->save();
}

} // namespace sunder

#include "moc_session_files.cpp"
