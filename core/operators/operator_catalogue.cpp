#include "operators/operator_catalogue.h"

#include "operators/operator_library.h"
#include "operators/operator_table.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

namespace sunder {
namespace {

constexpr std::uint16_t kEvery = OperatorFact::kEvery;
constexpr std::uint16_t kNowhere = OperatorFact::kNowhere;

/// Python modules whose functions are the ATen operators of the same name, unless stated otherwise.
constexpr std::array<std::string_view, 11> kBoundToAten{
    "torch",         "torch._C",         "torch._C._VariableFunctions", "torch._VF",        "torch._C._nn",
    "torch._C._fft", "torch._C._linalg", "torch._C._special",           "torch._C._sparse", "torch._C._nested",
    "_operator"};
/// Classes whose functions are methods of tensors.
constexpr std::array<std::string_view, 5> kTensorClasses{"torch.Tensor", "torch._C.TensorBase", "torch._C._TensorBase",
                                                         "torch._tensor", "torch._tensor.Tensor"};

bool contains(std::span<const std::string_view> words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
}

void noteKinds(OperatorFacts& facts)
{
    facts.kinds = 0;
    for (const OperatorOverload& overload : facts.overloads)
        for (const OperatorFact& fact : overload.facts)
            facts.kinds = static_cast<decltype(facts.kinds)>(facts.kinds | 1U << static_cast<unsigned>(fact.kind));
}

class FactsOfTarget {
public:
    FactsOfTarget(const OperatorLibrary* first, const OperatorLibrary* second) : m_libraries{first, second} {}

    OperatorFacts of(Op op, std::string_view target)
    {
        const OperatorName name = operatorName(target);
        if (op == Op::callFunction && isRegisteredOperator(name)) {
            addPacket(packetName(name), name.overload);
        } else {
            m_facts.isPython = true;
            addPython(pythonName(op, target, name));
        }
        if (m_facts.isPython)
            leaveOutGeneric();
        if (m_facts.overloads.empty())
            m_facts.known = false;
        noteKinds(m_facts);
        m_facts.ordersKeywords = m_facts.ordersKeywords || !m_facts.known || m_facts.role == CallRole::container;
        return std::move(m_facts);
    }

    OperatorFacts ofModuleClass(std::string_view line)
    {
        const Result<StatedFacts> stated = parseFacts(line);
        m_facts.known = stated.has_value();
        m_facts.isPython = true;
        if (!stated)
            return std::move(m_facts);
        ownParameters(*stated);
        OperatorOverload& overload = m_facts.overloads.front();
        const auto add = [&](std::string_view name) {
            if (!name.empty() && !overload.schema.find(intern(name)))
                overload.schema.arguments.push_back(
                    {.name = intern(name), .type = {}, .defaultValue = {}, .memory = {}, .keywordOnly = true});
        };
        for (const StatedFact& fact : stated->facts) {
            for (const StatedFlag& flag : fact.when)
                add(flag.name);
            if (fact.argument != "all")
                add(fact.argument);
        }
        applyStatement(*stated, overload, kEvery);
        takeOver(*stated);
        noteKinds(m_facts);
        return std::move(m_facts);
    }

private:
    /// Adds the overloads of a packet with the facts stated by hand; all overloads if `overload` is empty.
    void addPacket(const std::string& packet, std::string_view overload)
    {
        const std::string target = "torch.ops." + packet.substr(0, packet.find("::")) + "."
            + packet.substr(packet.find("::") + 2);
        const auto wanted = [&](const OperatorSchema& schema) {
            return overload.empty() || schema.overload.view() == (overload == "default" ? std::string_view() : overload);
        };
        const auto add = [&](OperatorSchema schema, bool isRegistered) {
            if (!wanted(schema))
                return;
            if (schema.takesMore || schema.returnsMore) // such a schema does not describe the remaining arguments or results
                m_facts.known = false;
            std::vector<OperatorFact> facts = factsOfSchema(schema);
            const std::string name = schema.packet.str() + (schema.overload.empty() ? "" : "." + schema.overload.str());
            if (isRegistered && !isShownFresh(name))
                addUnshownResults(schema, facts);
            const bool silent = schema.results.empty() && !schema.returnsMore && facts.empty();
            if (silent && m_facts.role == CallRole::function)
                m_facts.role = CallRole::effect; // a call without results can only have effects
            m_facts.overloads.push_back({.schema = std::move(schema), .facts = std::move(facts)});
        };
        for (const std::string_view line : torchOverloads(packet))
            if (Result<OperatorSchema> schema = parseSchema(line)) {
                add(std::move(*schema), true);
                const std::size_t tags = line.find('\t');
                const std::size_t more = tags == std::string_view::npos ? tags : line.find('\t', tags + 1);
                if (more != std::string_view::npos && !m_facts.overloads.empty())
                    stateOne(line.substr(more + 1), m_facts.overloads.back());
            }
        for (const OperatorLibrary* library : m_libraries)
            if (library != nullptr && m_facts.overloads.empty())
                for (const OperatorSchema* schema : library->overloads(packet))
                    add(*schema, false);
        stateByHand(factsByHand(target));
        for (OperatorOverload& known : m_facts.overloads)
            if (const auto line = factsByHand(target + "."
                                              + (known.schema.overload.empty() ? "default" : known.schema.overload.str())))
                stateOne(*line, known);
        if (m_facts.overloads.empty()) // an operator with stated facts but without a schema
            for (const std::string& line : {target, target + "." + std::string(overload)})
                if (const auto stated = factsByHand(line))
                    addStated(*stated);
    }

