#include "operators/call_facts.h"

#include "ir/value_kind.h"
#include "operators/operator_catalogue.h"
#include "support/sort_unique.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace sunder {
namespace {

constexpr std::uint16_t kNoArgument = OperatorFact::kNowhere;
constexpr std::uint16_t kEveryArgument = OperatorFact::kEvery;

/// Alternative names of schema arguments in PyTorch's Python functions.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSynonyms{
    {{"input", "self"}, {"axis", "dim"}, {"keepdims", "keepdim"}, {"x", "self"}, {"x2", "other"}}};

/// Keywords that Python adds to every function that creates a tensor. They do not affect aliasing.
constexpr std::array<std::string_view, 7> kAddedByPython{"dtype",      "device", "layout",       "requires_grad",
                                                         "pin_memory", "names",  "memory_format"};

std::optional<std::size_t> findKeyword(const OperatorOverload& overload, InternedString keyword, bool isPython)
{
    const OperatorSchema& schema = overload.schema;
    if (const auto found = schema.find(keyword); found || !isPython)
        return found;
    for (const auto& [python, name] : kSynonyms)
        if (python == keyword.view())
            return schema.find(intern(name));
    return std::nullopt;
}

struct Binding {
    std::vector<std::uint16_t> argumentOf; ///< by slot
    std::optional<std::uint32_t> out;      ///< slot of a tuple `out=` that is passed for all result arguments
    bool fits = true;
};

/// Passes Python's `out=` tuple for all arguments that results are written to. Returns false if there are none.
bool bindOut(const OperatorSchema& schema, std::vector<char>& given)
{
    bool found = false;
    for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
        if (!schema.arguments[i].written || !schema.arguments[i].keywordOnly)
            continue;
        given[i] = 1;
        found = true;
    }
    return found;
}

/// Returns the schema argument of a position. Positions past the last argument extend a list, as in Python's `x.view(2, 3)`.
std::uint16_t atPosition(const OperatorSchema& schema, std::size_t position, bool isPython)
{
    const std::size_t last = isPython ? schema.positionalCount() : schema.arguments.size();
    if (position < last)
        return static_cast<std::uint16_t>(position);
    const bool takesRest = isPython && last != 0 && schema.arguments[last - 1].isList();
    return takesRest ? static_cast<std::uint16_t>(last - 1) : kNoArgument;
}

Binding bind(const OperatorOverload& overload, const CallArguments& call, bool isPython)
{
    static const InternedString kDtype = intern("ScalarType");
    const OperatorSchema& schema = overload.schema;
    Binding binding;
    binding.argumentOf.assign(call.slotCount(), kNoArgument);
    std::vector<char> given(schema.arguments.size(), 0);
    const std::size_t positional = call.positionalCount();
    for (std::size_t i = 0; i < positional; ++i) {
        const std::uint16_t argument = atPosition(schema, i, isPython);
        binding.argumentOf[i] = argument;
        if (argument == kNoArgument)
            binding.fits = binding.fits && schema.takesMore;
        else
            given[argument] = 1;
    }
    for (std::size_t i = 0; i < call.keywordCount(); ++i) {
        const std::optional<std::size_t> argument = findKeyword(overload, call.keyword(i), isPython);
        if (!argument && isPython && call.keyword(i).view() == "out" && bindOut(schema, given)) {
            binding.out = static_cast<std::uint32_t>(positional + i);
            continue;
        }
        if (!argument) {
            const bool added = isPython && std::ranges::find(kAddedByPython, call.keyword(i).view()) != kAddedByPython.end();
            binding.fits = binding.fits && added;
            continue;
        }
        binding.fits = binding.fits && given[*argument] == 0;
        given[*argument] = 1;
        binding.argumentOf[positional + i] = static_cast<std::uint16_t>(*argument);
    }
    for (std::size_t i = 0; i < call.slotCount(); ++i) // x.view(6) is not view(dtype)
        if (const std::uint16_t argument = binding.argumentOf[i];
            argument < kNoArgument && schema.arguments[argument].type == kDtype)
            binding.fits = binding.fits && call.truth(i) == Truth::unknown && !call.isList(i);
    for (std::size_t i = 0; i < given.size(); ++i)
        binding.fits = binding.fits && (given[i] != 0 || schema.arguments[i].hasDefault || schema.arguments[i].takesRest);
    binding.fits = binding.fits || overload.anyArguments;
    return binding;
}

