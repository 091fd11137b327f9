// Reads the lines that fill tables: strings, storages, tensors, modules, stacks, graphs, ranges, and tags.
#include "io/fx_json/fx_json_program_builder.h"

#include "io/exported_program/exported_program_conditions.h"
#include "support/json_text.h"

#include <algorithm>
#include <unordered_set>

namespace sunder {
namespace {

/// Exceeds the path depth of any model, and limits the cost of a malicious path.
constexpr std::ptrdiff_t kMaxPathDots = 128;

std::optional<TensorRole> roleOf(std::string_view text)
{
    for (const TensorRole role : {TensorRole::parameter, TensorRole::buffer, TensorRole::constant})
        if (name(role) == text)
            return role;
    return std::nullopt;
}

/// Returns the members with these names as a raw JSON object, or empty if there are none. `first` is the index of the first name.
InternedString membersOf(const FxJsonFields& fields, std::span<const std::string_view> names, std::size_t first)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!fields.has(first + i))
            continue;
        fields.value(first + i).appendRaw(startJsonMember(text, names[i]));
    }
    closeJsonObject(text);
    return intern(text);
}

/// True for the types of module fields. Value kinds of later versions are kept.
bool isPlain(ArgumentKind kind)
{
    static constexpr std::array kPlain{ArgumentKind::none,     ArgumentKind::boolean,    ArgumentKind::integer,
                                       ArgumentKind::floating, ArgumentKind::bigInteger, ArgumentKind::string,
                                       ArgumentKind::unknown};
    return std::ranges::find(kPlain, kind) != kPlain.end();
}

} // namespace

void FxJsonProgramBuilder::takeString()
{
    static constexpr std::array<std::string_view, 3> kNames = {"k", "id", "s"};
    const FxJsonFields fields("the str line", m_tape.root(), kNames, m_fault);
    const InternedString id = fields.id(1);
    const InternedString text = fields.requiredText(2);
    if (id.empty())
        m_fault.report("the str line lacks \"id\"");
    else if (!m_strings.emplace(id, text).second)
        m_fault.report("the str id " + id.str() + " is defined twice");
    if (!fields.extra().empty())
        m_program.extras.strings.emplace_back(text, fields.extra());
}

/// Records keys of later versions in the location of a storage, because `at` and `copy` only compare the known keys.
void FxJsonProgramBuilder::noteOtherKeys(JsonValue place)
{
    static constexpr std::array<std::string_view, 4> kKnown = {"file", "record", "begin", "crc32"};
    for (JsonValue key = place.firstItem(); key; key = key.nextMember())
        if (std::ranges::find(kKnown, key.text()) == kKnown.end())
            m_program.origin.conditions.push_back(conditionOf(key.text(), key.memberValue()));
}

void FxJsonProgramBuilder::takeStorage()
{
    static constexpr std::array<std::string_view, 5> kNames = {"k", "id", "nbytes", "at", "copy"};
    static constexpr std::array<std::string_view, 3> kPlaceNames = {"file", "record", "begin"};
    const FxJsonFields fields("the storage line", m_tape.root(), kNames, m_fault);
    Storage storage{.id = fields.requiredText(1), .byteCount = fields.size(2), .extra = fields.extra()};
    if (m_program.tensors.findStorage(storage.id))
        m_fault.report("the storage " + quoted(storage.id.view()) + " is defined twice");
    if (const JsonValue place = fields.object(3)) {
        const FxJsonFields at("the place of a storage", place, std::span(kPlaceNames).first<2>(), m_fault);
        storage.file = at.text(0);
        storage.record = at.text(1);
        storage.placeExtra = at.extra();
        noteOtherKeys(place);
    }
    if (const JsonValue piece = fields.object(4)) {
        const FxJsonFields from("the copied storage", piece, kPlaceNames, m_fault);
        storage.copyOf = CopiedPiece{from.text(0), from.requiredText(1), from.size(2).value_or(0), from.extra()};
        noteOtherKeys(piece);
    }
    m_program.tensors.addStorage(storage);
}

