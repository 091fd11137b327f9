#pragma once

#include <functional>
#include <string>

namespace sunder::test {

/// Writes a copy of a .pt2 whose members `change` may alter, with sound CRCs; members stay where they are when their sizes
/// stay. False when it cannot be done.
bool copyArchive(const std::string& from, const std::string& to,
                 const std::function<void(const std::string& member, std::string& bytes)>& change);

/// The same with one byte of every weight other (a low one of a float).
bool copyWithOtherWeights(const std::string& from, const std::string& to);

/// Puts the bytes of one file into another, which stays the same file to the system, as torch.export.save does.
bool overwriteInPlace(const std::string& file, const std::string& with);

} // namespace sunder::test
