#include "panes/source_colors.h"

#include "document/text.h"
#include "models/look.h"
#include "support/json_writer.h"

#include <QFileDialog>
#include <QMenu>

#include <algorithm>

namespace sunder {
namespace {
constexpr std::string_view kFollowsRuns = "shown";
} // namespace

SourceColors::SourceColors(Document& document, QWidget* parent) : QToolButton(parent), m_document(document)
{
    setObjectName(QStringLiteral("sourceColors"));
    setLook(*this, QStringLiteral("headerChoice"));
    setToolTip(tr("Color the source by painted tags, by the parts of a run, or by costs"));
    setAccessibleName(tr("Source colors"));
    setFocusPolicy(Qt::TabFocus);
    setPopupMode(QToolButton::InstantPopup);
    setMenu(new QMenu(this));
    menu()->setToolTipsVisible(true);
    connect(menu(), &QMenu::aboutToShow, this, &SourceColors::fillMenu);
    connect(&document, &Document::changed, this, &SourceColors::documentChanged);
    showState();
}

int SourceColors::runNumber() const
{
    return m_by == By::run ? m_run : m_by == By::shownRun ? m_document.runs().shown(SplitOutcome::kKind) : 0;
}

SplitOutcomePtr SourceColors::cut() const
{
    const Run* run = m_document.runs().find(runNumber());
    return run == nullptr ? nullptr : as<SplitOutcomePtr>(run->result);
}

void SourceColors::showTags()
{
    set(By::tags, 0);
}

void SourceColors::showCost(const QString& id)
{
    set(By::cost, 0, id);
}

CostFiguresPtr SourceColors::costs() const
{
    return m_by == By::cost && m_document.isOpen() ? m_document.costs().figures(m_cost) : nullptr;
}

QString SourceColors::refusal() const
{
    for (const CostChoice& choice : m_document.costs().choices())
        if (choice.id == m_cost)
            return choice.tip;
    return tr("No device states rates and a memory bandwidth, and no measured costs were read.");
}

void SourceColors::showRun(int number)
{
    const Run* run = m_document.runs().find(number);
    if (run != nullptr && as<SplitOutcomePtr>(run->result))
        set(By::run, number);
    else
        set(By::tags, 0);
}

void SourceColors::followRuns()
{
    set(By::shownRun, 0);
}

std::string SourceColors::choice() const
{
    if (m_by == By::tags)
        return {};
    JsonWriter json(0);
    if (m_by == By::run)
        json.value(m_run);
    else
        json.value(m_by == By::cost ? m_cost.toStdString() : std::string(kFollowsRuns));
    return json.takeRaw();
}

void SourceColors::restoreChoice(JsonValue kept)
{
    const std::string_view word = kept.textOr({});
    const std::vector<CostChoice> costs = m_document.costs().choices();
    if (word == kFollowsRuns)
        followRuns();
    else if (const QString id = exact(word); std::ranges::find(costs, id, &CostChoice::id) != costs.end())
        showCost(id);
    else
        showRun(kept.intOr(0));
}

void SourceColors::set(By by, int run, const QString& cost)
{
    m_isByItself = false;
    if (m_by == by && m_run == run && m_cost == cost)
        return;
    m_by = by;
    m_run = run;
    m_cost = cost;
    if (by == By::cost) {
        m_document.costs().want();
        m_document.costs().setListed(cost); // the outline and the search show the same figure
    }
    showState();
    emit colorsChanged();
}

void SourceColors::documentChanged(Changes what)
{
    if (what.testFlag(Change::tags) && m_isByItself)
        set(By::tags, 0); // show the tags that are being painted
    if (what.testFlag(Change::program) || (m_by == By::run && m_document.runs().find(m_run) == nullptr))
        set(By::tags, 0);
    if (what.testFlag(Change::runs)) {
        // Ignore runs restored with a project: they do not change its file.
        const bool isNew = what.testFlag(Change::file) && hasNewPartition();
        m_newest = m_document.runs().list().empty() ? 0 : m_document.runs().list().back().number;
        if (isNew) {
            followRuns();
            m_isByItself = true;
        }
    }
    if (m_by == By::cost && (what & (Change::devices | Change::sizes | Change::operators)))
        m_document.costs().want();
    if (m_by == By::cost && (what & (Change::costs | Change::sizes | Change::operators | Change::devices))) {
        showState();
        emit colorsChanged();
    }
    if (m_by == By::tags || m_by == By::cost)
        return;
    if (what & (Change::runs | Change::outcome))
        showState();
    if (what & (Change::runs | Change::outcome | Change::tagList | Change::devices))
        emit colorsChanged();
}

bool SourceColors::hasNewPartition() const
{
    if (m_document.runs().list().empty() || m_document.runs().list().back().number <= m_newest)
        return false;
    const SplitOutcomePtr made = as<SplitOutcomePtr>(m_document.runs().list().back().result);
    return made && made->plan;
}

void SourceColors::fillMenu()
{
    menu()->clear();
    const auto add = [this](const QString& text, const QString& tip, bool isChosen, auto choose) {
        QAction* action = menu()->addAction(text, this, choose);
        action->setToolTip(tip);
        action->setCheckable(true);
        action->setChecked(isChosen);
    };
    add(tr("Painted tags"), tr("The tags that you paint"), m_by == By::tags, [this] { showTags(); });
    add(tr("Current cut"), tr("Parts of the run shown next to the source; painted tags if there is none"), m_by == By::shownRun,
        [this] { followRuns(); });
    menu()->addSeparator();
    for (const CostChoice& choice : m_document.costs().choices())
        add(choice.title, choice.tip, m_by == By::cost && m_cost == choice.id, [this, id = choice.id] { showCost(id); });
    addDevices();
    addFiles();
    menu()->addSeparator();
    for (const Run& run : m_document.runs().list())
        if (as<SplitOutcomePtr>(run.result))
            add(tr("Run %1: %2").arg(QString::number(run.number), caption(nameOf(run))), outcomeOf(run),
                m_by == By::run && m_run == run.number, [this, number = run.number] { showRun(number); });
}

void SourceColors::addDevices()
{
    const std::vector<const Device*> devices = m_document.costs().timedDevices();
    if (devices.size() < 2)
        return;
    QMenu* choices = menu()->addMenu(tr("Seconds for device"));
    for (const Device* device : devices) {
        const QString name = device->name.empty() ? tr("device %1").arg(device->logicalId)
                                                  : brief(sunder::text(device->name), 40);
        QAction* action = choices->addAction(caption(name), this, [this, id = device->logicalId] {
            m_document.costs().setDevice(id);
            showCost(QStringLiteral("seconds"));
        });
        action->setCheckable(true);
        action->setChecked(device == m_document.costs().device());
    }
}

void SourceColors::addFiles()
{
    QAction* read = menu()->addAction(tr("Read measured costs…"), this, &SourceColors::chooseMeasurement);
    read->setToolTip(tr("Seconds of ops from COSTS.json or a CSV file; later files take precedence"));
    read->setEnabled(m_document.isOpen());
    QAction* numbers = menu()->addAction(tr("Read node data…"), this, &SourceColors::chooseNumbers);
    numbers->setToolTip(tr("Any number per op, as node data of Model Explorer"));
    numbers->setEnabled(m_document.isOpen());
}

void SourceColors::chooseNumbers()
{
    const QString path = QFileDialog::getOpenFileName(window(), tr("Read node data"), {},
                                                      tr("Node data (*.json);;All files (*)"));
    if (!path.isEmpty())
        m_document.costs().readNumbers(path);
}

void SourceColors::chooseMeasurement()
{
    const QString path = QFileDialog::getOpenFileName(window(), tr("Read measured costs"), {},
                                                      tr("Costs (*.json *.csv);;All files (*)"));
    if (!path.isEmpty())
        m_document.costs().readMeasured(path);
}

void SourceColors::showState()
{
    if (m_by == By::cost) {
        const std::vector<CostChoice> choices = m_document.costs().choices();
        const auto choice = std::ranges::find(choices, m_cost, &CostChoice::id);
        const QString title = choice == choices.end() ? m_cost : choice->title;
        const bool isReady = costs() != nullptr;
        const bool isUnderWay = m_document.costs().state() == Costs::State::underWay;
        setText(isReady          ? tr("Colors: %1 ▾").arg(title)
                    : isUnderWay ? tr("Colors: counting %1… ▾").arg(title)
                                 : tr("Colors: no %1 ▾").arg(title));
        setAccessibleDescription(choice == choices.end() ? title : choice->tip);
        return;
    }
    const int number = run();
    const QString what = number > 0 ? tr("run %1").arg(number) : tr("tags");
    setText(tr("Colors: %1 ▾").arg(what));
    setAccessibleDescription(number > 0 ? tr("The parts of run %1, %2").arg(number).arg(nameOf(*m_document.runs().find(number)))
                                        : tr("Painted tags"));
}

} // namespace sunder

#include "moc_source_colors.cpp"
