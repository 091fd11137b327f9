#include "app/application.h"

#include "app/appearance.h"
#include "app/main_window.h"
#include "app/returned_memory.h"
#include "diagnostics/crash_log.h"
#include "diagnostics/logging.h"
#include "diagnostics/system_facts.h"
#include "support/version.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QSettings>

#include <cstdio>
#include <optional>

namespace sunder {

namespace {

void nameProgram()
{
    QCoreApplication::setApplicationName(QStringLiteral("sunder"));
    QCoreApplication::setOrganizationName(QStringLiteral("sunder"));
    QCoreApplication::setApplicationVersion(QLatin1String(version().data(), static_cast<qsizetype>(version().size())));
}

/// What the command line says.
struct StartOptions {
    QString appearance; ///< empty: as the settings have it
    QString model;      ///< empty: none
    QString tagsOut;    ///< empty: nobody waits for tags
};

void declareOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QCoreApplication::translate("main", "An editor in which engineers cut PyTorch models."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOption({QStringLiteral("appearance"),
                      QCoreApplication::translate("main", "Colours of the window: those of the system, light or dark."),
                      QStringLiteral("system|light|dark")});
    parser.addOption({QStringLiteral("tags-out"),
                      QCoreApplication::translate(
                          "main", "Writes the tags there when the window closes, without asking; for scripts that wait."),
                      QStringLiteral("TAGS.json")});
    parser.addPositionalArgument(QStringLiteral("MODEL"),
                                 QCoreApplication::translate("main", "Model or project to open: .pt2, .fxj or .sunder."),
                                 QStringLiteral("[MODEL]"));
}

/// Nothing where the command line is wrong; why stands on standard error.
std::optional<StartOptions> startOptions(const QApplication& application)
{
    QCommandLineParser parser;
    declareOptions(parser);
    parser.process(application);
    const QStringList models = parser.positionalArguments();
    const QString tagsOut = parser.value(QStringLiteral("tags-out"));
    if (models.size() > 1) {
        std::fputs("sunder: one model at a time, please\n", stderr);
        return std::nullopt;
    }
    if (!tagsOut.isEmpty() && models.isEmpty()) {
        std::fputs("sunder: --tags-out needs the MODEL whose tags are wanted\n", stderr);
        return std::nullopt;
    }
    return StartOptions{parser.value(QStringLiteral("appearance")), models.value(0), tagsOut};
}

/// Help and version are told where there is no display, too.
void answerWithoutWindow(int argc, char** argv)
{
    QCommandLineParser parser;
    declareOptions(parser);
    QStringList words;
    for (int i = 0; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    parser.parse(words); // Qt's own options are unknown here
    for (const QString& text : {QStringLiteral("help"), QStringLiteral("version")}) {
        if (!parser.isSet(text))
            continue;
        const QCoreApplication application(argc, argv);
        parser.process({words.first(), QStringLiteral("--") + text}); // ends the program
    }
}

} // namespace

int runApplication(int argc, char** argv)
{
    freeMemoryEvenly();
    nameProgram();
    answerWithoutWindow(argc, argv);
    QApplication application(argc, argv);
    QApplication::setApplicationDisplayName(QStringLiteral("Sunder"));
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
