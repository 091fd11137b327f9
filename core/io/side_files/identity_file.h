#pragma once

#include "analysis/alignment/graph_identity.h"
#include "support/json_tape.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// Returns a GraphIdentity as one JSON object (`docs/command-line.md`, "Identity"), for a separate file or as part of another.
/// Texts and hashes are in tables, nodes are rows of numbers, about 70 bytes per node. Linear.
std::string identityText(const GraphIdentity& identity);

/// Reads an identity from a JSON object. Invalid contents are rejected, naming file and position: numbers outside their tables,
/// modules that contain themselves, unknown versions. Linear.
Result<GraphIdentity> identityFrom(JsonValue object, const std::string& nameForMessages);

/// True if a file with this start is an identity rather than a model.
bool looksLikeIdentity(std::string_view head);

/// The same for a text in memory.
Result<GraphIdentity> parseIdentity(std::string_view text, const std::string& nameForMessages);

/// Reads an identity file of at most 256 MB.
Result<GraphIdentity> readIdentityFile(const std::string& path);

/// Writes an identity file, which is replaced atomically.
Result<void> writeIdentityFile(const GraphIdentity& identity, const std::string& path);

} // namespace sunder
