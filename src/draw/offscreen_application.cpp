#include "draw/offscreen_application.h"

#include "cli/files.h"

#include <QFileInfo>
#include <QLoggingCategory>

namespace sunder::cli {
namespace {

void useCarriedFonts()
{
    const QString carried = QFileInfo(programPath()).path() + QStringLiteral("/../share/sunder/fonts/fonts.conf");
    if (!qEnvironmentVariableIsSet("FONTCONFIG_FILE") && !QFileInfo::exists(QStringLiteral("/etc/fonts/fonts.conf"))
        && QFileInfo::exists(carried))
        qputenv("FONTCONFIG_FILE", carried.toLocal8Bit());
}

} // namespace

OffscreenApplication::OffscreenApplication()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Suppress Qt's warning about a missing XDG_RUNTIME_DIR, which is not needed to draw a file.
    QLoggingCategory::setFilterRules(QStringLiteral("default.warning=false"));
    useCarriedFonts();
    m_application.emplace(m_count, m_words);
}

} // namespace sunder::cli
