#pragma once

#include "ir/program.h"
#include "operators/call_facts.h"
#include "support/disjoint_sets.h"
#include "verify/term_table.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// Disjoint sets of regions of memory. Regions that may overlap are merged, regardless of program order. Merging is
/// conservative: it never makes different programs equal, but only orders more writes.
class RegionTable {
public:
    /// Adds a region that appears inside `closures` nested closures.
    std::uint32_t add(std::uint32_t closures)
    {
        m_parents.push_back(static_cast<std::uint32_t>(m_parents.size()));
        m_facts.push_back({.closures = closures});
        return m_parents.back();
    }
    [[nodiscard]] std::uint32_t find(std::uint32_t region) { return rootOf(m_parents, region); }
    void merge(std::uint32_t a, std::uint32_t b)
    {
        a = find(a);
        b = find(b);
        if (a == b)
            return;
        if (m_facts[a].size < m_facts[b].size)
            std::swap(a, b);
        m_parents[b] = a;
        Facts& facts = m_facts[a];
        facts.size += m_facts[b].size;
        facts.closures = std::min(facts.closures, m_facts[b].closures);
        facts.written = facts.written || m_facts[b].written;
        facts.reshaped = facts.reshaped || m_facts[b].reshaped;
    }
    void markWritten(std::uint32_t region) { m_facts[find(region)].written = true; }
    void markReshaped(std::uint32_t region) { m_facts[find(region)].reshaped = true; }

    [[nodiscard]] bool isWritten(std::uint32_t region) { return m_facts[find(region)].written; }
    /// Whether a call changes the shape, strides, or storage of a tensor in the region.
    [[nodiscard]] bool isReshaped(std::uint32_t region) { return m_facts[find(region)].reshaped; }
    /// Returns the number of closures that contain the whole region. A write inside more closures affects memory outside of them.
    [[nodiscard]] std::uint32_t closures(std::uint32_t region) { return m_facts[find(region)].closures; }
    [[nodiscard]] std::size_t size() const { return m_parents.size(); }

private:
    struct Facts {
        std::uint32_t size = 1;
        std::uint32_t closures = 0;
        bool written = false;
        bool reshaped = false;
    };
    std::vector<std::uint32_t> m_parents;
    std::vector<Facts> m_facts;
};

using ValueId = Id<struct ValueTag>;

enum class ValueKind : std::uint8_t {
    leaf, ///< a tensor, or another value with unknown parts
    constant, ///< a literal
    container, ///< a list, tuple, dict, named tuple, slice, or range of values
    graph, ///< a graph operand
    context, ///< the state to restore when an autocast or inference mode region ends
};

/// The value of a node in one call of its graph.
struct Value {
    ValueKind kind = ValueKind::leaf;
    std::uint16_t depth = 0; ///< of nested containers
    TermId term = {}; ///< constant: its literal; container: its shape; leaf: its place, until a step computes it
    std::uint32_t region = 0; ///< leaf
    std::uint32_t firstItem = 0;
    std::uint32_t itemCount = 0;
    std::uint32_t reference = 0; ///< graph: its id; context: index of the state to restore
    ModuleId module = {}; ///< graph: the module that resolves its attributes
};

/// A range of values in Trace::operands.
struct Operands {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// The body of a closure. Its steps follow the step that takes the closure in Trace::steps.
struct Body {
    Operands parameters;
    std::uint32_t firstStep = 0;
    std::uint32_t endStep = 0;
    ValueId output;
    NodeRef graph; ///< the graph of the body, and its output node
};

/// How a call uses its arguments.
enum class Reading : std::uint8_t {
    contents,
    firstByLocation, ///< only the place of the first argument, for views
    locations, ///< only the places of all arguments, for shapes and dtypes
};

/// A call other than the call of a graph. Called graphs are inlined.
struct Step {
    TermId target; ///< the function, method, or module that is called
    CallRole role = CallRole::function;
    NodeRef node;
    Operands arguments; ///< positional arguments, then keyword arguments in the order of `keywords`
    TermId keywords; ///< names of the keyword arguments
    Operands written; ///< written values according to facts about the call
    Operands marked; ///< written values according to the file; may share memory with `written`
    Operands bodies; ///< closures: a range of Trace::bodies
    ValueId result;
    TermId state; ///< global state during the call
    TermId gradientState; ///< the part of it that matters only if gradients may be required
    Reading reading = Reading::contents;
    bool logicalView = false; ///< a view whose indexing is independent of the strides of its argument
    bool random = false;
    bool overwrites = false; ///< copy_ with equal shape and dtype: the target gets the contents of the second argument
    bool otherStrides = false; ///< if it overwrites: the strides of the target differ, or may differ, from those of the source
    bool reshapes = false; ///< may change the shape, strides, or storage of written values
    bool described = false; ///< the description of the node in the file holds for this call of its graph
    bool clones = false; ///< clone() of a tensor: has the contents of its argument
    bool failsByForm = false; ///< the forms of the arguments alone decide whether it succeeds: CallForms
    bool keepsGradients = false; ///< the result requires gradients if a floating argument does; no keyword changes this
    LayoutReading readsLayout = LayoutReading::all; ///< its result may depend on the memory layout of its arguments
    bool laysDensely = false; ///< its result is contiguous for all strides of its arguments
    bool detaches = false; ///< detach_: writes nothing if no gradient is recorded
    bool opaque = false; ///< unknown semantics: no two such calls are equal
    bool mayCast = false; ///< runs under autocast, or under settings that may enable it
    bool dependsOnUnlistedAttributes = false; ///< a leaf module that depends on attributes that the file does not list
    bool wholeState = false; ///< queries the state, so it depends on all of it
    TermId firstLayout = {}; ///< aten.copy: layout of the first argument, the only property of it that matters
};

/// A program as one linear sequence of calls. Called graphs are inlined, containers and pytrees are unpacked.
struct Trace {
    std::vector<Value> values;
    std::vector<ValueId> operands; ///< pool of arguments, container items, and written values
    std::vector<Step> steps;
    std::vector<Body> bodies;
    RegionTable regions;
    ValueId output;
    NodeRef outputNode;
    TermId finalState;
    TermId finalGradientState;

    /// The region of all parameters, buffers, and constants if the file does not state which of them share memory.
    std::optional<std::uint32_t> unknownMemory;
    /// Inputs, parameters, buffers, and constants that the program reads. Their terms are their places.
    std::vector<ValueId> roots;
    /// Set if the program could not be traced: the node, and a clause that gives the reason.
    std::optional<std::pair<NodeRef, std::string>> undecided;
    bool changesContainer = false; ///< the reason in `undecided` is an in-place change of a list, tuple, or dict
    std::vector<std::string> notes;
    /// Whether the trace depends on dtypes that the file states for conversions.
    bool usesRecordedDtypes = false;
    bool unusualTensors = false; ///< ProgramTraits
    bool distinguishesObjects =
        false; ///< equal results are distinct objects: all, or those whose shape or other metadata changes
    bool findsObjects = false; ///< ProgramTraits
    /// Whether a graph is called under different settings (autocast, default dtype, …). Its dtypes may then vary between calls,
    /// and it is unknown which call the file describes.
    bool severalStates = false;
    std::vector<std::string> unknownOperators; ///< operators for which the user could provide a schema

    [[nodiscard]] std::span<const ValueId> at(Operands operands_) const
    {
        return std::span(operands).subspan(operands_.first, operands_.count);
    }
    [[nodiscard]] std::span<const ValueId> items(const Value& value) const
    {
        return std::span(operands).subspan(value.firstItem, value.itemCount);
    }
};

} // namespace sunder
