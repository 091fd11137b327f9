#include "io/exported_program/exported_program_values.h"

#include "io/exported_program/exported_program_enums.h"
#include "io/json/json_members.h"

#include <array>
#include <cmath>
#include <limits>

namespace sunder {
namespace {

/// All kinds of arguments by their tags.
enum class Tag : std::uint8_t {
    tensor,
    integer,
    integers,
    none,
    symInt,
    symInts,
    tensors,
    floating,
    floats,
    boolean,
    booleans,
    string,
    strings,
    scalarType,
    memoryFormat,
    layout,
    device,
    symBool,
    symBools,
    symFloat,
    symFloats,
    graph,
    optionalTensors,
    optionalTensor,
    customObject,
    operatorName,
    complex,
    nestedTensors,
    integerLists,
    floatLists,
    dictionary,
    unknown,
};

// clang-format off
constexpr std::array<std::string_view, 31> kTags = {
    "as_tensor",        "as_int",          "as_ints",        "as_none",        "as_sym_int",
    "as_sym_ints",      "as_tensors",      "as_float",       "as_floats",      "as_bool",
    "as_bools",         "as_string",       "as_strings",     "as_scalar_type", "as_memory_format",
    "as_layout",        "as_device",       "as_sym_bool",    "as_sym_bools",   "as_sym_float",
    "as_sym_floats",    "as_graph",        "as_optional_tensors", "as_optional_tensor", "as_custom_obj",
    "as_operator",      "as_complex",      "as_nested_tensors", "as_int_lists", "as_float_lists",
    "as_string_to_argument"};
// clang-format on

Tag tagOf(std::string_view text)
{
    for (std::size_t i = 0; i < kTags.size(); ++i)
        if (kTags[i] == text)
            return static_cast<Tag>(i);
    return Tag::unknown;
}

} // namespace

Argument ExportedProgramValues::wrong(const std::string& what)
{
    m_fault.report(what);
    return {};
}

std::optional<TaggedValue> ExportedProgramValues::tagged(JsonValue value)
{
    if (!value.is(JsonType::object)) {
        (void)wrong("must be an object with one tag");
        return std::nullopt;
    }
    TaggedValue found;
    TaggedValue ofNull;
    std::string_view type;
    for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
        const JsonValue member = key.memberValue();
        if (key.text() == "$type" && member.is(JsonType::string)) {
            type = member.text();
        } else if (member.is(JsonType::null)) {
            ofNull = {key.text(), member};
        } else if (found.value) {
            (void)wrong("has two tags, " + std::string(found.tag) + " and " + std::string(key.text()));
            return std::nullopt;
        } else {
            found = {key.text(), member};
        }
    }
    if (!found.value)
        found = ofNull;
    if (!found.value) {
        (void)wrong("has no tag for its type");
        return std::nullopt;
    }
    if (found.tag == "$value" && !type.empty())
        found.tag = type;
    return found;
}

std::string_view ExportedProgramValues::textView(JsonValue value, std::string_view what)
{
    if (!value || !value.is(JsonType::string)) {
        (void)wrong(std::string(what) + (value ? " must be a string" : " is missing"));
        return {};
    }
    return value.text();
}

InternedString ExportedProgramValues::text(JsonValue value, std::string_view what)
{
    return intern(textView(value, what));
}

std::int64_t ExportedProgramValues::integer(JsonValue value, std::string_view what)
{
    if (value && value.is(JsonType::integer))
        return value.asInteger();
    (void)wrong(std::string(what) + (value ? " must be an integer" : " is missing"));
    return 0;
}

template <typename Read>
Argument ExportedProgramValues::list(JsonValue value, const Read& read, bool asTuple)
{
    if (!value.is(JsonType::array))
        return wrong("must hold a list");
    Arguments items;
    for (JsonValue item = value.firstItem(); item; item = item.nextItem())
        items.push_back(read(item));
    return asTuple ? Argument::tuple(std::move(items)) : Argument::list(std::move(items));
}

Argument ExportedProgramValues::number(JsonValue value)
{
    if (value.is(JsonType::integer))
        return Argument::integer(value.asInteger());
    if (value.is(JsonType::floating) && value.isIntegerBeyondInt64())
        return Argument::word(ArgumentKind::bigInteger, intern(value.text()));
    return wrong("must hold an integer");
}

Argument ExportedProgramValues::floating(JsonValue value)
{
    if (value.is(JsonType::floating))
        return Argument::floating(value.asFloating());
    if (value.is(JsonType::integer))
        return Argument::floating(static_cast<double>(value.asInteger()));
    if (value.is(JsonType::string)) {
        const std::string_view word = value.text();
        if (word == "Infinity" || word == "-Infinity")
            return Argument::floating(word.starts_with('-') ? -std::numeric_limits<double>::infinity()
                                                            : std::numeric_limits<double>::infinity());
        if (word == "NaN")
            return Argument::floating(std::numeric_limits<double>::quiet_NaN());
    }
    return wrong("must hold a number");
}

