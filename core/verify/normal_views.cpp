#include "verify/normal_rules.h"

#include "ir/tensor_meta.h"
#include "verify/tensor_descriptions.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

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
    // Other views compute new strides.
    const bool areStridesKept = call.schema->packet.view().starts_with("aten::expand")
        || keepsStrides(*call.arguments.front(), known);
    if (const Argument* other = call.find("other")) {
        const TensorMeta* const target = known.tensor(*other);
        const bool areSizes = std::ranges::all_of(
            meta->shape, [](const Argument& size) { return isWholeSize(size) || size.is(ArgumentKind::symbolic); });
        if (target != nullptr && areSizes && target->shape == meta->shape && areStridesKept)
            becomeOperand(call);
        return;
    }
    const Argument* const sizes = wantedSizes(call);
    if (sizes != nullptr && areStridesKept
        && std::ranges::equal(sizes->items(), meta->shape,
                              [&](const Argument& wanted, const Argument& size) { return isSameSize(wanted, size, known); }))
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
    if (asksForRows && meta != nullptr && meta->stride && isContiguous(*meta) && known.hasFixedStrides(*call.arguments.front()))
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

/// Replaces reshape by view if a view is always possible.
void takeViewForReshape(NormalCall& call, const NormalRule& /*rule*/, const KnownNodes& known)
{
    static const InternedString kView = intern("torch.ops.aten.view.default");
    const TensorMeta* const meta = known.tensor(*call.arguments.front());
    Argument* const sizes = wantedSizes(call);
    if (sizes == nullptr || meta == nullptr || !isContiguous(*meta) || !known.hasFixedStrides(*call.arguments.front()))
        return;
    const OperatorSchema* const view = known.schema(kView); // its argument for sizes has another name
    if (view == nullptr || view->arguments.size() != call.arguments.size())
        return;
    call.schema = view;
    call.target = kView;
}

/// Replaces every call that swaps two dimensions by transpose.
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

/// Removes a transposition or squeeze that reverts its operand.
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

} // namespace

std::span<const std::pair<std::string_view, ApplyRule>> viewRules()
{
    static constexpr std::array<std::pair<std::string_view, ApplyRule>, 13> kRules{{
        {"whole", dropWhole},
        {"same-shape", dropSameShape},
        {"same-order", dropSameOrder},
        {"no-ones", dropSqueeze},
        {"one-dimension", dropFlattenOfOne},
        {"dense", dropDense},
        {"inactive", dropInactive},
        {"alias", dropAlias},
        {"viewed", takeViewForReshape},
        {"transposed", takeTransposeFor},
        {"same-type", dropSameType},
        {"transposed-back", dropThereAndBack},
        {"squeezed-back", dropThereAndBack},
    }};
    return kRules;
}

} // namespace sunder
