#include "app/last_session.h"

#include "app/sight_text.h"
#include "app/workflow.h"
#include "document/assumed_sizes.h"
#include "document/open_project.h"
#include "document/text.h"
#include "panes/source_pane.h"

#include <QDateTime>
#include <QFileInfo>
#include <QSettings>

namespace sunder {
namespace {

constexpr const char* kSessionGroup = "session";
constexpr qsizetype kLongestPath = 4096;

QString sessionStampOf(const QString& path)
{
    const QFileInfo file(path);
    return QStringLiteral("%1 %2").arg(file.size()).arg(file.lastModified().toMSecsSinceEpoch());
}

QString nameOfFile(const QString& path)
{
    return brief(visible(QFileInfo(path).fileName()));
}

} // namespace

LastSession::LastSession(Document& document, Workflow& workflow, SourcePane& source, AssumedSizes& sizes, QObject* parent)
    : QObject(parent), m_document(document), m_workflow(workflow), m_source(source), m_sizes(sizes)
{
    connect(&workflow, &Workflow::opened, this, &LastSession::showAgain);
}

void LastSession::save() const
{
    QSettings settings;
    settings.beginGroup(QLatin1String(kSessionGroup));
    settings.remove(QString());
    if (!m_document.isOpen())
        return;
    settings.setValue(QStringLiteral("model"), m_document.filePath());
    settings.setValue(QStringLiteral("program"), m_document.programName());
    settings.setValue(QStringLiteral("tags"), m_document.tagsPath());
    settings.setValue(QStringLiteral("stamp"), sessionStampOf(m_document.filePath()));
    QStringList sizes;
    for (const AssumedSize& size : m_sizes.beyondFile())
        sizes << QStringLiteral("%1=%2").arg(exact(size.first.view())).arg(size.second);
    settings.setValue(QStringLiteral("sizes"), sizes.join(QLatin1Char(',')));
    if (const std::optional<GraphSight> sight = m_source.view().sight())
        settings.setValue(QStringLiteral("sight"), exact(textOfSight(*sight)));
}

std::unique_ptr<LastSession::Kept> LastSession::kept()
{
    QSettings settings;
    settings.beginGroup(QLatin1String(kSessionGroup));
    const auto textAt = [&settings](const char* key) {
        const QString text = settings.value(QLatin1String(key)).toString();
        return text.size() > kLongestPath ? QString() : text;
    };
    const QString model = textAt("model");
    if (model.isEmpty() || !QFileInfo(model).isAbsolute())
        return nullptr;
    return std::make_unique<Kept>(Kept{model, textAt("program"), textAt("tags"), textAt("stamp"),
                                       sightOfText(settings.value(QStringLiteral("sight")).toString().toStdString()),
                                       textAt("sizes")});
}

void LastSession::restore(const std::function<void(const QString& path)>& open)
{
    m_awaited = kept();
    QSettings().remove(QLatin1String(kSessionGroup));
    if (!m_awaited)
        return;
    if (isProject(m_awaited->tags) && QFileInfo::exists(m_awaited->tags)) {
        open(std::exchange(m_awaited, nullptr)->tags); // the project holds everything else
        return;
    }
    if (QFileInfo::exists(m_awaited->model)) {
        open(m_awaited->model);
        return;
    }
    emit message(tr("The last opened file %1 no longer exists: %2").arg(nameOfFile(m_awaited->model), visible(m_awaited->model)));
    m_awaited.reset();
}

/// Restores the session. Does nothing if the user opened another model meanwhile.
void LastSession::showAgain(const QString& path)
{
    const std::unique_ptr<Kept> session = std::move(m_awaited);
    if (!session || session->model != path || session->program != m_document.programName())
        return;
    if (Result<std::vector<AssumedSize>> sizes = parseAssumedSizes(session->sizes.toStdString()); sizes)
        m_sizes.resume(std::move(*sizes));
    const bool areBeside = session->tags == m_document.tagsPath(); // or there are no tags
    if (!areBeside && QFileInfo::exists(session->tags))
        m_workflow.resumeTagsFile(session->tags);
    else if (!areBeside && !session->tags.isEmpty())
        emit message(tr("The tags file last used with %1 no longer exists: %2").arg(nameOfFile(path), visible(session->tags)));
    if (session->stamp != sessionStampOf(path))
        emit message(tr("%1 has changed since the last session; its view was reset.").arg(nameOfFile(path)));
    else if (session->sight)
        m_source.view().restore(*session->sight);
}

} // namespace sunder

#include "moc_last_session.cpp"
