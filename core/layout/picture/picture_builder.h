#pragma once

#include "layout/collapse/collapse.h"
#include "layout/picture/picture.h"

namespace sunder {

/// Draws one graph several times, with other modules open. What is known of the graph before anything is open is worked out
/// once. The program must outlive it.
class PictureBuilder {
public:
    /// Of the options count `within`, `asides` and `collapse`. Unfinished once `monitor` was cancelled, which what is
    /// asked of it then says again. Linear in nodes and uses.
    PictureBuilder(const Program& program, GraphId graph, const PictureOptions& options, ProgressMonitor& monitor);

    /// As buildPicture() does.
    Result<Picture> build(const PictureOptions& options, const LayoutEngine& engine, ProgressMonitor& monitor) const;
    /// The same once it is known what is in it: `items` as collapsed() gives them for these options.
    Result<Picture> build(const collapse::Collapsed& items, const PictureOptions& options, const LayoutEngine& engine,
                          ProgressMonitor& monitor) const;
    /// What would be in the picture, without sizes and places.
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
