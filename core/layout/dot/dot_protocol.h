#pragma once

#include "layout/box_layout.h"

#include <optional>
#include <string>
#include <string_view>

namespace sunder::dot {

/// The request to the layout child. Both sides are the same program on the same machine, so numbers have their in-memory
/// representation. Sizes are still validated, because the reader must not trust its caller.
struct Request {
    BoxGraph graph;
    float boxGap = 24;
    float rankGap = 26;
    std::uint32_t timeLimitMs = 2000;
    bool isBounded = false; ///< limit the effort of dot for ranks and order
};

inline constexpr std::size_t kMaxBoxes = 20'000;
inline constexpr std::size_t kMaxEdges = 200'000;

/// Encodes a request with at most kMaxBoxes boxes and kMaxEdges edges.
std::string encodeRequest(const Request& request);
/// Decodes a request. Nothing for incomplete bytes, a wrong mark, invalid sizes or indices, or numbers that are not finite.
std::optional<Request> decodeRequest(std::string_view bytes);
/// Maximum size of a request in bytes.
std::size_t requestLimit();

/// Encodes the answer: the center of every box.
std::string encodeAnswer(const std::vector<Point>& centers);
/// Decodes an answer. Nothing unless it is valid for this number of boxes.
std::optional<std::vector<Point>> decodeAnswer(std::string_view bytes, std::size_t boxCount);
/// Size in bytes of an answer for this number of boxes.
std::size_t answerSize(std::size_t boxCount);

} // namespace sunder::dot
