#include "app/application.h"

#include "app/appearance.h"
#include "app/main_window.h"
#include "app/returned_memory.h"
#include "diagnostics/crash_log.h"
#include "diagnostics/logging.h"
#include "diagnostics/system_facts.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QSettings>

#include <cstdio>

namespace sunder {

int runApplication(int argc, char** argv)
{
    freeMemoryEvenly();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("sunder"));
    QApplication::setOrganizationName(QStringLiteral("sunder"));
    QApplication::setApplicationDisplayName(QStringLiteral("Sunder"));
    QApplication::setApplicationVersion(QStringLiteral(SUNDER_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("sunder"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/sunder.svg")));

    keepRecentLines();

    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate("main", "An editor in which engineers cut PyTorch models."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption appearance(QStringLiteral("appearance"),
                                        QApplication::translate("main", "Colours of the window: system, light or dark."),
                                        QStringLiteral("mode"));
    parser.addOption(appearance);
    parser.addPositionalArgument(QStringLiteral("MODEL"),
                                 QApplication::translate("main", "Model or project to open: .pt2, .fxj or .sunder."),
                                 QStringLiteral("[MODEL]"));
    parser.process(application);
    if (parser.positionalArguments().size() > 1) {
        std::fputs("sunder: one model at a time, please\n", stderr);
        return 2;
    }

    Appearance look(application);
    look.setMode(Appearance::modeOf(parser.isSet(appearance) ? parser.value(appearance)
                                                             : QSettings().value(QStringLiteral("appearance")).toString()));
    writeCrashesTo(crashLogPath(), systemFactsText());
    MainWindow window(&look);
    window.show();
    window.offerCrashReports(crashLogPath());
    window.offerUnsavedWork();
    if (!parser.positionalArguments().isEmpty())
        window.openModel(parser.positionalArguments().first());
    else
        window.reopenLastSession();
    qCInfo(logWindow, "started");
    const int status = QApplication::exec();
    qCInfo(logWindow, "ends");
    return status;
}

} // namespace sunder
