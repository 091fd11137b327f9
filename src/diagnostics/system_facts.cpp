#include "diagnostics/system_facts.h"

#include "layout/box_layout.h"

#include <QGuiApplication>
#include <QScreen>
#include <QSysInfo>

namespace sunder {
namespace {

QString buildText()
{
#ifdef __OPTIMIZE__
    const QString kind = QStringLiteral("optimized");
#else
    const QString kind = QStringLiteral("debug");
#endif
#ifdef __clang__
    return QStringLiteral("%1, Clang %2").arg(kind, QLatin1String(__clang_version__));
#else
    return QStringLiteral("%1, GCC %2").arg(kind, QLatin1String(__VERSION__));
#endif
}

QString screenText(const QScreen& screen)
{
    return QStringLiteral("%1 × %2 at %3%")
        .arg(screen.size().width())
        .arg(screen.size().height())
        .arg(qRound(100 * screen.devicePixelRatio()));
}

} // namespace

std::vector<SystemFact> systemFacts()
{
    std::vector<SystemFact> facts{
        {QStringLiteral("Sunder"), QCoreApplication::applicationVersion()},
        {QStringLiteral("Built"), buildText()},
        {QStringLiteral("Qt"),
         QStringLiteral("%1 (built with %2)").arg(QLatin1String(qVersion()), QLatin1String(QT_VERSION_STR))},
        {QStringLiteral("Graphviz"), QString::fromStdString(graphvizVersion())},
        {QStringLiteral("System"),
         QStringLiteral("%1, %2 %3").arg(QSysInfo::prettyProductName(), QSysInfo::kernelType(), QSysInfo::kernelVersion())},
        {QStringLiteral("Processor"), QSysInfo::currentCpuArchitecture()},
    };
    if (qobject_cast<QGuiApplication*>(QCoreApplication::instance()) == nullptr)
        return facts;
    facts.push_back({QStringLiteral("Window system"), QGuiApplication::platformName()});
    if (const QScreen* screen = QGuiApplication::primaryScreen())
        facts.push_back({QStringLiteral("Screen"), screenText(*screen)});
    return facts;
}

QString systemFactsText()
{
    QString text;
    for (const SystemFact& fact : systemFacts())
        text += QStringLiteral("%1: %2\n").arg(fact.name, fact.value);
    return text;
}

} // namespace sunder
