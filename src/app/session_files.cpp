#include "app/session_files.h"

#include "app/autosave.h"
#include "app/bookmarks.h"
#include "app/disk_notices.h"
#include "app/last_session.h"
#include "app/project.h"
#include "app/recovery_offer.h"
#include "app/session.h"
#include "app/workspace.h"
#include "document/text.h"
#include "panels/notice_bar.h"

#include <QDir>
#include <QFileInfo>

namespace sunder {
namespace {

/// Returns the project file for unsaved work in a session whose tags go to this file.
QString unsavedBeside(const QString& tagsOut)
{
    return QDir::current().absoluteFilePath(tagsOut) + QStringLiteral(".unsaved.sunder");
}

QString projectName(const QString& path)
{
    return brief(visible(QFileInfo(path).fileName()));
}

/// Shows a bar if there is a project next to the opened model, or if another window has the project open.
class ProjectOffer final : public QObject {
    Q_OBJECT

public:
    ProjectOffer(NoticeBar& bar, Document& document, ModelFiles& files, Workflow& workflow, QObject* parent);

private:
    void offer(const QString& path);
    void showOtherProject(const QString& path, const QString& since);
    void choose(int offer);

    NoticeBar& m_bar;
    ModelFiles& m_files;
    QString m_beside; ///< offered project; may be empty
};

ProjectOffer::ProjectOffer(NoticeBar& bar, Document& document, ModelFiles& files, Workflow& workflow, QObject* parent)
    : QObject(parent), m_bar(bar), m_files(files)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::opened))
            m_bar.hide(); // the bar refers to the previous document
    });
    connect(&files, &ModelFiles::projectBeside, this, &ProjectOffer::offer);
    connect(&workflow, &Workflow::openElsewhere, this, &ProjectOffer::showOtherProject);
    connect(&bar, &NoticeBar::chosen, this, &ProjectOffer::choose);
}

void ProjectOffer::offer(const QString& path)
{
    m_beside = path;
    m_bar.show({.headline = tr("This model has a project: %1").arg(projectName(path)),
                .text = tr("It holds your tags, devices, runs, and views. Without it, you see the plain model."),
                .tip = folded(visible(QDir::toNativeSeparators(path))),
                .offers = {{tr("Open pro&ject"), tr("Open the project instead of the plain model")},
                           {tr("&Not now"), tr("Continue with the plain model")}}});
}

void ProjectOffer::showOtherProject(const QString& path, const QString& since)
{
    m_beside.clear();
    m_bar.show({.headline = since.isEmpty() ? tr("%1 is open in another window").arg(projectName(path))
                                            : tr("%1 is open in another window since %2").arg(projectName(path), since),
                .text = tr("This is a copy of its last saved version. It is saved under another name, so that neither "
                           "window overwrites the other."),
                .tip = folded(visible(QDir::toNativeSeparators(path))),
                .offers = {{tr("&Got it"), tr("Continue with the copy")}}});
}

void ProjectOffer::choose(int offer)
{
    const QString path = std::exchange(m_beside, {});
    if (offer == 0 && !path.isEmpty())
        m_files.open(path);
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
    connect(m_recovery, &RecoveryOffer::messageEmitted, this, &SessionFiles::messageEmitted);
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
    m_recovery->offerFrom(unsavedFolder());
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
    if (!m_models.returnsTags())
        m_last->save();
}

} // namespace sunder

#include "moc_session_files.cpp"
#include "session_files.moc"
