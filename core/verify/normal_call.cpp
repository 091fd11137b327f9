#include "verify/normal_call.h"

#include "ir/tensor_meta.h"
#include "operators/literal_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sunder {

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

std::optional<NormalCall> placed(InternedString target, const Arguments& args, const Keywords& kwargs,
                                 const OperatorSchema& schema, const KnownNodes& known)
{
    NormalCall call{.schema = &schema, .arguments = {}, .target = target};
    call.arguments.resize(schema.arguments.size());
    if (schema.takesMore || args.size() > schema.positionalCount())
        return std::nullopt;
    for (std::size_t i = 0; i < args.size(); ++i)
        call.arguments[i] = args[i];
    for (const Keyword& keyword : kwargs) {
        const std::optional<std::size_t> at = schema.find(keyword.key);
        if (!at || call.arguments[*at])
            return std::nullopt;
        call.arguments[*at] = keyword.value;
    }
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const SchemaArgument& argument = schema.arguments[i];
        const std::string_view type = argument.type.view();
        const bool takesTensor = type.empty() || (type.starts_with("Tensor") && !argument.isList());
        if (call.arguments[i] ? known.isTensor(*call.arguments[i]) && !takesTensor : !argument.hasDefault)
            return std::nullopt;
        if (!call.arguments[i])
            call.arguments[i] = defaultOf(argument);
    }
    return call;
}

bool passesNumberForSizes(const NormalCall& call)
{
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
        if (call.arguments[i] && call.arguments[i]->is(ArgumentKind::integer)
            && call.schema->arguments[i].type.view().starts_with("SymInt["))
            return true;
    return false;
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

const Argument* sizeAt(NormalCall& call, const KnownNodes& known)
{
    const std::optional<std::int64_t> dim = integerOf(call.find("dim"));
    const TensorMeta* meta = known.tensor(*call.arguments.front());
    if (!dim || meta == nullptr || *dim < 0 || *dim >= static_cast<std::int64_t>(meta->shape.size()))
        return nullptr;
    return &meta->shape[static_cast<std::size_t>(*dim)];
}

Argument* wantedSizes(NormalCall& call)
{
    for (const char* name : {"size", "shape"})
        if (Argument* sizes = call.find(name); sizes != nullptr && sizes->is(ArgumentKind::list))
            return sizes;
    return nullptr;
}

void becomeOperand(NormalCall& call)
{
    if (call.arguments.front()->is(ArgumentKind::node))
        call.same = call.arguments.front()->asNode();
}

} // namespace sunder
