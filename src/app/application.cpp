#include "app/application.h"

#include "app/appearance.h"
#include "app/main_window.h"
#include "app/returned_memory.h"

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

    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate("main", "An editor in which engineers cut PyTorch models."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption appearance(QStringLiteral("appearance"),
                                        QApplication::translate("main", "Colours of the window: system, light or dark."),
                                        QStringLiteral("mode"));
    parser.addOption(appearance);
    parser.addPositionalArgument(QStringLiteral("MODEL"), QApplication::translate("main", "Model to open: .pt2 or .fxj."),
                                 QStringLiteral("[MODEL]"));
    parser.process(application);
    if (parser.positionalArguments().size() > 1) {
        std::fputs("sunder: one model at a time, please\n", stderr);
        return 2;
    }

    Appearance look(application);
    look.setMode(Appearance::modeOf(parser.isSet(appearance) ? parser.value(appearance)
                                                             : QSettings().value(QStringLiteral("appearance")).toString()));
    MainWindow window(&look);
    window.show();
    if (!parser.positionalArguments().isEmpty())
        window.openModel(parser.positionalArguments().first());
    return QApplication::exec();
}

} // namespace sunder
