#include "layout/dot/dot_protocol.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace sunder::dot {

namespace {

constexpr std::uint32_t kRequestMark = 0x31514c53; // "SLQ1"
constexpr std::uint32_t kAnswerMark = 0x31414c53;  // "SLA1"
constexpr float kLargest = 1e6F;                   // maximum size of a box or gap

struct Header {
    std::uint32_t mark = kRequestMark;
    std::uint32_t boxes = 0;
    std::uint32_t edges = 0;
    std::uint32_t timeLimitMs = 0;
    std::uint32_t isBounded = 0;
    float boxGap = 0;
    float rankGap = 0;
};

struct BoxRecord {
    float width = 0;
    float height = 0;
    float extraRight = 0;
    float extraLeft = 0;
};

struct EdgeRecord {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    float weight = 0;
};

struct AnswerHeader {
    std::uint32_t mark = kAnswerMark;
    std::uint32_t boxes = 0;
};

template <typename T>
void append(std::string& bytes, const T& record)
{
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&record), sizeof(T));
}

/// Removes a record from the front. The caller ensures that there are enough bytes.
template <typename T>
T take(std::string_view& bytes)
{
    static_assert(std::is_trivially_copyable_v<T>);
    T record;
    std::memcpy(&record, bytes.data(), sizeof(T));
    bytes.remove_prefix(sizeof(T));
    return record;
}

bool isLength(float value)
{
    return std::isfinite(value) && value >= 0 && value <= kLargest;
}

} // namespace

std::string encodeRequest(const Request& request)
{
    std::string bytes;
    append(bytes,
           Header{.boxes = static_cast<std::uint32_t>(request.graph.boxes.size()),
                  .edges = static_cast<std::uint32_t>(request.graph.edges.size()),
                  .timeLimitMs = request.timeLimitMs,
                  .isBounded = request.isBounded ? 1U : 0U,
                  .boxGap = request.boxGap,
                  .rankGap = request.rankGap});
    for (const BoxGraph::Box& box : request.graph.boxes)
        append(bytes, BoxRecord{box.size.width, box.size.height, box.extraRight, box.extraLeft});
    for (const BoxGraph::Edge& edge : request.graph.edges)
        append(bytes, EdgeRecord{edge.from, edge.to, edge.weight});
    return bytes;
}

std::optional<Request> decodeRequest(std::string_view bytes)
{
    if (bytes.size() < sizeof(Header))
        return std::nullopt;
    const auto header = take<Header>(bytes);
    if (header.mark != kRequestMark || header.boxes > kMaxBoxes || header.edges > kMaxEdges)
        return std::nullopt;
    if (bytes.size() != header.boxes * sizeof(BoxRecord) + header.edges * sizeof(EdgeRecord))
        return std::nullopt;
    if (!isLength(header.boxGap) || !isLength(header.rankGap))
        return std::nullopt;
    Request request{.boxGap = header.boxGap,
                    .rankGap = header.rankGap,
                    .timeLimitMs = header.timeLimitMs,
                    .isBounded = header.isBounded != 0};
    for (std::uint32_t i = 0; i < header.boxes; ++i) {
        const auto box = take<BoxRecord>(bytes);
        if (!isLength(box.width) || !isLength(box.height) || !isLength(box.extraRight) || !isLength(box.extraLeft))
            return std::nullopt;
        request.graph.boxes.push_back({{box.width, box.height}, box.extraRight, box.extraLeft});
    }
    for (std::uint32_t i = 0; i < header.edges; ++i) {
        const auto edge = take<EdgeRecord>(bytes);
        if (edge.from >= header.boxes || edge.to >= header.boxes || !std::isfinite(edge.weight))
            return std::nullopt;
        request.graph.edges.push_back({edge.from, edge.to, edge.weight});
    }
    return request;
}

std::size_t requestLimit()
{
    return sizeof(Header) + kMaxBoxes * sizeof(BoxRecord) + kMaxEdges * sizeof(EdgeRecord);
}

std::string encodeAnswer(const std::vector<Point>& centers)
{
    std::string bytes;
    append(bytes, AnswerHeader{.boxes = static_cast<std::uint32_t>(centers.size())});
    for (const Point& center : centers)
        append(bytes, center);
    return bytes;
}

std::optional<std::vector<Point>> decodeAnswer(std::string_view bytes, std::size_t boxCount)
{
    if (bytes.size() != answerSize(boxCount))
        return std::nullopt;
    const auto header = take<AnswerHeader>(bytes);
    if (header.mark != kAnswerMark || header.boxes != boxCount)
        return std::nullopt;
    std::vector<Point> centers;
    for (std::size_t i = 0; i < boxCount; ++i) {
        centers.push_back(take<Point>(bytes));
        if (!std::isfinite(centers.back().x) || !std::isfinite(centers.back().y))
            return std::nullopt;
    }
    return centers;
}

std::size_t answerSize(std::size_t boxCount)
{
    return sizeof(AnswerHeader) + boxCount * sizeof(Point);
}

} // namespace sunder::dot
