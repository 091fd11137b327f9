#include "operators/operator_facts.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sunder {
namespace {

bool sharesMemory(const SchemaArgument& a, const SchemaArgument& b)
{
    return std::ranges::any_of(a.memory, [&](InternedString set) { return std::ranges::find(b.memory, set) != b.memory.end(); });
}

/// Adds the aliasing of results according to the schema, which only states that a result may alias an argument. Definite aliasing
/// is stated by hand.
void addResults(const OperatorSchema& schema, std::vector<OperatorFact>& facts)
{
    static const InternedString kAny = intern("*");
    static const InternedString kTensor = intern("Tensor");
    for (const SchemaArgument& result : schema.results) {
        if (std::ranges::find(result.memory, kAny) != result.memory.end()) {
            facts.push_back({.kind = FactKind::maybe, .argument = OperatorFact::kEvery, .when = {}});
            continue;
        }
        for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
            const SchemaArgument& argument = schema.arguments[i];
            if (!sharesMemory(result, argument))
                continue;
            const bool itself = schema.results.size() == 1 && result.written && result.memory.size() == 1
                && result.type == kTensor && argument.type == kTensor;
            facts.push_back(
                {.kind = itself ? FactKind::is : FactKind::maybe, .argument = static_cast<std::uint16_t>(i), .when = {}});
        }
    }
}

/// Whether values of a type may refer to memory: tensors, and objects that may contain some.
bool mayHoldMemory(InternedString type)
{
    static constexpr std::array<std::string_view, 16> kPlain{
        "int",     "SymInt", "float",  "SymFloat",   "bool",   "SymBool",      "number",  "Scalar",
        "complex", "str",    "Device", "ScalarType", "Layout", "MemoryFormat", "QScheme", "NoneType"};
    std::string_view name = type.view();
    name = name.substr(0, name.find_first_of("[?"));
    return name != "Generator" && std::ranges::find(kPlain, name) == kPlain.end();
}

/// Returns the index of the parameter with the name used in facts. Schemas use "self" for Python's "input".
std::uint16_t placeOf(const OperatorSchema& schema, std::string_view name, std::uint16_t otherwise)
{
    auto found = schema.find(intern(name));
    if (!found && (name == "self" || name == "input"))
        found = schema.find(intern(name == "self" ? "input" : "self"));
    return found ? static_cast<std::uint16_t>(*found) : otherwise;
}

/// Whether a statement is about this kind of fact, so that it replaces earlier facts of the kind.
bool isRestated(const StatedFacts& stated, FactKind kind)
{
    switch (kind) {
    case FactKind::writes: return stated.statesWrites;
    case FactKind::random: return stated.statesRandom;
    case FactKind::meta:
    case FactKind::resizes: return std::ranges::any_of(stated.facts, [&](const StatedFact& fact) { return fact.kind == kind; });
    default: return isAboutResult(kind) && stated.statesResults;
    }
}

} // namespace

bool OperatorFacts::returnsTensor() const
{
    static const InternedString kTensor = intern("Tensor");
    const auto isTensor = [](const OperatorOverload& overload) {
        return overload.schema.results.size() == 1 && overload.schema.results.front().type == kTensor;
    };
    return known && !overloads.empty() && std::ranges::all_of(overloads, isTensor);
}

std::vector<OperatorFact> factsOfSchema(const OperatorSchema& schema)
{
    std::vector<OperatorFact> facts;
    for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
        if (!schema.arguments[i].written)
            continue;
        const auto argument = static_cast<std::uint16_t>(i);
        facts.push_back({.kind = FactKind::writes, .argument = argument, .when = {}});
        if (schema.has(OperatorTag::inplaceView))
            facts.push_back({.kind = FactKind::meta, .argument = argument, .when = {}});
        if (schema.arguments[i].keywordOnly) // out=
            facts.push_back({.kind = FactKind::resizes, .argument = argument, .when = {}});
    }
    addResults(schema, facts);
    if (schema.has(OperatorTag::mayAliasOrMutate))
        for (const FactKind kind : {FactKind::writes, FactKind::maybe})
            facts.push_back({.kind = kind, .argument = OperatorFact::kEvery, .when = {}});
    if (schema.has(OperatorTag::nondeterministicSeeded))
        facts.push_back({.kind = FactKind::random, .when = {}});
    return facts;
}

void addUnshownResults(const OperatorSchema& schema, std::vector<OperatorFact>& facts)
{
    const auto isUnshown = [](const SchemaArgument& result) { return result.memory.empty() && mayHoldMemory(result.type); };
    if (std::ranges::none_of(schema.results, isUnshown))
        return;
    for (std::size_t i = 0; i < schema.arguments.size(); ++i)
        if (mayHoldMemory(schema.arguments[i].type))
            facts.push_back({.kind = FactKind::maybe, .argument = static_cast<std::uint16_t>(i), .when = {}});
}

void applyStatement(const StatedFacts& stated, OperatorOverload& overload, std::uint16_t missing)
{
    // A statement about writes or results makes the tag's general warning obsolete.
    const bool tagged = overload.schema.has(OperatorTag::mayAliasOrMutate) && (stated.statesWrites || stated.statesResults);
    // The schema fully describes `out=`: the argument is written to and returned, regardless of statements about the others.
    const auto isOut = [](const SchemaArgument& argument) { return argument.written && argument.keywordOnly; };
    const bool hasOut = std::ranges::any_of(overload.schema.arguments, isOut);
    std::erase_if(overload.facts, [&](const OperatorFact& fact) {
        if (hasOut
            && (isAboutResult(fact.kind)
                || (fact.argument < OperatorFact::kNowhere && isOut(overload.schema.arguments[fact.argument]))))
            return false;
        return isRestated(stated, fact.kind)
            || (tagged && fact.argument == OperatorFact::kEvery && fact.kind != FactKind::random);
    });
    for (const StatedFact& fact : stated.facts) {
        if (hasOut && isAboutResult(fact.kind))
            continue;
        OperatorFact own{.kind = fact.kind, .argument = OperatorFact::kEvery, .when = {}, .clause = fact.clause};
        if (!fact.argument.empty() && fact.argument != "all")
            own.argument = placeOf(overload.schema, fact.argument, missing);
        if (own.argument == OperatorFact::kNowhere)
            continue;
        for (const StatedFlag& flag : fact.when)
            own.when.push_back({placeOf(overload.schema, flag.name, OperatorFact::kNowhere), flag.test});
        overload.facts.push_back(std::move(own));
    }
}

std::vector<OperatorFact> carriedOver(const OperatorOverload& from, const OperatorSchema& to)
{
    std::vector<OperatorFact> facts;
    for (const OperatorFact& fact : from.facts) {
        if (isPromise(fact.kind))
            continue;
        const auto carry = [&](std::uint16_t argument, std::uint16_t otherwise) {
            return argument >= OperatorFact::kNowhere ? argument
                                                      : placeOf(to, from.schema.arguments[argument].name.view(), otherwise);
        };
        const bool isForOut = fact.argument < OperatorFact::kNowhere && from.schema.arguments[fact.argument].keywordOnly;
        OperatorFact own{.kind = fact.kind,
                         .argument = carry(fact.argument, isForOut ? OperatorFact::kNowhere : OperatorFact::kEvery),
                         .when = {},
                         .clause = fact.clause};
        if (own.argument == OperatorFact::kNowhere)
            continue;
        for (const FactFlag& flag : fact.when)
            own.when.push_back({carry(flag.argument, OperatorFact::kNowhere), flag.test});
        facts.push_back(std::move(own));
    }
    return facts;
}

} // namespace sunder
