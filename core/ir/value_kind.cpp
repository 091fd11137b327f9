#include "ir/value_kind.h"

#include "support/format.h"

#include <algorithm>

namespace sunder {

bool holdsTensor(const Argument& val)
{
    const auto items = val.items();
    return val.is(ArgumentKind::tensor) || std::any_of(items.begin(), items.end(), holdsTensor);
}

std::string_view numberKind(const Argument& val)
{
    switch (val.kind()) {
    case ArgumentKind::integer:
    case ArgumentKind::bigInteger: return "int";
    case ArgumentKind::floating: return "float";
    case ArgumentKind::boolean: return "bool";
    case ArgumentKind::symbolic:
        switch (val.asSymbolic().kind) {
        case SymbolKind::integer: return "symbolic int";
        case SymbolKind::floating: return "symbolic float";
        case SymbolKind::boolean: return "symbolic bool";
        }
        return {};
    default: return {};
    }
}

std::string describeSize(const std::optional<Argument>& val)
{
    const std::optional<std::uint64_t> bytes = val ? byteSize(*val) : std::nullopt;
    if (!bytes)
        return "unknown";
    return holdsTensor(*val) ? formatBytes(*bytes) : "no bytes";
}

std::string describeValue(const Argument& val)
{
    return val.is(ArgumentKind::tensor) ? describe(val.asTensor()) : describeShape(val);
}

InternedString storageOf(const std::optional<Argument>& val)
{
    return val && val->is(ArgumentKind::tensor) ? val->asTensor().storage : InternedString();
}

} // namespace sunder
