#include "ir/tensor_meta.h"

#include <algorithm>
#include <array>
#include <string>

namespace sunder {
namespace {

struct DtypeFact {
    std::string_view name;
    std::string_view abbreviation;
    std::uint64_t bytes;
};

constexpr std::array kDtypes = {
    // clang-format off
    DtypeFact{"float32", "f32", 4},          DtypeFact{"float64", "f64", 8},
    DtypeFact{"float16", "f16", 2},          DtypeFact{"bfloat16", "bf16", 2},
    DtypeFact{"int64", "i64", 8},            DtypeFact{"int32", "i32", 4},
    DtypeFact{"int16", "i16", 2},            DtypeFact{"int8", "i8", 1},
    DtypeFact{"uint8", "u8", 1},             DtypeFact{"uint16", "u16", 2},
    DtypeFact{"uint32", "u32", 4},           DtypeFact{"uint64", "u64", 8},
    DtypeFact{"bool", "b8", 1},              DtypeFact{"complex32", "c32", 4},
    DtypeFact{"complex64", "c64", 8},        DtypeFact{"complex128", "c128", 16},
    DtypeFact{"float8_e4m3fn", "f8e4m3fn", 1}, DtypeFact{"float8_e5m2", "f8e5m2", 1},
    DtypeFact{"float8_e4m3fnuz", "f8e4m3fnuz", 1}, DtypeFact{"float8_e5m2fnuz", "f8e5m2fnuz", 1},
    DtypeFact{"float8_e8m0fnu", "f8e8m0fnu", 1}, DtypeFact{"float4_e2m1fn_x2", "f4e2m1fnx2", 1},
    DtypeFact{"qint8", "qi8", 1},            DtypeFact{"quint8", "qu8", 1},
    DtypeFact{"qint32", "qi32", 4},          DtypeFact{"half", "f16", 2},
    DtypeFact{"float", "f32", 4},            DtypeFact{"double", "f64", 8},
    DtypeFact{"long", "i64", 8},             DtypeFact{"int", "i32", 4},
    // clang-format on
};

const DtypeFact* factOf(std::string_view dtype)
{
    const auto* found = std::find_if(kDtypes.begin(), kDtypes.end(), [&](const DtypeFact& f) { return f.name == dtype; });
    return found != kDtypes.end() ? found : nullptr;
}

std::string sizeText(const Argument& size)
{
    if (size.is(ArgumentKind::integer))
        return std::to_string(size.asInteger());
    if (size.is(ArgumentKind::symbolic))
        return size.asSymbolic().expression.str();
    return "?";
}

std::string joinSizes(std::span<const Argument> shape, std::string_view separator)
{
    std::string text;
    for (const Argument& size : shape) {
        if (!text.empty())
            text += separator;
        text += sizeText(size);
    }
    return text;
}

} // namespace

bool operator==(const TensorMeta& a, const TensorMeta& b)
{
    return a.dtype == b.dtype && a.shape == b.shape && a.stride == b.stride && a.offset == b.offset && a.device == b.device
        && a.layout == b.layout && a.storage == b.storage && a.requiresGrad == b.requiresGrad && a.extra == b.extra;
}

std::optional<std::uint64_t> elementSize(std::string_view dtype)
{
    const DtypeFact* fact = factOf(dtype);
    return fact != nullptr ? std::optional(fact->bytes) : std::nullopt;
}

std::string_view dtypeAbbreviation(std::string_view dtype)
{
    const DtypeFact* fact = factOf(dtype);
    return fact != nullptr ? fact->abbreviation : dtype;
}

std::optional<std::uint64_t> sizeHint(const Argument& size)
{
    std::optional<std::int64_t> value;
    if (size.is(ArgumentKind::integer))
        value = size.asInteger();
    else if (size.is(ArgumentKind::symbolic))
        value = size.asSymbolic().integerHint();
    if (!value || *value < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(*value);
}

std::optional<std::uint64_t> elementCount(std::span<const Argument> shape)
{
    std::uint64_t count = 1;
    for (const Argument& size : shape) {
        const std::optional<std::uint64_t> value = sizeHint(size);
        if (!value || __builtin_mul_overflow(count, *value, &count))
            return std::nullopt;
    }
    return count;
}

std::optional<std::uint64_t> byteSize(const TensorMeta& meta)
{
    const std::optional<std::uint64_t> count = elementCount(meta.shape);
    const std::optional<std::uint64_t> each = elementSize(meta.dtype.view());
    std::uint64_t bytes = 0;
    if (!count || !each || __builtin_mul_overflow(*count, *each, &bytes))
        return std::nullopt;
    return bytes;
}

std::optional<std::uint64_t> byteSize(const Argument& val)
{
    if (val.is(ArgumentKind::tensor))
        return byteSize(val.asTensor());
    std::uint64_t total = 0;
    for (const Argument& item : val.items()) {
        const std::optional<std::uint64_t> bytes = byteSize(item);
        if (!bytes || __builtin_add_overflow(total, *bytes, &total))
            return std::nullopt;
    }
    return total;
}

std::string describe(const TensorMeta& meta)
{
    return std::string(dtypeAbbreviation(meta.dtype.view())) + "[" + joinSizes(meta.shape, ", ") + "]";
}

std::string describeShape(const Argument& val)
{
    switch (val.kind()) {
    case ArgumentKind::tensor: return val.asTensor().shape.empty() ? "scalar" : joinSizes(val.asTensor().shape, "×");
    case ArgumentKind::symbolic: return val.asSymbolic().expression.str();
    case ArgumentKind::integer: return std::to_string(val.asInteger());
    case ArgumentKind::floating: return "float";
    case ArgumentKind::boolean: return val.asBoolean() ? "true" : "false";
    case ArgumentKind::list: return "list";
    case ArgumentKind::tuple:
    case ArgumentKind::namedTuple: return "tuple";
    case ArgumentKind::dict: return "dict";
    case ArgumentKind::none: return "None";
    default: return {};
    }
}

} // namespace sunder
