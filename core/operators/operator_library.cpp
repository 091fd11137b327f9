#include "operators/operator_library.h"

#include "operators/operator_table.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace sunder {
namespace {

constexpr std::string_view kOps = "torch.ops.";

} // namespace

OperatorName operatorName(std::string_view target)
{
    const std::size_t last = target.rfind('.');
    if (last == std::string_view::npos)
        return {{}, target, {}};
    if (!isRegisteredOperator(target))
        return {target.substr(0, last), target.substr(last + 1), {}};
    const std::size_t before = target.rfind('.', last - 1);
    // "torch.ops.aten.add" is a packet without an overload: its library has one component less.
    if (before == std::string_view::npos || std::ranges::count(target.substr(0, before), '.') < 2)
        return {target.substr(0, last), target.substr(last + 1), {}};
    return {target.substr(0, before), target.substr(before + 1, last - before - 1), target.substr(last + 1)};
}

bool isHigherOrderTarget(std::string_view target)
{
    return target.starts_with("torch.ops.higher_order.");
}

bool isRegisteredOperator(std::string_view target)
{
    return target.starts_with(kOps) && !isHigherOrderTarget(target);
}

bool isRegisteredOperator(const OperatorName& name)
{
    return name.library.starts_with(kOps) && name.library != "torch.ops.higher_order";
}

bool isSymbolicTarget(std::string_view target)
{
    if (target == "torch.ops.aten.item.default")
        return true;
    constexpr std::array<std::string_view, 18> kOperators = {"eq",  "ne",  "le",      "ge",   "lt",  "gt",
                                                             "neg", "pos", "mul",     "add",  "sub", "floordiv",
                                                             "mod", "pow", "truediv", "and_", "or_", "lshift"};
    constexpr std::array<std::string_view, 8> kTorch = {"sym_not", "sym_int", "sym_float", "sym_ite",
                                                        "sym_max", "sym_min", "sym_sqrt",  "_sym_sqrt"};
    const std::size_t dot = target.find('.');
    const std::string_view module = target.substr(0, dot);
    const std::string_view name = dot == std::string_view::npos ? std::string_view() : target.substr(dot + 1);
    if (module == "_operator")
        return name == "rshift" || std::find(kOperators.begin(), kOperators.end(), name) != kOperators.end();
    if (module == "torch")
        return std::find(kTorch.begin(), kTorch.end(), name) != kTorch.end();
    return target == "math.trunc";
}

std::string packetName(const OperatorName& name)
{
    std::string packet(name.library.substr(std::min(kOps.size(), name.library.size())));
    packet += "::";
    packet += name.name;
    return packet;
}

namespace {

constexpr std::size_t kMaxSchemas = 100'000;

std::string fullName(const OperatorSchema& schema)
{
    return schema.packet.str() + (schema.overload.empty() ? "" : "." + schema.overload.str());
}

bool sameArgument(const SchemaArgument& a, const SchemaArgument& b)
{
    return a.name == b.name && a.type == b.type && a.defaultValue == b.defaultValue && a.written == b.written
        && a.hasDefault == b.hasDefault && a.keywordOnly == b.keywordOnly && a.memory.size() == b.memory.size();
}

/// Whether two schemas are equal up to the names of their alias sets.
bool isSameSchema(const OperatorSchema& a, const OperatorSchema& b)
{
    return std::ranges::equal(a.arguments, b.arguments, sameArgument) && std::ranges::equal(a.results, b.results, sameArgument)
        && a.takesMore == b.takesMore && a.returnsMore == b.returnsMore;
}

auto nameOf(const OperatorSchema& schema)
{
    return std::tuple(schema.packet.view(), schema.overload.view());
}

/// Returns the PyTorch schema that this one contradicts; empty if there is none.
std::string_view contradicted(const OperatorSchema& schema)
{
    for (const std::string_view line : torchOverloads(schema.packet.view()))
        if (const Result<OperatorSchema> own = parseSchema(line);
            own && own->overload == schema.overload && !isSameSchema(*own, schema))
            return line.substr(0, line.find('\t'));
    return {};
}

std::string_view trimmed(std::string_view line)
{
    constexpr std::string_view kSpace = " \r\t";
    const std::size_t first = line.find_first_not_of(kSpace);
    return first == std::string_view::npos ? std::string_view() : line.substr(first, line.find_last_not_of(kSpace) - first + 1);
}

} // namespace

Result<std::shared_ptr<const OperatorLibrary>> OperatorLibrary::parse(std::string_view text, const std::string& file)
{
    auto library = std::make_shared<OperatorLibrary>();
    std::uint64_t number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        const Location where{.file = file, .line = ++number};
        if (line.empty() || line.starts_with('#'))
            continue;
        Result<OperatorSchema> schema = parseSchema(line);
        if (!schema)
            return fail(ErrorCode::malformed, schema.error().message, where);
        if (const std::string_view own = contradicted(*schema); !own.empty())
            return fail(ErrorCode::malformed, fullName(*schema) + " contradicts PyTorch's own schema " + std::string(own), where);
        if (library->m_schemas.size() == kMaxSchemas)
            return fail(ErrorCode::malformed, "more than " + std::to_string(kMaxSchemas) + " schemas", where);
        library->m_schemas.push_back(std::move(*schema));
    }
    std::ranges::stable_sort(library->m_schemas, {}, nameOf);
    for (std::size_t i = 1; i < library->m_schemas.size(); ++i)
        if (const auto& [a, b] = std::tie(library->m_schemas[i - 1], library->m_schemas[i]);
            nameOf(a) == nameOf(b) && !isSameSchema(a, b))
            return fail(ErrorCode::malformed, fullName(a) + " has two different schemas", {.file = file});
    std::vector<OperatorSchema>& schemas = library->m_schemas;
    const auto isNamedAs = [](const OperatorSchema& a, const OperatorSchema& b) { return nameOf(a) == nameOf(b); };
    schemas.erase(std::unique(schemas.begin(), schemas.end(), isNamedAs), schemas.end());
    return std::shared_ptr<const OperatorLibrary>(std::move(library));
}

std::vector<const OperatorSchema*> OperatorLibrary::overloads(std::string_view packet) const
{
    std::vector<const OperatorSchema*> found;
    const auto packetOf = [](const OperatorSchema& schema) { return schema.packet.view(); };
    for (auto schema = std::ranges::lower_bound(m_schemas, packet, {}, packetOf);
         schema != m_schemas.end() && packetOf(*schema) == packet; ++schema)
        found.push_back(&*schema);
    return found;
}

} // namespace sunder
