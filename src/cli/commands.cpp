#include "cli/commands.h"

namespace sunder::cli {

const std::vector<Command>& commands()
{
    static const std::vector<Command> all = {
        infoCommand(),
        convertCommand(),
        tagCommand(),
        splitCommand(),
        moveNonTensorCommand(),
        splitModuleCommand(),
        partitionCommand(),
        regionsCommand(),
        unflattenCommand(),
        dedupCommand(),
        compareCommand(),
        verifyCommand(),
        renderCommand(),
    };
    return all;
}

} // namespace sunder::cli
