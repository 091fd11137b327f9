#include "verify/normal_rules.h"

#include "ir/tensor_meta.h"
#include "operators/literal_text.h"
#include "operators/operator_table.h"
#include "verify/tensor_descriptions.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

std::vector<NormalRule> parseRules(std::string_view text)
{
    std::vector<NormalRule> rules;
    for (const std::string_view line : piecesOf(text, '\n')) {
        const std::vector<std::string_view> fields = piecesOf(line, '\t');
        if (line.starts_with('#') || fields.size() != 4)
            continue;
        rules.push_back({fields[0], piecesOf(fields[1], ' '), piecesOf(fields[2], ' '), fields[3]});
    }
    return rules;
}

Argument fromTheStart(const Argument& dim, std::int64_t rank)
{
    if (dim.is(ArgumentKind::integer) && dim.asInteger() < 0 && dim.asInteger() >= -rank)
        return Argument::integer(dim.asInteger() + rank);
    if (!dim.is(ArgumentKind::list))
        return dim;
    std::vector<Argument> items;
    for (const Argument& item : dim.items())
        items.push_back(fromTheStart(item, rank));
    return listOf(std::move(items));
}

void countDimsFromStart(NormalCall& call, const NormalRule& rule, const KnownNodes& known)
{
    if (!call.arguments.front())
        return;
    const std::optional<std::int64_t> rank = rankOf(*call.arguments.front(), known);
    if (!rank)
        return;
    for (const std::string_view word : rule.arguments) {
        const bool hasOneMore = word.ends_with("+1");
        if (Argument* dim = call.find(hasOneMore ? word.substr(0, word.size() - 2) : word))
            *dim = fromTheStart(*dim, std::max<std::int64_t>(*rank + (hasOneMore ? 1 : 0), 1));
    }
}

Argument asFloating(const Argument& number)
{
    constexpr std::int64_t kExact = std::int64_t(1) << 53;
    const bool isExact = number.is(ArgumentKind::integer) && number.asInteger() >= -kExact && number.asInteger() <= kExact;
    return isExact ? Argument::floating(static_cast<double>(number.asInteger())) : number;
}

void makeScalarsFloating(NormalCall& call, const NormalRule& rule, const KnownNodes& known)
{
    const TensorMeta* meta = call.arguments.front() ? known.tensor(*call.arguments.front()) : nullptr;
    if (meta == nullptr || !isFloating(*meta))
        return;
    for (const std::string_view word : rule.arguments)
        if (Argument* number = call.find(word))
            *number = asFloating(*number);
}

bool isOne(const Argument* factor)
{
    return factor == nullptr || *factor == Argument::integer(1) || *factor == Argument::floating(1.0);
}

/// Whether these operands of an elementwise call can be swapped without changing the strides of the result or the dtype of the
/// computation.
bool layAlike(const Argument& a, const Argument& b, const KnownNodes& known)
{
    const TensorMeta* const one = known.tensor(a);
    const TensorMeta* const other = known.tensor(b);
    if (one == nullptr || other == nullptr || !one->stride || !other->stride || !known.hasFixedStrides(a)
        || !known.hasFixedStrides(b))
        return false;
    if (one->dtype.empty() || one->dtype != other->dtype || one->dtype.view().starts_with("complex"))
        return false;
    return (one->shape == other->shape && one->stride == other->stride) || (isContiguous(*one) && isContiguous(*other));
}

void orderOperands(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    Argument* const a = call.find("self");
    Argument* const b = call.find("other");
    if (a == nullptr || b == nullptr || !isOne(call.find("alpha")) || !layAlike(*a, *b, known))
        return;
    if (known.shapeOf(*b) < known.shapeOf(*a))
        std::swap(*a, *b);
}

void takeReversedFor(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    static const InternedString kReversed = intern("torch.ops.aten.rsub.Tensor");
    if (call.target != kReversed || !known.isTensor(*call.arguments[0]) || !known.isTensor(*call.arguments[1]))
        return;
    std::swap(call.arguments[0], call.arguments[1]);
    call.call(intern("torch.ops.aten.sub.Tensor"), known.schema(intern("torch.ops.aten.sub.Tensor")));
}

void takeNumbersForTensors(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    static constexpr std::string_view kScalar = ".Scalar";
    std::string target = call.target.str();
    const std::size_t at = target.rfind(kScalar);
    if (at == std::string::npos || !known.isTensor(*call.arguments.front()))
        return;
    target.replace(at, kScalar.size(), ".Tensor");
    call.call(intern(target), known.schema(intern(target)));
}

void countIndexFromStart(NormalCall& call, const NormalRule& rule, const KnownNodes& known)
{
    const Argument* const size = sizeAt(call, known);
    Argument* const index = call.find(rule.arguments.front());
    if (size != nullptr && index != nullptr && isWholeSize(*size))
        if (const std::optional<std::int64_t> at = integerOf(index); at && *at < 0 && *at >= -size->asInteger())
            *index = Argument::integer(*at + size->asInteger());
}

