#include "verify/normal_rules.h"

#include "ir/tensor_meta.h"
#include "operators/literal_text.h"
#include "operators/operator_table.h"
#include "verify/tensor_descriptions.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

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

std::optional<std::int64_t> integerOf(const Argument* argument)
{
    return argument != nullptr && argument->is(ArgumentKind::integer) ? std::optional(argument->asInteger()) : std::nullopt;
}

bool isWholeSize(const Argument& size)
{
    return size.is(ArgumentKind::integer) && size.asInteger() >= 0;
}

bool areWholeSizes(std::span<const Argument> sizes)
{
    return std::ranges::all_of(sizes, isWholeSize);
}

Argument listOf(std::vector<Argument> items)
{
    return Argument::list(Arguments(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end())));
}

/// The rank of a tensor, or of all tensors of a list.
std::optional<std::int64_t> rankOf(const Argument& argument, const KnownNodes& known)
{
    if (const TensorMeta* meta = known.tensor(argument))
        return static_cast<std::int64_t>(meta->shape.size());
    if (!argument.is(ArgumentKind::list) || argument.items().empty())
        return std::nullopt;
    std::optional<std::int64_t> rank;
    for (const Argument& item : argument.items()) {
        const TensorMeta* meta = known.tensor(item);
        if (meta == nullptr || (rank && *rank != static_cast<std::int64_t>(meta->shape.size())))
            return std::nullopt;
        rank = static_cast<std::int64_t>(meta->shape.size());
    }
    return rank;
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
    if (meta == nullptr || !(meta->dtype.view().starts_with("float") || meta->dtype.view() == "bfloat16"))
        return;
    for (const std::string_view word : rule.arguments)
        if (Argument* number = call.find(word))
            *number = asFloating(*number);
}

bool isOne(const Argument* factor)
{
    return factor == nullptr || *factor == Argument::integer(1) || *factor == Argument::floating(1.0);
}

