#pragma once

#include "canvas/canvas_sight.h"
#include "sketched_picture.h"

namespace sunder::test {

/// A frame with an op in it; below, a closed module of four ops, and an op that reads the first one through a chip. Shown at 100
/// %.
class SketchedScene {
public:
    SketchedScene()
    {
        Sketch sketch;
        frame = sketch.frame({100, 100, 400, 200}, "layers.0", "Layer", "1 op");
        inside = sketch.op({200, 180, 120, 40}, frame, "relu", "relu_1", "8");
        closed = sketch.module({200, 400, 160, 60}, "layers.1", "Layer", "4 ops", 4);
        reader = sketch.op({200, 520, 120, 40}, {}, "add", "add_1", "8");
        sketch.item(reader).chips.push_back({.rect = {330, 530, 40, 16}, .text = "relu", .value = NodeId(0U)});
        sketch.edge(inside, closed);
        sketch.edge(closed, reader);
        scene.setPicture(scenePictureOf(std::make_shared<const Picture>(sketch.finish({600, 700}))));
        PictureStyle& style = scene.editStyle();
        style.tags = tagLooks(*style.theme, {intern("first"), intern("second")});
        style.tagOf = {0, 0, 0, 0, 0, PictureStyle::kTakesNoTag};
    }
    [[nodiscard]] CanvasSight sight() const { return {scene, camera, {800, 800}}; }
    [[nodiscard]] QPointF middleOf(ItemId item) const { return sight().viewRectOf(item).center(); }

    CanvasScene scene;
    Camera camera{{0, 0}, 1};
    ItemId frame, inside, closed, reader;
};

} // namespace sunder::test
