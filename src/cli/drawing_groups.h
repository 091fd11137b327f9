#pragma once

#include "analysis/tag_assignment.h"
#include "cli/command.h"
#include "ir/program.h"

#include <cstdint>
#include <string>

namespace sunder::cli {

/// Meaning of the colors of a picture.
enum class ColorBy : std::uint8_t { tag, op, module, partition, region };

/// Parses --color-by. Refuses missing options, and options that do not apply.
Result<ColorBy> colorByOf(const Invocation& invocation);

/// --color-by and the options for partitions and regions.
std::vector<CommandOption> colorOptions();

/// Returns the groups that color the calls of the root graph, as tags: the tags on the nodes or of --tags, operators, outermost
/// modules, partitions of --partitions, or groups of repeated regions (--key, --as-upstream). Calls in no group are untagged.
/// Returns the errors of reading files and of passes.
Result<TagAssignment> colorsFor(const Invocation& invocation, const Program& program, ColorBy what);

} // namespace sunder::cli
