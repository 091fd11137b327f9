#include "io/exported_program/exported_program_values.h"

#include "io/exported_program/exported_program_enums.h"
#include "io/json/json_members.h"
#include "io/sympy/sympy_infix.h"
#include "io/sympy/sympy_printer.h"

#include <array>
#include <limits>

namespace sunder {
namespace {

constexpr std::array<std::string_view, 7> kMetaNames = {"dtype",   "sizes",          "requires_grad", "device",
                                                        "strides", "storage_offset", "layout"};

/// Collects the printed forms of an expression and of all its subexpressions except numbers.
void collectSymbols(const SympyExpression& expression, std::vector<InternedString>& symbols)
{
    if (expression.isNumber() || expression.is(SympyExpression::Kind::word))
        return;
    symbols.push_back(intern(printSympy(expression)));
    for (const SympyExpression& part : expression.arguments)
        collectSymbols(part, symbols);
}

/// Returns the name of a layout, including those of later versions.
InternedString layoutCalled(std::int64_t number)
{
    const InternedString known = layoutOfNumber(number);
    return known.empty() ? intern("unknown_" + std::to_string(number)) : known;
}

} // namespace

InternedString ExportedProgramValues::expressionText(std::string_view srepr)
{
    const InternedString source = intern(srepr);
    const auto [found, isNew] = m_expressions.try_emplace(source);
    Expression& known = found->second;
    if (isNew) {
        known.text = source; // unparsable text is shown unchanged
        std::optional<SympyExpression> expression = parseSrepr(srepr);
        if (!expression || expression->is(SympyExpression::Kind::word))
            expression = parseInfix(srepr); // PyTorch 2.5 and earlier
        if (expression) {
            known.text = intern(printSympy(*expression));
            collectSymbols(*expression, known.symbols);
        }
    }
    if (m_isOffset || known.isCounted)
        return known.text;
    known.isCounted = true;
    m_program.symbols.insert(known.symbols.begin(), known.symbols.end());
    return known.text;
}

Argument ExportedProgramValues::expression(JsonValue value, SymbolKind kind)
{
    static constexpr std::array<std::string_view, 2> kNames = {"expr_str", "hint"};
    if (!value.is(JsonType::object))
        return wrong("as_expr must be an object");
    const JsonMembers members(value, kNames);
    m_program.noteUnknown("SymExpr", members.extra());
    if (!members[0] || !members[0].is(JsonType::string))
        return wrong("expr_str must be a string");
    SymbolicValue symbol{.expression = expressionText(members[0].text()), .kind = kind};
    if (!members[1] || members[1].is(JsonType::null))
        return Argument::symbolic(symbol);
    const std::optional<TaggedValue> hint = tagged(members[1]);
    if (!hint)
        return {};
    if (hint->value.is(JsonType::integer) && kind == SymbolKind::floating)
        symbol.hint = static_cast<double>(hint->value.asInteger());
    else if (hint->value.is(JsonType::integer))
        symbol.hint = hint->value.asInteger();
    else if (hint->value.is(JsonType::floating))
        symbol.hint = hint->value.asFloating();
    else if (hint->value.is(JsonType::boolean))
        symbol.hint = hint->value.asBoolean();
    return Argument::symbolic(symbol);
}

Argument ExportedProgramValues::symbol(JsonValue value, SymbolKind kind)
{
    if (value.is(JsonType::integer) && kind == SymbolKind::integer) // schema 2 writes plain offsets
        return Argument::integer(value.asInteger());
    const std::optional<TaggedValue> found = tagged(value);
    if (!found)
        return {};
    if (found->tag == "as_expr")
        return expression(found->value, kind);
    if (found->tag == "as_int" && kind == SymbolKind::integer)
        return found->value.is(JsonType::integer) ? Argument::integer(found->value.asInteger())
                                                  : wrong("as_int must be an integer that fits 64 bits");
    if (found->tag == "as_float")
        return floating(found->value);
    return found->tag == "as_bool" ? boolean(found->value) : wrong("must be a number or an expression");
}

Arguments ExportedProgramValues::sizes(JsonValue value, std::string_view what, bool mayBeNegative)
{
    Arguments sizes;
    if (!value.is(JsonType::array)) {
        (void)wrong(std::string(what) + " must be a list");
        return sizes;
    }
    sizes.reserve(4);
    for (JsonValue item = value.firstItem(); item; item = item.nextItem()) {
        sizes.push_back(symbol(item, SymbolKind::integer));
        const Argument& size = sizes.back();
        if (size.is(ArgumentKind::integer) && size.asInteger() < 0 && !mayBeNegative)
            (void)wrong(std::string(what) + " holds the negative number " + std::to_string(size.asInteger()));
    }
    return sizes;
}

void ExportedProgramValues::checkSizes(const TensorMeta& meta, std::string_view name)
{
    if (meta.stride && meta.stride->size() != meta.shape.size())
        (void)wrong(std::string(name) + " has " + std::to_string(meta.shape.size()) + " sizes and "
                    + std::to_string(meta.stride->size()) + " strides");
    std::uint64_t bytes = elementSize(meta.dtype.view()).value_or(1);
    bool overflows = false;
    for (const Argument& size : meta.shape) {
        const std::optional<std::uint64_t> known = sizeHint(size);
        if (known && *known == 0)
            return;
        overflows = overflows || (known && __builtin_mul_overflow(bytes, *known, &bytes));
    }
    if (overflows || bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        (void)wrong(std::string(name) + " is too large: its size in bytes exceeds 63 bits");
}

std::shared_ptr<TensorMeta> ExportedProgramValues::tensor(JsonValue value, std::string_view name)
{
    static const InternedString kCpu = intern("cpu");
    static const InternedString kStrided = intern("strided");
    if (!value.is(JsonType::object)) {
        (void)wrong(std::string(name) + " must be described by an object");
        return nullptr;
    }
    const JsonMembers members(value, kMetaNames);
    m_program.noteUnknown("TensorMeta", members.extra());
    if (!members[0] || !members[1]) {
        (void)wrong(std::string(name) + " lacks " + (members[0] ? "sizes" : "dtype"));
        return nullptr;
    }
    auto meta = std::make_shared<TensorMeta>();
    const std::int64_t dtype = integer(members[0], "dtype");
    meta->dtype = dtypeOfScalarType(dtype);
    if (meta->dtype.empty())
        meta->dtype = intern("unknown_" + std::to_string(dtype));
    meta->shape = sizes(members[1], "sizes", false);
    if (members[4] && !members[4].is(JsonType::null))
        meta->stride = sizes(members[4], "strides", true);
    if (members[2] && members[2].is(JsonType::boolean))
        meta->requiresGrad = members[2].asBoolean();
    if (members[3] && !members[3].is(JsonType::null))
        meta->device = deviceName(members[3]);
    if (meta->device == kCpu)
        meta->device = {};
    if (members[5] && !members[5].is(JsonType::null)) {
        m_isOffset = true;
        const Argument offset = symbol(members[5], SymbolKind::integer);
        m_isOffset = false;
        if (!offset.is(ArgumentKind::integer) || offset.asInteger() != 0)
            meta->offset = offset;
    }
    if (members[6] && !members[6].is(JsonType::null))
        meta->layout = layoutCalled(integer(members[6], "layout"));
    if (meta->layout == kStrided)
        meta->layout = {};
    checkSizes(*meta, name);
    return meta;
}

} // namespace sunder
