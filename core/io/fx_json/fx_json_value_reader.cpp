#include "io/fx_json/fx_json_value_reader.h"

#include "support/json_text.h"
#include "support/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace sunder {
namespace {

/// True if a value can be a size, stride, or offset.
bool isSize(const Argument& value)
{
    return (value.is(ArgumentKind::integer) && value.asInteger() >= 0) || value.is(ArgumentKind::symbolic)
        || value.is(ArgumentKind::unknown);
}

/// Leading keys of value objects; readKind() switches by their index.
// clang-format off
enum KindKey : std::size_t {
    kKeyNode, kKeyTuple, kKeyDict, kKeyNamedTuple, kKeySlice, kKeyRange, kKeyEllipsis, kKeyFloat, kKeyBigInteger, kKeyComplex, kKeyDtype, kKeyDevice,
    kKeyLayout, kKeyMemoryFormat, kKeyFunction, kKeySymbol, kKeyGraph, kKeyConstant, kKeyObject, kKeyRepr, kKeyTensor, kKindCount
};
// clang-format on

constexpr std::array<std::string_view, kKindCount> kKinds = {"n",  "t",   "d",     "nt",    "slice",  "range",  "ellipsis",
                                                             "f",  "i",   "c",     "dtype", "device", "layout", "mf",
                                                             "fn", "sym", "graph", "const", "obj",    "repr",   "tensor"};

constexpr std::array<std::string_view, 3> kSymbolNames = {"sym", "hint", "kind"};

std::size_t kindOf(std::string_view key)
{
    return static_cast<std::size_t>(std::find(kKinds.begin(), kKinds.end(), key) - kKinds.begin());
}

/// True for a key that belongs to a kind. Other keys are kept unchanged.
bool isOwnKey(std::size_t kind, std::string_view key)
{
    if (key == kKinds[kind])
        return true;
    if (kind == kKeySymbol)
        return key == "hint" || key == "kind";
    return (kind == kKeyObject || kind == kKeyRepr) && key == "cls";
}

InternedString extraOf(std::size_t kind, JsonValue object)
{
    std::string extra;
    for (JsonValue key = object.firstItem(); key; key = key.nextMember()) {
        if (isOwnKey(kind, key.text()))
            continue;
        key.memberValue().appendRaw(startJsonMember(extra, key.text()));
    }
    closeJsonObject(extra);
    return intern(extra);
}

std::optional<SymbolKind> symbolKindOf(std::string_view text)
{
    if (text.empty() || text == "int")
        return SymbolKind::integer;
    if (text == "float")
        return SymbolKind::floating;
    if (text == "bool")
        return SymbolKind::boolean;
    return std::nullopt;
}

} // namespace

void FxJsonValueReader::setScope(const FxJsonNodeNames& names, UnknownNode unknown, std::string_view speaker)
{
    m_names = &names;
    m_unknown = unknown;
    m_speaker = speaker;
}

Argument FxJsonValueReader::wrong(const std::string& what) const
{
    m_fault.report(m_speaker + " holds " + what);
    return {};
}

Argument FxJsonValueReader::read(JsonValue value) const
{
    switch (value.type()) {
    case JsonType::null: return {};
    case JsonType::boolean: return Argument::boolean(value.asBoolean());
    case JsonType::integer: return Argument::integer(value.asInteger());
    case JsonType::floating:
        if (value.isIntegerBeyondInt64())
            return wrong("an integer out of range: " + std::string(value.text()) + R"( (larger ones are {"i":"…"}))");
        return Argument::floating(value.asFloating());
    case JsonType::string: return Argument::string(intern(value.text()));
    case JsonType::array: return Argument::list(readList(value));
    default: return readObject(value);
    }
}

Arguments FxJsonValueReader::readList(JsonValue array) const
{
    Arguments items;
    if (!array || !array.is(JsonType::array)) {
        wrong("something other than a list of values");
        return items;
    }
    items.reserve(array.count());
    for (JsonValue item = array.firstItem(); item; item = item.nextItem())
        items.push_back(read(item));
    return items;
}

Keywords FxJsonValueReader::readKeywords(JsonValue array) const
{
    Keywords keywords;
    for (JsonValue pair = array.firstItem(); pair; pair = pair.nextItem()) {
        if (!pair.is(JsonType::array) || pair.count() != 2 || !pair.firstItem().is(JsonType::string)) {
            wrong("kwargs that are not pairs of a name and a value");
            return keywords;
        }
        keywords.push_back({intern(pair.firstItem().text()), read(pair.firstItem().nextItem())});
    }
    return keywords;
}

