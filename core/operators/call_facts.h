#pragma once

#include "operators/operator_facts.h"

#include "ir/graph.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sunder {

class OperatorCatalogue;
struct TensorMeta;

/// Whether an argument is False, 0 or None, is some other constant, or is computed.
enum class Truth : std::uint8_t { off, on, unknown };

/// The arguments of one call. A *slot* is a place among them: positional ones first, then keywords in their order.
class CallArguments {
public:
    [[nodiscard]] virtual std::size_t positionalCount() const = 0;
    [[nodiscard]] virtual std::size_t keywordCount() const = 0;
    [[nodiscard]] virtual InternedString keyword(std::size_t index) const = 0;
    [[nodiscard]] virtual Truth truth(std::size_t slot) const = 0;
    [[nodiscard]] virtual bool isList(std::size_t /*slot*/) const { return false; }
    /// The constant number that an argument is, True for 1; nothing for all else.
    [[nodiscard]] virtual std::optional<double> number(std::size_t /*slot*/) const { return std::nullopt; }
    /// Whether an argument is a constant number that is neither True nor False.
    [[nodiscard]] virtual bool isNumber(std::size_t /*slot*/) const { return false; }
    [[nodiscard]] std::size_t slotCount() const { return positionalCount() + keywordCount(); }

protected:
    ~CallArguments() = default;
};

/// The arguments of a node.
class NodeArguments final : public CallArguments {
public:
    explicit NodeArguments(const Node& node) : m_node(node) {}
    [[nodiscard]] std::size_t positionalCount() const override { return m_node.args.size(); }
    [[nodiscard]] std::size_t keywordCount() const override { return m_node.kwargs.size(); }
    [[nodiscard]] InternedString keyword(std::size_t index) const override { return m_node.kwargs[index].key; }
    [[nodiscard]] Truth truth(std::size_t slot) const override { return truthOf(argument(slot)); }
    [[nodiscard]] bool isList(std::size_t slot) const override { return argument(slot).isCompound(); }
    [[nodiscard]] std::optional<double> number(std::size_t slot) const override { return numberOf(argument(slot)); }
    [[nodiscard]] bool isNumber(std::size_t slot) const override
    {
        return argument(slot).is(ArgumentKind::integer) || argument(slot).is(ArgumentKind::floating);
    }
    [[nodiscard]] const Argument& argument(std::size_t slot) const
    {
        return slot < m_node.args.size() ? m_node.args[slot] : m_node.kwargs[slot - m_node.args.size()].value;
    }
    static Truth truthOf(const Argument& argument);
    static std::optional<double> numberOf(const Argument& argument);

private:
    const Node& m_node;
};

/// How a result lies in memory.
enum class ResultMemory : std::uint8_t {
    fresh, ///< memory of its own
    view,  ///< always a view of the one slot in `shared`
    is,    ///< the value in the one slot of `shared` itself
    maybe, ///< may be, or share with, any slot in `shared`
};

/// What one call does, by slots in ascending order.
struct CallFacts {
    std::vector<std::uint32_t> written;
    std::vector<std::uint32_t> reshaped; ///< whose shape, strides or storage it changes
    std::vector<std::uint32_t> resized;  ///< which it resizes where they do not fit
    ResultMemory result = ResultMemory::fresh;
    std::vector<std::uint32_t> shared;
    bool random = false;
    bool seesLayout = false;     ///< tells or shows how its argument lies in memory
    bool ignoresLayout = false;  ///< gives the same bits, and succeeds or fails, however tensors lie that hold the same
    bool ignoresRealLayout = false; ///< so where no tensor is complex; of what ignores layouts as well
    bool ignoresOffset = false;     ///< so where tensors have equal strides; of what ignores real layouts as well
    bool failsByForm = false;    ///< succeeds or fails, and gives a result of one description, whatever numbers tensors hold
    bool keepsGradients = false; ///< its result requires gradients where a floating tensor does that it is given
    bool converts =
        false;   ///< `maybe` of one slot: that value itself, or a copy where it is to be of another dtype, layout or device
    bool asksDevice = false; ///< of that: the call says on which device; "cuda" is another one at another time
};

/// What a call does. Where several overloads fit, the worst of each; of a target that nobody knows, everything.
/// O(arguments) but for calls of packets: O(arguments · overloads).
CallFacts callFacts(const OperatorFacts& facts, const CallArguments& call);

/// How much of the place of its arguments in memory a call may hang on.
enum class LayoutReading : std::uint8_t {
    nothing,
    strides, ///< but not on offsets in storages
    all,
};

/// Whether something else may come of a call, or of others with it, where the tensors that it is given hold the same but
/// lie otherwise in memory. Random numbers are drawn in the order of memory, and a write reaches what lies where it writes.
bool hangsOnLayout(CallRole role, const CallFacts& facts);
/// The same, but for what it writes to: how results, and what is written, hang on the layout of what it reads. `isReal`: none
/// of its tensors is complex.
LayoutReading readsLayout(CallRole role, const CallFacts& facts, bool isReal = false);
/// Whether what a call is given decides by form alone whether it succeeds: by dtypes, shapes, strides, devices and
/// constants; tensors that stand for numbers count with what they hold.
bool failsByForm(CallRole role, const CallFacts& facts);

/// Whether an operator of this name ("view") that fails by form may fail by the strides that its arguments have, which files do not
/// hold inputs to.
bool failsByStrides(std::string_view name);

/// Says of a call that converts whether its result is the value in `shared` itself or a copy, where the descriptions of
/// both (null: not known) decide that: believed are dtype, layout and device, and no strides, which nothing holds inputs
/// to. Whoever asks where a result lies asks here; other facts stay as they are.
void settleConversion(CallFacts& facts, const TensorMeta* argument, const TensorMeta* result);
/// That, of a call in a graph of which what the file says of values holds.
void settleConversion(CallFacts& facts, const Graph& graph, const Node& call);
/// Whether a call may move its argument to a device other than the CPU, which the description of its result does not tell.
bool movesUnseen(const CallFacts& facts, const Graph& graph, const Node& call);

/// Whether a call is sure to give a tensor with memory of its own although `returns=` cannot say so of all that it may be
/// called with: the file says that it is one, or it is of one. O(arguments).
bool makesTensor(OperatorCatalogue& operators, const Graph& graph, const Node& call);

/// Which argument of a schema each slot of a call gives; several slots may give one (`x.view(2, 3)`).
struct CallBinding {
    const OperatorOverload* overload = nullptr;
    std::vector<std::uint16_t> argumentOf; ///< by slot; OperatorFact::kNowhere: none
};

/// The only overload that the call fits; nothing when none does, or several.
std::optional<CallBinding> bindCall(const OperatorFacts& facts, const CallArguments& call);

} // namespace sunder
