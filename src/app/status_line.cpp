#include "app/status_line.h"

#include "document/text.h"
#include "models/elided_label.h"
#include "panels/job_status.h"
#include "panels/zoom_field.h"
#include "text/amounts.h"

#include <QLabel>
#include <QStatusBar>

namespace sunder {
namespace {

constexpr int kMessageMs = 8000;
constexpr int kMaxMessageLength = 160; ///< characters; the log has the full text

} // namespace

StatusLine::StatusLine(QStatusBar& bar, const Document& document, Jobs& jobs)
    : m_document(document), m_counts(new QLabel(&bar)), m_message(new ElidedLabel(&bar)), m_speed(new QLabel(&bar)),
      m_zoom(new ZoomField(&bar))
{
    bar.setSizeGripEnabled(false);
    m_counts->setContentsMargins(8, 0, 0, 0);
    m_speed->setContentsMargins(0, 0, 8, 0);
    m_message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_messageTime.setSingleShot(true);
    QObject::connect(&m_messageTime, &QTimer::timeout, m_message, [this] { m_message->setFigures({}, {}); });
    QObject::connect(&document, &Document::changed, m_message, [this](Changes what) {
        if (what & m_until)
            m_message->setFigures({}, {});
    });
    bar.addWidget(m_counts);
    bar.addWidget(m_message, 1);
    bar.addPermanentWidget(new JobStatus(jobs, &bar));
    bar.addPermanentWidget(m_speed);
    bar.addPermanentWidget(m_zoom);
}

void StatusLine::say(const QString& text, Changes until)
{
    m_until = until | Change::opened;
    const QString all = visible(text);
    m_message->setFigures(brief(all, kMaxMessageLength), all.size() > kMaxMessageLength ? all : QString());
    m_messageTime.start(kMessageMs);
}

void StatusLine::showCounts(int errors, int warnings)
{
    m_zoom->setVisible(m_document.isOpen());
    if (!m_document.isOpen()) {
        m_counts->clear();
        m_speed->clear();
        return;
    }
    const auto ops = m_document.snapshot()->callCount;
    const auto untagged = m_document.checks().report().untagged.size();
    const auto percent = ops == 0 ? 100 : (ops - untagged) * 100 / ops;
    QStringList parts{countText(ops, "op"), QObject::tr("%1% tagged").arg(percent)};
    QStringList found;
    if (errors > 0)
        found << countText(static_cast<std::uint64_t>(errors), "error");
    if (warnings > 0)
        found << countText(static_cast<std::uint64_t>(warnings), "warning");
    parts << (found.isEmpty() ? QObject::tr("no errors") : found.join(QStringLiteral(", ")));
    m_counts->setText(parts.join(QStringLiteral(" · ")));
    m_speed->setText(QObject::tr("checked in %1 ms").arg(m_document.checks().milliseconds(), 0, 'f', 1));
    m_speed->setToolTip(QObject::tr("Duration of the last tag check"));
}

} // namespace sunder
