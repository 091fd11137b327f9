#pragma once

#include "cli/command.h"
#include "passes/pass_options.h"

namespace sunder::cli {

/// Returns the command line's form of declared options; omits those that it does not have.
std::vector<CommandOption> switchesOf(const std::vector<OptionSpec>& specs);

/// Returns the effective value of a declared option.
OptionValue givenValue(const OptionSpec& spec, const Invocation& invocation);

/// The options of a pass as options of its command.
template <typename Options>
std::vector<CommandOption> passSwitches()
{
    return switchesOf(optionSpecs<Options>());
}

/// Returns the options of a pass as given on the command line.
template <typename Options>
Options givenOptions(const Invocation& invocation)
{
    return optionsFrom<Options>([&invocation](const OptionSpec& spec) { return givenValue(spec, invocation); });
}

} // namespace sunder::cli
