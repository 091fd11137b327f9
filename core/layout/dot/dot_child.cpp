// The only file that uses Graphviz. It runs in a separate process, because a running dot can only be killed, not canceled, and
// two concurrent runs in one process crash.
#include "layout/dot/dot_protocol.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

#include <csignal>
#include <graphviz_version.h>
#include <gvc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef SUNDER_COUNTS_LINES
extern "C" void __gcov_dump(void); // writes the counters of the coverage preset, as exit() would
#endif

namespace sunder {
namespace {

constexpr double kPointsPerInch = 72;
#if defined(__SANITIZE_ADDRESS__)
#define SUNDER_RESERVES_ADDRESSES
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SUNDER_RESERVES_ADDRESSES
#endif
#endif
#ifdef SUNDER_RESERVES_ADDRESSES
constexpr rlim_t kMemoryLimit = RLIM_INFINITY; // the sanitizer reserves terabytes of address space
#else
constexpr rlim_t kMemoryLimit = rlim_t{2} << 30;
#endif

std::optional<std::string> readAll(std::size_t limit)
{
    std::string bytes;
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (got == 0)
            return bytes;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || bytes.size() + static_cast<std::size_t>(got) > limit)
            return std::nullopt;
        bytes.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

bool writeAll(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t put = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
}

void setAttribute(void* object, const char* name, const std::string& value)
{
    std::string key = name;
    std::string text = value;
    std::string empty;
    agsafeset(object, key.data(), text.data(), empty.data());
}

std::string inches(double length)
{
    return std::to_string(length / kPointsPerInch);
}

/// A Graphviz context with one graph.
class DotGraph final {
public:
    explicit DotGraph(const dot::Request& request) : m_context(gvContext())
    {
        std::string name = "g";
        m_graph = agopen(name.data(), Agdirected, nullptr);
        setAttribute(m_graph, "splines", "none");
        setAttribute(m_graph, "nodesep", inches(double{request.boxGap}));
        setAttribute(m_graph, "ranksep", inches(double{request.rankGap}));
        if (request.isBounded) {
            setAttribute(m_graph, "nslimit", "0.1");
            setAttribute(m_graph, "mclimit", "0.1");
        }
        for (std::size_t i = 0; i < request.graph.boxes.size(); ++i)
            addBox(request.graph.boxes[i], i);
        for (const BoxGraph::Edge& edge : request.graph.edges) {
            if (edge.from != edge.to)
                addEdge(edge);
        }
    }
    DotGraph(const DotGraph&) = delete;
    DotGraph& operator=(const DotGraph&) = delete;
    // The process ends right afterward, so nothing is freed.
    ~DotGraph() = default;

    /// Returns the centers of all boxes, y down, or nothing if dot fails.
    std::optional<std::vector<Point>> layout(const BoxGraph& boxes)
    {
        if (gvLayout(m_context, m_graph, "dot") != 0)
            return std::nullopt;
        std::vector<Point> centers;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            const pointf place = ND_coord(m_nodes[i]);
            centers.push_back({static_cast<float>(place.x) + (boxes.boxes[i].extraLeft - boxes.boxes[i].extraRight) / 2,
                               -static_cast<float>(place.y)});
        }
        return centers;
    }

private:
    void addBox(const BoxGraph::Box& box, std::size_t index)
    {
        std::string name = std::to_string(index);
        Agnode_t* node = agnode(m_graph, name.data(), 1);
        setAttribute(node, "shape", "box");
        setAttribute(node, "fixedsize", "true");
        setAttribute(node, "label", "");
        // The minimum size of a box in dot is about one point.
        setAttribute(node, "width", inches(double{std::max(box.extraLeft + box.size.width + box.extraRight, 1.0F)}));
        setAttribute(node, "height", inches(double{std::max(box.size.height, 1.0F)}));
        m_nodes.push_back(node);
    }

    void addEdge(const BoxGraph::Edge& edge)
    {
        Agedge_t* made = agedge(m_graph, m_nodes[edge.from], m_nodes[edge.to], nullptr, 1);
        const int weight = static_cast<int>(std::clamp(std::round(edge.weight), 1.0F, 100.0F));
        setAttribute(made, "weight", std::to_string(weight));
    }

    GVC_t* m_context;
    Agraph_t* m_graph;
    std::vector<Agnode_t*> m_nodes;
};

/// Limits time and memory of this process, in case its parent cannot kill it.
void limitSelf(std::uint32_t timeLimitMs)
{
    ::alarm(timeLimitMs / 1000 + 2);
    const rlimit memory{kMemoryLimit, kMemoryLimit};
    ::setrlimit(RLIMIT_AS, &memory);
}

} // namespace

int runLayoutChild()
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // end with the parent, even if that is killed
    limitSelf(2000);
    const std::optional<std::string> bytes = readAll(dot::requestLimit());
    const std::optional<dot::Request> request = bytes ? dot::decodeRequest(*bytes) : std::nullopt;
    if (!request)
        return 1;
    limitSelf(std::min<std::uint32_t>(request->timeLimitMs, 60'000));
    DotGraph graph(*request);
    const std::optional<std::vector<Point>> centers = graph.layout(request->graph);
    const bool isDone = centers && writeAll(dot::encodeAnswer(*centers));
#ifdef SUNDER_COUNTS_LINES
    __gcov_dump();
#endif
    // exit() would spend time on freeing Graphviz data, and leak checkers would report it.
    std::_Exit(isDone ? 0 : 1);
}

std::string graphvizVersion()
{
    return PACKAGE_VERSION; // creating a Graphviz context would load its plugins, which takes longer than the first picture
}

} // namespace sunder
