#include "app/crash_offer.h"

#include "diagnostics/crash_log.h"
#include "dialogs/crash_dialog.h"
#include "panels/notice_bar.h"

namespace sunder {

CrashOffer::CrashOffer(NoticeBar& bar, QObject* parent) : QObject(parent), m_bar(bar)
{
    connect(&bar, &NoticeBar::chosen, this, [this](int offer) {
        if (offer == 0)
            show();
        else
            dismiss();
    });
}

void CrashOffer::offerFrom(const QString& path)
{
    m_path = path;
    if (const std::optional<CrashReports> reports = unseenCrashes(path))
        m_bar.show(
            {.headline = tr("Sunder crashed in its last session"),
             .text = reports->last,
             .icon = QStringLiteral("warning"),
             .offers = {{tr("Sh&ow…"), tr("Show the log, to copy it into a report")},
                        {tr("D&ismiss"), tr("Do not report these crashes again; their log is kept as crashes.log.seen")}}});
}

void CrashOffer::show()
{
    if (const std::optional<CrashReports> reports = unseenCrashes(m_path))
        CrashDialog(reports->text, m_bar.window()).exec();
    dismiss(); // another window may have added or shown reports meanwhile
}

void CrashOffer::dismiss()
{
    if (unseenCrashes(m_path) && !markCrashesSeen(m_path))
        emit failed(tr("The crash log was not put away"),
                    tr("%1 cannot be renamed. Delete it to stop this message.").arg(m_path));
}

} // namespace sunder

#include "moc_crash_offer.cpp"