Truth truthOfText(std::string_view value)
{
    static constexpr std::array<std::string_view, 7> kOff{"None", "False", "0", "0.", "0.0", "\"\"", "[]"};
    if (value == "?") // a default that the table does not state
        return Truth::unknown;
    return std::ranges::find(kOff, value) != kOff.end() ? Truth::off : Truth::on;
}

std::optional<double> numberOfText(std::string_view value)
{
    double number = 0.0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    return error == std::errc() && end == value.data() + value.size() ? std::optional(number) : std::nullopt;
}

enum class Holds : std::uint8_t { no, maybe, yes };

/// Determines the facts of one overload for one call.
class OverloadCall {
public:
    OverloadCall(const OperatorOverload& overload, const CallArguments& call, Binding binding)
        : m_overload(overload), m_call(call), m_binding(std::move(binding))
    {
    }

    void addTo(CallFacts& facts, bool first)
    {
        CallFacts mine;
        for (const OperatorFact& fact : m_overload.facts) {
            const Holds holds = heldBy(fact);
            if (isAboutResult(fact.kind) || holds == Holds::no || (isPromise(fact.kind) && holds != Holds::yes))
                continue;
            switch (fact.kind) {
            case FactKind::random: mine.random = true; break;
            case FactKind::seesLayout: mine.seesLayout = true; break;
            case FactKind::ignoresLayout: mine.ignoresLayout = true; [[fallthrough]];
            case FactKind::ignoresRealLayout: mine.ignoresRealLayout = true; [[fallthrough]];
            case FactKind::ignoresOffset: mine.ignoresOffset = true; break;
            case FactKind::failsByForm: mine.failsByForm = true; break;
            case FactKind::keepsGradients: mine.keepsGradients = true; break;
            case FactKind::writes: addSlots(fact.argument, mine.written); break;
            case FactKind::meta: addSlots(fact.argument, mine.reshaped); break;
            case FactKind::resizes: addSlots(fact.argument, mine.resized); break;
            default: break;
            }
        }
        addResult(mine);
        merge(std::move(mine), facts, first);
    }

    static void merge(CallFacts mine, CallFacts& facts, bool first)
    {
        if (first) {
            facts = std::move(mine);
            return;
        }
        for (const auto any : {&CallFacts::random, &CallFacts::seesLayout, &CallFacts::namesDevice})
            facts.*any = facts.*any || mine.*any;
        for (const auto all : {&CallFacts::ignoresLayout, &CallFacts::ignoresRealLayout, &CallFacts::ignoresOffset,
                               &CallFacts::failsByForm, &CallFacts::keepsGradients, &CallFacts::converts})
            facts.*all = facts.*all && mine.*all;
        if (facts.result != mine.result || facts.shared != mine.shared)
            facts.result = facts.shared.empty() && mine.shared.empty() ? ResultMemory::fresh : ResultMemory::maybe;
        for (const auto part : {&CallFacts::written, &CallFacts::reshaped, &CallFacts::resized, &CallFacts::shared})
            (facts.*part).insert((facts.*part).end(), (mine.*part).begin(), (mine.*part).end());
    }

private:
    /// Applies the clauses about the result in order, up to the first that certainly holds.
    void addResult(CallFacts& mine) const
    {
        std::optional<std::uint8_t> decided;
        std::size_t held = 0;
        FactKind kind = FactKind::maybe;
        bool every = false;
        for (const OperatorFact& fact : m_overload.facts) {
            if (!isAboutResult(fact.kind) || (decided && fact.clause != *decided))
                continue;
            const Holds holds = heldBy(fact);
            if (holds == Holds::no)
                continue;
            if (holds == Holds::yes)
                decided = fact.clause;
            ++held;
            if (fact.kind == FactKind::fresh || (fact.kind == FactKind::converts && requestOf("copy") == Holds::yes))
                continue;
            kind = holds == Holds::yes ? fact.kind : FactKind::maybe;
            every = every || fact.argument == kEveryArgument;
            addSlots(fact.argument, mine.shared);
        }
        const bool sure = held == 1 && !every && mine.shared.size() == 1;
        if (mine.shared.empty())
            mine.result = ResultMemory::fresh;
        else if (sure && kind == FactKind::is)
            mine.result = ResultMemory::is;
        else
            mine.result = sure && kind == FactKind::view ? ResultMemory::view : ResultMemory::maybe;
        mine.converts = sure && kind == FactKind::converts && requestsNothingElse();
        mine.namesDevice = mine.converts && namesDevice();
    }

