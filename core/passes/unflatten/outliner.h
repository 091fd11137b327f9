#pragma once

#include "passes/unflatten/node_table.h"
#include "passes/unflatten/outline.h"

#include <unordered_map>

namespace sunder {

/// The call of a module whose nodes are being copied.
struct OutlineFrame {
    InternedString path;
    ObjectId object;
    ObjectGraphId graph;
    NodeId callNode;      ///< in the graph of the frame before; invalid for the root
    const CallSignature* signature = nullptr; ///< of this call
    bool closed = false;  ///< the module's signature is preserved: only its arguments come in
    bool hasCustom = false; ///< a copied node has custom metadata
    Arguments late = {};  ///< arguments found while nodes were copied; they come first, the last one foremost
    NodeTable nodes = {}; ///< flat → its copy, or what stands for what a call gives
    std::vector<NodeId> order = {}; ///< keys of `nodes`, by first entry
    NodeTable inputs = {}; ///< flat → placeholder, read of a tensor, or item of the flattened arguments
    NodeId lastInput = {}; ///< the last placeholder in the graph, which is the one made first
    NodeId lastRead = {};  ///< of a tensor
    std::uint32_t openedAt = 0; ///< how many tensors had been read when the call began
};

/// Walks the flat graph once with a stack of frames; see outline().
class Outliner {
public:
    Outliner(const Program& flat, const ModuleStacks& stacks, const CallSignatures& signatures, const TensorNames* tensors,
             const UnflattenOptions& options);

    Result<Outline> run(ProgressMonitor& monitor);

private:
    [[nodiscard]] Graph& graphOf(std::size_t frame) { return m_outline.objects.graph(m_frames[frame].graph); }
    [[nodiscard]] bool isSeen(NodeId flat) const { return m_positions[flat.index()] < m_at; }
    [[nodiscard]] bool failed() const { return m_error || m_outline.unreachable; }
    void stop(std::string message, NodeId flat, std::string other = {});
    void indexFlat();
    void indexTensors();
    NodeId create(std::size_t frame, NodeSpec spec) { return m_outline.create(m_frames[frame].graph, std::move(spec)); }
    void note(std::size_t frame, NodeId flat, NodeId node, bool created);

    // The walk.
    void step(NodeId id);
    [[nodiscard]] std::size_t runLength(NodeId id) const;
    void copyNode(NodeId id);
    void keepAttribute(NodeId id);
    void addAttributes();

    // Calls.
    void open(ModuleStacks::CallId call, InternedString key);
    ObjectId placed(InternedString path, InternedString below);
    void displace(ChildTableId table, InternedString name, ObjectId by);
    ChildTableId holder(std::string_view prefix);
    void push(InternedString path, ObjectId object, NodeId callNode);
    std::uint32_t join(ObjectId object, InternedString key, std::uint32_t call);
    void close();
    std::vector<NodeId> closePlain(NodeId& given);
    std::vector<NodeId> closePreserved(NodeId& given);
    void liftCustom();

    // Preserved signatures.
    void adaptInputs();
    void passInputs();
    NodeId addSpec(std::size_t frame, const Argument& spec);
    NodeId call(std::size_t frame, std::string_view target, Arguments args);
    NodeId item(std::size_t frame, NodeId of, Argument key, InternedString name = {});

    // Values.
    NodeId remap(std::size_t frame, NodeId flat);
    NodeId passDown(std::size_t frame, NodeId flat);
    NodeId readTensor(std::size_t frame, NodeId flat);
    void markSunk(std::size_t frame);
    NodeId recompute(std::size_t frame, NodeId flat);
    NodeId readCrossing(std::size_t frame, NodeId flat);
    NodeId readAttribute(std::size_t frame, NodeId flat);
    void giveUp(std::size_t frame, NodeId flat);
    void writeCrossings();
    void writeCrossing(const OutlinePair& pair, ObjectId owner);

    const Program& m_program;
    const Graph& m_flat;
    const ModuleStacks& m_stacks;
    const CallSignatures& m_signatures;
    const TensorNames* m_tensors; ///< null: tensors are passed as arguments
    const UnflattenOptions& m_options;
    Outline m_outline;
    std::vector<OutlineFrame> m_frames;
    std::vector<OutlineFrame> m_spare; ///< closed frames, for their memory
    std::vector<ModuleStacks::CallId> m_stack; ///< of the frames
    StackId m_atStack;                         ///< the stack that the frames follow; invalid when it is not known
    std::vector<std::uint32_t> m_positions;    ///< of flat nodes
    std::vector<std::uint32_t> m_lastUse;      ///< position of the last user of each flat node
    std::uint32_t m_at = 0;                    ///< position of the node that is being copied
    std::uint32_t m_depth = 0;                 ///< of remap()
    std::uint32_t m_crossingDepth = 0;         ///< of readCrossing()
    FlatMap<ObjectId> m_implied;          ///< path → module made on the way to another; invalid: since called
    FlatMap<std::uint32_t> m_firstCall;   ///< key → first call of the module
    std::unordered_map<std::uint64_t, std::uint32_t> m_nextCall; ///< table and name → call index to try next
    std::vector<std::uint32_t> m_callOf;  ///< per object: its call; kNone: it was never called
    std::vector<std::uint64_t> m_placeOf; ///< per call: table and name where its object stands
    std::vector<std::uint32_t> m_tensorOf; ///< per flat node: number of the tensor that it is read as; kNone: none
    std::vector<std::uint32_t> m_readAt;  ///< per flat node: which read its last one was, from 1
    static constexpr std::uint32_t kNone = 0xffffffffU;
    std::vector<std::pair<ObjectId, InternedString>> m_attributes; ///< graphs that nodes read, by reader
    NodeTable m_crossingValues; ///< flat nodes that were read where they are no argument
    std::optional<Error> m_error;
};

} // namespace sunder
