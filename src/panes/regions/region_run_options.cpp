#include "panes/regions/region_run_options.h"

#include <QMenu>

namespace sunder {

RegionRunOptions::RegionRunOptions(QWidget* parent)
    : RunOptionsButton(tr("Options for finding and deduplicating regions"), parent)
{
    QActionGroup* what = addChoices(tr("Repeated regions"));
    m_find = addChoice(what, tr("&Find only"), tr("The graph stays unchanged (Ctrl+R)"));
    m_share = addChoice(what, tr("Deduplicate into &subgraphs"),
                        tr("Replace the regions of each group by calls of one subgraph, and verify the result (Ctrl+Shift+R)"));
    QActionGroup* keys = addChoices(tr("Compare ops"));
    m_tracked = addChoice(keys, tr("by &tracked keys"), tr("Keys from TorchDynamo's region tracker, if the file has them"));
    m_structural = addChoice(keys, tr("by st&ructure"), tr("Target, constants, and shapes and dtypes of inputs"));
    menu()->addSeparator();
    m_asUpstream = addSwitch(tr("Bug-for-bug &compatible with torch"),
                             tr("Keep regions that overlap or cannot run as one call, as torch's tracker does"));

    connect(m_find, &QAction::triggered, this, [this] { ask(m_options, false); });
    connect(m_share, &QAction::triggered, this, [this] { ask(m_options, true); });
    const auto askWith = [this](auto change) {
        RegionOptions wanted = m_options;
        change(wanted);
        ask(wanted, m_isSharing);
    };
    connect(m_tracked, &QAction::triggered, this,
            [askWith] { askWith([](RegionOptions& wanted) { wanted.key = RegionKey::tracked; }); });
    connect(m_structural, &QAction::triggered, this,
            [askWith] { askWith([](RegionOptions& wanted) { wanted.key = RegionKey::structural; }); });
    connect(m_asUpstream, &QAction::triggered, this,
            [askWith](bool on) { askWith([on](RegionOptions& wanted) { wanted.asUpstream = on; }); });
    showNone();
}

void RegionRunOptions::show(const RegionOptions& options, bool share, bool hasTracked)
{
    m_options = options;
    m_hasRun = true;
    m_isSharing = share;
    m_hasTracked = hasTracked;
    refresh();
}

void RegionRunOptions::showNone()
{
    m_options = {};
    m_hasRun = false;
    m_isSharing = false;
    m_hasTracked = true; // unknown without a run; the pass reports it
    refresh();
}

void RegionRunOptions::refresh()
{
    m_find->setChecked(m_hasRun && !m_isSharing);
    m_share->setChecked(m_hasRun && m_isSharing);
    const RegionKey key = m_options.key.value_or(m_hasTracked ? RegionKey::tracked : RegionKey::structural);
    m_tracked->setEnabled(m_hasTracked);
    m_tracked->setText(m_hasTracked ? tr("by &tracked keys") : tr("by &tracked keys (this model has none)"));
    m_tracked->setChecked(m_hasRun && key == RegionKey::tracked);
    m_structural->setChecked(m_hasRun && key == RegionKey::structural);
    m_asUpstream->setChecked(m_options.asUpstream);
}

void RegionRunOptions::ask(const RegionOptions& options, bool share)
{
    refresh(); // show the options of the current run until there is another
    emit runRequested(options, share);
}

} // namespace sunder

#include "moc_region_run_options.cpp"