Argument FxJsonValueReader::readObject(JsonValue object) const
{
    for (JsonValue key = object.firstItem(); key; key = key.nextMember()) {
        const std::size_t kind = kindOf(key.text());
        if (kind == kKindCount)
            continue;
        const bool isAlone = !key.nextMember() && object.firstItem().text() == key.text();
        Argument value = readKind(kind, key.memberValue(), object);
        if (isAlone)
            return value;
        const InternedString extra = extraOf(kind, object);
        return extra.empty() ? value : value.withExtra(extra);
    }
    return Argument::word(ArgumentKind::unknown, intern(object.raw()));
}

Argument FxJsonValueReader::readKind(std::size_t kind, JsonValue value, JsonValue object) const
{
    const auto word = [&](ArgumentKind wordKind) { return Argument::word(wordKind, readText(value, kKinds[kind])); };
    switch (kind) {
    case kKeyNode: return readNode(value, object);
    case kKeyTuple: return Argument::tuple(readList(value));
    case kKeyDict: return readDict(value);
    case kKeyNamedTuple: return readNamedTuple(value);
    case kKeySlice: return readTriple(value, true);
    case kKeyRange: return readTriple(value, false);
    case kKeyEllipsis: return Argument::ellipsis();
    case kKeyFloat: return readFloatWord(value);
    case kKeyBigInteger: return readBigInteger(value);
    case kKeyComplex: return readComplex(value);
    case kKeyDtype: return word(ArgumentKind::dtype);
    case kKeyDevice: return word(ArgumentKind::device);
    case kKeyLayout: return word(ArgumentKind::layout);
    case kKeyMemoryFormat: return word(ArgumentKind::memoryFormat);
    case kKeyFunction: return word(ArgumentKind::function);
    case kKeySymbol: return readSymbol(object);
    case kKeyGraph: return Argument::graph(m_findGraph(readText(value, "graph")));
    case kKeyConstant: return word(ArgumentKind::constant);
    case kKeyTensor: return readTensorValue(value);
    default: return readNamed(kind, object);
    }
}

InternedString FxJsonValueReader::readText(JsonValue value, std::string_view what) const
{
    if (value.is(JsonType::string))
        return intern(value.text());
    wrong("a " + quoted(what) + " that is not a string");
    return {};
}

Argument FxJsonValueReader::readNode(JsonValue value, JsonValue object) const
{
    const InternedString name = readText(value, "n");
    if (const NodeId* found = name.empty() ? nullptr : m_names->find(name))
        return Argument::node(*found);
    if (m_unknown == UnknownNode::keepAsText)
        return Argument::word(ArgumentKind::unknown, intern(object.raw()));
    return wrong("the node " + quoted(name.view()) + ", which is used before it is defined");
}

Argument FxJsonValueReader::readDict(JsonValue value) const
{
    if (!value.is(JsonType::array))
        return wrong("a dict that is not a list of pairs");
    Arguments keys;
    Arguments values;
    for (JsonValue pair = value.firstItem(); pair; pair = pair.nextItem()) {
        if (!pair.is(JsonType::array) || pair.count() != 2)
            return wrong("a dict that is not a list of pairs");
        keys.push_back(read(pair.firstItem()));
        values.push_back(read(pair.firstItem().nextItem()));
        if (keys.back().holdsNodes())
            return wrong("a dict with a node as a key");
    }
    return Argument::dict(std::move(keys), std::move(values));
}

Argument FxJsonValueReader::readNamedTuple(JsonValue value) const
{
    if (!value.is(JsonType::array) || value.count() != 3)
        return wrong("a named tuple that is not [class, fields, values]");
    const JsonValue cls = value.firstItem();
    const JsonValue fields = cls.nextItem();
    std::vector<InternedString> names;
    if (fields.is(JsonType::array))
        for (JsonValue field = fields.firstItem(); field; field = field.nextItem())
            names.push_back(readText(field, "nt"));
    Arguments values = readList(fields.nextItem());
    if (names.size() != values.size())
        return wrong("a named tuple of " + std::to_string(names.size()) + " fields and " + std::to_string(values.size())
                     + " values");
    return Argument::namedTuple(readText(cls, "nt"), std::move(names), std::move(values));
}

Argument FxJsonValueReader::readTriple(JsonValue value, bool isSlice) const
{
    Arguments items = readList(value);
    if (items.size() != 3)
        return wrong("a slice or range that is not [start, stop, step]");
    return isSlice ? Argument::slice(std::move(items[0]), std::move(items[1]), std::move(items[2]))
                   : Argument::range(std::move(items[0]), std::move(items[1]), std::move(items[2]));
}

