// The table of verbs: a line and a declaration each. A verb is described in a file of its own.
#include "cli/command.h"

namespace sunder::cli {

Command infoCommand();
Command devicesCommand();
Command findCommand();
Command convertCommand();
Command tagCommand();
Command paintCommand();
Command projectCommand();
Command checkCommand();
Command splitCommand();
Command moveNonTensorCommand();
Command splitModuleCommand();
Command partitionCommand();
Command unflattenCommand();
Command verifyCommand();
Command regionsCommand();
Command dedupCommand();
Command compareCommand();
Command renderCommand();

const std::vector<Command>& commands()
{
    static const std::vector<Command> all = {
        infoCommand(),      findCommand(),  convertCommand(),       tagCommand(),         paintCommand(),     projectCommand(),
        checkCommand(),     splitCommand(), moveNonTensorCommand(), splitModuleCommand(), partitionCommand(), regionsCommand(),
        unflattenCommand(), dedupCommand(), compareCommand(),       verifyCommand(),      renderCommand(),    devicesCommand(),
    };
    return all;
}

} // namespace sunder::cli
