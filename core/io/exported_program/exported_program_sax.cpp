#include "io/exported_program/exported_program_sax.h"

#include "support/json_parser.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace sunder {
namespace {

/// Tracks the outer structure of an exported program (program, graph module, graphs) through the events of a JSON parser, and
/// collects everything below it in pieces.
class ExportedProgramCutter final : public JsonSink {
public:
    explicit ExportedProgramCutter(ProgramPieces& pieces) : m_pieces(pieces) {}

    bool scalar(JsonType type, std::uint64_t payload) override;
    bool text(JsonType type, std::string_view text) override;
    bool key(std::string_view key) override;
    bool begin(JsonType type) override;
    bool end() override;

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    enum class Level : std::uint8_t { program, graphModule, graph };
    enum class Shape : std::uint8_t { skeleton, whole, items, members };
    struct Field;

    /// An unclosed array or object on the tape.
    struct Open {
        std::size_t at;
        bool holdsGraph; ///< its member "graph" is a graph
        enum class Key : std::uint8_t { other, asGraph, graph, type, value } key = Key::other;
        bool typeIsGraph = false;
    };

    /// One level of the outer structure.
    struct Frame {
        Level level = Level::program;
        std::uint32_t graph = 0;
        const Field* field = nullptr; ///< current field of the parser
        bool isInside = false;        ///< inside the list or map of that field
        std::uint64_t index = 0;
        std::string member = {};
        std::vector<std::string> seen = {};
        JsonTape tape = {};
        std::vector<Open> open = {};
    };

    static const Field* findField(Level level, std::string_view name);
    bool fail(const std::string& message, ErrorCode code = ErrorCode::malformed);
    bool beginPiece(JsonType type);
    bool beginNested(JsonType type);
    bool noteKey(std::string_view key);
    bool noteValue(bool isGraph);
    bool enter(Level level, std::uint32_t graph);
    bool deliver();
    [[nodiscard]] std::string path() const;
    [[nodiscard]] bool awaitsPiece(JsonType type);