Argument FxJsonValueReader::readFloatWord(JsonValue value) const
{
    const std::string_view word = value.is(JsonType::string) ? value.text() : std::string_view();
    if (word == "inf")
        return Argument::floating(std::numeric_limits<double>::infinity());
    if (word == "-inf")
        return Argument::floating(-std::numeric_limits<double>::infinity());
    if (word == "nan")
        return Argument::floating(std::numeric_limits<double>::quiet_NaN());
    return wrong(R"(a float {"f":…} that is not inf, -inf, or nan)");
}

Argument FxJsonValueReader::readBigInteger(JsonValue value) const
{
    const std::string_view digits = value.is(JsonType::string) ? value.text() : std::string_view();
    const std::string_view unsignedDigits = digits.substr(digits.starts_with('-') ? 1 : 0);
    if (!isAsciiNumber(unsignedDigits))
        return wrong(R"(an integer {"i":…} that is not decimal)");
    std::int64_t small = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), small).ec == std::errc())
        return Argument::integer(small);
    return Argument::word(ArgumentKind::bigInteger, intern(digits));
}

double FxJsonValueReader::readPart(JsonValue value) const
{
    const Argument part = read(value);
    if (part.is(ArgumentKind::floating))
        return part.asFloating();
    if (part.is(ArgumentKind::integer))
        return static_cast<double>(part.asInteger());
    wrong("a complex number that is not two numbers");
    return 0;
}

Argument FxJsonValueReader::readComplex(JsonValue value) const
{
    if (!value.is(JsonType::array) || value.count() != 2)
        return wrong("a complex number that is not two numbers");
    return Argument::complex(readPart(value.firstItem()), readPart(value.firstItem().nextItem()));
}

Argument FxJsonValueReader::readSymbol(JsonValue object) const
{
    const FxJsonFields fields(m_speaker, object, kSymbolNames, m_fault);
    SymbolicValue symbol{.expression = fields.requiredText(0)};
    const std::optional<SymbolKind> kind = symbolKindOf(fields.text(2).view());
    if (!kind)
        return wrong("a symbol of unknown kind " + quoted(fields.text(2).view()));
    symbol.kind = *kind;
    if (fields.has(1)) {
        const Argument hint = read(fields.value(1));
        if (hint.is(ArgumentKind::integer))
            symbol.hint = hint.asInteger();
        else if (hint.is(ArgumentKind::floating))
            symbol.hint = hint.asFloating();
        else if (hint.is(ArgumentKind::boolean))
            symbol.hint = hint.asBoolean();
        else
            return wrong("a symbol " + quoted(symbol.expression.view()) + " whose hint is not a number");
    }
    return Argument::symbolic(symbol);
}

Argument FxJsonValueReader::readNamed(std::size_t kind, JsonValue object) const
{
    const std::array<std::string_view, 2> names = {kKinds[kind], "cls"};
    const FxJsonFields fields(m_speaker, object, names, m_fault);
    const InternedString text = fields.requiredText(0);
    return kind == kKeyObject ? Argument::object(text, fields.text(1)) : Argument::opaque(text, fields.text(1));
}

Argument FxJsonValueReader::readTensorValue(JsonValue value) const
{
    if (!value.is(JsonType::object))
        return wrong("a tensor that is not an object");
    const FxJsonFields fields(m_speaker, value, kTensorNames, m_fault);
    TensorMeta meta = readTensor(fields, 0);
    meta.storage = fields.text(6);
    meta.extra = fields.extra();
    return Argument::tensor(std::make_shared<const TensorMeta>(std::move(meta)));
}

TensorMeta FxJsonValueReader::readTensor(const FxJsonFields& fields, std::size_t first) const
{
    TensorMeta meta;
    meta.dtype = fields.requiredText(first);
    meta.shape = readSizes(fields.requiredArray(first + 1), "shape");
    if (const JsonValue strides = fields.array(first + 2))
        meta.stride = readSizes(strides, "stride");
    if (fields.has(first + 3)) {
        meta.offset = read(fields.value(first + 3));
        if (!isSize(*meta.offset))
            wrong("a tensor whose offset is negative or not a number");
    }
    meta.device = fields.text(first + 4);
    meta.layout = fields.text(first + 5);
    meta.requiresGrad = fields.boolean(first + 7).value_or(false);
    return meta;
}

Arguments FxJsonValueReader::readSizes(JsonValue array, std::string_view what) const
{
    if (!array)
        return {};
    Arguments sizes = readList(array);
    for (const Argument& size : sizes)
        if (!isSize(size))
            wrong("a tensor whose " + std::string(what) + " has a number that is negative, or no number");
    return sizes;
}

} // namespace sunder
