#pragma once

#include "cli/command.h"

namespace sunder::cli {

Command infoCommand();
Command convertCommand();
Command tagCommand();
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

} // namespace sunder::cli
