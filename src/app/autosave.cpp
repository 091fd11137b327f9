#include "app/autosave.h"

#include "app/cache_places.h"
#include "document/text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QFutureWatcher>
#include <QUuid>
#include <QtConcurrent>

namespace sunder {
namespace {

constexpr Changes kKept = Change::tags | Change::tagList | Change::activeTag | Change::devices | Change::sizes | Change::runs
    | Change::operators | Change::outcome | Change::file | Change::notes;

} // namespace

QString unsavedFolder()
{
    return cacheFolder(QStringLiteral("unsaved"));
}

Autosave::Autosave(Document& document, std::function<ProjectState()> state, QObject* parent)
    : QObject(parent), m_document(document), m_state(std::move(state))
{
    m_pool.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    setDelay(kDelayMs);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::write);
    const QString stem = unsavedFolder() + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces);
    if (Result<FileLock> lock = FileLock::take((stem + QStringLiteral(".lock")).toStdString())) {
        m_lock = std::move(*lock);
        m_path = stem + QStringLiteral(".sunder");
    }
    connect(&document, &Document::changed, this, &Autosave::note);
}

Autosave::~Autosave()
{
    m_pool.waitForDone();
    if (m_isUnwanted && !m_path.isEmpty())
        QFile::remove(m_path);
}

void Autosave::keepAt(const QString& path)
{
    drop();
    m_lock.reset();
    m_path = path;
}

void Autosave::note(Changes what)
{
    if (what.testFlag(Change::opened) || !m_document.isModified()) {
        drop();
        return;
    }
    if (!(what & kKept))
        return;
    ++m_changes;
    if (!m_timer.isActive()) // starts at the first change, so that continuous painting does not delay it
        m_timer.start();
}

void Autosave::write()
{
    m_timer.stop();
    if (m_path.isEmpty() || !m_document.isModified())
        return;
    if (m_isWriting) {
        m_isMore = true;
        return;
    }
    m_isWriting = true;
    m_isMore = false;
    m_isUnwanted = false;
    const UnsavedOrigin origin{.project = m_document.hasProject() ? m_document.tagsPath().toStdString() : std::string(),
                               .when = QDateTime::currentDateTime().toString(Qt::ISODate).toStdString()};
    auto* watcher = new QFutureWatcher<Result<void>>(this);
    connect(watcher, &QFutureWatcher<Result<void>>::finished, this, [this, watcher, changes = m_changes] {
        watcher->deleteLater();
        written(changes, watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(&m_pool, [state = m_state(), origin, path = m_path] {
        ProjectFile file = projectFileOf(state, path);
        file.source.relative.clear(); // the cache folder has no meaningful path relative to the model
        file.unsaved = origin;
        return writeProjectFile(file, path.toStdString());
    }));
}

void Autosave::writeLast()
{
    m_pool.waitForDone(); // a running write may hold an older state
    m_isWriting = false;
    write();
}

void Autosave::written(quint64 changes, const Result<void>& result)
{
    m_isWriting = false;
    if (m_isUnwanted) { // saved in the meantime
        drop();
        return;
    }
    if (result)
        emit saved(changes);
    else if (!std::exchange(m_hasFailed, true))
        emit failed(tr("Unsaved work could not be backed up for recovery: %1").arg(text(describe(result.error()))));
    if (m_isMore)
        write();
}

void Autosave::drop()
{
    m_timer.stop();
    m_isMore = false;
    m_isUnwanted = true;
    if (!m_isWriting && !m_path.isEmpty())
        QFile::remove(m_path);
}

} // namespace sunder

#include "moc_autosave.cpp"