    void stateOne(std::string_view text, OperatorOverload& overload)
    {
        if (const Result<StatedFacts> stated = parseFacts(text)) {
            applyStatement(*stated, overload, kNowhere);
            takeOver(*stated);
        }
    }
    void stateByHand(std::optional<std::string_view> text)
    {
        const Result<StatedFacts> stated = parseFacts(text.value_or(std::string_view()));
        if (!text || !stated || m_facts.overloads.empty())
            return;
        for (OperatorOverload& overload : m_facts.overloads)
            applyStatement(*stated, overload, kNowhere);
        takeOver(*stated);
    }

    /// Takes over the facts that do not concern single arguments.
    void takeOver(const StatedFacts& stated)
    {
        if (stated.statesRole) {
            m_facts.role = stated.role;
            std::string field(stated.field);
            std::ranges::replace(field, '-', ' '); // the form for messages
            m_facts.field = intern(field);
        }
        m_facts.gradField = m_facts.gradField || stated.gradients;
        m_facts.overwrites = m_facts.overwrites || stated.overwrites;
        m_facts.detaches = m_facts.detaches || stated.detaches;
        m_facts.overlaps = m_facts.overlaps || stated.overlaps;
        m_facts.newTensor = m_facts.newTensor || stated.newTensor;
        m_facts.ordersKeywords = m_facts.ordersKeywords || stated.keywordOrder;
        m_facts.known = m_facts.known && !stated.outside;
    }

    /// Removes overloads that TorchScript registers for generic lists and dicts under the names of tensor operators. Python never
    /// calls them.
    void leaveOutGeneric()
    {
        static constexpr std::array<std::string_view, 6> kGeneric{"t", "t1", "t2", "tVal", "Any", "AnyEnumType"};
        const auto isGeneric = [](const OperatorOverload& overload) {
            return std::ranges::any_of(overload.schema.arguments, [](const SchemaArgument& argument) {
                const std::string_view type = argument.type.view();
                return type.starts_with("Dict(") || contains(kGeneric, type.substr(0, type.find_first_of("[?")));
            });
        };
        if (!std::ranges::all_of(m_facts.overloads, isGeneric))
            std::erase_if(m_facts.overloads, isGeneric);
    }

