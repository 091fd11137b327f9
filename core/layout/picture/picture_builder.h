#pragma once

#include "layout/collapse/collapse.h"
#include "layout/picture/picture.h"

namespace sunder {

/// Draws one graph several times with different modules open, and computes everything that does not depend on open modules only
/// once. The program must outlive it.
class PictureBuilder {
public:
    /// Uses only `within`, `asides`, and `collapse` of the options. If `monitor` is cancelled, the builder is incomplete, and
    /// later calls report the cancellation. Linear in nodes and uses.
    PictureBuilder(const Program& program, GraphId graph, const PictureOptions& options, ProgressMonitor& monitor);

    /// See buildPicture().
    Result<Picture> build(const PictureOptions& options, const LayoutEngine& engine, ProgressMonitor& monitor) const;
    /// The same with known items: `items` is the result of collapsed() for these options.
    Result<Picture> build(const collapse::Collapsed& items, const PictureOptions& options, const LayoutEngine& engine,
                          ProgressMonitor& monitor) const;
    /// Returns the items of the picture without sizes and positions.
    Result<collapse::Collapsed> collapsed(const PictureOptions& options, ProgressMonitor& monitor) const;

    [[nodiscard]] const Graph& graph() const { return m_graph; }
    [[nodiscard]] const collapse::ScopeTree& scopes() const { return m_scopes; }
    [[nodiscard]] const collapse::UnitGraph& units() const { return m_units; }

private:
    const Program& m_program;
    const Graph& m_graph;
    collapse::ScopeTree m_scopes;
    collapse::UnitGraph m_units;
};

} // namespace sunder
