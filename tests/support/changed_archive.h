#pragma once

#include <functional>
#include <string>

namespace sunder::test {

/// Writes a copy of a .pt2 in which `change` may alter the members, with valid CRCs. Members keep their offsets if their sizes
/// stay. Returns false on failure.
bool copyArchive(const std::string& from, const std::string& to,
                 const std::function<void(const std::string& member, std::string& bytes)>& change);

/// Does the same with one byte of every weight changed (a low byte of a float).
bool copyWithOtherWeights(const std::string& from, const std::string& to);

/// Overwrites a file with the bytes of another one and keeps its inode, like torch.export.save.
bool overwriteInPlace(const std::string& file, const std::string& with);

} // namespace sunder::test
