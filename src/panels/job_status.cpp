#include "panels/job_status.h"

#include "models/themed_icon.h"
#include "text/shown_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace sunder {

namespace {
constexpr int kMomentMs = 150;
} // namespace

JobStatus::JobStatus(Jobs& jobs, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_text(new QLabel(this)), m_bar(new QProgressBar(this)),
      m_cancel(new QToolButton(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_bar->setFixedWidth(140);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_cancel->setIcon(themedIcon(QStringLiteral("close")));
    m_cancel->setIconSize({12, 12});
    m_cancel->setToolTip(tr("Cancel"));
    m_cancel->setAccessibleName(tr("Cancel"));
    m_cancel->setObjectName(QStringLiteral("cancelJob"));
    row->addWidget(m_text);
    row->addWidget(m_bar);
    row->addWidget(m_cancel);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kMomentMs);
    hide();
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        if (m_shown)
            m_jobs.cancel(m_shown);
    });
    connect(&m_delay, &QTimer::timeout, this, &JobStatus::refresh);
    connect(&jobs, &Jobs::added, &m_delay, qOverload<>(&QTimer::start));
    connect(&jobs, &Jobs::changed, this, [this] {
        if (!m_delay.isActive())
            refresh();
    });
}

void JobStatus::refresh()
{
    const JobInfo* running = nullptr;
    for (const JobInfo& info : m_jobs.list())
        if (info.state == JobState::running && (running == nullptr || !info.quiet))
            running = &info;
    setVisible(running != nullptr);
    m_shown = running != nullptr ? running->id : JobId();
    if (running == nullptr)
        return;
    const QString said = running->step.isEmpty() ? running->title : QStringLiteral("%1: %2").arg(running->title, running->step);
    m_text->setText(brief(visible(said)));
    m_bar->setRange(0, running->permille < 0 ? 0 : 1000);
    m_bar->setValue(std::max(0, running->permille));
}

} // namespace sunder