    /// Whether a converting call requests nothing but dtype, layout, and device.
    bool requestsNothingElse() const
    {
        return std::ranges::all_of(std::array{"copy", "memory_format", "pin_memory"},
                                   [&](const char* name) { return requestOf(name) == Holds::no; });
    }

    Holds requestOf(std::string_view name) const
    {
        const std::optional<std::size_t> argument = m_overload.schema.find(intern(name));
        const Truth truth = argument ? truthOf(static_cast<std::uint16_t>(*argument)) : Truth::off;
        return truth == Truth::unknown ? Holds::maybe : truth == Truth::on ? Holds::yes : Holds::no;
    }

    bool namesDevice() const
    {
        for (std::size_t slot = 0; slot < m_binding.argumentOf.size(); ++slot)
            if (const std::uint16_t argument = m_binding.argumentOf[slot]; argument < kNoArgument
                && m_overload.schema.arguments[argument].type.view().starts_with("Device") && m_call.truth(slot) != Truth::off)
                return true;
        return false;
    }

    /// Adds the slots that pass an argument. An unbound slot may pass any argument that no other slot passes.
    void addSlots(std::uint16_t argument, std::vector<std::uint32_t>& slots) const
    {
        const std::vector<std::uint16_t>& given = m_binding.argumentOf;
        const bool unbound = argument != kEveryArgument && std::ranges::find(given, argument) == given.end();
        for (std::uint32_t slot = 0; slot < given.size(); ++slot) {
            const bool isOut = unbound && m_binding.out == slot && m_overload.schema.arguments[argument].written;
            const bool stray = given[slot] == kNoArgument && unbound && !m_binding.fits;
            if (argument == kEveryArgument || given[slot] == argument || isOut || stray || (m_overload.anyArguments && unbound))
                slots.push_back(slot);
        }
    }

    Holds heldBy(const OperatorFact& fact) const
    {
        Holds holds = Holds::yes;
        for (const FactFlag& flag : fact.when) {
            const Holds passes = passesTest(flag);
            if (passes == Holds::no)
                return Holds::no;
            if (passes == Holds::maybe)
                holds = Holds::maybe;
        }
        return holds;
    }

    Holds passesTest(const FactFlag& flag) const
    {
        const Truth truth = truthOf(flag.argument);
        if (flag.test == FlagTest::on || flag.test == FlagTest::off)
            return truth == Truth::unknown                              ? Holds::maybe
                : (truth == Truth::off) == (flag.test == FlagTest::off) ? Holds::yes
                                                                        : Holds::no;
        const std::optional<double> number = numberOf(flag.argument);
        if (!number)
            return truth == Truth::unknown ? Holds::maybe : Holds::no;
        return (flag.test == FlagTest::one ? *number == 1.0 : *number >= 0.0 && *number <= 1.0) ? Holds::yes : Holds::no;
    }

    std::optional<double> numberOf(std::uint16_t argument) const
    {
        if (argument == kNoArgument)
            return std::nullopt;
        const std::vector<std::uint16_t>& given = m_binding.argumentOf;
        const auto slot = std::ranges::find(given, argument);
        if (slot != given.end())
            return m_call.number(static_cast<std::size_t>(slot - given.begin()));
        const SchemaArgument& described = m_overload.schema.arguments[argument];
        return described.hasDefault && m_binding.fits ? numberOfText(described.defaultValue.view()) : std::nullopt;
    }

