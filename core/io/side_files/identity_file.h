#pragma once

#include "analysis/alignment/graph_identity.h"
#include "io/json/json_tape.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// A GraphIdentity as one JSON object (`docs/command-line.md`, "Identity"), to stand in a file of its own or in another one: texts
/// and hashes in tables, nodes as rows of numbers, some 70 bytes a node. Linear.
std::string identityText(const GraphIdentity& identity);

/// The identity that a JSON object holds. Refuses, naming file and place, what is no identity: numbers that lead out of their
/// tables, modules around themselves, versions that it does not know. Linear.
Result<GraphIdentity> identityFrom(JsonValue object, const std::string& nameForMessages);

/// Whether a file that begins so is an identity, rather than a model.
bool looksLikeIdentity(std::string_view head);

/// The same for a text at hand.
Result<GraphIdentity> parseIdentity(std::string_view text, const std::string& nameForMessages);

/// Reads an identity file of at most 256 MB.
Result<GraphIdentity> readIdentityFile(const std::string& path);

/// Writes an identity file. It appears whole or not at all.
Result<void> writeIdentityFile(const GraphIdentity& identity, const std::string& path);

} // namespace sunder
