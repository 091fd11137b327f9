#pragma once

#include "ir/tree_spec.h"
#include "operators/call_facts.h"
#include "operators/module_facts.h"
#include "operators/operator_catalogue.h"
#include "verify/correspondence.h"
#include "verify/global_state.h"
#include "verify/pulse.h"
#include "verify/trace.h"
#include "verify/verify.h"

#include <unordered_map>
#include <unordered_set>

namespace sunder {

/// What both programs are read with.
struct TraceContext {
    Correspondence& correspondence;
    TermTable& terms;
    OperatorCatalogue& operators;
    const VerifyOptions& options;
    /// Operators that one of the programs calls by with_effects: calls of them are effects in both.
    const std::unordered_set<InternedString>& effects;
    /// Whether anything is written in either program. Otherwise memory need not be followed.
    bool followMemory = false;
    /// Whether shapes, strides or storages change in place: then sizes are not those of the inputs.
    bool reshapes = false;
    /// Takes what nobody knows for a function of its arguments: to find out what hangs on that.
    bool trustsUnknown = false;
    /// Believes the file what conversions convert from and to.
    bool believesTypes = true;
    /// Believes the file what values in graphs that are called are.
    bool believesCalls = true;
};

/// Writes a program out as one sequence of calls. Linear in the nodes and arguments of all graphs, each counted as
/// often as it is called.
class TraceBuilder {
public:
    /// `pulse` beats once a node; once it is cancelled the rest of the program is left out.
    TraceBuilder(const Program& program, Side side, TraceContext& context, Pulse& pulse);
    /// Call once.
    Trace build();

private:
    /// One call of a graph.
    struct Frame {
        GraphId graph;
        ModuleId module; ///< where its attributes are looked up
        std::vector<ValueId> values;
        std::unordered_map<InternedString, std::uint32_t> storages; ///< regions by the storage ids of its `val`s
        std::uint32_t depth = 0;
        bool again = false; ///< the graph has been called before: its `val`s may describe that call
        bool described = true; ///< what the file says of its values holds for this call
        std::unordered_set<ValueId> undescribed = {}; ///< values it was given of which the file does not say here what they are
    };
    /// A storage id that different regions turned out to have.
    static constexpr std::uint32_t kSeveral = 0xffffffffU;
    /// What the storage ids of a `val` say of a value.
    enum class Alignment : std::uint8_t {
        merge,    ///< that all values of the id share a region
        distrust, ///< the value's region is known; where another one has the id it says nothing
    };
    /// What leaving a region puts back.
    struct Entered {
        InternedString field;
        TermId before;
        TermId gradModeBefore;
        bool gradient = false;
    };
    /// The arguments of one call.
    struct Call {
        std::vector<ValueId> positional;
        std::vector<std::pair<InternedString, ValueId>> keywords;
        bool isSorted = false; ///< keywords stand by name
        [[nodiscard]] ValueId argument(std::size_t position) const
        {
            return position < positional.size() ? positional[position] : ValueId();
        }
        [[nodiscard]] ValueId keyword(std::string_view name) const;
        /// Positional arguments first, then keywords, as `CallFacts` counts them.
        [[nodiscard]] ValueId slot(std::size_t slot) const
        {
            return slot < positional.size() ? positional[slot] : keywords[slot - positional.size()].second;
        }
    };
    class Given;

    // Graphs (trace_builder.cpp)
    void run();
    ValueId runGraph(GraphId graph, ModuleId module, std::vector<ValueId> inputs, std::uint32_t depth, bool described);
    void runNode(Frame& frame, NodeId id, std::span<const ValueId> inputs, std::size_t& nextInput);
    ValueId placeholder(Frame& frame, const Node& node, std::span<const ValueId> inputs, std::size_t& nextInput);
    ValueId attribute(Frame& frame, NodeId id);
    ValueId tensor(TensorId id);
    ModuleId findModule(ModuleId module, InternedString target) const;
    ValueId callModule(Frame& frame, NodeId id);
    ValueId callGraph(Frame& frame, NodeId id, GraphId graph, ModuleId module, const Call& call);
    ValueId callFunction(Frame& frame, NodeId id);

