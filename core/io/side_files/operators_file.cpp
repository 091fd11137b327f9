#include "io/side_files/operators_file.h"

#include "support/file.h"

namespace sunder {
namespace {

constexpr std::uint64_t kMaxOperatorsBytes = 16ULL << 20U;

} // namespace

Result<std::shared_ptr<const OperatorLibrary>> readOperators(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxOperatorsBytes));
    return OperatorLibrary::parse(text, path);
}

} // namespace sunder
