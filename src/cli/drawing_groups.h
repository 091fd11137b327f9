#pragma once

#include "analysis/tag_assignment.h"
#include "cli/command.h"
#include "ir/program.h"

#include <cstdint>
#include <string>

namespace sunder::cli {

/// What colours of a picture mean.
enum class ColorBy : std::uint8_t { tag, op, module, partition, region };

/// The word of --color-by; refuses others, and where an option is missing or would go unheard. Of a command with declareColors().
Result<ColorBy> colorByOf(const Invocation& invocation);

/// Adds --color-by, and what partitions and regions are found by.
void declareColors(QCommandLineParser& parser);

/// Which colours the calls of the root graph have, as stand-in tags: their own or those of --tags, their operators, outermost
/// modules, partitions of --partitions, or the group of repeated regions that they are in (--key, --as-upstream). Calls in
/// none are untagged. Fails as files and passes do.
Result<TagAssignment> colorsFor(const Invocation& invocation, const Program& program, ColorBy what);

} // namespace sunder::cli
