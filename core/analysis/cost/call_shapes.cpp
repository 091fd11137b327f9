#include "analysis/cost/call_shapes.h"

#include "ir/tensor_meta.h"

#include <algorithm>

namespace sunder {
namespace {

std::optional<Shape> shapeOf(const Argument& value)
{
    if (!value.is(ArgumentKind::tensor))
        return std::nullopt;
    const TensorMeta& meta = value.asTensor();
    const auto hints = [](const Arguments& sizes, std::vector<std::uint64_t>& into) {
        for (const Argument& size : sizes) {
            const std::optional<std::uint64_t> hint = sizeHint(size);
            if (!hint)
                return false;
            into.push_back(*hint);
        }
        return true;
    };
    Shape shape;
    if (!hints(meta.shape, shape.sizes))
        return std::nullopt;
    if (!meta.stride || !hints(*meta.stride, shape.strides) || shape.strides.size() != shape.sizes.size())
        shape.makeContiguous();
    return shape;
}

} // namespace

void Shape::transpose()
{
    if (sizes.size() < 2)
        return;
    std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
    std::swap(strides[sizes.size() - 1], strides[sizes.size() - 2]);
}

void Shape::makeContiguous()
{
    strides.assign(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;)
        strides[i - 1] = strides[i] * std::max<std::uint64_t>(sizes[i], 1);
}

const Argument* CallShapes::argument(std::string_view name, std::size_t position) const
{
    const Argument* found = position < m_call.args.size() ? &m_call.args[position] : nullptr;
    if (found == nullptr)
        for (const Keyword& keyword : m_call.kwargs)
            if (keyword.key.view() == name)
                found = &keyword.value;
    return found != nullptr ? valueIn(m_graph, *found) : nullptr;
}

std::optional<Shape> CallShapes::tensor(std::string_view name, std::size_t position) const
{
    const Argument* const given = argument(name, position);
    return given != nullptr ? shapeOf(*given) : std::nullopt;
}

std::vector<Shape> CallShapes::tensors(std::string_view name, std::size_t position) const
{
    std::vector<Shape> shapes;
    if (const Argument* const given = argument(name, position))
        for (const Argument& item : given->items()) {
            const Argument* const value = valueIn(m_graph, item);
            std::optional<Shape> shape = value != nullptr ? shapeOf(*value) : std::nullopt;
            if (!shape)
                return {};
            shapes.push_back(*std::move(shape));
        }
    return shapes;
}

std::optional<std::int64_t> CallShapes::integer(std::string_view name, std::size_t position) const
{
    const Argument* const given = argument(name, position);
    return given != nullptr && given->is(ArgumentKind::integer) ? std::optional(given->asInteger()) : std::nullopt;
}

std::vector<std::int64_t> CallShapes::integers(std::string_view name, std::size_t position) const
{
    std::vector<std::int64_t> numbers;
    if (const Argument* const given = argument(name, position))
        for (const Argument& item : given->items())
            if (item.is(ArgumentKind::integer))
                numbers.push_back(item.asInteger());
    return numbers;
}

std::optional<bool> CallShapes::flag(std::string_view name, std::size_t position) const
{
    const Argument* const given = argument(name, position);
    return given != nullptr && given->is(ArgumentKind::boolean) ? std::optional(given->asBoolean()) : std::nullopt;
}

std::vector<bool> CallShapes::flags(std::string_view name, std::size_t position) const
{
    std::vector<bool> flags;
    if (const Argument* const given = argument(name, position))
        for (const Argument& item : given->items())
            flags.push_back(item.is(ArgumentKind::boolean) && item.asBoolean());
    return flags;
}

std::optional<std::uint64_t> CallShapes::size(std::size_t position) const
{
    const Argument* const given = argument({}, position);
    return given != nullptr ? sizeHint(*given) : std::nullopt;
}

std::string_view CallShapes::text(std::string_view name, std::size_t position) const
{
    const Argument* const given = argument(name, position);
    return given != nullptr && given->is(ArgumentKind::string) ? given->text().view() : std::string_view();
}

std::optional<Shape> CallShapes::result(std::size_t item) const
{
    if (!m_val)
        return std::nullopt;
    if (!m_val->isCompound())
        return item == 0 ? shapeOf(*m_val) : std::nullopt;
    return item < m_val->items().size() ? shapeOf(m_val->items()[item]) : std::nullopt;
}

ModuleId moduleCalled(const Program& program, GraphId in, InternedString target)
{
    const ModuleId owner = program.owners[in.index()];
    const std::string_view path = owner ? program.modules[owner].path.view() : std::string_view();
    return program.modules.resolve(joinPath(path, target.view()));
}

GraphId moduleGraph(const Program& program, GraphId in, InternedString target)
{
    const ModuleId module = moduleCalled(program, in, target);
    return module ? program.modules[module].graph : GraphId();
}

GraphId graphOf(const Program& program, GraphId in, const Argument& argument)
{
    if (argument.is(ArgumentKind::graph))
        return argument.asGraph();
    if (!argument.is(ArgumentKind::node))
        return {};
    const Node& node = program.graph(in).node(argument.asNode());
    return node.op == Op::getAttr ? moduleGraph(program, in, node.target) : GraphId();
}

} // namespace sunder