    Truth truthOf(std::uint16_t argument) const
    {
        if (argument == kNoArgument)
            return Truth::unknown;
        const std::vector<std::uint16_t>& given = m_binding.argumentOf;
        const SchemaArgument& described = m_overload.schema.arguments[argument];
        const std::string_view otherwise = described.defaultValue.view();
        const bool expectsBoolean = described.type.view() == "bool" || otherwise == "True" || otherwise == "False";
        if (const auto slot = std::ranges::find(given, argument); slot != given.end()) {
            const auto at = static_cast<std::size_t>(slot - given.begin());
            return expectsBoolean && m_call.isNumber(at) ? Truth::unknown : m_call.truth(at); // PyTorch may reject 0 for False
        }
        return described.hasDefault && m_binding.fits ? truthOfText(described.defaultValue.view()) : Truth::unknown;
    }

    const OperatorOverload& m_overload;
    const CallArguments& m_call;
    Binding m_binding;
};

void sortSlots(std::vector<std::uint32_t>& slots)
{
    sortUnique(slots);
}

CallFacts everything(const CallArguments& call, bool writesCopies)
{
    CallFacts facts;
    for (std::uint32_t slot = 0; slot < call.slotCount(); ++slot)
        facts.shared.push_back(slot);
    if (!writesCopies) {
        facts.written = facts.shared;
        facts.reshaped = facts.shared;
    }
    facts.result = facts.shared.empty() ? ResultMemory::fresh : ResultMemory::maybe;
    facts.random = true;
    facts.seesLayout = true;
    return facts;
}

} // namespace

Truth NodeArguments::truthOf(const Argument& argument)
{
    switch (argument.kind()) {
    case ArgumentKind::none: return Truth::off;
    case ArgumentKind::boolean: return argument.asBoolean() ? Truth::on : Truth::off;
    case ArgumentKind::integer: return argument.asInteger() != 0 ? Truth::on : Truth::off;
    case ArgumentKind::floating: return argument.asFloating() != 0.0 ? Truth::on : Truth::off;
    case ArgumentKind::string: return Truth::on;
    default: return Truth::unknown;
    }
}

std::optional<double> NodeArguments::numberOf(const Argument& argument)
{
    switch (argument.kind()) {
    case ArgumentKind::boolean: return argument.asBoolean() ? 1.0 : 0.0;
    case ArgumentKind::integer: return static_cast<double>(argument.asInteger());
    case ArgumentKind::floating: return argument.asFloating();
    default: return std::nullopt;
    }
}

CallFacts callFacts(const OperatorFacts& facts, const CallArguments& call)
{
    if (!facts.known)
        return everything(call, facts.writesCopies);
    CallFacts found;
    if (facts.kinds == 0)
        return found;
    bool first = true;
    if (facts.overloads.size() > 1)
        for (const OperatorOverload& overload : facts.overloads)
            if (Binding binding = bind(overload, call, facts.isPython); binding.fits) {
                OverloadCall(overload, call, std::move(binding)).addTo(found, first);
                first = false;
            }
    if (first)
        for (const OperatorOverload& overload : facts.overloads) {
            OverloadCall(overload, call, bind(overload, call, facts.isPython)).addTo(found, first);
            first = false;
        }
    for (const auto part : {&CallFacts::written, &CallFacts::reshaped, &CallFacts::resized, &CallFacts::shared})
        sortSlots(found.*part);
    return found;
}

bool dependsOnLayout(CallRole role, const CallFacts& facts)
{
    return readsLayout(role, facts) != LayoutReading::nothing || !facts.written.empty();
}

LayoutReading readsLayout(CallRole role, const CallFacts& facts, bool isReal)
{
    if (facts.random || !facts.reshaped.empty() || !facts.resized.empty())
        return LayoutReading::all;
    if (facts.ignoresLayout || (isReal && facts.ignoresRealLayout) || (role == CallRole::query && !facts.seesLayout))
        return LayoutReading::nothing;
    return facts.ignoresOffset ? LayoutReading::strides : LayoutReading::all;
}

