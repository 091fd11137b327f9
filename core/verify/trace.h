#pragma once

#include "verify/region_table.h"
#include "verify/term_table.h"

#include "ir/program.h"
#include "operators/call_facts.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder {

using ValueId = Id<struct ValueTag>;

enum class ValueKind : std::uint8_t {
    leaf,      ///< a tensor or anything else whose parts are not known
    constant,  ///< a literal
    container, ///< a list, tuple, dict, named tuple, slice or range of values
    graph,     ///< a graph as an operand
    context,   ///< what leaving a region of autocast or inference mode needs
};

/// What a node stands for in one call of its graph.
struct Value {
    ValueKind kind = ValueKind::leaf;
    std::uint16_t depth = 0;    ///< of nested containers
    TermId term = {};           ///< constant: itself; container: its shape; leaf: where it lies, until a step makes it
    std::uint32_t region = 0;   ///< leaf
    std::uint32_t firstItem = 0;
    std::uint32_t itemCount = 0;
    std::uint32_t reference = 0; ///< graph: its id; context: what to go back to
    ModuleId module = {};        ///< graph: where its attributes are looked up
};

/// A stretch of values in Trace::operands.
struct Operands {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// The body of a closure: its steps stand in Trace::steps behind the step that takes it.
struct Body {
    Operands parameters;
    std::uint32_t firstStep = 0;
    std::uint32_t endStep = 0;
    ValueId output;
    NodeRef graph; ///< graph of the body; its node is the output
};

/// How a call looks at its arguments.
enum class Reading : std::uint8_t {
    contents,
    firstByLocation, ///< the first argument only by where it lies: views
    locations,       ///< all of them: shapes and dtypes
};

/// One call that is not a call of a graph: all calls of graphs are written out in place.
struct Step {
    TermId target;    ///< what is called
    CallRole role = CallRole::function;
    NodeRef node;
    Operands arguments;   ///< positional arguments, then keyword arguments in the order of `keywords`
    TermId keywords;      ///< names of the keyword arguments
    Operands written;     ///< what it writes to by what is known of it
    Operands marked;      ///< what it writes to by what the file says; may lie in memory that `written` names already
    Operands bodies;      ///< closures: a stretch of Trace::bodies
    ValueId result;
    TermId state;         ///< global state that it runs under
    TermId gradientState; ///< and the part that matters only where gradients may be required
    Reading reading = Reading::contents;
    bool logicalView = false; ///< a view by indices alone, whatever strides its argument has
    bool random = false;
    bool overwrites = false; ///< copy_ of equal shape and dtype: the target then holds the second argument
    bool otherStrides = false; ///< of that: the target's strides are not, or not known to be, those of what is copied
    bool reshapes = false;   ///< may change shape, strides or storage of what it writes to
    bool described = false;  ///< what the file says of the node's value holds for this call of its graph
    bool clones = false;     ///< clone() of a tensor: holds what its argument holds
    bool failsByForm = false; ///< what it is given decides by form alone whether it succeeds: CallForms
    bool keepsGradients = false; ///< its result requires gradients where a floating argument does; no keyword says otherwise
    LayoutReading readsLayout = LayoutReading::all; ///< what it does may hang on how its arguments lie in memory
    bool laysDensely = false; ///< its result is contiguous for all strides of its arguments
    bool detaches = false;   ///< detach_: writes nothing where no gradient is recorded
    bool opaque = false;     ///< nobody knows what it does: no two calls of it are the same
    bool mayCast = false;    ///< runs under autocast, or settings that may be such
    bool asksFile = false;   ///< a leaf module: what it does hangs on attributes that the file does not give
    bool wholeState = false; ///< asks for the state: carries all of it
    TermId firstLayout = {}; ///< aten.copy: how its first argument lies in memory, which is all that it looks at of that
};

/// A program as one straight sequence of calls. Graphs called are written out in place, containers and pytrees are
/// taken apart.
struct Trace {
    std::vector<Value> values;
    std::vector<ValueId> operands; ///< pool of arguments, container items and written values
    std::vector<Step> steps;
    std::vector<Body> bodies;
    RegionTable regions;
    ValueId output;
    NodeRef outputNode;
    TermId finalState;
    TermId finalGradientState;

    /// The region of all parameters, buffers and constants, when the file does not say which of them share memory.
    std::optional<std::uint32_t> unknownMemory;
    /// Inputs, parameters, buffers and constants that the program reads, by the term that says where they lie.
    std::vector<ValueId> roots;
    /// Set where something could not be followed: the node, and a sentence about it.
    std::optional<std::pair<NodeRef, std::string>> undecided;
    bool changesContainer = false; ///< of `undecided`: a list, tuple, or dict is changed in place
    std::vector<std::string> notes;
    /// Whether something hangs on the types that the file says values of conversions have.
    bool believesTypes = false;
    bool unusualTensors = false; ///< ProgramTraits
    bool tellsObjects = false; ///< equal results are other objects: all, or those whose shape and the like are changed
    bool findsObjects = false; ///< ProgramTraits
    /// Whether a graph is called under several settings of autocast, default dtype and the like: then what it computes is
    /// of other types from call to call, and which of them the file describes is not known.
    bool severalStates = false;
    std::vector<std::string> unknownOperators; ///< that a schema could be given of

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