    ProgramPieces& m_pieces;
    std::deque<Frame> m_frames;
    std::optional<Error> m_error;
};

std::string_view describe(JsonType type)
{
    switch (type) {
    case JsonType::null: return "null";
    case JsonType::boolean: return "true or false";
    case JsonType::integer:
    case JsonType::floating: return "a number";
    case JsonType::string: return "a text";
    case JsonType::array: return "a list";
    default: return "an object";
    }
}

struct ExportedProgramCutter::Field {
    Level level;
    std::string_view name;
    ProgramField field;
    Shape shape;
};

const ExportedProgramCutter::Field* ExportedProgramCutter::findField(Level level, std::string_view name)
{
    static constexpr Field kFields[] = {
        {Level::program, "graph_module", ProgramField::graphModule, Shape::skeleton},
        {Level::program, "schema_version", ProgramField::schemaVersion, Shape::whole},
        {Level::program, "torch_version", ProgramField::torchVersion, Shape::whole},
        {Level::program, "range_constraints", ProgramField::rangeConstraints, Shape::members},
        {Level::graphModule, "graph", ProgramField::graph, Shape::skeleton},
        {Level::graphModule, "signature", ProgramField::signature, Shape::whole},
        {Level::graphModule, "module_call_graph", ProgramField::moduleCallGraph, Shape::items},
        {Level::graph, "inputs", ProgramField::inputs, Shape::items},
        {Level::graph, "outputs", ProgramField::outputs, Shape::items},
        {Level::graph, "nodes", ProgramField::nodes, Shape::items},
        {Level::graph, "tensor_values", ProgramField::tensorValues, Shape::members},
        {Level::graph, "sym_int_values", ProgramField::symIntValues, Shape::members},
        {Level::graph, "sym_float_values", ProgramField::symFloatValues, Shape::members},
        {Level::graph, "sym_bool_values", ProgramField::symBoolValues, Shape::members},
        {Level::graph, "custom_obj_values", ProgramField::customObjValues, Shape::members},
        {Level::graph, "is_single_tensor_return", ProgramField::isSingleTensorReturn, Shape::whole},
    };
    static constexpr Field kOther{Level::program, {}, ProgramField::other, Shape::whole};
    for (const Field& field : kFields)
        if (field.level == level && field.name == name)
            return &field;
    return &kOther;
}

bool ExportedProgramCutter::fail(const std::string& message, ErrorCode code)
{
    const std::string where = path();
    m_error = Error{code, where.empty() ? message : where + ": " + message, {}};
    return false;
}

std::string ExportedProgramCutter::path() const
{
    std::string path;
    for (const Frame& frame : m_frames) {
        if (frame.field == nullptr)
            break;
        if (frame.level == Level::graph && frame.graph != 0)
            path += ".graph";
        if (!path.empty())
            path += '.';
        path += frame.field->name.empty() ? frame.member : std::string(frame.field->name);
        if (frame.isInside && frame.field->shape == Shape::items)
            path += "[" + std::to_string(frame.index) + "]";
        else if (frame.isInside)
            path += "[\"" + frame.member + "\"]";
    }
    return path;
}

bool ExportedProgramCutter::enter(Level level, std::uint32_t graph)
{
    m_frames.emplace_back();
    m_frames.back().level = level;
    m_frames.back().graph = graph;
    return true;
}

bool ExportedProgramCutter::deliver()
{
    Frame& frame = m_frames.back();
    const ProgramPiece piece{frame.field->field, frame.graph, frame.member, frame.tape.root()};
    if (!m_pieces.take(piece)) {
        const Error error = m_pieces.error();
        return fail(error.message, error.code);
    }
    ++frame.index;
    return true;
}

/// True if a value of this type may be a separate piece here. Otherwise reports the expected type.
bool ExportedProgramCutter::awaitsPiece(JsonType type)
{
    if (m_frames.empty())
        return fail("is not an exported program: the JSON is " + std::string(describe(type)) + ", not an object");
    const Frame& frame = m_frames.back();
    if (frame.isInside || frame.field->shape == Shape::whole)
        return true;
    const bool items = frame.field->shape == Shape::items;
    return fail(std::string(items ? "must be a list" : "must be an object") + ", is " + std::string(describe(type)));
}

bool ExportedProgramCutter::scalar(JsonType type, std::uint64_t payload)
{
    if (!m_frames.empty() && !m_frames.back().open.empty()) {
        m_frames.back().tape.add(type, payload);
        return noteValue(false);
    }
    // An absent list may be written as null.
    if (type == JsonType::null && !m_frames.empty() && !m_frames.back().isInside
        && m_frames.back().field->shape != Shape::skeleton && m_frames.back().field->shape != Shape::whole)
        return true;
    if (!awaitsPiece(type))
        return false;
    m_frames.back().tape.clear();
    m_frames.back().tape.add(type, payload);
    return deliver();
}

bool ExportedProgramCutter::text(JsonType type, std::string_view text)
{
    if (!m_frames.empty() && !m_frames.back().open.empty()) {
        Frame& frame = m_frames.back();
        frame.tape.addText(type, text);
        if (frame.open.back().key == Open::Key::type)
            frame.open.back().typeIsGraph = text == "as_graph";
        return noteValue(false);
    }
    if (!awaitsPiece(type))
        return false;
    m_frames.back().tape.clear();
    m_frames.back().tape.addText(type, text);
    return deliver();
}

/// Rejects anything but an object where a graph is expected: an integer would be mistaken for a graph number.
bool ExportedProgramCutter::noteValue(bool isGraph)
{
    const Open& open = m_frames.back().open.back();
    if (!isGraph && open.holdsGraph && open.key == Open::Key::graph)
        return fail("as_graph: graph must be an object");
    return true;
}

bool ExportedProgramCutter::noteKey(std::string_view key)
{
    Frame& frame = m_frames.back();
    frame.tape.addText(JsonType::key, key);
    Open& open = frame.open.back();
    open.key = Open::Key::other;
    if (key == "as_graph")
        open.key = Open::Key::asGraph;
    else if (key == "graph")
        open.key = Open::Key::graph;
    else if (key == "$type")
        open.key = Open::Key::type;
    else if (key == "$value")
        open.key = Open::Key::value;
    return true;
}

bool ExportedProgramCutter::key(std::string_view key)
{
    Frame& frame = m_frames.back();
    if (!frame.open.empty())
        return noteKey(key);
    frame.member = key;
    if (frame.isInside)
        return true;
    if (std::find(frame.seen.begin(), frame.seen.end(), key) != frame.seen.end())
        return fail("holds the key \"" + std::string(key) + "\" twice");
    if (frame.seen.size() > 64)
        return fail("has too many fields");
    frame.seen.emplace_back(key);
    frame.field = findField(frame.level, key);
    frame.index = 0;
    return true;
}

bool ExportedProgramCutter::begin(JsonType type)
{
    if (m_frames.empty())
        return type == JsonType::object ? enter(Level::program, 0) : awaitsPiece(type);
    Frame& frame = m_frames.back();
    if (!frame.open.empty())
        return beginNested(type);
    return beginPiece(type);
}

bool ExportedProgramCutter::beginPiece(JsonType type)
{
    Frame& frame = m_frames.back();
    const Shape shape = frame.field->shape;
    if (shape == Shape::skeleton) {
        if (type != JsonType::object)
            return awaitsPiece(type);
        const bool isGraph = frame.field->field == ProgramField::graph;
        return enter(isGraph ? Level::graph : Level::graphModule, isGraph ? m_pieces.graphBegins(false) : 0);
    }
    if (!frame.isInside && shape != Shape::whole) {
        if (type != (shape == Shape::items ? JsonType::array : JsonType::object))
            return awaitsPiece(type);
        frame.isInside = true;
        return true;
    }
    frame.tape.clear();
    frame.open.push_back({0, false});
    frame.tape.add(type);
    return true;
}

bool ExportedProgramCutter::beginNested(JsonType type)
{
    Frame& frame = m_frames.back();
    const Open& parent = frame.open.back();
    if (parent.holdsGraph && parent.key == Open::Key::graph && type == JsonType::object) {
        const std::uint32_t graph = m_pieces.graphBegins(true);
        frame.tape.add(JsonType::integer, graph);
        return enter(Level::graph, graph);
    }
    if (!noteValue(false))
        return false;
    const bool isNode = frame.field->field == ProgramField::nodes;
    const bool holdsGraph = isNode && type == JsonType::object
        && (parent.key == Open::Key::asGraph || (parent.key == Open::Key::value && parent.typeIsGraph));
    frame.open.push_back({frame.tape.size(), holdsGraph});
    frame.tape.add(type);
    return true;
}

bool ExportedProgramCutter::end()
{
    Frame& frame = m_frames.back();
    if (!frame.open.empty()) {
        frame.tape.close(frame.open.back().at);
        frame.open.pop_back();
        return !frame.open.empty() || deliver();
    }
    if (frame.isInside) {
        frame.isInside = false;
        return true;
    }
    m_frames.pop_back();
    return true;
}

constexpr unsigned kDeepestTree = 512;

/// Reads a source in pieces, which stay valid while they are parsed.
class Window {
public:
    Window(ByteSource& source, ProgressMonitor& monitor) : m_source(source), m_monitor(monitor) {}