/// Whether the layout of what an elementwise operator computes of both does not hang on which comes first.
bool layAlike(const Argument& a, const Argument& b, const KnownNodes& known)
{
    const TensorMeta* const one = known.tensor(a);
    const TensorMeta* const other = known.tensor(b);
    if (one == nullptr || other == nullptr || !one->stride || !other->stride || !known.liesForSure(a) || !known.liesForSure(b))
        return false;
    for (const TensorMeta* meta : {one, other})
        if (meta->dtype.empty() || meta->dtype.view().starts_with("complex"))
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

/// The size of the dimension that `dim` says.
const Argument* sizeAt(NormalCall& call, const KnownNodes& known)
{
    const std::optional<std::int64_t> dim = integerOf(call.find("dim"));
    const TensorMeta* meta = known.tensor(*call.arguments.front());
    if (!dim || meta == nullptr || *dim < 0 || *dim >= static_cast<std::int64_t>(meta->shape.size()))
        return nullptr;
    return &meta->shape[static_cast<std::size_t>(*dim)];
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

/// The argument that says the sizes that a view is to have.
Argument* wantedSizes(NormalCall& call)
{
    for (const char* name : {"size", "shape"})
        if (Argument* sizes = call.find(name); sizes != nullptr && sizes->is(ArgumentKind::list))
            return sizes;
    return nullptr;
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

void becomeOperand(NormalCall& call)
{
    if (call.arguments.front()->is(ArgumentKind::node))
        call.same = call.arguments.front()->asNode();
}

void dropWhole(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    if (sizeAt(call, known) != nullptr && integerOf(call.find("start")) == 0 && integerOf(call.find("end")) == kToTheEnd
        && integerOf(call.find("step")) == 1)
        becomeOperand(call);
}

bool isSameSize(const Argument& wanted, const Argument& size, const KnownNodes& known)
{
    if (wanted == size && (isWholeSize(size) || size.is(ArgumentKind::symbolic)))
        return true;
    const Argument* const value = known.value(wanted);
    return value != nullptr && *value == size && size.is(ArgumentKind::symbolic);
}

void dropSameShape(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    const TensorMeta* const meta = known.tensor(*call.arguments.front());
    if (meta == nullptr)
        return;
    if (const Argument* other = call.find("other")) {
        const TensorMeta* const target = known.tensor(*other);
        const bool areSizes = std::ranges::all_of(
            meta->shape, [](const Argument& size) { return isWholeSize(size) || size.is(ArgumentKind::symbolic); });
        if (target != nullptr && areSizes && target->shape == meta->shape)
            becomeOperand(call);
        return;
    }
    const Argument* const sizes = wantedSizes(call);
    if (sizes != nullptr && std::ranges::equal(sizes->items(), meta->shape, [&](const Argument& wanted, const Argument& size) {
            return isSameSize(wanted, size, known);
        }))
        becomeOperand(call);
}

void dropSameOrder(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    if (known.tensor(*call.arguments.front()) == nullptr)
        return;
    const Argument* const dims = call.find("dims");
    if (dims == nullptr) {
        const std::optional<std::int64_t> first = integerOf(call.find("dim0"));
        if (first && first == integerOf(call.find("dim1")))
            becomeOperand(call);
        return;
    }
    std::int64_t expected = 0;
    for (const Argument& dim : dims->items())
        if (dim != Argument::integer(expected++))
            return;
    if (rankOf(*call.arguments.front(), known) == expected)
        becomeOperand(call);
}

void dropSqueeze(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    const TensorMeta* const meta = known.tensor(*call.arguments.front());
    if (meta == nullptr || !areWholeSizes(meta->shape))
        return;
    const auto keeps = [&](const Argument& dim) {
        return dim.is(ArgumentKind::integer) && dim.asInteger() >= 0
            && dim.asInteger() < static_cast<std::int64_t>(meta->shape.size())
            && meta->shape[static_cast<std::size_t>(dim.asInteger())] != Argument::integer(1);
    };
    const Argument* const dim = call.find("dim");
    const bool isKept = dim == nullptr
        ? std::ranges::none_of(meta->shape, [](const Argument& size) { return size == Argument::integer(1); })
        : dim->is(ArgumentKind::list) ? std::ranges::all_of(dim->items(), keeps)
                                      : keeps(*dim);
    if (isKept)
        becomeOperand(call);
}

void dropFlattenOfOne(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    const std::optional<std::int64_t> rank = rankOf(*call.arguments.front(), known);
    const std::optional<std::int64_t> first = integerOf(call.find("start_dim"));
    if (rank && first && *first >= 0 && *first < *rank && first == integerOf(call.find("end_dim")))
        becomeOperand(call);
}

void dropDense(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    const Argument* const format = call.find("memory_format");
    const bool asksForRows = format == nullptr
        || (format->is(ArgumentKind::memoryFormat) && format->text().view() == "contiguous_format");
    const TensorMeta* const meta = known.tensor(*call.arguments.front());
    if (asksForRows && meta != nullptr && meta->stride && isContiguous(*meta) && known.liesForSure(*call.arguments.front()))
        becomeOperand(call);
}

void dropInactive(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    const Argument* const share = call.find("p");
    const Argument* const trains = call.find("train");
    if (share != nullptr && trains != nullptr && *trains == Argument::boolean(false) && share->is(ArgumentKind::floating)
        && share->asFloating() >= 0.0 && share->asFloating() <= 1.0 && known.isTensor(*call.arguments.front()))
        becomeOperand(call);
}

void dropAlias(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    if (known.isTensor(*call.arguments.front()))
        becomeOperand(call);
}

/// A view where one is always possible.
void takeViewForReshape(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    static const InternedString kView = intern("torch.ops.aten.view.default");
    const TensorMeta* const meta = known.tensor(*call.arguments.front());
    Argument* const sizes = wantedSizes(call);
    if (sizes == nullptr || meta == nullptr || !isContiguous(*meta) || !known.liesForSure(*call.arguments.front()))
        return;
    const OperatorSchema* const view = known.schema(kView); // its sizes have another name
    if (view == nullptr || view->arguments.size() != call.arguments.size())
        return;
    call.schema = view;
    call.target = kView;
}

/// One spelling for what changes two dimensions for each other.
void takeTransposeFor(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    static const InternedString kTranspose = intern("torch.ops.aten.transpose.int");
    const TensorMeta* const meta = known.tensor(*call.arguments.front());
    const OperatorSchema* const transpose = known.schema(kTranspose);
    if (meta == nullptr || transpose == nullptr)
        return;
    std::vector<std::int64_t> changed;
    if (const Argument* dims = call.find("dims")) {
        if (dims->items().size() != meta->shape.size())
            return;
        for (std::size_t i = 0; i < dims->items().size(); ++i) {
            const std::optional<std::int64_t> from = integerOf(&dims->items()[i]);
            if (!from || *from < 0)
                return;
            if (*from != static_cast<std::int64_t>(i))
                changed.push_back(*from);
        }
        if (changed.size() != 2)
            return;
    } else if (const Argument* first = call.find("dim0")) {
        const Argument* const second = call.find("dim1");
        if (!first->is(ArgumentKind::integer) || second == nullptr || !second->is(ArgumentKind::integer) || first->asInteger() < 0
            || second->asInteger() < 0)
            return;
        changed = {first->asInteger(), second->asInteger()};
    } else if (meta->shape.size() == 2) {
        changed = {0, 1};
    } else {
        return;
    }
    std::ranges::sort(changed);
    call.arguments.resize(1);
    for (const std::int64_t dim : changed)
        call.arguments.emplace_back(Argument::integer(dim));
    call.schema = transpose;
    call.target = kTranspose;
}

/// Dimensions that are all reduced, in ascending order.
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

void dropSameType(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    const TensorMeta* const meta = known.tensor(*call.arguments.front());
    const Argument* const dtype = call.find("dtype");
    const Argument* const copies = call.find("copy");
    const Argument* const format = call.find("memory_format");
    if (call.target.view() == "torch.ops.aten.to.dtype" && meta != nullptr && dtype != nullptr && dtype->is(ArgumentKind::dtype)
        && dtype->text() == meta->dtype && copies != nullptr && *copies == Argument::boolean(false)
        && (format == nullptr || format->isNone()))
        becomeOperand(call);
}

/// What undoes what the call that makes its operand did.
void dropThereAndBack(NormalCall& call, const NormalRule& rule, const KnownNodes& known)
{
    const Node* const there = known.maker(*call.arguments.front());
    if (there == nullptr || there->args.empty() || !there->args[0].is(ArgumentKind::node))
        return;
    const auto undoes = [&](std::string_view target) { return there->target.view() == target; };
    const auto given = [&](std::size_t i) { return i < there->args.size() ? there->args[i] : Argument(); };
    bool isBack = false;
    if (rule.name == "squeezed-back") {
        const Argument* const dim = call.find("dim");
        isBack = undoes("torch.ops.aten.unsqueeze.default") && dim != nullptr && dim->is(ArgumentKind::integer)
            && given(1) == *dim;
    } else if (call.target.view() == "torch.ops.aten.t.default") {
        isBack = undoes("torch.ops.aten.t.default");
    } else if (const Argument* const dims = call.find("dims")) {
        isBack = undoes("torch.ops.aten.permute.default") && given(1).items().size() == dims->items().size();
        for (std::size_t i = 0; isBack && i < dims->items().size(); ++i) {
            const std::optional<std::int64_t> from = integerOf(&dims->items()[i]);
            const Argument inner = given(1);
            isBack = from && *from >= 0 && *from < static_cast<std::int64_t>(inner.items().size())
                && inner.items()[static_cast<std::size_t>(*from)] == Argument::integer(static_cast<std::int64_t>(i));
        }
    } else if (const Argument* const first = call.find("dim0")) {
        const Argument* const second = call.find("dim1");
        isBack = undoes("torch.ops.aten.transpose.int") && second != nullptr && first->is(ArgumentKind::integer)
            && second->is(ArgumentKind::integer)
            && ((given(1) == *first && given(2) == *second) || (given(1) == *second && given(2) == *first));
    }
    if (isBack)
        call.same = there->args[0].asNode();
}

void changeNothing(NormalCall& /*call*/, const NormalRule& /*rule*/, const KnownNodes& /*known*/) {}

using Apply = void (*)(NormalCall&, const NormalRule&, const KnownNodes&);

Apply functionOf(std::string_view rule)
{
    static constexpr std::array<std::pair<std::string_view, Apply>, 23> kFunctions{{
        {"wrapped", takeNumbersForTensors},
        {"dims", countDimsFromStart},
        {"scalars", makeScalarsFloating},
        {"commuted", orderOperands},
        {"swapped", takeReversedFor},
        {"index", countIndexFromStart},
        {"bounds", writeOutBounds},
        {"sizes", fillInSizes},
        {"whole", dropWhole},
        {"same-shape", dropSameShape},
        {"same-order", dropSameOrder},
        {"no-ones", dropSqueeze},
        {"one-dimension", dropFlattenOfOne},
        {"dense", dropDense},
        {"inactive", dropInactive},
        {"alias", dropAlias},
        {"transposed", takeTransposeFor},
        {"any-order", sortDims},
        {"same-type", dropSameType},
        {"viewed", takeViewForReshape},
        {"transposed-back", dropThereAndBack},
        {"squeezed-back", dropThereAndBack},
        {"laid-densely", changeNothing},
    }};
    return std::ranges::find(kFunctions, rule, &std::pair<std::string_view, Apply>::first)->second;
}

/// The lines of each operator, in the order of the table.
const std::vector<std::pair<const NormalRule*, Apply>>& rulesOf(std::string_view packet)
{
    using Rules = std::vector<std::pair<const NormalRule*, Apply>>;
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

/// An argument as the schema wants it.
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

Argument* NormalCall::find(std::string_view name)
{
    const std::optional<std::size_t> at = schema->find(intern(name));
    return at && arguments[*at] ? &*arguments[*at] : nullptr;
}

void NormalCall::call(InternedString other, const OperatorSchema* otherSchema)
{
    if (otherSchema == nullptr || otherSchema->arguments.size() != arguments.size())
        return;
    std::vector<std::optional<Argument>> placed(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::optional<std::size_t> at = otherSchema->find(schema->arguments[i].name);
        if (!at)
            return;
        placed[*at] = arguments[i];
    }
    arguments = std::move(placed);
    schema = otherSchema;
    target = other;
}

const std::vector<NormalRule>& normalRules()
{
    static const std::vector<NormalRule> rules = parseRules(operator_data::normalForms);
    return rules;
}

bool laysDensely(std::string_view packet)
{
    return packet.starts_with("aten::")
        && std::ranges::any_of(rulesOf(withoutLibrary(packet)), [](const auto& rule) { return rule.second == changeNothing; });
}

void normalize(NormalCall& call, const KnownNodes& known)
{
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
        if (call.arguments[i])
            call.arguments[i] = asTyped(*call.arguments[i], call.schema->arguments[i].type.view());
    if (call.arguments.empty() || !call.arguments.front() || !call.schema->packet.view().starts_with("aten::"))
        return;
    for (const auto& [rule, apply] : rulesOf(withoutLibrary(call.schema->packet.view()))) {
        if (call.same.isValid())
            return;
        apply(call, *rule, known);
    }
}

} // namespace sunder
