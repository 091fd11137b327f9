#include "ir/structural_hash.h"

#include <bit>
#include <cmath>

namespace sunder {
namespace {

std::uint64_t hashOfNumber(double value)
{
    return std::isnan(value) ? 0x7ff8 : std::bit_cast<std::uint64_t>(value); // all NaNs are equal
}

} // namespace

std::uint64_t StructuralHash::of(InternedString text)
{
    if (text.empty())
        return 0;
    if (const std::uint64_t* known = m_texts.find(text))
        return *known;
    return m_texts.emplace(text, hashOfText(text.view())).first;
}

std::uint64_t StructuralHash::of(const Argument& tree)
{
    return of(tree, ArgumentKind::node, [this](const Argument& node) { return ofSingle(node); });
}

std::uint64_t StructuralHash::ofShape(const TensorMeta& tensor)
{
    std::uint64_t hash = mixHash(of(tensor.dtype), tensor.shape.size());
    for (const Argument& size : tensor.shape)
        hash = mixHash(hash, ofSingle(size));
    return hash;
}

std::uint64_t StructuralHash::ofSingle(const Argument& value)
{
    const std::uint64_t kind = mixHash(0, static_cast<std::uint64_t>(value.kind()));
    switch (value.kind()) {
    case ArgumentKind::none:
    case ArgumentKind::ellipsis:
    case ArgumentKind::node: return kind;
    case ArgumentKind::graph: return m_options.graphs ? mixHash(kind, value.asGraph().index()) : kind;
    case ArgumentKind::boolean: return mixHash(kind, value.asBoolean() ? 1 : 2);
    case ArgumentKind::integer: return mixHash(kind, static_cast<std::uint64_t>(value.asInteger()));
    case ArgumentKind::floating: return mixHash(kind, hashOfNumber(value.asFloating()));
    case ArgumentKind::complex: {
        const auto [real, imaginary] = value.asComplex();
        return mixHash(mixHash(kind, hashOfNumber(real)), hashOfNumber(imaginary));
    }
    case ArgumentKind::symbolic: return m_options.symbols ? mixHash(kind, of(value.asSymbolic().expression)) : kind;
    case ArgumentKind::tensor: return mixHash(kind, ofShape(value.asTensor()));
    case ArgumentKind::constant: return m_options.objects ? mixHash(kind, of(value.text())) : kind;
    case ArgumentKind::object:
        if (!m_options.objects)
            return mixHash(kind, of(value.className()));
        [[fallthrough]];
    case ArgumentKind::opaque: return mixHash(mixHash(kind, of(value.text())), of(value.className()));
    default: break;
    }
    if (value.isCompound()) // reached by compound keys of a dict
        return mixHash(kind, value.items().size());
    return mixHash(kind, of(value.text()));
}

} // namespace sunder
