#pragma once

#include "passes/unflatten/node_table.h"
#include "passes/unflatten/outline.h"

#include <unordered_map>

namespace sunder {

/// The call of a module whose nodes are being copied.
struct OutlineFrame {
    InternedString path;
    ObjectId object;
    NodeId callNode;      ///< in the graph of the frame before; invalid for the root
    const CallSignature* signature = nullptr; ///< of this call
    bool closed = false;  ///< the module's signature is preserved: only its arguments come in
    bool hasCustom = false; ///< a copied node has custom metadata
    Arguments late = {};  ///< arguments found while nodes were copied; they come first, the last one foremost
    NodeTable nodes = {}; ///< flat → its copy, or what stands for what a call gives
    std::vector<NodeId> order = {}; ///< keys of `nodes`, by first entry
    NodeTable inputs = {}; ///< flat → placeholder, or item of the flattened arguments
};

/// Walks the flat graph once with a stack of frames; see outline().
class Outliner {
public:
    Outliner(const Program& flat, const ModuleStacks& stacks, const CallSignatures& signatures,
             const UnflattenOptions& options);

    Result<Outline> run(ProgressMonitor& monitor);

private:
    [[nodiscard]] Graph& graphOf(std::size_t frame) { return m_outline.objects.graphOf(m_frames[frame].object); }
    [[nodiscard]] bool isSeen(NodeId flat) const { return m_positions[flat.index()] < m_at; }
    [[nodiscard]] bool failed() const { return m_error || m_outline.unreachable; }
    void stop(std::string message, NodeId flat, std::string other = {});
    void indexFlat();
    void note(std::size_t frame, NodeId flat, NodeId node, bool created);

    // The walk.
    void step(NodeId id);
    void copyNode(NodeId id);
    void keepAttribute(NodeId id);
    void addAttributes();

    // Calls.
    void open(ModuleStacks::CallId call, InternedString key);
    ObjectId placed(InternedString path, InternedString name);
    void displace(ChildTableId table, InternedString name, ObjectId by);
    ChildTableId holder(std::string_view prefix);
    void push(InternedString path, ObjectId object, NodeId callNode);
    void join(ObjectId object, InternedString key);
    void close();
    std::vector<NodeId> closePlain(NodeId& given);
    std::vector<NodeId> closePreserved(NodeId& given);
    void liftCustom();

    // Preserved signatures.
    void adaptInputs();
    void passInputs();
    NodeId addSpec(std::size_t frame, const Argument& spec);

    // Values.
    NodeId remap(std::size_t frame, NodeId flat);
    NodeId passDown(std::size_t frame, NodeId flat);
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
    const UnflattenOptions& m_options;
    Outline m_outline;
    std::vector<OutlineFrame> m_frames;
    std::vector<OutlineFrame> m_spare; ///< closed frames, for their memory
    std::vector<ModuleStacks::CallId> m_stack; ///< of the frames
    std::vector<std::uint32_t> m_positions;    ///< of flat nodes
    std::vector<std::uint32_t> m_lastUse;      ///< position of the last user of each flat node
    std::uint32_t m_at = 0;                    ///< position of the node that is being copied
    std::uint32_t m_depth = 0;                 ///< of remap()
    std::uint32_t m_crossingDepth = 0;         ///< of readCrossing()
    std::unordered_map<InternedString, ObjectId> m_implied;      ///< path → module made on the way to another
    std::unordered_map<InternedString, std::uint32_t> m_groupOf; ///< key → group
    std::unordered_map<std::uint64_t, std::uint32_t> m_nextCall; ///< table and name → call index to try next
    std::unordered_map<std::uint64_t, std::uint32_t> m_callAt;   ///< table and name → the call whose object is there
    std::vector<std::pair<ObjectId, InternedString>> m_attributes; ///< graphs that nodes read, by reader
    NodeTable m_crossingValues; ///< flat nodes that were read where they are no argument
    std::optional<Error> m_error;
};

} // namespace sunder
