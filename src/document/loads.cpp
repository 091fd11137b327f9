#include "document/loads.h"

#include "document/document.h"
#include "document/text.h"

#include <algorithm>
#include <utility>

namespace sunder {

void Loads::reset()
{
    drop(std::exchange(m_job, {}));
    release(std::exchange(m_problem, nullptr));
    m_state = State::absent;
    m_of.reset();
    m_areOfInterest = m_ignoresDevices = m_overlap = m_atModules = false;
    m_order.clear();
}

/// Returns the options without measured costs, which are large.
BalanceOptions Loads::options() const
{
    BalanceOptions options{.atModules = m_atModules, .overlap = m_overlap};
    if (!m_ignoresDevices)
        options.devices = document().devices().list();
    if (options.devices.empty())
        options.stages = static_cast<std::uint32_t>(std::max(1, document().tagCount()));
    return options;
}

bool Loads::isFor(const BalanceOptions& options) const
{
    return m_of == snapshot() && m_measuredRead == document().costs().measuredRead() && m_options.devices == options.devices
        && m_options.stages == options.stages && m_options.atModules == options.atModules && m_options.overlap == options.overlap;
}

void Loads::want()
{
    if (!document().isOpen())
        return;
    BalanceOptions wanted = options();
    if (m_state != State::absent && isFor(wanted))
        return;
    drop(std::exchange(m_job, {}));
    release(std::exchange(m_problem, nullptr));
    m_state = State::underWay;
    m_why.clear();
    m_of = snapshot();
    m_options = wanted;
    m_measuredRead = document().costs().measuredRead();
    wanted.measured = document().costs().measured();
    const JobId job = computeLater<BalancePlanPtr>(
        {.key = QStringLiteral("loads"), .title = tr("Compute loads"), .quiet = true},
        [snapshot = snapshot(), wanted](ProgressMonitor& monitor) -> Result<BalancePlanPtr> {
            SUNDER_TRY(BalancePlan plan, unsolvedPlan(snapshot->program, wanted, monitor));
            return std::make_shared<const BalancePlan>(std::move(plan));
        },
        [this](Result<BalancePlanPtr> made) {
            m_job = {};
            m_state = made ? State::known : State::failed;
            if (made)
                m_problem = std::move(*made);
            else
                m_why = sentence(sunder::describe(made.error()));
            announce(Change::costs);
        });
    if (m_state == State::underWay)
        m_job = job;
}

std::optional<CutLoads> Loads::of(const TagAssignment& tags) const
{
    if (!m_problem || m_of != snapshot())
        return std::nullopt;
    Result<CutLoads> cut = cutLoads(*m_problem, tags, order());
    return cut ? std::optional(std::move(*cut)) : std::nullopt;
}

std::vector<std::uint32_t> Loads::order() const
{
    return m_problem && m_order.size() == m_problem->devices.size() ? m_order : std::vector<std::uint32_t>();
}

void Loads::follow(const BalanceOptions& options, const BalancePlan& plan)
{
    m_areOfInterest = true;
    m_ignoresDevices = options.devices.empty();
    m_overlap = options.overlap;
    m_atModules = options.atModules;
    m_order = options.anyOrder ? plan.result.deviceOf : std::vector<std::uint32_t>();
}

void Loads::explain(const TagAssignment& tags, Words words, std::function<void(const QString&)> done)
{
    BalanceOptions wanted = options();
    wanted.measured = document().costs().measured();
    wanted.stages = wanted.devices.empty() ? static_cast<std::uint32_t>(std::max<std::size_t>(1, tags.order.size())) : 0;
    const BalancePlanPtr known = isFor(options()) && wanted.stages == m_options.stages ? m_problem : nullptr;
    computeLater<QString>(
        {.key = QStringLiteral("why"), .title = tr("Explain a stage"), .quiet = true},
        [snapshot = snapshot(), wanted, known, tags, order = m_order,
         words = std::move(words)](ProgressMonitor& monitor) -> Result<QString> {
            BalancePlan made;
            if (!known) {
                SUNDER_TRY(made, unsolvedPlan(snapshot->program, wanted, monitor));
            }
            const BalancePlan& problem = known ? *known : made;
            const bool isOrdered = order.size() == problem.devices.size();
            const Result<BalancePlan> plan = planOfTags(snapshot->program, problem, tags,
                                                        isOrdered ? std::span(order) : std::span<const std::uint32_t>());
            if (!plan)
                return sentence(sunder::describe(plan.error()));
            return words(snapshot->program, *plan);
        },
        [done = std::move(done)](const Result<QString>& found) {
            if (found)
                done(*found);
            else if (isFault(found.error()))
                done(sentence(sunder::describe(found.error())));
        });
}

namespace {

QString joined(const std::vector<std::string>& sentences)
{
    QStringList texts;
    for (const std::string& one : sentences)
        texts << text(one);
    return texts.join(QLatin1Char(' '));
}

} // namespace

void Loads::explainOp(NodeId op, const TagAssignment& tags, std::function<void(const QString&)> done)
{
    const auto words = [op](const Program& program, const BalancePlan& plan) {
        return (text(stageOfCall(program, plan, op)) + QLatin1Char(' ') + joined(whyInStage(program, plan, op))).trimmed();
    };
    explain(tags, words, std::move(done));
}

void Loads::explainTag(std::int32_t tag, const TagAssignment& tags, std::function<void(const QString&)> done)
{
    const InternedString name = tags.order[static_cast<std::size_t>(tag)];
    const auto words = [name](const Program& program, const BalancePlan& plan) {
        const auto at = std::ranges::find(plan.tags.order, name);
        return at == plan.tags.order.end()
            ? QString()
            : joined(whyStage(program, plan, static_cast<std::uint32_t>(at - plan.tags.order.begin())));
    };
    explain(tags, words, std::move(done));
}

void Loads::explainDevice(std::uint32_t device, const TagAssignment& tags, std::function<void(const QString&)> done)
{
    if (options().devices.empty()) {
        done(tr("The tags are balanced for equal devices, not for these."));
        return;
    }
    const auto words = [device](const Program& program, const BalancePlan& plan) {
        const std::vector<std::uint32_t>& devices = plan.result.deviceOf;
        const auto at = std::ranges::find(devices, device);
        return at == devices.end() ? tr("It has no stage: there are more devices than tags.")
                                   : joined(whyStage(program, plan, static_cast<std::uint32_t>(at - devices.begin())));
    };
    explain(tags, words, std::move(done));
}

} // namespace sunder
