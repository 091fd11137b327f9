#pragma once

#include "analysis/cut/cut_graph.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// A run of a module: consecutive calls in it or in modules that it calls. Each time a module is entered again, a new visit
/// starts.
struct ModuleVisit {
    InternedString path;
    std::uint32_t begin = 0; ///< range of its calls, numbered as in the CutGraph
    std::uint32_t end = 0;
    std::uint32_t depth = 1;  ///< number of running modules, including itself; lists of modules do not run
    std::int32_t parent = -1; ///< the enclosing visit; −1: none
    friend bool operator==(const ModuleVisit&, const ModuleVisit&) = default;
};

/// The calls of a program in execution order, with the costs of cutting at each place between them. Place p is before call p; 0
/// is the start of the model and callCount() its end. A value, built once per program.
struct ModelSequence {
    static constexpr std::uint8_t kMaxDepth = 64; ///< deeper modules count as part of the module at this depth
    static constexpr std::uint8_t kInside = 255;   ///< a place where no module begins or ends

    std::shared_ptr<const CutGraph> graph;
    std::vector<ModuleVisit> visits = {};      ///< by first call, outer visits first
    std::vector<std::int32_t> visitOf = {};    ///< per call: the innermost visit; −1: directly in the model
    std::vector<std::uint8_t> borderDepth =
        {}; ///< per place: depth of the outermost visit that begins or ends there; 0 at both ends
    /// per place: values produced before and consumed after it; each value counts once
    std::vector<std::uint64_t> crossingBytes = {};
    std::vector<std::uint32_t> crossingValues = {}; ///< number of these values
    std::vector<std::uint32_t> crossingNonTensors = {}; ///< number of non-tensors among them, which a part cannot take as tensors
    std::vector<std::uint64_t> callBytes = {}; ///< per call: memories that no earlier call reads, and its results
    /// The coarsest useful level of modules: the least depth at which no stretch between boundaries has more than half of the
    /// calls; the deepest level if there is none.
    std::uint8_t coarseDepth = 1;
    std::uint8_t deepest = 0; ///< greatest depth of a visit; 0: no modules

    [[nodiscard]] std::uint32_t callCount() const { return graph->callCount; }
    [[nodiscard]] bool isBorder(std::uint32_t place, std::uint8_t depth) const { return borderDepth[place] <= depth; }
};

/// Builds the sequence. `graph` must belong to the program. O(nodes + arguments + calls × depth of their modules).
ModelSequence modelSequence(const Program& program, std::shared_ptr<const CutGraph> graph);

/// Places from first to last, inclusive.
struct PlaceRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    [[nodiscard]] bool contains(std::uint32_t place) const { return place >= first && place <= last; }
};

enum class Direction : std::uint8_t { back, forth };

/// Returns the next module boundary of at most this depth from a place, within a range. O(range).
std::optional<std::uint32_t> nextBorder(const ModelSequence& sequence, std::uint32_t from, Direction direction, PlaceRange within,
                                        std::uint8_t depth);

/// Snaps a pointer position to a module boundary: in `near`, to the boundary of the outermost modules, the nearest one in a tie;
/// otherwise to the nearest one in `within`; nothing if that has none. O(range).
std::optional<std::uint32_t> snappedBorder(const ModelSequence& sequence, std::uint32_t wanted, PlaceRange near,
                                           PlaceRange within);

/// Returns the place in the range where the fewest bytes cross; the last one in a tie. O(range).
std::uint32_t cheapestPlace(const ModelSequence& sequence, PlaceRange among);

/// Returns the place before the call with this name, or before the first call of the module with this name; nothing if there is
/// none. O(modules).
std::optional<std::uint32_t> placeInFrontOf(const ModelSequence& sequence, const Graph& graph, std::string_view name);

/// Returns "between layers.3 and layers.4", "inside layers.3.mlp, before gelu_3", or "at the start of the model".
std::string describePlace(const ModelSequence& sequence, const Graph& graph, std::uint32_t place);

} // namespace sunder