void FxJsonProgramBuilder::takeTensor()
{
    static constexpr std::array<std::string_view, 13> kNames = {"k",      "fqn",     "role",         "persistent", "same",
                                                                "dtype",  "shape",   "stride",       "offset",     "device",
                                                                "layout", "storage", "requires_grad"};
    static constexpr std::size_t kFirstFact = 5;
    static_assert(std::equal(kTensorNames.begin(), kTensorNames.end(), kNames.begin() + kFirstFact));
    const FxJsonFields fields("the tensor line", m_tape.root(), kNames, m_fault);
    if (fields.has(4))
        return takeAlias(m_tape.root());
    m_values.setScope(m_graphs.rootNames(), FxJsonValueReader::UnknownNode::refuse, "the tensor line");
    TensorEntry entry{.fqn = fields.requiredText(1), .persistent = fields.boolean(3)};
    const std::optional<TensorRole> role = roleOf(fields.requiredText(2).view());
    if (!role)
        return m_fault.report("tensor " + quoted(entry.fqn.view()) + " has an unknown role " + quoted(fields.text(2).view()));
    entry.role = *role;
    entry.meta = m_values.readTensor(fields, kFirstFact);
    entry.meta.storage = fields.text(11);
    entry.extra = fields.extra();
    if (!entry.meta.storage.empty()) {
        entry.storage = m_program.tensors.findStorage(entry.meta.storage);
        if (!entry.storage)
            m_fault.report("tensor " + quoted(entry.fqn.view()) + " is in storage " + quoted(entry.meta.storage.view())
                           + ", which does not exist");
    }
    m_program.tensors.add(std::move(entry));
}

void FxJsonProgramBuilder::takeAlias(const JsonValue& line)
{
    static constexpr std::array<std::string_view, 5> kNames = {"k", "fqn", "role", "persistent", "same"};
    const FxJsonFields fields("the tensor line", line, kNames, m_fault);
    TensorEntry entry{.fqn = fields.requiredText(1), .persistent = fields.boolean(3), .extra = fields.extra()};
    entry.same = m_program.tensors.find(fields.text(4));
    if (!entry.same)
        return m_fault.report("tensor " + quoted(entry.fqn.view()) + " is the same as " + quoted(fields.text(4).view())
                              + ", which does not precede it");
    const InternedString word = fields.text(2);
    const std::optional<TensorRole> role = word.empty() ? m_program.tensors[entry.same].role : roleOf(word.view());
    if (!role)
        return m_fault.report("tensor " + quoted(entry.fqn.view()) + " has an unknown role " + quoted(word.view()));
    entry.role = *role;
    m_program.tensors.add(std::move(entry));
}

bool FxJsonProgramBuilder::isModulePath(std::string_view path)
{
    const bool hasEmptyPart = path.starts_with('.') || path.ends_with('.') || path.find("..") != std::string_view::npos;
    if (hasEmptyPart)
        m_fault.report("the module path " + quoted(path) + " has an empty part");
    else if (std::count(path.begin(), path.end(), '.') > kMaxPathDots)
        m_fault.report("the module path " + quoted(path) + " has too many parts");
    return !m_fault.isReported();
}

std::vector<ModuleAttribute> FxJsonProgramBuilder::moduleAttributes(InternedString path, const JsonValue& object)
{
    m_values.setScope(m_graphs.rootNames(), FxJsonValueReader::UnknownNode::refuse, "the module line");
    std::vector<ModuleAttribute> attributes;
    std::unordered_set<InternedString> seen;
    for (JsonValue member = object.firstItem(); member; member = member.nextMember()) {
        const InternedString name = intern(member.text());
        const std::string whose = "the attribute " + quoted(name.view()) + " of module " + quoted(path.view());
        Argument value = m_values.read(member.memberValue());
        if (!isPlain(value.kind()))
            m_fault.report(whose + " is not true, false, a number, a string, or null");
        else if (!seen.insert(name).second)
            m_fault.report(whose + " is defined twice");
        attributes.push_back({name, std::move(value)});
    }
    return attributes;
}

void FxJsonProgramBuilder::takeModule()
{
    static constexpr std::array<std::string_view, 14> kNames = {
        "k",       "path",   "same",   "cls",           "leaf",       "calls",      "attrs",
        "unknown", "fields", "guards", "no_parameters", "no_buffers", "no_modules", "#"}; // "#" is the number of a lent module
    constexpr std::size_t kFirstOfRecipe = 8;
    const FxJsonFields fields("the module line", m_tape.root(), kNames, m_fault);
    if (!fields.value(1) || !fields.value(1).is(JsonType::string))
        return m_fault.report("the module line lacks a \"path\" that is a string");
    const InternedString path = fields.text(1);
    if (!isModulePath(path.view()))
        return;
    const ModuleId same = fields.has(2) ? m_program.modules.find(fields.text(2)) : ModuleId();
    const ModuleId id = m_program.modules.ensure(path.view());
    if (!m_modulesSeen.insert(id).second)
        return m_fault.report("the module " + quoted(path.view()) + " is defined twice");
    if (fields.has(2) && (!same || same == id))
        return m_fault.report("the module " + quoted(path.view()) + " is the same as " + quoted(fields.text(2).view())
                              + ", which does not precede it");
    Module& module = m_program.modules[id];
    module.implied = false;
    module.same = same;
    module.cls = fields.text(3);
    module.leaf = fields.boolean(4);
    module.unknown = fields.text(7);
    module.recipe = membersOf(fields, std::span(kNames).subspan(kFirstOfRecipe), kFirstOfRecipe);
    module.extra = fields.extra();
    if (const JsonValue attributes = fields.object(6))
        module.attributes = moduleAttributes(path, attributes);
    const JsonValue calls = fields.array(5);
    if (!calls)
        return;
    module.calls.emplace();
    for (JsonValue call = calls.firstItem(); call; call = call.nextItem())
        module.calls->push_back(m_graphs.find(intern(call.raw()), m_line));
}

