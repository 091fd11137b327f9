#include "operators/module_facts.h"

#include "ir/module_tree.h"
#include "operators/operator_catalogue.h"
#include "operators/operator_table.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sunder {
namespace {

constexpr std::string_view kBuffers = "buffers";
constexpr std::string_view kParameters = "parameters";

/// Presents a call of a leaf module like a call of an operator: the arguments of the call, followed by keywords for the
/// attributes that the facts of its class refer to, and for its tensors.
class LeafArguments final : public CallArguments {
public:
    LeafArguments(const OperatorFacts& facts, const CallArguments& call, const Module& module, MissingAttribute missing)
        : m_call(call), m_missing(missing == MissingAttribute::off ? Truth::off : Truth::unknown)
    {
        if (facts.overloads.empty())
            return;
        for (const SchemaArgument& wanted : facts.overloads.front().schema.arguments)
            if (wanted.keywordOnly)
                add(wanted.name, module);
    }
    [[nodiscard]] std::size_t positionalCount() const override { return m_call.positionalCount(); }
    [[nodiscard]] std::size_t keywordCount() const override { return m_call.keywordCount() + m_own.size(); }
    [[nodiscard]] InternedString keyword(std::size_t index) const override
    {
        return index < m_call.keywordCount() ? m_call.keyword(index) : m_own[index - m_call.keywordCount()].name;
    }
    [[nodiscard]] Truth truth(std::size_t slot) const override
    {
        return slot < m_call.slotCount() ? m_call.truth(slot) : m_own[slot - m_call.slotCount()].truth;
    }
    [[nodiscard]] std::optional<double> number(std::size_t slot) const override
    {
        return slot < m_call.slotCount() ? m_call.number(slot) : m_own[slot - m_call.slotCount()].number;
    }
    /// Whether a slot represents the tensors called `name` ("buffers" or "parameters").
    [[nodiscard]] bool isOwn(std::uint32_t slot, std::string_view name) const
    {
        return slot >= m_call.slotCount() && m_own[slot - m_call.slotCount()].name.view() == name;
    }
    [[nodiscard]] bool isArgument(std::uint32_t slot) const { return slot < m_call.slotCount(); }
    [[nodiscard]] bool lacksAttributes() const { return m_lacks; }

private:
    struct Own {
        InternedString name;
        Truth truth;
        std::optional<double> number = {};
    };

    void add(InternedString name, const Module& module)
    {
        const bool isTensors = name.view() == kBuffers || name.view() == kParameters;
        Truth truth = Truth::unknown;
        std::optional<double> number;
        if (module.attributes && !isTensors)
            for (const ModuleAttribute& attribute : *module.attributes)
                if (attribute.name == name) {
                    truth = NodeArguments::truthOf(attribute.value);
                    number = NodeArguments::numberOf(attribute.value);
                }
        const bool isMissing = truth == Truth::unknown && !isTensors;
        m_lacks = m_lacks || isMissing;
        m_own.push_back({name, isMissing ? m_missing : truth, number});
    }

    const CallArguments& m_call;
    Truth m_missing;
    std::vector<Own> m_own;
    bool m_lacks = false;
};

std::vector<std::uint32_t> argumentsAmong(const std::vector<std::uint32_t>& slots, const LeafArguments& given)
{
    std::vector<std::uint32_t> arguments;
    std::ranges::copy_if(slots, std::back_inserter(arguments), [&](std::uint32_t slot) { return given.isArgument(slot); });
    return arguments;
}

/// Whether a class may own a tensor with this name. `names` are separated by commas; "*" matches any.
bool isNamed(std::string_view names, std::string_view name)
{
    while (!names.empty()) {
        const std::size_t comma = std::min(names.find(','), names.size());
        if (names.substr(0, comma) == "*" || names.substr(0, comma) == name)
            return true;
        names.remove_prefix(std::min(names.size(), comma + 1));
    }
    return false;
}

/// Whether a leaf module has a tensor that its class does not have.
bool isUnknownTensor(const Module& module, std::string_view tensor)
{
    if (module.graph || module.calls || module.cls.empty())
        return false;
    const auto line = factsOfModuleClass(module.cls.view());
    const Result<StatedFacts> stated = parseFacts(line.value_or(std::string_view()));
    return line && stated && !isNamed(stated->tensors, tensor);
}

/// Returns the parameters, buffers, and constants that graphs read as attributes, under any name.
std::unordered_set<TensorId> tensorsRead(const Program& program)
{
    std::unordered_set<TensorId> read;
    for (std::size_t i = 0; i < program.modules.size(); ++i) {
        const Module& module = program.modules[ModuleId(i)];
        if (!module.graph)
            continue;
        const Graph& graph = program.graph(module.graph);
        for (const NodeId id : graph.nodes())
            if (graph[id].op == Op::getAttr)
                if (const TensorId tensor = program.tensorAt(internPath(module.path.view(), graph[id].target.view())))
                    read.insert(program.tensors.object(tensor));
    }
    return read;
}

} // namespace