    /// Returns the next piece; empty at the end and after an error.
    std::string_view next()
    {
        if (Result<void> going = m_monitor.check(); !m_error && !going)
            m_error = std::move(going).error();
        if (m_error)
            return {};
        const Result<std::size_t> count = m_source.read(m_buffer);
        if (!count) {
            m_error = count.error();
            return {};
        }
        m_read += *count;
        if (m_source.size() > 0)
            m_monitor.report(static_cast<double>(m_read) / static_cast<double>(m_source.size()), "Reading the program");
        return {m_buffer.data(), *count};
    }
    /// Reads to the end so that length and checksum of the source are checked.
    void drain()
    {
        while (!next().empty()) {
        }
    }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    ByteSource& m_source;
    ProgressMonitor& m_monitor;
    std::array<char, 1U << 16U> m_buffer{};
    std::uint64_t m_read = 0;
    std::optional<Error> m_error;
};

} // namespace

Result<void> cutExportedProgram(ByteSource& source, ProgramPieces& pieces, ProgressMonitor& monitor)
{
    Window window(source, monitor);
    ExportedProgramCutter cutter(pieces);
    const std::optional<JsonFault> fault = readJson([&window] { return window.next(); }, kDeepestTree, cutter);
    // Errors of a damaged source take precedence, because they explain all others.
    window.drain();
    if (window.error())
        return tl::unexpected<Error>(*window.error());
    if (cutter.error())
        return tl::unexpected<Error>(*cutter.error());
    if (fault) {
        const bool isEmpty = fault->kind == JsonFault::Kind::truncated && fault->byte <= 1;
        return fail(ErrorCode::malformed, isEmpty ? "is empty instead of JSON (byte 1)" : describe(*fault));
    }
    return {};
}

} // namespace sunder
