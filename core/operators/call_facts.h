#pragma once

#include "operators/operator_facts.h"

#include "ir/graph.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sunder {

class OperatorCatalog;
struct TensorMeta;

/// The truth value of an argument: False, 0, or None (off), another constant (on), or computed (unknown).
enum class Truth : std::uint8_t { off, on, unknown };

/// The arguments of one call. A *slot* is an index into them: positional arguments first, then keywords in order.
class CallArguments {
public:
    [[nodiscard]] virtual std::size_t positionalCount() const = 0;
    [[nodiscard]] virtual std::size_t keywordCount() const = 0;
    [[nodiscard]] virtual InternedString keyword(std::size_t index) const = 0;
    [[nodiscard]] virtual Truth truth(std::size_t slot) const = 0;
    [[nodiscard]] virtual bool isList(std::size_t /*slot*/) const { return false; }
    /// Returns the value of a constant number, 1 for True; nothing for other arguments.
    [[nodiscard]] virtual std::optional<double> number(std::size_t /*slot*/) const { return std::nullopt; }
    /// Whether an argument is a constant number other than True and False.
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

/// Aliasing of a result.
enum class ResultMemory : std::uint8_t {
    fresh, ///< memory of its own
    view,  ///< always a view of the single slot in `shared`
    is,    ///< the value itself of the single slot in `shared`
    maybe, ///< may be, or share memory with, any slot in `shared`
};

/// The effects of one call. Slots are in ascending order.
struct CallFacts {
    std::vector<std::uint32_t> written;
    std::vector<std::uint32_t> reshaped; ///< slots whose shape, strides, or storage change
    std::vector<std::uint32_t> resized;  ///< slots that are resized if they do not fit
    ResultMemory result = ResultMemory::fresh;
    std::vector<std::uint32_t> shared;
    bool random = false;
    bool seesLayout = false;     ///< returns or reveals the memory layout of an argument
    bool ignoresLayout = false;  ///< results, bit for bit, and success are independent of the memory layout of tensors
    bool ignoresRealLayout = false; ///< the same if no tensor is complex; also set if ignoresLayout is
    bool ignoresOffset = false;     ///< the same if tensors have equal strides; also set if ignoresRealLayout is
    bool failsByForm = false;    ///< success and the description of the result are independent of the contents of tensors
    bool keepsGradients = false; ///< the result requires gradients if a floating-point tensor argument does
    bool converts =
        false;   ///< `maybe` with one slot: that value itself, or a copy if another dtype, layout, or device is requested
    bool namesDevice = false; ///< if it converts: the call names a device; the meaning of "cuda" can change over time
};

/// Returns the facts of a call. If several overloads match, combines the worst of each; an unknown target may have any effect.
/// O(arguments), or O(arguments · overloads) for calls of packets.
CallFacts callFacts(const OperatorFacts& facts, const CallArguments& call);

/// The part of its arguments' memory layout that a call may depend on.
enum class LayoutReading : std::uint8_t {
    nothing,
    strides, ///< strides, but not offsets in storages
    all,
};

/// Whether the results of a call, or of later calls, may depend on the memory layout of its tensor arguments. Random numbers are
/// drawn in memory order, and a write affects everything that overlaps it.
bool dependsOnLayout(CallRole role, const CallFacts& facts);
/// Returns the dependence of results and written values on the layout of the values that a call reads, ignoring where it writes.
/// `isReal`: none of its tensors is complex.
LayoutReading readsLayout(CallRole role, const CallFacts& facts, bool isReal = false);
/// Whether the forms of the arguments alone decide if a call succeeds: dtypes, shapes, strides, devices, and constants, and the
/// contents of tensors that are used as numbers.
bool failsByForm(CallRole role, const CallFacts& facts);

/// Whether an operator of this name ("view") whose success depends only on form may fail because of the strides of its arguments.
/// Files do not constrain the strides of inputs.
bool failsByStrides(std::string_view name);

/// Decides whether the result of a converting call is the value in `shared` itself or a copy, if the descriptions of both (null
/// if unknown) determine it. Trusts their dtype, layout, and device, but not strides, because files do not constrain those of
/// inputs. Use it for every query about the aliasing of a result; it changes no other facts.
void settleConversion(CallFacts& facts, const TensorMeta* argument, const TensorMeta* result);
/// Settles a conversion in a graph whose descriptions hold.
void settleConversion(CallFacts& facts, const Graph& graph, const Node& call);
/// Whether a call may move its argument to a device other than the CPU without this being visible in the description of its
/// result.
bool movesUnseen(const CallFacts& facts, const Graph& graph, const Node& call);

/// Whether a call certainly returns a tensor with memory of its own although `returns=` cannot state this for all kinds of
/// arguments: the file describes the result as a tensor, or an argument is one. O(arguments).
bool makesTensor(OperatorCatalog& operators, const Graph& graph, const Node& call);

/// The mapping from the slots of a call to schema arguments. Several slots may pass one argument (`x.view(2, 3)`).
struct CallBinding {
    const OperatorOverload* overload = nullptr;
    std::vector<std::uint16_t> argumentOf; ///< by slot; OperatorFact::kNowhere if unbound
};

/// Returns the binding to the only matching overload; nothing if none or several match.
std::optional<CallBinding> bindCall(const OperatorFacts& facts, const CallArguments& call);

} // namespace sunder
