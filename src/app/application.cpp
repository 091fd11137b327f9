#include "app/application.h"

#include "app/appearance.h"
#include "app/autosave.h"
#include "app/end_signals.h"
#include "app/main_window.h"
#include "app/returned_memory.h"
#include "diagnostics/crash_log.h"
#include "diagnostics/logging.h"
#include "diagnostics/system_facts.h"
#include "support/version.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QIcon>
#include <QSettings>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>

namespace sunder {

namespace {

void nameProgram()
{
    QCoreApplication::setApplicationName(QStringLiteral("sunder"));
    QCoreApplication::setOrganizationName(QStringLiteral("sunder"));
    QCoreApplication::setApplicationVersion(QLatin1String(version().data(), static_cast<qsizetype>(version().size())));
}

/// Command line options.
struct StartOptions {
    QString appearance; ///< empty: use the settings
    QString model;      ///< empty: none
    QString tagsOut;    ///< empty: no script waits for tags
};

void declareOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "A desktop editor that splits PyTorch models into parts."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOption({QStringLiteral("appearance"), QCoreApplication::translate("main", "Color scheme of the window."),
                      QStringLiteral("system|light|dark")});
    parser.addOption({QStringLiteral("tags-out"),
                      QCoreApplication::translate(
                          "main", "Write the tags to this file when the window closes, without asking; for scripts that wait."),
                      QStringLiteral("TAGS.json")});
    parser.addPositionalArgument(QStringLiteral("MODEL"),
                                 QCoreApplication::translate("main", "Model or project to open: .pt2, .fxj, or .sunder."),
                                 QStringLiteral("[MODEL]"));
}

/// Parses the command line. On an error, prints it to standard error and returns nothing.
std::optional<StartOptions> startOptions(const QApplication& application)
{
    QCommandLineParser parser;
    declareOptions(parser);
    parser.process(application);
    const QStringList models = parser.positionalArguments();
    const QString tagsOut = parser.value(QStringLiteral("tags-out"));
    if (models.size() > 1) {
        std::fputs("sunder: expected at most one MODEL\n", stderr);
        return std::nullopt;
    }
    if (!tagsOut.isEmpty() && models.isEmpty()) {
        std::fputs("sunder: --tags-out needs a MODEL\n", stderr);
        return std::nullopt;
    }
    return StartOptions{parser.value(QStringLiteral("appearance")), models.value(0), tagsOut};
}

/// Returns the project file for unsaved work in a session with --tags-out, next to the tags file.
QString unsavedBeside(const QString& tagsOut)
{
    return QDir::current().absoluteFilePath(tagsOut) + QStringLiteral(".unsaved.sunder");
}

/// Prints help or version without a display.
void answerWithoutWindow(int argc, char** argv)
{
    QCommandLineParser parser;
    declareOptions(parser);
    QStringList words;
    for (int i = 0; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    parser.parse(words); // ignore errors: Qt's own options are unknown to this parser
    for (const QString& text : {QStringLiteral("help"), QStringLiteral("version")}) {
        if (!parser.isSet(text))
            continue;
        const QCoreApplication application(argc, argv);
        parser.process({words.first(), QStringLiteral("--") + text}); // exits the program
    }
}

/// Offers crash reports and, unless a script waits for tags, unsaved work of earlier sessions.
void prepare(MainWindow& window, const StartOptions& options)
{
    window.offerCrashReports(crashLogPath());
    if (options.tagsOut.isEmpty())
        return window.offerUnsavedWork();
    window.files().handTagsTo(options.tagsOut, options.model);
    window.autosave().keepAt(unsavedBeside(options.tagsOut));
}

void end(MainWindow& window)
{
    qCInfo(logWindow, "ended by a signal");
    window.endNow();
    QApplication::exit(0); // quit() would close the window, which may show a dialog
}

/// Returns whether a display is available; without one, Qt would abort.
bool hasDisplay(int argc, char** argv)
{
    const auto choosesPlatform = [](const char* word) { return std::string_view(word).ends_with("-platform"); };
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")
        || !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") || std::any_of(argv, argv + argc, choosesPlatform);
}

} // namespace

int runApplication(int argc, char** argv)
{
    freeMemoryEvenly();
    nameProgram();
    answerWithoutWindow(argc, argv);
    if (!hasDisplay(argc, argv)) {
        std::fputs("sunder: no display: neither DISPLAY nor WAYLAND_DISPLAY is set\n", stderr);
        return 1;
    }
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
    prepare(window, *options);
    EndSignals endSignals;
    QObject::connect(&endSignals, &EndSignals::came, &window, [&window] { end(window); });
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
