#pragma once

#include "io/exported_program/exported_program_sax.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

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

} // namespace sunder