ModuleCallFacts ModuleFacts::of(ModuleId module, const CallArguments& call, MissingAttribute missing)
{
    findStrangers();
    const Module& called = m_program.modules[module];
    static const OperatorFacts kUnknown{.known = false};
    const OperatorFacts& facts = m_strangers.contains(module) || !called.unknown.empty() || !called.extra.empty()
        ? kUnknown
        : classFacts(called.cls);
    ModuleCallFacts found{.known = facts.known, .guards = facts.role == CallRole::assertion};
    if (!facts.known) {
        found.call = callFacts(facts, call);
        found.writesBuffers = found.writesParameters = found.returnsTensors = true;
        return found;
    }
    const LeafArguments given(facts, call, called, missing);
    CallFacts all = callFacts(facts, given);
    const auto writes = [&](std::string_view tensors) {
        return std::ranges::any_of(all.written, [&](std::uint32_t slot) { return given.isOwn(slot, tensors); });
    };
    found.writesBuffers = writes(kBuffers);
    found.writesParameters = writes(kParameters);
    found.assumesAttributes = given.lacksAttributes();
    found.call = all;
    found.call.written = argumentsAmong(all.written, given);
    found.call.reshaped = argumentsAmong(all.reshaped, given);
    found.call.resized = argumentsAmong(all.resized, given);
    found.call.shared = argumentsAmong(all.shared, given);
    if (found.call.shared.empty())
        found.call.result = ResultMemory::fresh;
    return found;
}

std::vector<ModuleAttribute> ModuleFacts::inResult(ModuleId module)
{
    static const InternedString kTraining = intern("training");
    static const InternedString kInPlace = intern("inplace");
    const Module& called = m_program.modules[module];
    std::vector<ModuleAttribute> found;
    const OperatorFacts& facts = classFacts(called.cls);
    const bool dependsOnTraining = facts.overloads.empty() || facts.overloads.front().schema.find(kTraining).has_value();
    for (const ModuleAttribute& attribute : called.attributes.value_or(std::vector<ModuleAttribute>()))
        if (attribute.name != kInPlace && (attribute.name != kTraining || dependsOnTraining))
            found.push_back(attribute);
    std::ranges::sort(found, {}, [](const ModuleAttribute& attribute) { return attribute.name.view(); });
    return found;
}

const OperatorFacts& ModuleFacts::classFacts(InternedString cls)
{
    const auto [at, isNew] = m_classes.try_emplace(cls);
    if (isNew)
        at->second = moduleClassFacts(cls.view());
    return at->second;
}

/// Finds leaf modules with tensors that their class does not have. A tensor that a graph reads by name does not count, because it
/// serves that graph. Any other is read by the module's call.
void ModuleFacts::findStrangers()
{
    if (m_searched)
        return;
    m_searched = true;
    std::vector<std::pair<TensorId, ModuleId>> extra;
    for (std::size_t i = 0; i < m_program.tensors.size(); ++i) {
        const InternedString fqn = m_program.tensors[TensorId(i)].fqn;
        for (std::size_t dot = fqn.view().find('.'); dot != std::string_view::npos; dot = fqn.view().find('.', dot + 1))
            if (const ModuleId holder = m_program.modules.find(intern(fqn.view().substr(0, dot)));
                holder && isUnknownTensor(m_program.modules[holder], fqn.view().substr(dot + 1)))
                extra.emplace_back(m_program.tensors.object(TensorId(i)), m_program.modules.object(holder));
    }
    if (extra.empty())
        return;
    const std::unordered_set<TensorId> read = tensorsRead(m_program);
    for (const auto& [tensor, module] : extra)
        if (!read.contains(tensor))
            m_strangers.insert(module);
}

} // namespace sunder
