#pragma once

#include "random_program.h"
#include "value_types.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder::fuzz {

/// Adds a parameter, buffer, or constant; sometimes as an alias of an earlier one or in the memory of the first.
void addTensor(Program& program, const std::string& fqn, TensorRole role, Random& random);

/// Generates the calls of one graph, each valid after the previous ones. Values are tensors of one shape, identified by their
/// node and their memory.
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
        bool deep = false; ///< nested graphs hold tensors and have all features of the root graph
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
    /// Adds `count` calls; regions that they open are closed again.
    void calls(int count);
    /// Adds the output: one to three values in some structure.
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
    /// Returns the path of a new graph with these operands. Sets `result` to the memory of its result if that belongs to an
    /// operand or to a tensor of the program.
    InternedString body(const char* name, const Arguments& operands, bool isBranch, std::optional<Cell>& result);

    Program& m_program;
    GraphId m_graphId;
    const ValueTypes& m_types;
    Features m_features;
    Random& m_random;
    Cell& m_nextCell;
    std::string m_path; ///< of the graph's module
    std::vector<Tensor> m_tensors;
    std::vector<NodeId> m_open; ///< autocast regions entered and not left
    bool m_gradDisabled = false;
    int m_bodies = 0;
    int m_blocks = 0;
};

} // namespace sunder::fuzz
