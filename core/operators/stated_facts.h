#pragma once

#include "support/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder {

/// What a call does that must be known beyond "a function of its arguments".
enum class CallRole : std::uint8_t {
    function,
    getItem,     ///< indexing, of a container or of a tensor
    container,   ///< builtins dict, list and tuple
    treeFlatten, ///< torch.fx._pytree.tree_flatten_spec
    treeUnflatten,
    query,     ///< asks for shape, dtype and the like; neither data nor state matter
    assertion, ///< fails or does nothing
    effect,    ///< visible outside (print); ordered
    enter,     ///< of a region; the result leaves it
    leave,
    setState,  ///< sets one field of the global state
    stir,      ///< changes global state in a way not known; keeps its place among all calls
    invoke,    ///< calls a graph: invoke_subgraph and the like
    gradRegion,
    autocastRegion,
    closures,  ///< a higher-order operator that takes graphs
    withEffects,     ///< runs the operator that the call names, in the order of effects
    functionalizes,  ///< runs the operator that the call names on copies of the arguments that it writes to
    undecidable, ///< depends on the identity or the history of objects
    backward, ///< computes gradients: reads and writes tensors that it is not given, by what autograd recorded
};

/// What a condition asks of an argument. Off are False, 0, 0.0 and None.
enum class FlagTest : std::uint8_t {
    on,
    off,
    one,      ///< the constant 1
    fraction, ///< a constant from 0 to 1
};

/// An argument, or the attribute of a module, that decides.
struct StatedFlag {
    std::string_view name;
    FlagTest test = FlagTest::on;
};

enum class FactKind : std::uint8_t {
    writes,  ///< to the memory of the argument
    view,    ///< the result is a view of the argument (or consists of such)
    maybe,   ///< the result may be, or share memory with, the argument
    is,      ///< the result is the argument itself
    converts, ///< that, where it has the dtype, layout and device of the result already, otherwise a copy
    fresh,   ///< the result has memory of its own; of no argument
    meta,    ///< changes shape, strides or storage of the argument
    resizes, ///< may resize the argument, where it does not fit
    random,  ///< draws random numbers; of no argument
    seesLayout,    ///< tells or shows how its argument lies in memory; of no argument, as those below
    ignoresLayout, ///< gives the same bits, and succeeds or fails, however tensors lie that hold the same
    ignoresRealLayout, ///< so where no tensor is complex
    ignoresOffset, ///< so where tensors have equal strides, and only their places in their storages differ
    failsByForm,   ///< succeeds or fails, and gives a result of one description, whatever numbers its tensors hold
    keepsGradients, ///< its result requires gradients where a tensor of a floating type does that it is given
};

/// Whether a fact promises something. What lacks a promise may do otherwise, and all overloads have to give it that a call
/// may be of.
constexpr bool isPromise(FactKind kind)
{
    return kind == FactKind::ignoresLayout || kind == FactKind::ignoresRealLayout || kind == FactKind::ignoresOffset
        || kind == FactKind::failsByForm || kind == FactKind::keepsGradients;
}

/// Whether a fact says where the result lies.
constexpr bool isAboutResult(FactKind kind)
{
    return kind == FactKind::view || kind == FactKind::maybe || kind == FactKind::is || kind == FactKind::converts
        || kind == FactKind::fresh;
}

/// One thing that a call does, to one argument, when all flags are as they say. Of clauses about the result the first
/// counts that surely holds, besides those before it that may hold.
struct StatedFact {
    FactKind kind = FactKind::writes;
    std::string_view argument; ///< "all": every argument; empty for `random` and `fresh`
    std::vector<StatedFlag> when;
    std::uint8_t clause = 0;   ///< facts of one clause hold together
};

/// A parameter of a Python function.
struct StatedParameter {
    std::string_view name;
    std::string_view defaultValue; ///< as Python writes it
    bool hasDefault = false;
    bool keywordOnly = false;
    bool takesRest = false;    ///< "*operands"
};

/// A line of facts about a callable (or a class of modules), as `data/by_hand.txt` states them. Texts lie in what was read.
struct StatedFacts {
    std::string_view like; ///< "aten::add"; empty: nothing
    std::vector<StatedParameter> parameters;
    std::vector<StatedFact> facts;
    CallRole role = CallRole::function;
    std::string_view field;     ///< of role enter, leave and setState
    std::string_view tensors;   ///< of a class of modules: names of the tensors that it may have, by commas; "*": any
    bool statesParameters = false;
    bool statesWrites = false;  ///< also when it says that nothing is written: "writes=none"
    bool statesResults = false;
    bool statesRandom = false;
    bool statesRole = false;
    bool gradients = false;     ///< setState: matters only to what may require gradients
    bool outside = false;       ///< reads or writes what no file shows
    bool overwrites = false;    ///< copy_: the first argument then holds what the second held
    bool detaches = false;      ///< detach_: changes nothing but what autograd records
    bool overlaps = false;      ///< its arguments may lie in memory that overlaps, and then what it does is not told
    bool newTensor = false;     ///< a tensor that it gives has memory of its own, whatever `returns=` says of lists
    bool keywordOrder = false;  ///< the order of its keywords may matter
};

/// Reads facts as operator tables write them: words between spaces (core/README.md has the list). Fails with
/// ErrorCode::malformed and the word that is wrong. `text` must outlive what is returned. O(length).
Result<StatedFacts> parseFacts(std::string_view text);

} // namespace sunder