void writeOutBounds(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    Argument* const start = call.find("start");
    Argument* const end = call.find("end");
    if (start == nullptr || end == nullptr)
        return;
    if (start->isNone())
        *start = Argument::integer(0);
    if (end->isNone())
        *end = Argument::integer(kToTheEnd);
    const Argument* const size = sizeAt(call, known);
    if (size == nullptr)
        return;
    if (const Argument* value = known.value(*end); value != nullptr && value->is(ArgumentKind::symbolic) && *value == *size)
        *end = Argument::integer(kToTheEnd);
    if (!isWholeSize(*size))
        return;
    const std::int64_t count = size->asInteger();
    for (Argument* bound : {start, end})
        if (const std::optional<std::int64_t> at = integerOf(bound))
            *bound = Argument::integer(std::clamp<std::int64_t>(*at < 0 ? std::max(*at, -count) + count : *at, 0, count));
    if (*end == Argument::integer(count))
        *end = Argument::integer(kToTheEnd);
}

void fillInSizes(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    Argument* const sizes = wantedSizes(call);
    const TensorMeta* const meta = known.tensor(*call.arguments.front());
    if (sizes == nullptr || meta == nullptr || !areWholeSizes(meta->shape))
        return;
    std::vector<Argument> filled(sizes->items().begin(), sizes->items().end());
    if (call.schema->packet.view() == "aten::expand") {
        for (std::size_t fromEnd = 1; fromEnd <= std::min(filled.size(), meta->shape.size()); ++fromEnd)
            if (filled[filled.size() - fromEnd] == Argument::integer(-1))
                filled[filled.size() - fromEnd] = meta->shape[meta->shape.size() - fromEnd];
        *sizes = listOf(std::move(filled));
        return;
    }
    const std::optional<std::uint64_t> count = elementCount(meta->shape);
    std::uint64_t others = 1;
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < filled.size(); ++i) {
        const std::optional<std::int64_t> size = integerOf(&filled[i]);
        if (!size || *size == 0 || *size < -1 || (*size == -1 && open))
            return;
        if (*size == -1)
            open = i;
        else if (__builtin_mul_overflow(others, static_cast<std::uint64_t>(*size), &others))
            return;
    }
    if (!open || !count || *count == 0 || *count % others != 0)
        return;
    filled[*open] = Argument::integer(static_cast<std::int64_t>(*count / others));
    *sizes = listOf(std::move(filled));
}

/// Sorts the dimensions of a reduction in ascending order.
void sortDims(NormalCall& call, const NormalRule& rule, const KnownNodes& /*known*/)
{
    Argument* const dims = call.find(rule.arguments.front());
    if (dims == nullptr || !dims->is(ArgumentKind::list))
        return;
    std::vector<Argument> sorted(dims->items().begin(), dims->items().end());
    if (!std::ranges::all_of(sorted, isWholeSize))
        return;
    std::ranges::sort(sorted, {}, [](const Argument& dim) { return dim.asInteger(); });
    *dims = listOf(std::move(sorted));
}

/// Whether an argument has no effect on the shape, strides, or dtype of the out-of-place result. `written`: the first argument.
bool decidesNothing(const Argument& argument, std::string_view name, const Argument& written, const KnownNodes& known)
{
    if (!argument.holdsNodes())
        return true;
    const TensorMeta* const other = known.tensor(argument);
    const TensorMeta* const meta = known.tensor(written);
    if (other == nullptr || meta == nullptr || other->shape != meta->shape)
        return false;
    return name == "other" && layAlike(written, argument, known);
}

void takeOutOfPlace(NormalCall& call, const NormalRule& rule, const KnownNodes& known)
{
    const Argument& written = *call.arguments.front();
    const TensorMeta* const meta = known.tensor(written);
    const Node* const maker = known.maker(written);
    const OperatorSchema* const made = maker != nullptr ? known.schema(maker->target) : nullptr;
    if ((rule.name == "own" && (meta == nullptr || !isFloating(*meta))) || made == nullptr || !isUnsaved(made->packet.view())
        || !known.isPrivate(written, call.node)
        || (isRuleFor("keeps-ones", made->packet.view()) && !keepsStrides(written, known)))
        return;
    for (std::size_t i = 1; i < call.arguments.size(); ++i)
        if (call.arguments[i] && !decidesNothing(*call.arguments[i], call.schema->arguments[i].name.view(), written, known))
            return;
    std::string target = call.target.str();
    if (const std::size_t at = target.find("_."); at != std::string::npos) {
        target.erase(at, 1);
        call.call(intern(target), known.schema(intern(target)));
    }
}

