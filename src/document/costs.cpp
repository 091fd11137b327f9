#include "document/costs.h"

#include "document/document.h"
#include "document/text.h"
#include "io/drawings/node_data.h"
#include "io/side_files/costs_file.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

const QString kFlops = QStringLiteral("flops");
const QString kBytes = QStringLiteral("bytes");
const QString kSeconds = QStringLiteral("seconds");
const QString kData = QStringLiteral("data:");
const QString kCostsKey = QStringLiteral("costs");

} // namespace

void Costs::reset()
{
    m_measured = std::make_shared<const MeasuredCosts>();
    m_measuredPaths.clear();
    m_measuredBefore = m_measured;
    ++m_measuredRead;
    m_numbers.clear();
    m_chosenDevice.reset();
    recount();
}

void Costs::recount()
{
    drop(std::exchange(m_job, {}));
    release(std::exchange(m_known, nullptr));
    m_state = State::absent;
    m_deviceOf.reset();
}

std::vector<const Device*> Costs::timedDevices() const
{
    std::vector<const Device*> timed;
    for (const Device& device : document().devices().list())
        if (device.memoryBytesPerSecond && (device.flopsPerSecond || !device.rates.empty()))
            timed.push_back(&device);
    return timed;
}

const Device* Costs::device() const
{
    const std::vector<const Device*> timed = timedDevices();
    const auto chosen = std::ranges::find_if(timed, [this](const Device* device) { return device->logicalId == m_chosenDevice; });
    return chosen != timed.end() ? *chosen : timed.empty() ? nullptr : timed.front();
}

void Costs::setDevice(std::optional<std::int64_t> logicalId)
{
    if (std::exchange(m_chosenDevice, logicalId) == logicalId)
        return;
    if (m_state != State::absent)
        want();
    announce(Change::costs);
}

void Costs::want()
{
    if (!document().isOpen() || m_state == State::failed)
        return;
    const Device* now = device();
    const bool isSame = now == nullptr ? !m_deviceOf : m_deviceOf == *now;
    if (m_state == State::absent || !isSame)
        start();
}

void Costs::retry()
{
    if (document().isOpen() && m_state == State::failed)
        start();
}

void Costs::start()
{
    drop(std::exchange(m_job, {}));
    m_state = State::underWay;
    m_why.clear();
    m_deviceOf = device() != nullptr ? std::optional(*device()) : std::nullopt;
    Known known;
    if (m_known)
        known = {.counts = m_known->counts, .flops = m_known->flops, .bytes = m_known->bytes};
    using Found = std::shared_ptr<const Known>;
    const JobId job = computeLater<Found>(
        {.key = kCostsKey, .title = tr("Count the costs"), .quiet = true},
        [snapshot = snapshot(), known, device = m_deviceOf, measured = m_measured](ProgressMonitor& monitor) -> Result<Found> {
            return count(snapshot->program, known, device, *measured, monitor);
        },
        [this](Result<Found> found) { take(std::move(found)); });
    if (m_state == State::underWay)
        m_job = job;
}

Result<std::shared_ptr<const Costs::Known>> Costs::count(const Program& program, Known known, const std::optional<Device>& device,
                                                         const MeasuredCosts& measured, ProgressMonitor& monitor)
{
    if (!known.counts) {
        SUNDER_TRY(ProgramCosts counted, programCosts(program, monitor));
        known.flops = std::make_shared<const CostFigures>(flopFigures(program, counted));
        known.bytes = std::make_shared<const CostFigures>(byteFigures(program, counted));
        known.counts = std::make_shared<const ProgramCosts>(std::move(counted));
    }
    if (device || !measured.nodes.empty()) {
        Result<ProgramSeconds> seconds = nodeSeconds(program, *known.counts, device ? &*device : nullptr, measured);
        if (seconds) {
            known.times = std::make_shared<const CostFigures>(secondFigures(program, *seconds));
            known.seconds = std::move(*seconds);
        } else {
            known.refusal = sentence(sunder::describe(seconds.error()));
        }
    }
    return std::make_shared<const Known>(std::move(known));
}

