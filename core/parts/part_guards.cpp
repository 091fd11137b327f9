#include "parts/part_guards.h"

#include "io/json/json_tape.h"
#include "ir/tensor_meta.h"

#include <unordered_map>

namespace sunder {
namespace {

constexpr unsigned kDeepestRecord = 128;

/// Adds the guards stated in the exported program's file.
void addStated(const Program& source, std::vector<std::string>& guards)
{
    JsonTape tape;
    if (source.origin.extra.empty() || !tape.parse(source.origin.extra.view(), kDeepestRecord))
        return;
    const JsonValue stated = tape.root().member("exported_program").member("guards_code");
    if (!stated || !stated.is(JsonType::array))
        return;
    for (JsonValue guard = stated.firstItem(); guard; guard = guard.nextItem())
        if (guard.is(JsonType::string))
            guards.emplace_back(guard.text());
}

/// Converts bounds of sizes and integers to guards.
class Bounds {
public:
    Bounds(const Program& source, std::vector<std::string>& guards) : m_guards(guards)
    {
        for (const SymbolRange& range : source.ranges)
            m_ranges.emplace(range.symbol, &range);
    }

    void add(const Argument& size, const std::string& name)
    {
        const auto found = size.is(ArgumentKind::symbolic) ? m_ranges.find(size.asSymbolic().expression) : m_ranges.end();
        if (found == m_ranges.end())
            return;
        if (const std::optional<std::int64_t> min = found->second->min; min && *min > 2)
            m_guards.push_back(name + " >= " + std::to_string(*min));
        if (const std::optional<std::int64_t> max = found->second->max)
            m_guards.push_back(name + " <= " + std::to_string(*max));
    }

private:
    std::vector<std::string>& m_guards;
    std::unordered_map<InternedString, const SymbolRange*> m_ranges;
};

} // namespace

void addGuards(const Program& source, const ModuleCall& whole, PartManifest& manifest)
{
    Bounds bounds(source, manifest.guards);
    for (std::size_t i = 0; i < manifest.inputs.size(); ++i) {
        const std::optional<Argument>& val = manifest.inputs[i].val;
        const std::string name = "L['flat_args'][" + std::to_string(i) + "]";
        if (!val)
            continue;
        if (!val->is(ArgumentKind::tensor)) {
            bounds.add(*val, name);
            continue;
        }
        const Arguments& shape = val->asTensor().shape;
        for (std::size_t k = 0; k < shape.size(); ++k)
            bounds.add(shape[k], name + ".size()[" + std::to_string(k) + "]");
    }
    addStated(source, manifest.guards);
    for (const InternedString name : whole.argNames.value_or(std::vector<InternedString>()))
        manifest.argNames.push_back(name.str());
}

} // namespace sunder