    /// Returns the name used in the list of facts stated by hand.
    static std::string pythonName(Op op, std::string_view target, const OperatorName& name)
    {
        if (op == Op::callMethod)
            return "Tensor." + std::string(target);
        if (contains(kTensorClasses, name.library))
            return "Tensor." + std::string(name.name);
        if (name.library.empty() || name.library == "builtins")
            return std::string(name.name);
        return name.library == "operator" ? "_operator." + std::string(name.name) : std::string(target);
    }

    void addPython(const std::string& target)
    {
        m_isMethod = target.starts_with("Tensor.");
        if (const auto own = factsByHand(target)) {
            addStated(*own);
        } else if (contains(kBoundToAten, std::string_view(target).substr(0, target.rfind('.'))) || m_isMethod) {
            addPacket("aten::" + target.substr(target.rfind('.') + 1), {});
        }
        if (m_facts.overloads.empty())
            if (const auto library = factsOfLibraryByHand(target))
                addStated(*library, true);
    }

    /// Adds a line of facts for a function, or for a library whose functions are not described individually.
    void addStated(std::string_view text, bool isLibrary = false)
    {
        const Result<StatedFacts> stated = parseFacts(text);
        if (!stated)
            return; // tests validate the data
        if (!stated->like.empty())
            addPacket(std::string(stated->like), {});
        if (stated->statesParameters || m_facts.overloads.empty())
            ownParameters(*stated);
        for (OperatorOverload& overload : m_facts.overloads)
            applyStatement(*stated, overload, stated->like.empty() || stated->statesParameters ? kEvery : kNowhere);
        takeOver(*stated);
        if (isLibrary && stated->role == CallRole::stir)
            m_facts.known = false;
    }

    /// Replaces the overloads of a packet by one with the stated parameters.
    void ownParameters(const StatedFacts& stated)
    {
        OperatorOverload own;
        for (const StatedParameter& parameter : stated.parameters)
            own.schema.arguments.push_back({.name = intern(parameter.name),
                                            .type = {},
                                            .defaultValue = intern(parameter.defaultValue),
                                            .memory = {},
                                            .hasDefault = parameter.hasDefault,
                                            .keywordOnly = parameter.keywordOnly,
                                            .takesRest = parameter.takesRest});
        own.anyArguments = !stated.statesParameters;
        if (own.anyArguments && m_isMethod) // methods always have a first argument
            own.schema.arguments.push_back({.name = intern("self"), .type = intern("Tensor"), .defaultValue = {}, .memory = {}});
        for (const OperatorOverload& from : m_facts.overloads) {
            const std::vector<OperatorFact> facts = carriedOver(from, own.schema);
            own.facts.insert(own.facts.end(), facts.begin(), facts.end());
        }
        m_facts.overloads.assign(1, std::move(own));
    }