void Costs::take(Result<std::shared_ptr<const Known>> found)
{
    m_job = {};
    if (found) {
        m_state = State::known;
        release(std::exchange(m_known, std::move(*found)));
    } else {
        m_state = State::failed;
        m_why = sentence(sunder::describe(found.error()));
    }
    announce(Change::costs);
}

QString Costs::originsOf(std::span<const NodeId> nodes) const
{
    const ProgramSeconds* known = seconds();
    if (known == nullptr)
        return {};
    bool isModeled = false;
    std::vector<bool> isRead(m_measured->sources.size());
    for (const NodeId id : nodes) {
        if (id.index() >= known->nodes.size() || !known->nodes[id.index()].seconds)
            continue;
        if (const std::optional<std::uint32_t> source = known->nodes[id.index()].source)
            isRead[*source] = true;
        else
            isModeled = true;
    }
    QStringList origins;
    for (std::size_t i = 0; i < isRead.size(); ++i)
        if (isRead[i])
            origins += QFileInfo(text(m_measured->sources[i])).fileName();
    if (isModeled)
        origins += m_deviceOf ? tr("cost model, %1").arg(text(m_deviceOf->name)) : tr("cost model");
    return origins.join(QStringLiteral("; "));
}

CostFiguresPtr Costs::figures(const QString& id) const
{
    for (const CostFiguresPtr& numbers : m_numbers)
        if (id == kData + exact(numbers->name))
            return numbers;
    if (!m_known)
        return nullptr;
    return id == kFlops ? m_known->flops : id == kBytes ? m_known->bytes : id == kSeconds ? m_known->times : nullptr;
}

std::vector<CostChoice> Costs::choices() const
{
    std::vector<CostChoice> all = countedChoices();
    for (const CostFiguresPtr& numbers : m_numbers)
        all.push_back({kData + exact(numbers->name), brief(text(numbers->name), 40), tr("Numbers from a file, without a unit")});
    return all;
}

std::vector<CostChoice> Costs::countedChoices() const
{
    std::vector<CostChoice> all{
        {kFlops, tr("FLOPs"), tr("Floating-point operations of matrix products, convolutions, and attention")},
        {kBytes, tr("Bytes"), tr("Bytes that ops read and write")}};
    const bool isModeled = device() != nullptr;
    if (!isModeled && m_measured->nodes.empty())
        return all;
    const QString model = isModeled ? tr("Seconds by the cost model of %1").arg(text(device()->name)) : QString();
    const QString measured = m_measured->nodes.empty() ? QString() : tr("Measured seconds");
    QString tip = model.isEmpty() ? measured : measured.isEmpty() ? model : tr("%1; others: %2").arg(measured, model);
    if (m_known && !m_known->refusal.isEmpty())
        tip = m_known->refusal;
    all.push_back({kSeconds, tr("Seconds"), tip});
    return all;
}

QString Costs::describe(std::span<const NodeId> nodes) const
{
    QStringList words;
    std::vector<CostFiguresPtr> all;
    if (m_known)
        all = {m_known->flops, m_known->bytes, m_known->times};
    all.insert(all.end(), m_numbers.begin(), m_numbers.end());
    for (const CostFiguresPtr& figures : all) {
        if (!figures)
            continue;
        const CostFigure sum = figures->sum(nodes);
        if (sum.isEmpty())
            continue;
        QString word = text(sunder::describe(*figures, sum));
        if (!sum.isKnown() || figures->unit == CostUnit::number)
            word = tr("%1 %2").arg(text(figures->name), word);
        else if (const std::string share = costShareText(*figures, sum); !share.empty())
            word = tr("%1 (%2)").arg(word, text(share));
        words += figures->unit == CostUnit::byte ? tr("%1 moved").arg(word) : word;
    }
    return words.join(QStringLiteral(", "));
}

void Costs::setListed(const QString& id)
{
    if (m_listed == id)
        return;
    m_listed = id;
    if (!id.isEmpty())
        want();
    announce(Change::costs);
}

