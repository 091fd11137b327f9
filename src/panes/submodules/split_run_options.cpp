#include "panes/submodules/split_run_options.h"

namespace sunder {

SplitRunOptions::SplitRunOptions(QWidget* parent) : RunOptionsButton(tr("How the model is split by its tags"), parent)
{
    m_keepSignature = addSwitch(tr("Keep the &signature of the model"),
                                tr("Inputs keep their *, ** and default values, which PyTorch's split loses"));
    m_returnTuple = addSwitch(tr("One result comes as a &tuple"),
                              tr("A part with one result returns a tuple of one: (x,) instead of x"));
    for (QAction* action : {m_keepSignature, m_returnTuple})
        connect(action, &QAction::triggered, this, [this] {
            emit runRequested({.returnTuple = m_returnTuple->isChecked(), .keepSignature = m_keepSignature->isChecked()});
        });
}

void SplitRunOptions::show(const SplitOptions& options)
{
    m_keepSignature->setChecked(options.keepSignature);
    m_returnTuple->setChecked(options.returnTuple);
}

} // namespace sunder

#include "moc_split_run_options.cpp"
