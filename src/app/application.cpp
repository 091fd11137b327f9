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
#include <optional>

namespace sunder {

namespace {

/// What the command line says.
struct StartOptions {
    QString appearance; ///< empty: as the settings have it
    QString model;      ///< empty: none
    QString tagsOut;    ///< empty: nobody waits for tags
};

/// Nothing where the command line is wrong; why stands on standard error.
std::optional<StartOptions> startOptions(const QApplication& application)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate("main", "An editor in which engineers cut PyTorch models."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption appearance(QStringLiteral("appearance"),
                                        QApplication::translate("main", "Colours of the window: system, light or dark."),
                                        QStringLiteral("mode"));
    const QCommandLineOption tagsOut(
        QStringLiteral("tags-out"),
        QApplication::translate("main", "Writes the tags there when the window closes, without asking; for scripts that wait."),
        QStringLiteral("TAGS.json"));
    parser.addOptions({appearance, tagsOut});
    parser.addPositionalArgument(QStringLiteral("MODEL"),
                                 QApplication::translate("main", "Model or project to open: .pt2, .fxj or .sunder."),
                                 QStringLiteral("[MODEL]"));
    parser.process(application);
    const QStringList models = parser.positionalArguments();
    if (models.size() > 1) {
        std::fputs("sunder: one model at a time, please\n", stderr);
        return std::nullopt;
    }
    if (parser.isSet(tagsOut) && models.isEmpty()) {
        std::fputs("sunder: --tags-out needs the MODEL whose tags are wanted\n", stderr);
        return std::nullopt;
    }
    return StartOptions{parser.value(appearance), models.value(0), parser.value(tagsOut)};
}

} // namespace

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

    const std::optional<StartOptions> options = startOptions(application);
    if (!options)
        return 2;

    Appearance look(application);
    look.setMode(Appearance::modeOf(options->appearance.isEmpty() ? QSettings().value(QStringLiteral("appearance")).toString()
                                                                  : options->appearance));
    writeCrashesTo(crashLogPath(), systemFactsText());
    MainWindow window(&look);
    window.show();
    window.offerCrashReports(crashLogPath());
    window.offerUnsavedWork();
    if (!options->tagsOut.isEmpty())
        window.files().handTagsTo(options->tagsOut, options->model);
    if (!options->model.isEmpty())
        window.openModel(options->model);
    else
        window.reopenLastSession();
    qCInfo(logWindow, "started");
    const int status = QApplication::exec();
    qCInfo(logWindow, "ends");
    return status;
}

} // namespace sunder
