#pragma once

#include "random_program.h"
#include "value_types.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder::fuzz {

/// Adds a parameter, buffer or constant: now and then another name of an earlier one, or in the memory of the first.
void addTensor(Program& program, const std::string& fqn, TensorRole role, Random& random);

/// Draws the calls of one graph: what may follow what came before. Values are tensors of one shape, each known by its
/// node and the memory that it lies in.
class GraphDrawer {
public:
    struct Features {
        bool writes = false;
        bool views = false;
        bool random = false;
        bool state = false;
        bool effects = false;
        bool modules = false;
        bool graphs = false;
        bool attributes = true;
        bool repeats = false;
        bool sizes = false;
        bool deep = false; ///< nested graphs hold tensors, and do to them and to others what the root graph may do
    };
    struct Tensor {
        NodeId node;
        Cell cell;
    };

    GraphDrawer(Program& program, GraphId graph, const ValueTypes& types, const Features& features, Random& random,
                Cell& nextCell)
        : m_program(program), m_graphId(graph), m_types(types), m_features(features), m_random(random), m_nextCell(nextCell)
    {
    }

    NodeId placeholder(const char* name);
    void addTensorTable();
    /// So many calls more; regions that they open are closed again.
    void calls(int count);
    /// The output of one to three values in some structure.
    void output();
    [[nodiscard]] const std::vector<Tensor>& tensors() const { return m_tensors; }

private:
    void call();
    void plain();
    void nested();
    void split();
    void view();
    void write();
    void drawRandom();
    void state();
    void effect();
    void leafModule();
    void graphCall();
    void attribute();
    void scalar();
    void block();

    [[nodiscard]] Graph& graph() { return m_program.graph(m_graphId); }
    [[nodiscard]] Cell cellOf(NodeId node) const;
    const Tensor& any() { return m_tensors[m_random.below(m_tensors.size())]; }
    Argument anyValue() { return Argument::node(any().node); }
    Argument constant();
    void drawSize(NodeSpec& spec);
    NodeId add(NodeSpec spec);
    void keep(NodeSpec spec, Cell cell, bool requiresGrad = true);
    void keepFresh(NodeSpec spec) { keep(std::move(spec), m_nextCell++); }
    /// The path of a new graph that takes the operands. `result`: where what it returns lies, when that is memory of an
    /// operand or of a tensor of the program; else it is left alone.
    InternedString body(const char* name, const Arguments& operands, bool isBranch, std::optional<Cell>& result);

    Program& m_program;
    GraphId m_graphId;
    const ValueTypes& m_types;
    Features m_features;
    Random& m_random;
    Cell& m_nextCell;
    std::string m_path; ///< of the graph's module
    std::vector<Tensor> m_tensors;
    std::vector<NodeId> m_open; ///< regions of autocast entered and not left
    bool m_gradDisabled = false;
    int m_bodies = 0;
    int m_blocks = 0;
};

} // namespace sunder::fuzz
