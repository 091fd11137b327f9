#pragma once

#include "analysis/device.h"
#include "io/json/json_file.h"
#include "support/json_tape.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Reads the DEVICES.json of `docs/command-line.md`: [{"name":"dev0","available_mem_bytes":125,"logical_id":3}, …], or {"devices":
/// [...], "links": …}. The default "logical_id" is the position in the list. Keys that no figure has are kept. At most 256 MB and
/// 1,000,000 devices, 4,096 with a list of links. Rejected, naming file and member: values of the wrong type or out of range, a
/// missing memory size, duplicate logical ids, and links of unknown devices, of a pair twice, or not of all pairs. Linear.
Result<std::vector<Device>> readDevicesFile(const std::string& path);
/// Whether a list of links must have one for all pairs. In a project, it is as far as the user got.
enum class LinkPairs : std::uint8_t { all, some };
/// The same for a text in memory; errors name `nameForMessages`.
Result<std::vector<Device>> parseDevicesFile(std::string_view text, const std::string& nameForMessages,
                                             LinkPairs pairs = LinkPairs::all);
/// The same for a value in another file, at `member`.
Result<std::vector<Device>> devicesFrom(JsonValue value, const std::string& member, const JsonFile& file,
                                        LinkPairs pairs = LinkPairs::all);

/// Returns the text of such a file, one device per line. readDevicesFile() returns the same devices.
std::string devicesFileText(const std::vector<Device>& devices);
/// Writes that text; the file is replaced atomically.
Result<void> writeDevicesFile(const std::vector<Device>& devices, const std::string& path);

/// Appends a number; a whole one without a fraction, as is usual for bytes.
void appendFigure(std::string& out, double value);

} // namespace sunder