    // Calls (trace_calls.cpp)
    Call callOf(Frame& frame, const Node& node, bool sortKeywords);
    ValueId primitive(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call, TermId target);
    ValueId leafModule(Frame& frame, NodeId id, ModuleId module, const Call& call);
    [[nodiscard]] CallFacts factsOf(const OperatorFacts& facts, const Call& call) const;
    [[nodiscard]] Truth truthOf(ValueId value) const;
    void mergeSlots(std::span<const std::uint32_t> slots, const Call& call, ValueId result);
    void mergeAll(const Call& call, ValueId result);
    void followWrites(std::uint32_t step, const CallFacts& does, const Call& call, std::span<const ValueId> written, bool resizes,
                      bool shares);
    void noteUnknown(Op op, InternedString target);
    std::uint32_t pushStep(Frame& frame, NodeId id, TermId target, const Call& call, ValueId result);
    TermId functionTarget(InternedString name, Op op);
    void emitEffect(Frame& frame, NodeId id, TermId target, const Call& call);
    [[nodiscard]] CallRole roleOf(const Node& node, const OperatorFacts& facts, const Call& call) const;
    [[nodiscard]] TermId sizeOfInput(const Node& node, const Call& call) const;
    void describeStep(Frame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does, const Call& call,
                      Step& step);
    void settle(Frame& frame, const Node& node, const Call& call, CallFacts& does);
    [[nodiscard]] bool liesApart(const Frame& frame, const Node& node) const;
    void aliasResult(const Frame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does, const Call& call,
                     const Step& step);

    // What the file says of values (trace_descriptions.cpp)
    void describe(ValueId value, const Argument& val);
    [[nodiscard]] bool isDescribedAs(ValueId value, const Argument& val, int depth = 0) const;
    void checkDescription(Frame& frame, const Node& node, ValueId value);
    void checkArguments(Frame& frame, const Call& call) const;
    void describeCopies(const Frame& frame, const Node& node, const OperatorFacts& facts, Step& step) const;
    [[nodiscard]] bool mayResize(const Frame& frame, const Node& node, const CallFacts& does, const Call& call) const;
    void markReshaped(const Call& call, std::span<const ValueId> written);

    // Leaf modules and operators called by name (trace_modules.cpp)
    ModuleCallFacts factsOf(const Frame& frame, const Node& node, ModuleId module, const Call& call);
    [[nodiscard]] TermId moduleTarget(ModuleId module);
    void noteModule(const Module& module, const ModuleCallFacts& does);
    ValueId withEffects(Frame& frame, NodeId id, const Call& call);
    ValueId effectResults(Frame& frame, NodeId id, ValueId token, ValueId result);

    // Writes (trace_writes.cpp)
    void collectAll(const Call& call, std::vector<ValueId>& leaves) const;
    void collectSlots(std::span<const std::uint32_t> slots, const Call& call, std::vector<ValueId>& leaves) const;
    void collectWrites(const CallFacts& does, const Call& call, std::vector<ValueId>& written) const;
    void markWritten(const CallFacts& does, const Call& call, std::span<const ValueId> written);
    [[nodiscard]] bool changesContainer(const Node& node, const OperatorFacts& facts, const CallFacts& does,
                                        const Call& call) const;
    void collectMarked(Frame& frame, const Node& node, const Call& call, std::vector<ValueId>& marked) const;

    // State and closures (trace_regions.cpp)
    ValueId enterRegion(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call);
    [[nodiscard]] InternedString autocastField(ValueId device) const;
    TermId autocastSetting(TermId settings, ValueId dtype, InternedString field);
    void leaveRegion(Frame& frame, NodeId id, const Call& call);
    void setState(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call);
    ValueId stir(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call);
    TermId constantArguments(const Call& call, std::size_t first, bool& complete);
    ValueId invoke(Frame& frame, NodeId id, Call call);
    ValueId region(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call);
    ValueId closures(Frame& frame, NodeId id, const OperatorFacts& facts, const Call& call);
    void closureBody(Frame& frame, const Value& graph, std::span<const ValueId> operands, bool described);
    void shareMemory(ValueId result, ValueId value);
    static bool isCond(const Node& node) { return node.target.view() == "torch.ops.higher_order.cond"; }

