#include "analysis/structural_hash.h"

#include <bit>

namespace sunder {
namespace {

std::uint64_t hashOfNumber(double value)
{
    return value == 0 ? 0 : std::bit_cast<std::uint64_t>(value);
}

} // namespace

std::uint64_t hashOfText(std::string_view text)
{
    std::uint64_t hash = 0xCBF29CE484222325ULL; // FNV-1a
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return mixHash(hash, text.size());
}

std::uint64_t StructuralHash::of(InternedString text)
{
    if (text.empty())
        return 0;
    if (const std::uint64_t* known = m_texts.find(text))
        return *known;
    return m_texts.emplace(text, hashOfText(text.view())).first;
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
    case ArgumentKind::node:
    case ArgumentKind::graph: return kind;
    case ArgumentKind::boolean: return mixHash(kind, value.asBoolean() ? 1 : 2);
    case ArgumentKind::integer: return mixHash(kind, static_cast<std::uint64_t>(value.asInteger()));
    case ArgumentKind::floating: return mixHash(kind, hashOfNumber(value.asFloating()));
    case ArgumentKind::complex: {
        const auto [real, imaginary] = value.asComplex();
        return mixHash(mixHash(kind, hashOfNumber(real)), hashOfNumber(imaginary));
    }
    case ArgumentKind::symbolic: return m_symbols == Symbols::alike ? kind : mixHash(kind, of(value.asSymbolic().expression));
    case ArgumentKind::tensor: return mixHash(kind, ofShape(value.asTensor()));
    case ArgumentKind::object:
    case ArgumentKind::opaque: return mixHash(mixHash(kind, of(value.text())), of(value.className()));
    default: break;
    }
    if (value.isCompound()) // reached by compound keys of a dict
        return mixHash(kind, value.items().size());
    return mixHash(kind, of(value.text()));
}

} // namespace sunder