void Costs::readNumbers(const QString& path)
{
    if (!document().isOpen())
        return;
    readNumbers(
        tr("Read %1").arg(visible(QFileInfo(path).fileName())),
        [path = path.toStdString()](const Program& program) -> Result<NumberFigures> {
            SUNDER_TRY(const NodeData data, readNodeData(program, path));
            const std::string file = QFileInfo(exact(path)).completeBaseName().toStdString();
            return NumberFigures{
                std::make_shared<const CostFigures>(numberFigures(program, data.name.empty() ? file : data.name, data.values))};
        },
        [this] { document().touch(Change::costs); });
}

/// Adds the figures of node data that `work` returns in a job.
void Costs::readNumbers(const QString& title, std::function<Result<NumberFigures>(const Program&)> work,
                        std::function<void()> done)
{
    computeLater<NumberFigures>(
        {.key = QStringLiteral("node data"), .title = title},
        [snapshot = snapshot(), work = std::move(work)](ProgressMonitor&) { return work(snapshot->program); },
        [this, of = snapshot(), done = std::move(done)](const Result<NumberFigures>& read) {
            if (!document().isOf(of))
                return;
            if (!read) {
                if (isFault(read.error()))
                    say(tr("Node data was not read: %1").arg(sentence(sunder::describe(read.error()))));
                return;
            }
            for (const CostFiguresPtr& one : *read) {
                std::erase_if(m_numbers, [&](const CostFiguresPtr& known) { return known->name == one->name; });
                m_numbers.push_back(one);
            }
            done();
        });
}

void Costs::readMeasured(const QString& path)
{
    if (!document().isOpen())
        return;
    std::vector<std::string> paths = m_measuredPaths;
    paths.push_back(path.toStdString());
    measure(
        tr("Read %1").arg(visible(QFileInfo(path).fileName())),
        [before = m_measuredBefore, paths](const Program& program) { return readCostsFiles(program, paths, *before); },
        [this, paths] {
            m_measuredPaths = paths;
            document().touch();
        });
}

void Costs::takeMeasured(const std::string& costs, const QString& source)
{
    if (document().isOpen())
        addMeasured(costs, source, [this] { document().touch(); });
}

void Costs::addMeasured(const std::string& costs, const QString& source, std::function<void()> done)
{
    measure(
        tr("Take measured costs"),
        [now = m_measured, costs, source = source.toStdString()](const Program& program) -> Result<MeasuredCosts> {
            MeasuredCosts all = *now;
            SUNDER_PROPAGATE(addCosts(program, costs, source, all));
            return all;
        },
        [this, done = std::move(done)] {
            m_measuredBefore = m_measured;
            m_measuredPaths.clear();
            done();
        });
}

/// Replaces the measured costs by those that `work` returns in a job.
void Costs::measure(const QString& title, std::function<Result<MeasuredCosts>(const Program&)> work, std::function<void()> done)
{
    using Read = std::shared_ptr<const MeasuredCosts>;
    computeLater<Read>(
        {.key = QStringLiteral("measured costs"), .title = title},
        [snapshot = snapshot(), work = std::move(work)](ProgressMonitor&) -> Result<Read> {
            SUNDER_TRY(MeasuredCosts read, work(snapshot->program));
            return std::make_shared<const MeasuredCosts>(std::move(read));
        },
        [this, of = snapshot(), done = std::move(done)](const Result<Read>& read) {
            if (!document().isOf(of))
                return;
            if (!read) {
                if (isFault(read.error()))
                    say(tr("Costs were not read: %1").arg(sentence(sunder::describe(read.error()))));
                return;
            }
            m_measured = *read;
            ++m_measuredRead;
            done();
            start();
        });
}

void Costs::resume(const std::string& costs, const QString& source, const std::vector<std::string>& nodeData)
{
    if (!document().isOpen())
        return;
    if (!costs.empty())
        addMeasured(costs, source, [] {});
    if (nodeData.empty())
        return;
    readNumbers(
        tr("Read the node data of the project"),
        [nodeData](const Program& program) -> Result<NumberFigures> {
            NumberFigures read;
            for (const std::string& one : nodeData) {
                SUNDER_TRY(const NodeData data, parseNodeData(program, one, "the project"));
                read.push_back(std::make_shared<const CostFigures>(numberFigures(program, data.name, data.values)));
            }
            return read;
        },
        [this] { announce(Change::costs); });
}

} // namespace sunder