    // Values (trace_values.cpp)
    ValueId valueOf(Frame& frame, const Argument& argument);
    ValueId containerOf(Frame& frame, const Argument& argument);
    ValueId leaf(TermId term);
    ValueId constant(TermId term);
    ValueId container(TermId shape, std::span<const ValueId> items);
    TermId shapeOf(ArgumentKind kind, InternedString cls, std::span<const TermId> keys = {});
    ValueId unknown(NodeRef node, std::string why);
    std::optional<ValueId> itemOf(const Value& value, const Value& key);
    std::optional<ValueId> sliceOf(const Value& value, const Value& slice);
    bool isPlainIndex(ValueId key) const;
    /// Whether a getitem of a tensor gathers elements into memory of its own: by a list or a tensor of indices.
    bool indexCopies(const Frame& frame, const Node& getItem) const;
    std::optional<ValueId> pythonContainer(std::string_view name, const Call& call);
    std::optional<ValueId> flatten(Frame& frame, NodeId id, const Call& call);
    std::optional<ValueId> unflatten(const Call& call);
    bool flattenInto(Frame& frame, NodeId id, ValueId value, const TreeSpec& spec, std::vector<ValueId>& leaves);
    std::optional<ValueId> buildTree(const TreeSpec& spec, std::span<const ValueId> leaves, std::size_t& next);
    const TreeSpec* treeSpec(ValueId value);
    TermId itemKey(const TreeSpec& spec, std::size_t index);
    void collectLeaves(ValueId value, std::vector<ValueId>& leaves) const;
    /// Notes which storage ids of the graph stand for memory that a value, made elsewhere, lies in.
    void alignKnown(Frame& frame, NodeId node, ValueId value);
    void alignWith(Frame& frame, ValueId value, const Argument& val, Alignment how, int depth = 0);
    ValueId add(Value value);
    Operands pool(std::span<const ValueId> values);
    void giveUp(NodeRef node, std::string why);
    /// Whether the program, written out, is too large to go on.
    [[nodiscard]] bool isTooLarge() const;
    void collectLeaves(ValueId value, std::vector<ValueId>& leaves, std::unordered_set<ValueId>& seen) const;
    [[nodiscard]] const Value& at(ValueId id) const { return m_trace.values[id.index()]; }
    [[nodiscard]] const Term& termOf(const Value& value) const { return m_terms[value.term]; }

    const Program& m_program;
    ModuleFacts m_leaves{m_program};
    Side m_side;
    TraceContext& m_context;
    Pulse& m_pulse;
    TermTable& m_terms;
    Trace m_trace;
    GlobalState m_state;
    std::vector<Entered> m_entered;
    std::vector<ValueId> m_tensors;                       ///< by TensorId; invalid until read
    std::vector<const Argument*> m_descriptions;          ///< by ValueId: what the file says of it; null where nothing
    std::unordered_map<std::uint32_t, std::uint32_t> m_storages; ///< region by number of storage
    std::unordered_map<ModuleId, std::uint32_t> m_calls;         ///< calls of each dispatcher so far
    std::unordered_map<std::uint32_t, std::optional<TreeSpec>> m_specs; ///< by the term of their text
    std::unordered_set<InternedString> m_ambiguous; ///< names that two tensors have
    std::vector<TermId> m_calledUnder;              ///< by GraphId: the state at the first call; invalid before
    std::unordered_set<InternedString> m_noted; ///< unknown targets that a note names
    std::uint32_t m_closures = 0;
    mutable std::uint64_t m_steps = 0; ///< work done: nodes, arguments, parts of containers looked at
    std::uint64_t m_mostValues = 0;
};

} // namespace sunder
