#include "layout/automatic_choice.h"

namespace sunder {
namespace {

/// Ours first: it costs a millisecond, and where it crosses nothing dot has nothing to better. Otherwise dot's order is
/// tried, where it can be had in time, and the drawing with fewer crossings wins. A layout that continues a former one
/// stays with ours, which knows how to.
class AutomaticEngine final : public LayoutEngine {
public:
    explicit AutomaticEngine(std::unique_ptr<LayoutEngine> dotOrNull)
        : m_dot(std::move(dotOrNull)), m_layered(makeLayeredEngine())
    {
    }

    [[nodiscard]] Result<BoxLayout> layout(const BoxGraph& graph, const LayoutOptions& options,
                                           ProgressMonitor& monitor) const override
    {
        Result<BoxLayout> ours = m_layered->layout(graph, options, monitor);
        if (!ours || ours->crossings == 0 || !m_dot || !options.previousCenters.empty())
            return ours;
        if (predictDot(layered::measureRanks(graph)) == DotEffort::none)
            return ours;
        Result<BoxLayout> dots = m_dot->layout(graph, options, monitor);
        if (!dots && dots.error().code == ErrorCode::cancelled)
            return dots;
        return dots && dots->crossings < ours->crossings ? std::move(dots) : std::move(ours);
    }

    [[nodiscard]] const char* name() const override { return "automatic"; }

private:
    std::unique_ptr<LayoutEngine> m_dot;
    std::unique_ptr<LayoutEngine> m_layered;
};

} // namespace

std::unique_ptr<LayoutEngine> makeAutomaticEngine(std::unique_ptr<LayoutEngine> dotOrNull)
{
    return std::make_unique<AutomaticEngine>(std::move(dotOrNull));
}

} // namespace sunder
