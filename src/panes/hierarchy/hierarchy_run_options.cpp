#include "panes/hierarchy/hierarchy_run_options.h"

#include <QMenu>

namespace sunder {

HierarchyRunOptions::HierarchyRunOptions(QWidget* parent) : RunOptionsButton(tr("Options for unflattening"), parent)
{
    m_asUpstream = addSwitch(tr("Bug-for-bug &compatible with torch"), tr("Even if the result is not equivalent to the model"));
    QActionGroup* crossing = addChoices(tr("Implicit module inputs"));
    m_byBuffer = addChoice(crossing, tr("Pass through the module's &buffer"),
                           tr("The producer writes the value to the buffer; the module reads it from there"));
    m_byAttribute = addChoice(crossing, tr("Pass through a new &attribute"),
                              tr("A buffer named __ival__NAME, as in PyTorch before 2.7"));
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
