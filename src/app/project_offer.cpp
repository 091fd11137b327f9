#include "app/project_offer.h"

#include "app/model_files.h"
#include "app/workflow.h"
#include "document/document.h"
#include "document/text.h"
#include "panels/notice_bar.h"

#include <QDir>
#include <QFileInfo>

namespace sunder {
namespace {

QString projectName(const QString& path)
{
    return brief(visible(QFileInfo(path).fileName()));
}

} // namespace

ProjectOffer::ProjectOffer(NoticeBar& bar, Document& document, ModelFiles& files, Workflow& workflow, QObject* parent)
    : QObject(parent), m_bar(bar), m_files(files)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::opened))
            m_bar.hide(); // the bar refers to the previous document
    });
    connect(&files, &ModelFiles::projectBeside, this, &ProjectOffer::offer);
    connect(&workflow, &Workflow::openElsewhere, this, &ProjectOffer::tellOther);
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

void ProjectOffer::tellOther(const QString& path, const QString& since)
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

} // namespace sunder

#include "moc_project_offer.cpp"