bool failsByForm(CallRole role, const CallFacts& facts)
{
    if (role == CallRole::query) // forms exclude offsets and storages
        return !facts.seesLayout;
    return role == CallRole::function && facts.failsByForm;
}

bool failsByStrides(std::string_view name)
{
    static constexpr std::array<std::string_view, 6> kNames{"view",         "view_as",    "view_copy",
                                                            "_unsafe_view", "as_strided", "view_as_complex"};
    return std::ranges::find(kNames, name) != kNames.end();
}

void settleConversion(CallFacts& facts, const TensorMeta* argument, const TensorMeta* result)
{
    if (!facts.converts || argument == nullptr || result == nullptr || argument->dtype.empty() || result->dtype.empty())
        return;
    const auto deviceOf = [](const TensorMeta& meta) {
        return meta.device.empty() ? std::string_view("cpu") : meta.device.view();
    };
    const auto layoutOf = [](const TensorMeta& meta) {
        return meta.layout.empty() ? std::string_view("strided") : meta.layout.view();
    };
    if (argument->dtype != result->dtype || deviceOf(*argument) != deviceOf(*result)
        || layoutOf(*argument) != layoutOf(*result)) {
        facts.result = ResultMemory::fresh;
        facts.shared.clear();
        facts.converts = false;
    } else if (!facts.namesDevice || deviceOf(*argument) == "cpu" || deviceOf(*argument) == "meta") {
        facts.result = ResultMemory::is;
        facts.converts = false;
    }
}

bool movesUnseen(const CallFacts& facts, const Graph& graph, const Node& call)
{
    const TensorMeta* const result = tensorOf(call.meta.val);
    if (!facts.namesDevice || (result != nullptr && !result->device.empty()))
        return false;
    const NodeArguments given(call);
    for (std::size_t slot = 1; slot < given.slotCount(); ++slot) {
        const Argument& argument = given.argument(slot);
        const bool isNamed = argument.is(ArgumentKind::device) || argument.is(ArgumentKind::string);
        if ((isNamed && argument.text().view() != "cpu")
            || (argument.is(ArgumentKind::node) && tensorOf(graph.node(argument.asNode()).meta.val) == nullptr))
            return true;
    }
    return false;
}

void settleConversion(CallFacts& facts, const Graph& graph, const Node& call)
{
    if (!facts.converts)
        return;
    const Argument& argument = NodeArguments(call).argument(facts.shared.front());
    if (argument.is(ArgumentKind::node) && !movesUnseen(facts, graph, call))
        settleConversion(facts, tensorOf(graph.node(argument.asNode()).meta.val), tensorOf(call.meta.val));
}

bool makesTensor(OperatorCatalog& operators, const Graph& graph, const Node& call)
{
    if (!call.isCall() || call.op == Op::callModule || !operators.of(call.op, call.target).newTensor)
        return false;
    const auto isTensor = [](const Node& node) { return node.meta.val && node.meta.val->is(ArgumentKind::tensor); };
    const auto isGiven = [&](const Argument& argument) {
        if (!argument.is(ArgumentKind::node))
            return false;
        const Node& node = graph.node(argument.asNode());
        const bool isOperator = node.op == Op::callFunction || node.op == Op::callMethod;
        return isTensor(node) || (isOperator && operators.of(node.op, node.target).returnsTensor());
    };
    return isTensor(call) || std::ranges::any_of(call.args, isGiven);
}

std::optional<CallBinding> bindCall(const OperatorFacts& facts, const CallArguments& call)
{
    std::optional<CallBinding> found;
    for (const OperatorOverload& overload : facts.overloads) {
        if (overload.anyArguments)
            return std::nullopt;
        Binding binding = bind(overload, call, facts.isPython);
        if (!binding.fits)
            continue;
        if (found)
            return std::nullopt;
        found = CallBinding{&overload, std::move(binding.argumentOf)};
    }
    return found;
}

} // namespace sunder