void changeNothing(NormalCall& /*call*/, const NormalRule& /*rule*/, const KnownNodes& /*known*/) {}

ApplyRule functionOf(std::string_view rule)
{
    static constexpr std::array<std::pair<std::string_view, ApplyRule>, 14> kFunctions{{
        {"wrapped", takeNumbersForTensors},
        {"dims", countDimsFromStart},
        {"scalars", makeScalarsFloating},
        {"commuted", orderOperands},
        {"swapped", takeReversedFor},
        {"index", countIndexFromStart},
        {"bounds", writeOutBounds},
        {"sizes", fillInSizes},
        {"any-order", sortDims},
        {"own", takeOutOfPlace},
        {"own-of-any-type", takeOutOfPlace},
        {"laid-densely", changeNothing},
        {"unsaved", changeNothing},
        {"keeps-ones", changeNothing},
    }};
    for (const std::span<const std::pair<std::string_view, ApplyRule>> rules :
         {std::span<const std::pair<std::string_view, ApplyRule>>(kFunctions), viewRules()})
        for (const auto& [name, apply] : rules)
            if (name == rule)
                return apply;
    throw std::logic_error("normal_forms.txt names an unknown rule: " + std::string(rule));
}

/// Returns the rules for an operator, in table order.
const std::vector<std::pair<const NormalRule*, ApplyRule>>& rulesOf(std::string_view packet)
{
    using Rules = std::vector<std::pair<const NormalRule*, ApplyRule>>;
    static const std::unordered_map<std::string_view, Rules> byOperator = [] {
        std::unordered_map<std::string_view, Rules> made;
        for (const NormalRule& rule : normalRules())
            for (const std::string_view name : rule.operators)
                made[name].emplace_back(&rule, functionOf(rule.name));
        return made;
    }();
    static const Rules none;
    const auto found = byOperator.find(packet);
    return found != byOperator.end() ? found->second : none;
}

/// Converts an argument to the type in the schema.
Argument asTyped(const Argument& given, std::string_view type)
{
    const std::string_view plain = type.ends_with('?') ? type.substr(0, type.size() - 1) : type;
    if (const std::optional<ListType> list = listType(plain)) {
        if (given.is(ArgumentKind::list) || given.is(ArgumentKind::tuple)) {
            std::vector<Argument> items;
            for (const Argument& item : given.items())
                items.push_back(asTyped(item, list->item));
            return listOf(std::move(items));
        }
        const bool isNumber = given.is(ArgumentKind::integer) || given.is(ArgumentKind::floating);
        if (isNumber && list->repeats())
            return listOf(std::vector<Argument>(static_cast<std::size_t>(*list->length), asTyped(given, list->item)));
        return given;
    }
    return plain == "float" ? asFloating(given) : given;
}

std::string_view withoutLibrary(std::string_view packet)
{
    return packet.substr(packet.find("::") + 2);
}

} // namespace

const std::vector<NormalRule>& normalRules()
{
    static const std::vector<NormalRule> rules = parseRules(operator_data::normalForms);
    return rules;
}

bool isRuleFor(std::string_view name, std::string_view packet)
{
    return packet.starts_with("aten::")
        && std::ranges::any_of(rulesOf(packet.substr(packet.find("::") + 2)),
                               [&](const auto& rule) { return rule.first->name == name; });
}

bool keepsStrides(const Argument& argument, const KnownNodes& known)
{
    const TensorMeta* const meta = known.tensor(argument);
    const Node* const maker = known.maker(argument);
    const OperatorSchema* const made = maker != nullptr ? known.schema(maker->target) : nullptr;
    if (meta == nullptr)
        return false;
    return std::ranges::find(meta->shape, Argument::integer(1)) == meta->shape.end()
        || (made != nullptr && laysDensely(made->packet.view()) && !isRuleFor("keeps-ones", made->packet.view()));
}

bool laysDensely(std::string_view packet)
{
    return isRuleFor("laid-densely", packet);
}

bool isUnsaved(std::string_view packet)
{
    return laysDensely(packet) || isRuleFor("unsaved", packet);
}

void normalize(NormalCall& call, const KnownNodes& known)
{
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
        if (call.arguments[i])
            call.arguments[i] = asTyped(*call.arguments[i], call.schema->arguments[i].type.view());
    if (call.arguments.empty() || !call.arguments.front() || !call.schema->packet.view().starts_with("aten::"))
        return;
    constexpr int kMaxOperators = 4; // bounds the chain of replacements by rules
    InternedString packet;
    for (int operators = 0; operators < kMaxOperators && packet != call.schema->packet; ++operators) {
        packet = call.schema->packet;
        for (const auto& [rule, apply] : rulesOf(withoutLibrary(packet.view()))) {
            if (call.same.isValid())
                return;
            apply(call, *rule, known);
        }
    }
}

} // namespace sunder