Argument ExportedProgramValues::boolean(JsonValue value)
{
    return value.is(JsonType::boolean) ? Argument::boolean(value.asBoolean()) : wrong("must hold true or false");
}

Argument ExportedProgramValues::string(JsonValue value)
{
    return value.is(JsonType::string) ? Argument::string(intern(value.text())) : wrong("must hold a string");
}

std::uint32_t ExportedProgramValues::namedSlot(JsonValue value, GraphRecord& graph)
{
    if (!value.is(JsonType::object)) {
        (void)wrong("must hold an object with a name");
        return 0;
    }
    std::optional<std::uint32_t> found;
    for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
        if (key.text() == "name" && !found)
            found = graph.slot(textView(key.memberValue(), "name"));
        else if (key.text() != "name" && key.text() != "class_fqn")
            m_program.noteUnknown(key.text(), key.memberValue().raw());
    }
    if (!found)
        (void)wrong("has no name");
    return found.value_or(0);
}

Argument ExportedProgramValues::node(JsonValue value, GraphRecord& graph)
{
    return Argument::node(NodeId(namedSlot(value, graph)));
}

Argument ExportedProgramValues::optionalTensor(JsonValue value, GraphRecord& graph)
{
    const std::optional<TaggedValue> item = tagged(value);
    if (!item || item->tag == "as_none")
        return {};
    return item->tag == "as_tensor" ? node(item->value, graph) : wrong("must be a tensor or none");
}

Argument ExportedProgramValues::symbolOrName(JsonValue value, GraphRecord& graph)
{
    const std::optional<TaggedValue> item = tagged(value);
    if (!item)
        return {};
    if (item->tag == "as_name")
        return Argument::node(NodeId(graph.slot(textView(item->value, "as_name"))));
    if (item->tag == "as_int")
        return number(item->value);
    if (item->tag == "as_float")
        return floating(item->value);
    return item->tag == "as_bool" ? boolean(item->value) : wrong("must be a name or a number");
}

Argument ExportedProgramValues::complex(JsonValue value)
{
    static constexpr std::array<std::string_view, 2> kNames = {"real", "imag"};
    if (!value.is(JsonType::object))
        return wrong("as_complex must be an object");
    const JsonMembers members(value, kNames);
    m_program.noteUnknown("ComplexValue", members.extra());
    if (!members[0] || !members[1])
        return wrong("as_complex lacks its real or imaginary part");
    const Argument real = floating(members[0]);
    const Argument imaginary = floating(members[1]);
    if (m_fault.isReported())
        return {};
    return Argument::complex(real.asFloating(), imaginary.asFloating());
}

InternedString ExportedProgramValues::deviceName(JsonValue value)
{
    static constexpr std::array<std::string_view, 2> kNames = {"type", "index"};
    static const InternedString kCpu = intern("cpu");
    if (!value || !value.is(JsonType::object)) {
        (void)wrong("device must be an object");
        return kCpu;
    }
    const JsonMembers members(value, kNames);
    m_program.noteUnknown("Device", members.extra());
    const InternedString type = text(members[0], "type of a device");
    if (!members[1] || members[1].is(JsonType::null))
        return type;
    return intern(type.str() + ":" + std::to_string(integer(members[1], "index of a device")));
}

Argument ExportedProgramValues::device(JsonValue value)
{
    return Argument::word(ArgumentKind::device, deviceName(value));
}

Argument ExportedProgramValues::graphArgument(JsonValue value, GraphRecord& graph)
{
    static constexpr std::array<std::string_view, 2> kNames = {"name", "graph"};
    if (!value.is(JsonType::object))
        return wrong("as_graph must be an object");
    const JsonMembers members(value, kNames);
    m_program.noteUnknown("GraphArgument", members.extra());
    const InternedString name = text(members[0], "name of a graph");
    if (!members[1] || !members[1].is(JsonType::integer)
        || static_cast<std::uint64_t>(members[1].asInteger()) >= m_program.graphs.size())
        return wrong("as_graph has no graph");
    const GraphId id(static_cast<std::uint32_t>(members[1].asInteger()));
    GraphRecord& nested = m_program.graphs[id.index()];
    if (&nested == &graph || &nested == &m_program.graphs.front())
        return wrong("as_graph contains itself");
    nested.name = name;
    return Argument::graph(id);
}

Argument ExportedProgramValues::customObject(JsonValue value, GraphRecord& graph)
{
    static constexpr std::array<std::string_view, 2> kNames = {"name", "class_fqn"};
    if (!value.is(JsonType::object))
        return wrong("as_custom_obj must be an object");
    const JsonMembers members(value, kNames);
    m_program.noteUnknown("CustomObjArgument", members.extra());
    const InternedString name = text(members[0], "name of an object");
    if (const std::uint32_t slot = graph.slotNames.find(name.view(), graph.names); slot != NameSlots::kNone)
        return Argument::node(NodeId(slot)); // lifted to an input
    return Argument::object(name, text(members[1], "class_fqn"));
}