    std::array<const OperatorLibrary*, 2> m_libraries;
    OperatorFacts m_facts;
    bool m_isMethod = false;
};

/// Returns the facts of `with_effects(token, operator, …)`. The operator's arguments follow the first two.
OperatorFacts withEffectsOf(OperatorFacts facts)
{
    constexpr std::uint16_t kBefore = 2;
    const auto shift = [](std::uint16_t& argument) {
        argument = argument < kNowhere ? static_cast<std::uint16_t>(argument + kBefore) : argument;
    };
    for (OperatorOverload& overload : facts.overloads) {
        for (const char* name : {"(operator)", "(token)"})
            overload.schema.arguments.insert(overload.schema.arguments.begin(),
                                             {.name = intern(name), .type = {}, .defaultValue = {}, .memory = {}});
        overload.schema.results.clear(); // a tuple of the token and the results
        for (OperatorFact& fact : overload.facts) {
            shift(fact.argument);
            for (FactFlag& flag : fact.when)
                shift(flag.argument);
            if (isAboutResult(fact.kind) && fact.kind != FactKind::fresh)
                fact.kind = FactKind::maybe;
        }
        std::erase_if(overload.facts, [](const OperatorFact& fact) { return isPromise(fact.kind); });
    }
    facts.role = CallRole::withEffects;
    facts.overwrites = facts.detaches = facts.overlaps = facts.newTensor = false;
    noteKinds(facts);
    return facts;
}

/// Returns the facts of `auto_functionalized(operator, …)`, which returns the operator's results and the copies that the operator
/// wrote to.
OperatorFacts functionalizedOf(const OperatorFacts& called)
{
    OperatorOverload own{.schema = {}, .facts = {}, .anyArguments = true};
    for (const OperatorOverload& overload : called.overloads) {
        const auto isCopied = [&](std::uint16_t argument) {
            return std::ranges::any_of(overload.facts, [&](const OperatorFact& fact) {
                return fact.kind == FactKind::writes && fact.argument == argument && fact.when.empty();
            });
        };
        for (const OperatorFact& fact : overload.facts) {
            if (fact.kind == FactKind::random)
                own.facts.push_back({.kind = FactKind::random, .when = {}});
            else if (isAboutResult(fact.kind) && fact.kind != FactKind::fresh && !isCopied(fact.argument))
                own.facts.push_back({.kind = FactKind::maybe, .argument = kEvery, .when = {}});
        }
    }
    OperatorFacts facts;
    facts.role = called.role == CallRole::effect ? CallRole::effect : CallRole::function;
    facts.known = called.known && (called.role == CallRole::function || called.role == CallRole::effect);
    facts.writesCopies = true;
    facts.overloads.push_back(std::move(own));
    noteKinds(facts);
    return facts;
}

} // namespace

OperatorFacts moduleClassFacts(std::string_view cls)
{
    if (const auto line = factsOfModuleClass(cls))
        return FactsOfTarget(nullptr, nullptr).ofModuleClass(*line);
    OperatorFacts unknown;
    unknown.known = false;
    return unknown;
}

OperatorFacts operatorFacts(Op op, std::string_view target, const OperatorLibrary* first, const OperatorLibrary* second)
{
    return FactsOfTarget(first, second).of(op, target);
}

const OperatorFacts& OperatorCatalog::of(Op op, InternedString target)
{
    const std::uint64_t key = static_cast<std::uint64_t>(target.id()) << 8U | static_cast<std::uint64_t>(op);
    const auto found = m_known.find(key);
    if (found != m_known.end())
        return found->second;
    return m_known.emplace(key, operatorFacts(op, target.view(), m_libraries[0].get(), m_libraries[1].get())).first->second;
}

const OperatorFacts& OperatorCatalog::of(const Node& call)
{
    const OperatorFacts& facts = of(call.op, call.target);
    if (facts.role != CallRole::withEffects && facts.role != CallRole::functionalizes)
        return facts;
    const InternedString called = calledOperator(call);
    const std::uint64_t key = static_cast<std::uint64_t>(call.target.id()) << 32U | called.id();
    const auto found = m_called.find(key);
    if (found != m_called.end())
        return found->second;
    const bool takesGraphs = called.empty() || called.view().starts_with("torch.ops.higher_order.");
    OperatorFacts made = facts;
    if (takesGraphs)
        made.role = facts.role == CallRole::functionalizes ? CallRole::closures : facts.role;
    else if (facts.role == CallRole::withEffects)
        made = withEffectsOf(of(Op::callFunction, called));
    else
        made = functionalizedOf(of(Op::callFunction, called));
    return m_called.emplace(key, std::move(made)).first->second;
}

InternedString calledOperator(const Node& call)
{
    static const InternedString kWithEffects = intern("torch.ops.higher_order.with_effects");
    static const InternedString kFunctionalized = intern("torch.ops.higher_order.auto_functionalized");
    static const InternedString kFunctionalizedByBases = intern("torch.ops.higher_order.auto_functionalized_v2");
    const bool isFunctionalized = call.target == kFunctionalized || call.target == kFunctionalizedByBases;
    if (call.op != Op::callFunction || !(isFunctionalized || call.target == kWithEffects))
        return {};
    const std::size_t place = isFunctionalized ? 0 : 1;
    const bool isNamed = place < call.args.size() && call.args[place].is(ArgumentKind::function);
    return isNamed ? call.args[place].text() : InternedString();
}

} // namespace sunder
