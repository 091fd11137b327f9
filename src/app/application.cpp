#include "app/application.h"

#include "app/appearance.h"
#include "app/main_window.h"
#include "app/returned_memory.h"
#include "diagnostics/crash_log.h"
#include "diagnostics/logging.h"
#include "diagnostics/system_facts.h"
#include "support/carried_files.h"
#include "support/version.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QLoggingCategory>
#include <QObject>
#include <QSettings>
#include <QSocketNotifier>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace sunder {
namespace {

/// Converts SIGINT, SIGTERM, and SIGHUP to a Qt signal. Ignored signals (`nohup`) stay ignored. A second signal terminates the
/// process at once. One instance per process; the destructor restores the previous handlers.
class EndSignals final : public QObject {
    Q_OBJECT

public:
    explicit EndSignals(QObject* parent = nullptr);
    ~EndSignals() override;

signals:
    void came();

private:
    void read();

    std::array<int, 2> m_pipe = {-1, -1};
    QSocketNotifier m_notifier{QSocketNotifier::Read};
};

constexpr std::array kEndSignals = {SIGINT, SIGTERM, SIGHUP};

std::array<struct sigaction, kEndSignals.size()> actionsBefore{};
volatile std::sig_atomic_t endSignalPipe = -1;

/// Writes to a pipe, which is safe in a signal handler; the event loop does the rest.
extern "C" void onEndSignal(int)
{
    const int error = errno;
    (void)!::write(endSignalPipe, "", 1); // a full pipe already contains a notification
    errno = error;
}

EndSignals::EndSignals(QObject* parent) : QObject(parent)
{
    if (::pipe2(m_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        qCWarning(logWindow, "termination signals will not save unsaved work: %s", std::strerror(errno));
        return;
    }
    endSignalPipe = m_pipe[1];
    m_notifier.setSocket(m_pipe[0]);
    m_notifier.setEnabled(true);
    connect(&m_notifier, &QSocketNotifier::activated, this, &EndSignals::read);
    struct sigaction action{};
    action.sa_handler = onEndSignal;
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND); // a second signal terminates a program that hangs
    for (std::size_t i = 0; i < kEndSignals.size(); ++i)
        if (::sigaction(kEndSignals[i], nullptr, &actionsBefore[i]) == 0 && actionsBefore[i].sa_handler != SIG_IGN)
            ::sigaction(kEndSignals[i], &action, nullptr);
}

EndSignals::~EndSignals()
{
    if (endSignalPipe < 0)
        return;
    for (std::size_t i = 0; i < kEndSignals.size(); ++i)
        ::sigaction(kEndSignals[i], &actionsBefore[i], nullptr);
    endSignalPipe = -1;
    m_notifier.setEnabled(false);
    for (const int end : m_pipe)
        ::close(end);
}

void EndSignals::read()
{
    std::array<char, 16> bytes{};
    while (::read(m_pipe[0], bytes.data(), bytes.size()) > 0)
        ;
    emit came();
}

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
    window.handTagsTo(options.tagsOut, options.model);
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

/// While Qt starts, keeps its first reason for not using a display. Where Qt would abort because it can open no window, says that in
/// one sentence and exits.
class PlatformStart final {
public:
    PlatformStart() { s_printing = qInstallMessageHandler(onMessage); }
    ~PlatformStart() { qInstallMessageHandler(s_printing); }
    Q_DISABLE_COPY_MOVE(PlatformStart)

private:
    static void onMessage(QtMsgType type, const QMessageLogContext& context, const QString& message);

    static inline QtMessageHandler s_printing = nullptr;
    static inline QByteArray s_reason;
};

void PlatformStart::onMessage(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    const bool isOfWayland = message.contains(QLatin1String("wl_display"));
    const bool isOfPlatform = isOfWayland || QByteArrayView(context.category).startsWith("qt.qpa");
    if (type == QtFatalMsg) {
        const QByteArray first = message.section(QLatin1Char('\n'), 0, 0).toLocal8Bit();
        std::fprintf(stderr, "sunder: no window can be opened: %s\n", (s_reason.isEmpty() ? first : s_reason).constData());
        std::_Exit(1);
    }
    if (!isOfPlatform || type == QtDebugMsg)
        return s_printing(type, context, message);
    const QByteArray display = qgetenv("WAYLAND_DISPLAY");
    const bool isUnknown = s_reason.isEmpty() || s_reason.startsWith("Could not load"); // does not say why
    if (isUnknown && !(isOfWayland && display.isEmpty()))
        s_reason = isOfWayland ? "could not connect to Wayland display " + display : message.simplified().toLocal8Bit();
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
    useCarriedFiles();
    QLoggingCategory::setFilterRules(
        QStringLiteral("qt.qpa.wayland.warning=false")); // warns if there is no OpenGL, which is not used
    std::optional<PlatformStart> starting(std::in_place);
    QApplication application(argc, argv);
    starting.reset();
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

#include "application.moc"
