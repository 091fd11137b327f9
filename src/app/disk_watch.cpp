#include "app/disk_watch.h"

#include "document/text.h"
#include "io/archives/source_file.h"
#include "support/sha256.h"

#include <QEvent>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QWidget>
#include <QtConcurrentRun>

#include <filesystem>
#include <sys/stat.h>

namespace sunder {
namespace {

constexpr int kSoonMs = 250; ///< files are often written in several steps

QString stampOf(const QString& path)
{
    struct stat info{};
    if (::stat(path.toLocal8Bit().constData(), &info) != 0)
        return QStringLiteral("none");
    return QStringLiteral("%1 %2 %3 %4 %5")
        .arg(info.st_dev)
        .arg(info.st_ino)
        .arg(info.st_size)
        .arg(info.st_mtim.tv_sec)
        .arg(info.st_mtim.tv_nsec);
}

std::optional<DiskChange> changeOfModel(const SourceFile& opened, const QString& path)
{
    const std::optional<std::string> what = opened.changeAtPath();
    if (!what)
        return std::nullopt;
    return DiskChange{.path = path,
                      .what = text(*what),
                      .isThere = QFileInfo(path).isReadable(),
                      .isLost = !opened.checkUnchanged().has_value()};
}

std::optional<DiskChange> changeOfTags(const QString& path, const std::string& hash)
{
    const Result<std::string> now = sha256OfFile(path.toStdString());
    if (now && *now == hash)
        return std::nullopt;
    return DiskChange{.path = path,
                      .what = now ? QObject::tr("another program wrote to it")
                                  : QObject::tr("it no longer exists or cannot be read"),
                      .isThere = now.has_value()};
}

} // namespace

DiskWatch::DiskWatch(const Document& document, const Workflow& workflow, QWidget& window)
    : m_document(document), m_workflow(workflow), m_window(window)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &DiskWatch::check);
    const auto soon = [this] {
        if (m_window.isActiveWindow())
            m_soon.start();
    };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, soon);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, soon);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program))
            m_kept = {};
        if (what.testFlag(Change::program) || what.testFlag(Change::file))
            m_soon.start();
    });
    window.installEventFilter(this);
}

bool DiskWatch::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_window && event->type() == QEvent::WindowActivate)
        check();
    return QObject::eventFilter(watched, event);
}

/// Sets the watched paths again, since a file that was replaced is no longer watched.
void DiskWatch::watch()
{
    QStringList wanted;
    if (m_document.isOpen())
        for (const QString& path : {m_document.filePath(), m_document.tagsPath()})
            if (!path.isEmpty() && QFileInfo::exists(path))
                wanted << path << QFileInfo(path).absolutePath();
    wanted.removeDuplicates();
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    for (const QString& path : watched)
        if (!wanted.contains(path))
            m_watcher.removePath(path);
    for (const QString& path : wanted)
        if (!watched.contains(path))
            m_watcher.addPath(path);
}

void DiskWatch::check()
{
    m_soon.stop();
    if (m_isChecking) {
        m_looksAgain = true;
        return;
    }
    watch();
    if (!m_document.isOpen()) {
        take({});
        return;
    }
    m_isChecking = true;
    const auto work = [opened = m_document.snapshot()->program.origin.opened, model = m_document.filePath(),
                       tags = m_document.tagsPath(), hash = m_workflow.tagsHash(), before = m_seen] {
        Both seen;
        seen[0].stamp = stampOf(model);
        if (opened != nullptr)
            seen[0].change = changeOfModel(*opened, model);
        if (!tags.isEmpty() && !hash.empty()) {
            seen[1].stamp = stampOf(tags) + text(hash);
            seen[1].change = seen[1].stamp == before[1].stamp ? before[1].change : changeOfTags(tags, hash);
        }
        return seen;
    };
    auto* watcher = new QFutureWatcher<Both>(this);
    connect(watcher, &QFutureWatcher<Both>::finished, this, [this, watcher, snapshot = m_document.snapshot()] {
        watcher->deleteLater();
        m_isChecking = false;
        if ((m_document.isOf(snapshot) || snapshot == m_document.snapshot()) && !std::exchange(m_looksAgain, false))
            take(watcher->result());
        else
            check();
    });
    watcher->setFuture(QtConcurrent::run(work));
}

void DiskWatch::take(const Both& seen)
{
    m_seen = seen;
    for (const WatchedFile file : {WatchedFile::model, WatchedFile::tags}) {
        const Seen& now = m_seen[static_cast<std::size_t>(file)];
        const bool isKept = now.stamp == m_kept[static_cast<std::size_t>(file)];
        emit found(file, isKept ? std::nullopt : now.change);
    }
}

void DiskWatch::keep(WatchedFile file)
{
    m_kept[static_cast<std::size_t>(file)] = m_seen[static_cast<std::size_t>(file)].stamp;
    emit found(file, std::nullopt);
}

} // namespace sunder

#include "moc_disk_watch.cpp"
