// sunder-draw: the commands of sunder-cli, with what draws pictures.
#include "cli/command_line.h"
#include "draw/drawings.h"

int main(int argc, char** argv)
{
    const sunder::cli::Drawing drawing{.model = sunder::cli::drawModel, .timeline = sunder::cli::drawTimeline};
    return sunder::cli::runCommandLine(argc, argv, &drawing);
}
