#pragma once

#include "analysis/cut/device_load.h"
#include "canvas/picture_style.h"
#include "document/runs/cut_measure.h"
#include "passes/balance/balance_program.h"

namespace sunder {

class Document;

/// A part in the Partition DAG.
struct DagBox {
    std::int32_t part = 0; ///< index into the cut's tags
    TagLook look;
    PartSizes sizes;
    QString peakAt;          ///< op at the peak of a run; empty without ops
    bool hasUnknown = false; ///< some size is unknown; figures are lower bounds
    std::size_t lane = 0;
    std::optional<std::uint64_t> capacity = {}; ///< of its device
    std::uint64_t elsewhere = 0;                ///< bytes of other parts on that device
    std::uint64_t overflow = 0;                 ///< of the device
    std::optional<std::uint64_t> torchCount = {}; ///< PyTorch's count, for a part of a partition
    QString amount;                             ///< "6.2 of 8.0 GB", "−412.0 MB: 8.4 of 8.0 GB"
    QString brief;                              ///< short form: "6.2 GB", "−412.0 MB"
    QString cost;                               ///< "12.5 ms", or "1.2 GFLOP" without seconds; empty: not counted yet
    QString costs;                              ///< "1.2 GFLOP (31.0%), 4.0 MB (12.1%) moved, 12.5 ms (40.2%)"
    std::size_t entering = 0;                   ///< ops that use values of other parts and are not used by them
    std::size_t leaving = 0;                    ///< ops that other parts use

    /// Returns the bytes of all parts on its device.
    [[nodiscard]] std::uint64_t onDevice() const { return sizes.usedBytes() + elsewhere; }
};

/// Consecutive parts on one device. An idle device has a lane without parts.
struct DagLane {
    QString name;
    QString memory; ///< "8.0 GB"
    QString tip;
    std::vector<std::int64_t> devices = {}; ///< logical ids of its devices
    std::size_t begin = 0; ///< boxes [begin, end)
    std::size_t end = 0;
};

/// An op at the boundary of a part, shown at the edge of its box, from which it can be dragged.
struct DagHandle {
    NodeId node;
    std::size_t box = 0;
    bool leaves = false;   ///< other parts use it; otherwise it uses values of other parts
    std::size_t place = 0; ///< index among the handles of the box, in graph order
    QString name;
    QString about; ///< "goes to stage1, 64 B", "reads from stage0, 2.0 kB"
};

/// A value with so many consuming parts that it is drawn as a chip at each of them and at its producer.
struct DagShared {
    NodeId node;
    int from = -1;               ///< box; −1: an input of the model
    std::vector<std::size_t> to; ///< boxes
    QString name;
    QString size; ///< "512 B", "unknown size"; empty for a number
};

/// The values passed from one box to another, except shared values.
struct DagCutEdge {
    std::size_t cutEdge = 0; ///< index into DrawnCut::cutEdges
    std::size_t from = 0;   ///< boxes
    std::size_t to = 0;
    double share = 0; ///< fraction of the full width, 0 … 1: by bytes, relative to the largest edge (see widestOf())
    bool isBackward = false;
    QString label; ///< "3 tensors · 96.0 MB"
    QString amount; ///< short form: "96.0 MB"
};

/// Everything that the pane shows of a cut: a value, rebuilt when the cut, the devices, or the colors change.
struct DagContent {
    MemoryRule rule = MemoryRule::freesDead; ///< applies to all figures
    std::vector<DagLane> lanes;
    std::vector<DagBox> boxes; ///< in execution order; parts without ops have no box
    std::vector<DagCutEdge> cutEdges;
    std::vector<DagShared> shared;  ///< most bytes first
    std::vector<DagHandle> handles; ///< by box: entering, then leaving, each with the most bytes first
    std::vector<Device> devices;
    QString totals;
    QString totalsTip;
    QString torchCount; ///< second line of a partition: PyTorch's largest count
    std::uint64_t largestUse = 0; ///< over all boxes: the scale of bars without a capacity

    /// Returns the box of a part; −1: none.
    [[nodiscard]] int boxOf(std::int32_t part) const;
};

/// Builds the content. `looks` are looked up by part name. `devices` are the document's: part i of a split by tags is placed on
/// device i; a partition has its own devices, named as in the document. O(parts + looks + edges).
DagContent dagContent(const CutMeasure& measure, const std::vector<TagLook>& looks, const std::vector<Device>& devices);

/// Sets the costs of all boxes, if the document knows them. O(nodes).
void addCosts(DagContent& content, const CutMeasure& measure, const Document& document);

/// Sets the loads of tags as the costs of their boxes, and adds the largest one to the totals, if the document knows them.
/// O(nodes + readers).
void addLoads(DagContent& content, const CutMeasure& measure, const Document& document);

/// Sets the loads of a balanced cut as the costs of its boxes and as totals. The content must be of its tags.
void addLoads(DagContent& content, const BalancePlan& plan);

/// Returns the devices of a balanced cut in the order of its stages; none if it was made for a number of stages.
std::vector<Device> devicesOfStages(const BalancePlan& plan);

/// Describes a box for tooltips and assistive technology, e.g. "stage0, device cuda:0: 512 ops, 6.2 of 8.0 GB …".
QString describe(const DagContent& content, const DagBox& box);
QString describe(const DagContent& content, const DagCutEdge& cutEdge);
QString describe(const DagContent& content, const DagHandle& handle);
/// Describes a shared value, e.g. "mask, 4.0 kB: produced in stage0, used by 11 parts: stage1, stage2 …".
QString describe(const DagContent& content, const DagShared& value);

/// Returns e.g. "−412.0 MB" (with a minus sign), "+1.0 kB", "±0 B".
QString signedBytes(std::int64_t change);

} // namespace sunder
