// sunder-cli: all commands, without what draws pictures, which would take most of the time of a short command to load. If the command
// line names a picture, the process becomes sunder-draw, which has the same commands and draws.
#include "cli/command_line.h"
#include "cli/drawing.h"
#include "cli/files.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace {

/// Replaces the program. Returns, with a message, only if it cannot.
void becomeDrawing(char** argv)
{
    const QString folder = QFileInfo(sunder::cli::programPath()).path();
    for (const char* place : {"/sunder-draw", "/../libexec/sunder/sunder-draw"})
        if (const QString program = folder + QLatin1String(place); QFileInfo::exists(program))
            ::execv(QFile::encodeName(program).constData(), argv);
    std::fprintf(stderr, "sunder-cli: cannot start sunder-draw, which draws pictures: %s\n", std::strerror(errno));
}

} // namespace

int main(int argc, char** argv)
{
    const auto isDrawn = [](const char* word) { return sunder::cli::isPicture(word) || sunder::cli::isWebPage(word); };
    if (std::any_of(argv, argv + argc, isDrawn)) {
        becomeDrawing(argv);
        return sunder::exitStatus(sunder::ErrorCode::io);
    }
    return sunder::cli::runCommandLine(argc, argv, nullptr);
}
