// Prints, for each model, its first picture and its fully expanded picture in a pane of 1440 × 900: items, the zoom that fits
// everything, columns, crossings of drawn edges, and layout time. Also prints the share of the picture that is visible at the
// zoom where all text is readable. Usage: first_sight_bench MODEL … [--room WIDTHxHEIGHT]
#include "benchmark.h"
#include "io/model_file.h"
#include "layout/picture/first_sight.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sunder::first_sight_bench {

namespace {

struct Segment {
    Point from, to;
    std::uint32_t edge = 0;

    [[nodiscard]] float top() const { return std::min(from.y, to.y); }
    [[nodiscard]] float bottom() const { return std::max(from.y, to.y); }
};

float turn(Point a, Point b, Point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool cross(const Segment& a, const Segment& b)
{
    return turn(a.from, a.to, b.from) * turn(a.from, a.to, b.to) < 0 && turn(b.from, b.to, a.from) * turn(b.from, b.to, a.to) < 0;
}

/// Counts crossings of drawn edges as polylines; edges that share an end do not count.
std::size_t crossingsOf(const Picture& picture)
{
    std::vector<Segment> segments;
    for (std::uint32_t edge = 0; edge < picture.edges.size(); ++edge) {
        const BezierPath& path = picture.edges[edge].path;
        for (std::size_t i = 0; !picture.edges[edge].isCut && i + 3 < path.size(); i += 3)
            segments.push_back({path[i], path[i + 3], edge});
    }
    std::sort(segments.begin(), segments.end(), [](const Segment& a, const Segment& b) { return a.top() < b.top(); });
    std::size_t count = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        for (std::size_t k = i + 1; k < segments.size() && segments[k].top() < segments[i].bottom(); ++k) {
            const PictureEdge& a = picture.edges[segments[i].edge];
            const PictureEdge& b = picture.edges[segments[k].edge];
            if (a.from != b.from && a.to != b.to && cross(segments[i], segments[k]))
                ++count;
        }
    }
    return count;
}

void print(const char* what, const Picture& picture, Size room, double milliseconds)
{
    const float zoom = std::min({room.width / picture.size.width, room.height / picture.size.height, 1.F});
    const float across = std::min(1.F, room.width / (picture.size.width * kReadableZoom));
    const float down = std::min(1.F, room.height / (picture.size.height * kReadableZoom));
    const auto cut = std::count_if(picture.edges.begin(), picture.edges.end(),
                                   [](const PictureEdge& edge) { return edge.isCut; });
    std::printf("  %-6s %6zu items %6zu edges %5td cut  %7.0f × %-7.0f zoom %.3f  read at once %3.0f %%  %3zu further columns  "
                "%5zu crossings  %7.1f ms\n",
                what, picture.items.size(), picture.edges.size(), cut, static_cast<double>(picture.size.width),
                static_cast<double>(picture.size.height), static_cast<double>(zoom), static_cast<double>(across * down * 100),
                picture.columnStarts.size(), crossingsOf(picture), milliseconds);
}

double timed(const std::function<void()>& what)
{
    const auto start = std::chrono::steady_clock::now();
    what();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void measure(const std::string& path, Size room, const LayoutEngine& engine)
{
    const Result<Program> program = readModel(path);
    if (!program) {
        std::printf("%s: %s\n", path.c_str(), program.error().message.c_str());
        return;
    }
    std::printf("%s, %zu nodes\n", std::filesystem::path(path).stem().c_str(), program->rootGraph().size());
    PictureOptions options{.columns = {ColumnOptions::Setting::fit, room}};
    Result<FirstSight> first;
    const double firstTook = timed([&] { first = firstSight(*program, program->root, options, *engine.forPicture()); });
    if (first)
        print("first", first->picture, room, firstTook);
    options.openAll = true;
    Result<Picture> all;
    const double allTook = timed([&] { all = buildPicture(*program, program->root, options, *engine.forPicture()); });
    if (all)
        print("open", *all, room, allTook);
    options.columns = {};
    const double oneTook = timed([&] { all = buildPicture(*program, program->root, options, *engine.forPicture()); });
    if (all)
        print("1 col.", *all, room, oneTook);
}

} // namespace

int run(int count, char** words)
{
    Size room{1108, 606};
    std::vector<std::string> models;
    for (int i = 1; i < count; ++i) {
        if (std::string(words[i]) == "--room" && i + 1 < count)
            std::sscanf(words[++i], "%fx%f", &room.width, &room.height);
        else
            models.emplace_back(words[i]);
    }
    const std::filesystem::path cli = std::filesystem::absolute(words[0]).parent_path().parent_path() / "bin" / "sunder-cli";
    const auto engine = makeAutomaticEngine(std::filesystem::exists(cli) ? makeDotEngine(cli.string()) : nullptr);
    for (const std::string& model : models)
        measure(model, room, *engine);
    return 0;
}

const Benchmark kBenchmark{"first_sight_bench", run};

} // namespace sunder::first_sight_bench