FxJsonProgramBuilder::Stack& FxJsonProgramBuilder::stack(InternedString id)
{
    const auto [at, isNew] = m_stacks.try_emplace(id, Stack{StackId(m_program.stacks.size()), m_line, false});
    if (isNew)
        m_program.stacks.emplace_back();
    return at->second;
}

void FxJsonProgramBuilder::takeStack()
{
    static constexpr std::array<std::string_view, 3> kNames = {"k", "id", "mods"};
    const FxJsonFields fields("the stack line", m_tape.root(), kNames, m_fault);
    const JsonValue frames = fields.requiredArray(2);
    if (fields.id(1).empty())
        m_fault.report("the stack line lacks \"id\"");
    if (m_fault.isReported())
        return;
    Stack& known = stack(fields.id(1));
    if (std::exchange(known.isThere, true))
        return m_fault.report("the stack id " + fields.id(1).str() + " is defined twice");
    ModuleStack& taken = m_program.stacks[known.id.index()];
    for (JsonValue frame = frames.firstItem(); frame; frame = frame.nextItem()) {
        std::vector<InternedString> texts;
        if (frame.is(JsonType::array))
            for (JsonValue item = frame.firstItem(); item && item.is(JsonType::string); item = item.nextItem())
                texts.push_back(intern(item.text()));
        if (texts.size() != 3 || frame.count() != 3)
            return m_fault.report("a frame of stack " + fields.id(1).str() + " is not [key, path, class]");
        taken.push_back({texts[0], texts[1], texts[2]});
    }
    if (!fields.extra().empty())
        m_program.extras.stacks.emplace_back(known.id, fields.extra());
}

void FxJsonProgramBuilder::takeGraph()
{
    static constexpr std::array<std::string_view, 3> kNames = {"k", "id", "module"};
    const FxJsonFields fields("the graph line", m_tape.root(), kNames, m_fault);
    if (fields.id(1).empty())
        m_fault.report("the graph line lacks \"id\"");
    if (!fields.value(2))
        m_fault.report("the graph line lacks \"module\"");
    const InternedString module = fields.text(2);
    if (m_fault.isReported() || !isModulePath(module.view()))
        return;
    const GraphId id = m_graphs.find(fields.id(1), m_line);
    m_graphs.declare(id, fields.has(2) ? std::optional(module) : std::nullopt, m_line, m_fault);
    if (!fields.extra().empty())
        m_program.extras.graphs.emplace_back(id, fields.extra());
}

void FxJsonProgramBuilder::takeRange()
{
    static constexpr std::array<std::string_view, 4> kNames = {"k", "sym", "min", "max"};
    const FxJsonFields fields("the range line", m_tape.root(), kNames, m_fault);
    m_program.ranges.push_back(
        {.symbol = fields.requiredText(1), .min = fields.integer(2), .max = fields.integer(3), .extra = fields.extra()});
}

void FxJsonProgramBuilder::takeTags()
{
    static constexpr std::array<std::string_view, 3> kNames = {"k", "order", "color"};
    const FxJsonFields fields("the tags line", m_tape.root(), kNames, m_fault);
    if (m_program.tags)
        return m_fault.report("has a second tags line");
    m_program.tags = TagTable{.order = fields.texts(1), .colors = {}, .extra = fields.extra()};
    const JsonValue colors = fields.object(2);
    if (!colors)
        return;
    for (JsonValue tag = colors.firstItem(); tag; tag = tag.nextMember()) {
        if (!tag.memberValue().is(JsonType::string))
            return m_fault.report("the color of tag " + quoted(tag.text()) + " is not a string");
        m_program.tags->colors.emplace_back(intern(tag.text()), intern(tag.memberValue().text()));
    }
}

} // namespace sunder
