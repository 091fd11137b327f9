#pragma once

#include "analysis/cut/device_load.h"
#include "canvas/picture_style.h"
#include "document/runs/cut_measure.h"

namespace sunder {

/// One part as the Partition DAG shows it.
struct DagBox {
    std::int32_t part = 0; ///< index into the cut's tags
    TagLook look;
    PartSizes sizes;
    bool hasUnknown = false; ///< a size in it is not known: it may be more
    std::size_t lane = 0;
    std::optional<std::uint64_t> capacity = {}; ///< of its device
    std::uint64_t elsewhere = 0;                ///< what other parts take on that device
    std::uint64_t overflow = 0;                 ///< of the device
    std::optional<std::uint64_t> torchCount = {}; ///< what torch counts for a part of a partition
    QString amount;                             ///< "6.2 of 8.0 GB", "−412.0 MB: 8.4 of 8.0 GB"
    QString brief;                              ///< where that has no room: "6.2 GB", "−412.0 MB"
    std::size_t entering = 0;                   ///< ops that read from other parts, and give them nothing
    std::size_t leaving = 0;                    ///< ops that other parts read

    /// What lies on its device.
    [[nodiscard]] std::uint64_t onDevice() const { return sizes.usedBytes() + elsewhere; }
};

/// Consecutive parts on one device; a device that is idle has a lane without parts.
struct DagLane {
    QString name;
    QString memory; ///< "8.0 GB"
    QString tip;
    std::size_t begin = 0; ///< boxes [begin, end)
    std::size_t end = 0;
};

/// An op at the border of a part, to be shown at the edge of its box and moved from there.
struct DagHandle {
    NodeId node;
    std::size_t box = 0;
    bool leaves = false;   ///< other parts read it; else it reads from them
    std::size_t place = 0; ///< in graph order among those of the box
    QString name;
    QString about; ///< "goes to stage1, 64 B", "reads from stage0, 2.0 kB"
};

/// A value that so many parts read that it is a chip beside each of them, and beside the part that makes it.
struct DagShared {
    NodeId node;
    int from = -1;               ///< box; −1: an input of the model
    std::vector<std::size_t> to; ///< boxes
    QString name;
    QString size; ///< "512 B", "size not known"; empty of a number
};

/// What goes from one box to another, but for what is shared.
struct DagRibbon {
    std::size_t ribbon = 0; ///< index into DrawnCut::ribbons
    std::size_t from = 0;   ///< boxes
    std::size_t to = 0;
    double share = 0; ///< of the full width, 0 … 1: by its bytes, and what the largest one has by its own
    bool isBackward = false;
    QString label; ///< "3 tensors · 96.0 MB"
    QString amount; ///< where there is less room: "96.0 MB"
};

/// All that the pane shows of a cut: a value, made anew when cut, devices or colours change.
struct DagContent {
    MemoryRule rule = MemoryRule::freesDead; ///< of all its figures
    std::vector<DagLane> lanes;
    std::vector<DagBox> boxes; ///< in order of execution; parts without ops have none
    std::vector<DagRibbon> ribbons;
    std::vector<DagShared> shared;  ///< those with the most bytes first
    std::vector<DagHandle> handles; ///< by box: those that enter, then those that leave, each with the most bytes first
    std::vector<Device> devices;
    QString totals;
    QString totalsTip;
    QString
        torchCount; ///< of a partition: what torch counts where it counts most; a second line, below figures of the other rule
    std::uint64_t largestUse = 0; ///< of all boxes: the scale of bars without a capacity

    /// −1 for a part that has none.
    [[nodiscard]] int boxOf(std::int32_t part) const;
};

/// `looks`: of the parts by name. `devices`: those of the document: a split by tags is put on them, part i on device i; a
/// partition has its own, called as they are there. O(parts × looks + ribbons).
DagContent dagContent(const CutMeasure& measure, const std::vector<TagLook>& looks, const std::vector<Device>& devices);

/// "stage0, device cuda:0: 512 ops, 6.2 of 8.0 GB …" for tooltips and assistive technology.
QString describe(const DagContent& content, const DagBox& box);
QString describe(const DagContent& content, const DagRibbon& ribbon);
QString describe(const DagContent& content, const DagHandle& handle);
/// "mask, 4.0 kB: made in stage0, read by 11 parts: stage1, stage2 …".
QString describe(const DagContent& content, const DagShared& value);

/// "−412.0 MB" with a true minus, "+1.0 kB", "±0 B".
QString signedBytes(std::int64_t change);

} // namespace sunder
