#include "layout/dot/dot_effort.h"
#include "layout/layout_memory.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace sunder {
namespace {

std::uint32_t millisecondsSince(std::chrono::steady_clock::time_point start)
{
    const auto took = std::chrono::steady_clock::now() - start;
    return static_cast<std::uint32_t>(std::chrono::duration_cast<std::chrono::milliseconds>(took).count());
}

/// Holds both engines and chooses between them for each body.
class EngineChoice {
public:
    explicit EngineChoice(std::unique_ptr<LayoutEngine> dotOrNull) : m_dot(std::move(dotOrNull)), m_layered(makeLayeredEngine())
    {
    }

    /// Runs the layered engine first: it takes about a millisecond, and dot cannot improve a drawing without crossings. Otherwise
    /// tries dot if the budget allows it, and returns the drawing with fewer crossings. A layout that continues a previous one
    /// always uses the layered engine, because only that engine supports it.
    [[nodiscard]] Result<BoxLayout> layout(const BoxGraph& graph, LayoutOptions options, DotBudget& budget,
                                           ProgressMonitor& monitor) const
    {
        Result<BoxLayout> ours = m_layered->layout(graph, options, monitor);
        if (!ours || ours->crossings == 0 || !m_dot || !options.previousCenters.empty())
            return ours;
        const std::optional<std::uint64_t> work = predictDotWork(layered::measureRanks(graph));
        if (!work || !budget.allows(*work, ours->crossings))
            return ours;
        options.timeLimitMs = std::min(options.timeLimitMs, budget.millisecondsLeft());
        const auto start = std::chrono::steady_clock::now();
        Result<BoxLayout> dots = m_dot->layout(graph, options, monitor);
        budget.spend(*work, millisecondsSince(start));
        if (!dots && dots.error().code == ErrorCode::cancelled)
            return dots;
        return dots && dots->crossings < ours->crossings ? std::move(dots) : std::move(ours);
    }

private:
    std::unique_ptr<LayoutEngine> m_dot;
    std::unique_ptr<LayoutEngine> m_layered;
};

/// Shares one budget and one layout memory among all bodies.
class PictureEngine final : public LayoutEngine {
public:
    explicit PictureEngine(std::shared_ptr<const EngineChoice> choice) : m_choice(std::move(choice)) {}

    [[nodiscard]] Result<BoxLayout> layout(const BoxGraph& graph, const LayoutOptions& options,
                                           ProgressMonitor& monitor) const override
    {
        std::string key = LayoutMemory::keyOf(graph, options);
        if (const BoxLayout* known = m_memory.find(key))
            return *known;
        Result<BoxLayout> layout = m_choice->layout(graph, options, m_budget, monitor);
        if (layout)
            m_memory.keep(std::move(key), *layout);
        return layout;
    }

    [[nodiscard]] const char* name() const override { return "automatic"; }

private:
    std::shared_ptr<const EngineChoice> m_choice;
    mutable DotBudget m_budget;
    mutable LayoutMemory m_memory;
};

class AutomaticEngine final : public LayoutEngine {
public:
    explicit AutomaticEngine(std::unique_ptr<LayoutEngine> dotOrNull)
        : m_choice(std::make_shared<const EngineChoice>(std::move(dotOrNull)))
    {
    }

    [[nodiscard]] Result<BoxLayout> layout(const BoxGraph& graph, const LayoutOptions& options,
                                           ProgressMonitor& monitor) const override
    {
        DotBudget budget;
        return m_choice->layout(graph, options, budget, monitor);
    }

    [[nodiscard]] std::unique_ptr<LayoutEngine> forPicture() const override { return std::make_unique<PictureEngine>(m_choice); }

    [[nodiscard]] const char* name() const override { return "automatic"; }

private:
    std::shared_ptr<const EngineChoice> m_choice;
};

} // namespace

std::unique_ptr<LayoutEngine> makeAutomaticEngine(std::unique_ptr<LayoutEngine> dotOrNull)
{
    return std::make_unique<AutomaticEngine>(std::move(dotOrNull));
}

} // namespace sunder
