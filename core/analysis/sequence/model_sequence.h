#pragma once

#include "analysis/cut/cut_graph.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// A module while it runs: calls one behind the other that are in it or in what it calls. One that is entered again has
/// another visit.
struct ModuleVisit {
    InternedString path;
    std::uint32_t begin = 0; ///< its calls, by their numbers in the CutGraph
    std::uint32_t end = 0;
    std::uint32_t depth = 1;  ///< modules that run around it, itself included: lists of modules do not run
    std::int32_t parent = -1; ///< the visit around it; −1: none
    friend bool operator==(const ModuleVisit&, const ModuleVisit&) = default;
};

/// The calls of a program in the order in which they run, and what one has to know of the places between them to cut there.
/// Place p lies in front of call p; 0 is the begin of the model and callCount its end. A value, made once a program.
struct ModelSequence {
    static constexpr std::uint8_t kMostDepth = 64; ///< modules nested deeper count as that module
    static constexpr std::uint8_t kInside = 255;   ///< a place where no module begins or ends

    std::shared_ptr<const CutGraph> graph;
    std::vector<ModuleVisit> visits = {};      ///< by their first calls, outer ones first
    std::vector<std::int32_t> visitOf = {};    ///< per call: the innermost visit; −1: it runs in no module but the model
    std::vector<std::uint8_t> borderDepth =
        {}; ///< per place: depth of the outermost visit that begins or ends there; 0 at both ends
    std::vector<std::uint64_t> crossingBytes = {}; ///< per place: values made before it and read behind it, each once
    std::vector<std::uint32_t> crossingValues = {}; ///< how many
    std::vector<std::uint32_t> crossingNonTensors = {}; ///< of those, numbers and the like, which a part cannot take as tensors
    std::vector<std::uint64_t> callBytes = {}; ///< per call: memories that no earlier call reads, and its results
    /// The level at which the model's own structure is seen: the least depth at which no stretch between two borders holds more
    /// than half of the calls; the deepest where there is no such one.
    std::uint8_t coarseDepth = 1;
    std::uint8_t deepest = 0; ///< greatest depth of a visit; 0: no modules

    [[nodiscard]] std::uint32_t callCount() const { return graph->callCount; }
    [[nodiscard]] bool isBorder(std::uint32_t place, std::uint8_t depth) const { return borderDepth[place] <= depth; }
};

/// `graph` is of the program. O(nodes + arguments + calls × depth of their modules).
ModelSequence modelSequence(const Program& program, std::shared_ptr<const CutGraph> graph);

/// Places from first to last, both included.
struct PlaceRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    [[nodiscard]] bool contains(std::uint32_t place) const { return place >= first && place <= last; }
};

enum class Direction : std::uint8_t { back, forth };

/// The next border of modules of at most this depth from a place, within a range. O(range).
std::optional<std::uint32_t> nextBorder(const ModelSequence& sequence, std::uint32_t from, Direction direction, PlaceRange within,
                                        std::uint8_t depth);

/// The border of modules that a hand means that points at `wanted`: among those of `near` the one of the outermost modules,
/// of equals the nearest; where there is none, the nearest in `within`. Nothing where that has none. O(range).
std::optional<std::uint32_t> snappedBorder(const ModelSequence& sequence, std::uint32_t wanted, PlaceRange near,
                                           PlaceRange within);

/// The place of the range at which the least crosses; of equals the last. O(range).
std::uint32_t cheapestPlace(const ModelSequence& sequence, PlaceRange among);

/// The place in front of a call, or of the first call of a module, by its name. Nothing where there is no such one. O(modules).
std::optional<std::uint32_t> placeInFrontOf(const ModelSequence& sequence, const Graph& graph, std::string_view name);

/// "between layers.3 and layers.4", "inside layers.3.mlp, in front of gelu_3", "at the beginning of the model".
std::string describePlace(const ModelSequence& sequence, const Graph& graph, std::uint32_t place);

} // namespace sunder
