// Table of commands. Each command is defined in its own file.
#include "cli/command.h"

namespace sunder::cli {

Command infoCommand();
Command devicesCommand();
Command findCommand();
Command costsCommand();
Command memoryCommand();
Command convertCommand();
Command balanceCommand();
Command supportCommand();
Command scheduleCommand();
Command tagCommand();
Command tagsRenameCommand();
Command tagsMergeCommand();
Command tagsOrderCommand();
Command tagsFillCommand();
Command tagsStraightenCommand();
Command tagsBeginCommand();
Command transferCommand();
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
        infoCommand(),          findCommand(),           costsCommand(),     memoryCommand(),
        convertCommand(),       balanceCommand(),        supportCommand(),   scheduleCommand(),
        tagCommand(),           tagsRenameCommand(),     tagsMergeCommand(), tagsOrderCommand(),
        tagsFillCommand(),      tagsStraightenCommand(), tagsBeginCommand(), transferCommand(),
        paintCommand(),         projectCommand(),        checkCommand(),     splitCommand(),
        moveNonTensorCommand(), splitModuleCommand(),    partitionCommand(), regionsCommand(),
        unflattenCommand(),     dedupCommand(),          compareCommand(),   verifyCommand(),
        renderCommand(),        devicesCommand(),
    };
    return all;
}

} // namespace sunder::cli
