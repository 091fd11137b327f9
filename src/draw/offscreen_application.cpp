#include "draw/offscreen_application.h"

#include "support/carried_files.h"

#include <QLoggingCategory>

namespace sunder::cli {

OffscreenApplication::OffscreenApplication()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Suppress Qt's warning about a missing XDG_RUNTIME_DIR, which is not needed to draw a file.
    QLoggingCategory::setFilterRules(QStringLiteral("default.warning=false"));
    useCarriedFiles();
    m_application.emplace(m_count, m_words);
}

} // namespace sunder::cli