Argument ExportedProgramValues::operatorName(JsonValue value)
{
    const Argument name = string(value);
    if (m_fault.isReported())
        return {};
    for (const std::string_view module : {"_operator", "torch", "math", "#"})
        if (name.text().view().starts_with(module))
            return Argument::word(ArgumentKind::function, name.text());
    return name;
}

Argument ExportedProgramValues::dictionary(JsonValue value, GraphRecord& graph)
{
    if (!value.is(JsonType::object))
        return wrong("as_string_to_argument must be an object");
    Arguments keys;
    Arguments values;
    std::unordered_set<std::string_view> seen;
    for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
        if (!seen.insert(key.text()).second)
            return wrong("holds the key \"" + std::string(key.text()) + "\" twice");
        keys.push_back(Argument::string(intern(key.text())));
        values.push_back(argument(key.memberValue(), graph));
    }
    return Argument::dict(std::move(keys), std::move(values));
}

Argument ExportedProgramValues::enumeration(JsonValue value, ArgumentKind kind, InternedString (*wordOf)(std::int64_t))
{
    if (!value.is(JsonType::integer))
        return wrong("must hold the number of a dtype, layout, or memory format");
    const InternedString word = wordOf(value.asInteger());
    if (!word.empty())
        return Argument::word(kind, word);
    return Argument::opaque(intern("number " + std::to_string(value.asInteger()) + " of a later version"), {});
}

Argument ExportedProgramValues::argument(JsonValue value, GraphRecord& graph)
{
    const std::optional<TaggedValue> found = tagged(value);
    return found ? argument(*found, graph) : Argument();
}

Argument ExportedProgramValues::argument(const TaggedValue& found, GraphRecord& graph)
{
    const JsonValue value = found.value;
    const auto readInteger = [this](JsonValue v) { return number(v); };
    const auto readFloat = [this](JsonValue v) { return floating(v); };
    const auto readNode = [&](JsonValue v) { return node(v, graph); };
    const auto readSymbol = [&](JsonValue v) { return symbolOrName(v, graph); };
    switch (tagOf(found.tag)) {
    case Tag::none: return {};
    case Tag::tensor: return node(value, graph);
    case Tag::integer: return number(value);
    case Tag::floating: return floating(value);
    case Tag::boolean: return boolean(value);
    case Tag::string: return string(value);
    case Tag::symInt:
    case Tag::symFloat:
    case Tag::symBool: return symbolOrName(value, graph);
    case Tag::tensors: return list(value, readNode);
    case Tag::integers: return list(value, readInteger);
    case Tag::floats: return list(value, readFloat);
    case Tag::booleans: return list(value, [this](JsonValue v) { return boolean(v); });
    case Tag::strings: return list(value, [this](JsonValue v) { return string(v); });
    case Tag::symInts:
    case Tag::symFloats:
    case Tag::symBools: return list(value, readSymbol);
    case Tag::scalarType: return enumeration(value, ArgumentKind::dtype, dtypeOfScalarType);
    case Tag::memoryFormat: return enumeration(value, ArgumentKind::memoryFormat, memoryFormatOfNumber);
    case Tag::layout: return enumeration(value, ArgumentKind::layout, layoutOfNumber);
    case Tag::device: return device(value);
    case Tag::graph: return graphArgument(value, graph);
    case Tag::optionalTensors: return list(value, [&](JsonValue v) { return optionalTensor(v, graph); });
    case Tag::optionalTensor: return optionalTensor(value, graph);
    case Tag::customObject: return customObject(value, graph);
    case Tag::operatorName: return operatorName(value);
    case Tag::complex: return complex(value);
    case Tag::nestedTensors: return list(value, [&](JsonValue v) { return list(v, readNode); });
    case Tag::integerLists: return list(value, [&](JsonValue v) { return list(v, readInteger, true); });
    case Tag::floatLists: return list(value, [&](JsonValue v) { return list(v, readFloat); });
    case Tag::dictionary: return dictionary(value, graph);
    case Tag::unknown: break;
    }
    return Argument::opaque(intern(value.raw()), intern(found.tag));
}

OutputRecord ExportedProgramValues::output(JsonValue value, GraphRecord& graph)
{
    using Kind = OutputRecord::Kind;
    const std::optional<TaggedValue> found = tagged(value);
    if (!found || found->tag == "as_none")
        return {};
    if (found->tag == "as_custom_obj")
        return {.kind = Kind::named, .slot = namedSlot(found->value, graph)};
    const Argument result = argument(*found, graph);
    const auto recordOf = [](const Argument& item) {
        if (item.is(ArgumentKind::node))
            return OutputRecord{.kind = Kind::named, .slot = item.asNode().index()};
        return item.isNone() ? OutputRecord() : OutputRecord{.kind = Kind::literal, .literal = item};
    };
    if (!result.is(ArgumentKind::list))
        return recordOf(result);
    OutputRecord list{.kind = Kind::list};
    for (const Argument& item : result.items())
        list.items.push_back(recordOf(item));
    return list;
}

} // namespace sunder
