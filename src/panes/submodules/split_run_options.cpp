#include "panes/submodules/split_run_options.h"

namespace sunder {

SplitRunOptions::SplitRunOptions(QWidget* parent) : RunOptionsButton(tr("Options for splitting by tags"), parent)
{
    m_keepSignature = addSwitch(tr("Keep the &signature of the model"),
                                tr("Keep *args, **kwargs, and default values of inputs, which PyTorch's split drops"));
    m_returnTuple = addSwitch(tr("Return single results as 1-&tuples"), tr("A part with one result returns (x,) instead of x"));
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
