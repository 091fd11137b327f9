#pragma once

#include "ir/node.h"

#include <cstdint>
#include <unordered_map>

namespace sunder {

/// How the result of an operator lies in memory.
enum class Aliasing : std::uint8_t {
    fresh,    ///< memory of its own
    view,     ///< always a view of the first argument
    maybe,    ///< may be, or share with, the first argument
    maybeAny, ///< may be, or share with, any argument
};

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
    withEffects,
    undecidable, ///< depends on the identity of objects
};

/// Which arguments decide whether a call draws random numbers.
enum class RandomRule : std::uint8_t {
    never,
    always,
    training,       ///< unless argument `flag` is a constant False
    dropoutP,       ///< unless argument `flag` is a constant 0
    recurrent,      ///< dropout at `flag`, train behind it
    attention,      ///< multi_head_attention_forward
};

/// Which arguments a call writes to, besides `out=` and what `mutated` says.
enum class WriteRule : std::uint8_t {
    none,
    first,
    all,
    mask,         ///< the positions in `written`
    maskTraining, ///< the same, unless argument `flag` is a constant False
    maxNorm,      ///< positions in `written` when argument `flag` is given and not None
};

struct OperatorFacts {
    CallRole role = CallRole::function;
    Aliasing aliasing = Aliasing::fresh;
    RandomRule random = RandomRule::never;
    WriteRule write = WriteRule::none;
    std::uint8_t flag = 0;         ///< position of the argument that `random` and `write` ask for
    std::int8_t inPlaceFlag = -1;  ///< position of `inplace`; -1: there is none
    std::uint32_t written = 0;     ///< bit i: argument i
    bool returnsFirst = false;     ///< the result is the first argument itself
    bool changesMetadata = false;  ///< writes shape, strides or storage of its first argument
    bool overwrites = false;       ///< copy_: the first argument then holds what the second held
    bool detaches = false;         ///< detach_: changes nothing but what autograd records
    bool identityUnlessRandom = false; ///< dropout: where it draws nothing it returns its argument
    bool ordersKeywords = false;   ///< a Python function, to which the order of keywords may matter
    bool assumedPure = false;      ///< of a library not known, and its name does not say that it writes
    bool gradField = false;        ///< setState: matters only to what may require gradients
    InternedString field = {};     ///< setState, enter, leave: what is set
};

/// The facts of one target, from its name alone. `op` is call_function or call_method.
OperatorFacts operatorFacts(Op op, std::string_view target);

/// Remembers the facts of each target. O(1) after the first call with a target.
class OperatorCatalogue {
public:
    const OperatorFacts& of(Op op, InternedString target);

private:
    std::unordered_map<std::uint64_t, OperatorFacts> m_known;
};

} // namespace sunder
