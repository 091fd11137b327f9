#pragma once

#include "support/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder {

/// The role of a call, if it is more than a function of its arguments.
enum class CallRole : std::uint8_t {
    function,
    getItem,     ///< indexing, of a container or of a tensor
    container,   ///< built-in dict, list, and tuple
    treeFlatten, ///< torch.fx._pytree.tree_flatten_spec
    treeUnflatten,
    query,     ///< queries shape, dtype, and the like; independent of data and state
    assertion, ///< fails or does nothing
    effect,    ///< has effects outside the program (print); ordered
    enter,     ///< enters a region; its result is needed to leave it
    leave,
    setState,  ///< sets one field of the global state
    stir,      ///< changes global state in an unknown way; keeps its position among all calls
    invoke,    ///< calls a graph: invoke_subgraph and the like
    gradRegion,
    autocastRegion,
    closures,  ///< a higher-order operator that takes graphs
    withEffects,     ///< runs the operator that the call names, in the order of effects
    functionalizes,  ///< runs the operator that the call names on copies of the arguments that it writes to
    undecidable, ///< depends on the identity or the history of objects
    backward, ///< computes gradients: accesses tensors that are not arguments, as recorded by autograd
};

/// A condition on an argument. The values False, 0, 0.0, and None are off.
enum class FlagTest : std::uint8_t {
    on,
    off,
    one,      ///< the constant 1
    fraction, ///< a constant from 0 to 1
};

/// An argument, or an attribute of a module, that a fact depends on.
struct StatedFlag {
    std::string_view name;
    FlagTest test = FlagTest::on;
};

enum class FactKind : std::uint8_t {
    writes,  ///< writes to the memory of the argument
    view,    ///< the result is a view of the argument, or consists of such views
    maybe,   ///< the result may be, or share memory with, the argument
    is,      ///< the result is the argument itself
    converts, ///< the argument itself if it already has the dtype, layout, and device of the result, otherwise a copy
    fresh,   ///< the result has memory of its own; without an argument
    meta,    ///< changes the shape, strides, or storage of the argument
    resizes, ///< may resize the argument if it does not fit
    random,  ///< draws random numbers; without an argument
    seesLayout,    ///< returns or reveals the layout of an argument; this and the following have no argument
    ignoresLayout, ///< results, bit for bit, and success are independent of the memory layout of tensors
    ignoresRealLayout, ///< the same if no tensor is complex
    ignoresOffset, ///< the same if tensors have equal strides and differ only in their storage offsets
    failsByForm,   ///< success and the description of the result are independent of the contents of tensors
    keepsGradients, ///< the result requires gradients if a floating-point tensor argument does
};

/// Whether a fact is a promise. A call without it may do otherwise, so all overloads that a call may refer to must make the
/// promise.
constexpr bool isPromise(FactKind kind)
{
    return kind == FactKind::ignoresLayout || kind == FactKind::ignoresRealLayout || kind == FactKind::ignoresOffset
        || kind == FactKind::failsByForm || kind == FactKind::keepsGradients;
}

/// Whether a fact is about the aliasing of the result.
constexpr bool isAboutResult(FactKind kind)
{
    return kind == FactKind::view || kind == FactKind::maybe || kind == FactKind::is || kind == FactKind::converts
        || kind == FactKind::fresh;
}

/// One fact about a call, for one argument, if all flags have the required values. Of the clauses about the result, the first
/// that certainly holds applies, together with earlier clauses that may hold.
struct StatedFact {
    FactKind kind = FactKind::writes;
    std::string_view argument; ///< "all": every argument; empty for `random` and `fresh`
    std::vector<StatedFlag> when;
    std::uint8_t clause = 0;   ///< facts of one clause hold together
};

/// A parameter of a Python function.
struct StatedParameter {
    std::string_view name;
    std::string_view defaultValue; ///< in Python syntax
    bool hasDefault = false;
    bool keywordOnly = false;
    bool takesRest = false;    ///< "*operands"
};

/// A line of facts about a callable or a class of modules, as in `data/by_hand.txt`. Refers to the parsed text.
struct StatedFacts {
    std::string_view like; ///< "aten::add"; empty for none
    std::vector<StatedParameter> parameters;
    std::vector<StatedFact> facts;
    CallRole role = CallRole::function;
    std::string_view field;     ///< for roles enter, leave, and setState
    std::string_view tensors;   ///< for a class of modules: comma-separated names of tensors that it may have; "*" for any
    bool statesParameters = false;
    bool statesWrites = false;  ///< also if it states that nothing is written: "writes=none"
    bool statesResults = false;
    bool statesRandom = false;
    bool statesRole = false;
    bool gradients = false;     ///< setState: affects only values that may require gradients
    bool outside = false;       ///< reads or writes state that no file shows
    bool overwrites = false;    ///< copy_: the first argument gets the contents of the second
    bool detaches = false;      ///< detach_: changes only the state of autograd
    bool overlaps = false;      ///< undefined result if its arguments overlap in memory
    bool newTensor = false;     ///< a tensor that it returns has memory of its own, regardless of `returns=` for lists
    bool keywordOrder = false;  ///< the order of its keywords may matter
};

/// Parses facts in the notation of the operator tables (docs/internals/operators.md): words separated by spaces. Fails with
/// ErrorCode::malformed and the invalid word. `text` must outlive the result. O(length).
Result<StatedFacts> parseFacts(std::string_view text);

} // namespace sunder
