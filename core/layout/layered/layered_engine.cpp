#include "layout/layered/layered_layout.h"

namespace sunder {
namespace {

class LayeredEngine final : public LayoutEngine {
public:
    [[nodiscard]] Result<BoxLayout> layout(const BoxGraph& graph, const LayoutOptions& options,
                                           ProgressMonitor& monitor) const override
    {
        return layered::layOutInRanks(graph, options, {}, monitor);
    }

    [[nodiscard]] const char* name() const override { return "layered"; }
};

} // namespace

std::unique_ptr<LayoutEngine> makeLayeredEngine()
{
    return std::make_unique<LayeredEngine>();
}

} // namespace sunder
