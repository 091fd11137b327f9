// Times a canvas of 100,000 items: whole frames zoomed out, panning, zooming, hit tests, and a brush stroke. Prints figures and
// enforces no limits. Arguments: items, columns.
#include "../src/canvas/synthetic_picture.h"
#include "benchmark.h"
#include "canvas/canvas_widget.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cstdio>
#include <random>

namespace sunder::canvas_bench {

namespace {

constexpr QSize kView(1440, 900);

class Clock {
public:
    Clock() { m_timer.start(); }
    [[nodiscard]] double ms() const { return static_cast<double>(m_timer.nsecsElapsed()) / 1e6; }

private:
    QElapsedTimer m_timer;
};

void print(const char* what, std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    const auto at = [&times](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    std::printf("%-44s median %8.2f ms   p95 %8.2f ms   worst %8.2f ms\n", what, at(0.5), at(0.95), times.back());
}

double paintMs(CanvasWidget& widget, QImage& target)
{
    const Clock clock;
    widget.render(&target);
    return clock.ms();
}

template <typename Step>
std::vector<double> frames(CanvasWidget& widget, int count, const Step& step)
{
    QImage target(widget.size(), QImage::Format_RGB32);
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        const Clock clock;
        step(i);
        widget.render(&target);
        times.push_back(clock.ms());
    }
    return times;
}

void mouse(CanvasWidget& widget, QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons buttons)
{
    QMouseEvent event(type, at, widget.mapToGlobal(at), button, buttons, {});
    QCoreApplication::sendEvent(&widget, &event);
}

void panAndZoom(CanvasWidget& widget, const char* where, double zoom)
{
    widget.setCamera(Camera(QPointF(0, 0), zoom).centeredOn(widget.scene().bounds().center(), kView));
    QImage target(kView, QImage::Format_RGB32);
    widget.setTheme(theme(false));
    std::printf("%s (zoom %.3f)\n", where, zoom);
    print("  whole frame", frames(widget, 5, [&](int) { widget.setTheme(theme(false)); }));
    print("  pan by 12, 7 px", frames(widget, 60, [&](int) { widget.setCamera(widget.camera().pannedBy({12, 7})); }));
    print("  zoom by 3 % (pixels may be scaled)",
          frames(widget, 60, [&](int i) { widget.setCamera(widget.camera().zoomedAt({700, 400}, i < 30 ? 1.03 : 1 / 1.03)); }));
}

void strokes(CanvasWidget& widget)
{
    widget.setTool(ToolKind::brush);
    widget.setActiveTag(3);
    widget.setBrushRadius(20);
    QImage target(kView, QImage::Format_RGB32);
    mouse(widget, QEvent::MouseButtonPress, {100, 100}, Qt::LeftButton, Qt::LeftButton);
    print("brush, a move and its frame", frames(widget, 60, [&](int i) {
              mouse(widget, QEvent::MouseMove, QPointF(100 + 18 * i, 100 + 11 * i), Qt::NoButton, Qt::LeftButton);
          }));
    mouse(widget, QEvent::MouseButtonRelease, {1180, 760}, Qt::LeftButton, Qt::NoButton);
    widget.setTool(ToolKind::select);
}

/// Times the frame painted while the mouse hovers with a fill that takes every node.
void fills(CanvasWidget& widget)
{
    const Camera before = widget.camera();
    widget.fitAll();
    widget.setTool(ToolKind::fill);
    FillPreview preview{.nodes = {}, .color = Qt::darkGreen, .title = QStringLiteral("all"), .amount = {}, .legality = {}};
    for (std::uint32_t node = 0; node < widget.picture()->itemOf.size(); ++node)
        preview.nodes.emplace_back(node);
    const auto move = [&](int i) {
        mouse(widget, QEvent::MouseMove, QPointF(100 + 18 * i, 100 + 11 * i), Qt::NoButton, Qt::NoButton);
    };
    print("fill of everything, a new preview and its frame", frames(widget, 60, [&](int i) {
              move(i);
              widget.setFillPreview(preview);
          }));
    print("fill of everything, a move and its frame", frames(widget, 60, move));
    widget.setFillPreview({});
    widget.setTool(ToolKind::select);
    widget.setCamera(before);
}

void hitTests(const CanvasWidget& widget)
{
    std::mt19937 random(1);
    const Rect all = widget.scene().bounds();
    std::uniform_real_distribution<float> x(0, all.width);
    std::uniform_real_distribution<float> y(0, all.height);
    constexpr int kCount = 100'000;
    int hits = 0;
    const Clock clock;
    for (int i = 0; i < kCount; ++i)
        hits += widget.scene().index().itemAt({x(random), y(random)}) ? 1 : 0;
    std::printf("hit test                                     %.3f µs each (%d of %d hit)\n", clock.ms() * 1000 / kCount, hits,
                kCount);
}

/// Times the edge hit test of a mouse move; painting the frame is not included.
void edgeHitTests(CanvasWidget& widget, const char* zoom)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> x(0, kView.width());
    std::uniform_real_distribution<double> y(0, kView.height());
    constexpr int kCount = 1000;
    int hits = 0;
    double worst = 0;
    const Clock clock;
    for (int i = 0; i < kCount; ++i) {
        const Clock one;
        hits += widget.edgesUnder({x(random), y(random)}).empty() ? 0 : 1;
        worst = std::max(worst, one.ms());
    }
    std::printf("edge under the mouse, %-22s %.3f ms each, %.3f ms at most (%d of %d hit)\n", zoom, clock.ms() / kCount, worst,
                hits, kCount);
}

} // namespace

int run(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const auto items = static_cast<std::uint32_t>(argc > 1 ? std::atoi(argv[1]) : 100'000);
    const auto columns = static_cast<std::uint32_t>(argc > 2 ? std::atoi(argv[2]) : 250);
    const auto picture = std::make_shared<const Picture>(test::ladderPicture(items, columns));
    std::printf("%zu items, %zu edges, view %d x %d\n", picture->items.size(), picture->edges.size(), kView.width(),
                kView.height());
    CanvasWidget widget;
    widget.resize(kView);
    widget.show();
    Clock indexing;
    widget.setPictureStyle(test::ladderStyle(*picture, 12, theme(false)));
    widget.setPicture(scenePictureOf(picture));
    std::printf("set picture (index, looks on demand)         %.1f ms\n", indexing.ms());
    QImage target(kView, QImage::Format_RGB32);
    widget.fitAll();
    std::printf("first frame, all items visible               %.1f ms\n", paintMs(widget, target));
    panAndZoom(widget, "all items visible", widget.camera().zoom());
    panAndZoom(widget, "far out", 0.12);
    panAndZoom(widget, "boxes", 0.35);
    panAndZoom(widget, "text", 1.0);
    fills(widget);
    strokes(widget);
    hitTests(widget);
    edgeHitTests(widget, "text");
    widget.fitAll();
    edgeHitTests(widget, "all items visible");
    return 0;
}

const Benchmark kBenchmark{"canvas_bench", run};

} // namespace sunder::canvas_bench
