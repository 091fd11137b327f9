#include "panes/hierarchy/hierarchy_run_options.h"

#include <QMenu>

namespace sunder {

HierarchyRunOptions::HierarchyRunOptions(QWidget* parent) : RunOptionsButton(tr("How the hierarchy is given back"), parent)
{
    m_asUpstream = addSwitch(tr("As &PyTorch does"), tr("Also where that computes something else than the model"));
    QActionGroup* crossing = addChoices(tr("A value that reaches a module by the side"));
    m_byBuffer = addChoice(crossing, tr("goes through its &buffer"),
                           tr("It is written to the buffer where it is made, and read from there"));
    m_byAttribute = addChoice(crossing, tr("goes through an &attribute of its own"),
                              tr("A buffer __ival__NAME, as PyTorch before 2.7 did"));
    m_byBuffer->setChecked(true);
    for (QAction* action : {m_asUpstream, m_byBuffer, m_byAttribute})
        connect(action, &QAction::triggered, this, [this] {
            emit runRequested({.asUpstream = m_asUpstream->isChecked(),
                               .crossing = m_byAttribute->isChecked() ? CrossingValues::attribute : CrossingValues::buffer});
        });
}

void HierarchyRunOptions::show(const UnflattenOptions& options)
{
    m_asUpstream->setChecked(options.asUpstream);
    (options.crossing == CrossingValues::buffer ? m_byBuffer : m_byAttribute)->setChecked(true);
}

} // namespace sunder

#include "moc_hierarchy_run_options.cpp"
