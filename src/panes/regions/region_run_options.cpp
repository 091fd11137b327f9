#include "panes/regions/region_run_options.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>

namespace sunder {

RegionRunOptions::RegionRunOptions(QWidget* parent)
    : QWidget(parent), m_find(new QToolButton(this)), m_share(new QToolButton(this)), m_menu(new QMenu(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    auto* options = new QToolButton(this);
    for (QToolButton* button : {m_find, m_share, options}) {
        button->setObjectName(QStringLiteral("headerChoice"));
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
    }
    m_find->setText(tr("Find"));
    m_find->setToolTip(tr("Find repeated regions: nothing is changed"));
    m_share->setText(tr("Deduplicate"));
    m_share->setToolTip(tr("Deduplicate: repeated regions become calls of one subgraph each, and the result is verified"));
    for (QToolButton* button : {m_find, m_share})
        button->setCheckable(true);
    connect(m_find, &QToolButton::clicked, this, [this] { ask(m_options, false); });
    connect(m_share, &QToolButton::clicked, this, [this] { ask(m_options, true); });

    options->setText(tr("Options ▾"));
    options->setToolTip(tr("What makes ops alike, and whether torch's faults are kept"));
    options->setPopupMode(QToolButton::InstantPopup);
    options->setMenu(m_menu);
    m_menu->setToolTipsVisible(true);
    auto* keys = new QActionGroup(this);
    m_tracked = m_menu->addAction(tr("Alike by &tracked keys"));
    m_tracked->setToolTip(tr("What TorchDynamo's region tracker saw: the file has to say it"));
    m_structural = m_menu->addAction(tr("Alike by &structure"));
    m_structural->setToolTip(tr("What ops say themselves: target, constants, shapes and dtypes of their inputs"));
    for (QAction* action : {m_tracked, m_structural}) {
        action->setCheckable(true);
        keys->addAction(action);
    }
    m_menu->addSeparator();
    m_asUpstream = m_menu->addAction(tr("As &PyTorch does"));
    m_asUpstream->setToolTip(tr("Keeps regions that overlap or could not run in one go, as torch's tracker does"));
    m_asUpstream->setCheckable(true);
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
    m_hasTracked = true; // not known: the pass will say
    refresh();
}

void RegionRunOptions::refresh()
{
    m_find->setChecked(m_hasRun && !m_isSharing);
    m_share->setChecked(m_hasRun && m_isSharing);
    const RegionKey key = m_options.key.value_or(m_hasTracked ? RegionKey::tracked : RegionKey::structural);
    m_tracked->setEnabled(m_hasTracked);
    m_tracked->setText(m_hasTracked ? tr("Alike by &tracked keys") : tr("Alike by &tracked keys (this model has none)"));
    m_tracked->setChecked(m_hasRun && key == RegionKey::tracked);
    m_structural->setChecked(m_hasRun && key == RegionKey::structural);
    m_asUpstream->setChecked(m_options.asUpstream);
}

void RegionRunOptions::ask(const RegionOptions& options, bool share)
{
    refresh(); // how the run in sight was made, until there is another
    emit runRequested(options, share);
}

} // namespace sunder
