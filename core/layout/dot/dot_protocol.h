#pragma once

#include "layout/box_layout.h"

#include <optional>
#include <string>
#include <string_view>

namespace sunder::dot {

/// What the layout child is told. Both sides are the same program on the same machine, so numbers go as they are in
/// memory; sizes are checked all the same, since a reader must not trust who calls it.
struct Request {
    BoxGraph graph;
    float boxGap = 24;
    float rankGap = 26;
    std::uint32_t timeLimitMs = 2000;
    bool isBounded = false; ///< dot is to spend little effort on ranks and order
};

inline constexpr std::size_t kMostBoxes = 20'000;
inline constexpr std::size_t kMostEdges = 200'000;

/// Bytes of a request, of at most kMostBoxes and kMostEdges.
std::string encodeRequest(const Request& request);
/// Nothing when the bytes are no whole request: wrong mark, sizes or indices, numbers that are not finite.
std::optional<Request> decodeRequest(std::string_view bytes);
/// Most bytes that a request may have.
std::size_t requestLimit();

/// The answer: the centre of every box.
std::string encodeAnswer(const std::vector<Point>& centers);
/// Nothing when it is not an answer for that many boxes.
std::optional<std::vector<Point>> decodeAnswer(std::string_view bytes, std::size_t boxCount);
/// Bytes of the answer for that many boxes.
std::size_t answerSize(std::size_t boxCount);

} // namespace sunder::dot
