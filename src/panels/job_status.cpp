#include "panels/job_status.h"

#include "models/themed_icon.h"
#include "panels/ui_job_status.h"
#include "text/shown_text.h"

namespace sunder {
namespace {
constexpr int kMomentMs = 150;
} // namespace

JobStatus::JobStatus(Jobs& jobs, QWidget* parent) : QWidget(parent), m_jobs(jobs), m_ui(std::make_unique<Ui::JobStatus>())
{
    m_ui->setupUi(this);
    setThemedIcons(*this);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kMomentMs);
    hide();
    connect(m_ui->cancelJob, &QToolButton::clicked, this, [this] {
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

JobStatus::~JobStatus() = default;

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
    const QString step = running->step.isEmpty() ? running->title : QStringLiteral("%1: %2").arg(running->title, running->step);
    m_ui->said->setText(brief(visible(step)));
    m_ui->bar->setRange(0, running->permille < 0 ? 0 : 1000);
    m_ui->bar->setValue(std::max(0, running->permille));
}

} // namespace sunder

#include "moc_job_status.cpp"
