#include "document/runs/runs.h"

#include "document/document.h"
#include "document/runs/counterparts.h"
#include "document/session_commands.h"

namespace sunder {

/// Removes a run from the history; undo restores it.
class DiscardRunCommand final : public SessionCommand {
public:
    DiscardRunCommand(Runs& runs, Run run, const QString& text) : SessionCommand(text), m_runs(runs), m_run(std::move(run)) {}
    void undo() override { m_runs.insert(m_run); }
    void redo() override { m_runs.remove(m_run.number); }

private:
    Runs& m_runs;
    Run m_run;
};

SplitOutcomePtr Runs::splitInSight() const
{
    const Run* preview = m_history.preview();
    const SplitOutcomePtr previewed = preview != nullptr ? as<SplitOutcomePtr>(preview->result) : nullptr;
    return previewed ? previewed : shownSplit();
}

bool Runs::isForOtherSizes(const RunResult& result)
{
    const SplitOutcomePtr cut = as<SplitOutcomePtr>(result);
    return cut && cut->plan && cut->plan->isForOtherSizes;
}

void Runs::noteCurrent()
{
    const SplitOutcomePtr split = shownSplit();
    const TagAssignment& tags = document().tags();
    if (!split)
        m_splitCurrent = false;
    else if (split->plan)
        m_splitCurrent = giveTheSame(split->plan->request.devices(), document().devices().list());
    else if (split->madeFrom)
        m_splitCurrent = split->madeFrom->order == tags.order && split->madeFrom->tagOf == tags.tagOf;
    else
        m_splitCurrent = true;
}

std::vector<NodeRef> Runs::counterpartsIn(int run, const std::vector<NodeId>& source) const
{
    return snapshot() ? sunder::counterpartsIn(find(run), snapshot()->program.root, source) : std::vector<NodeRef>();
}

std::vector<NodeRef> Runs::copiesIn(int run, const std::vector<NodeId>& source) const
{
    return snapshot() ? sunder::copiesIn(find(run), snapshot()->program.root, source) : std::vector<NodeRef>();
}

std::vector<NodeId> Runs::sourcesOf(int run, const std::vector<NodeRef>& nodes) const
{
    return snapshot() ? sunder::sourcesOf(find(run), snapshot()->program.root, nodes) : std::vector<NodeId>();
}

void Runs::reset()
{
    RunHistory::Gone gone;
    m_history.clear(gone);
    m_splitCurrent = false;
    release(std::move(gone));
}

void Runs::takeResults(std::vector<std::pair<int, RunResult>> results)
{
    for (auto& [number, result] : results)
        release(m_history.replace(number, std::move(result)));
}

int Runs::setPreview(RunResult result)
{
    dropPreview();
    const int number = m_history.setPreview(std::move(result));
    recheck();
    announce(Change::check);
    return number;
}

void Runs::clearPreview()
{
    if (!dropPreview())
        return;
    recheck();
    announce(Change::check);
}

bool Runs::dropPreview()
{
    std::optional<Run> gone = m_history.takePreview();
    if (!gone)
        return false;
    Marks& marks = document().marks();
    if (marks.selection().run == gone->number)
        marks.select(marks.selection().source, marks.selection().what);
    release(std::move(*gone));
    return true;
}

int Runs::add(RunResult result)
{
    RunHistory::Gone gone;
    const int number = m_history.add(std::move(result), gone);
    release(std::move(gone));
    document().touch(Change::runs);
    show(number);
    return number;
}

void Runs::restore(int number, const QString& name, RunResult result, bool isShown)
{
    m_history.restore({.number = number, .name = name, .result = std::move(result)});
    announce(Change::runs);
    if (isShown)
        show(number);
}

void Runs::replace(int number, RunResult result)
{
    RunResult gone = m_history.replace(number, std::move(result));
    if (!gone)
        return;
    const bool shown = isShown(*find(number));
    if (shown)
        recheck();
    announce(shown ? Change::runs | Change::outcome | Change::check : Changes(Change::runs));
    release(std::move(gone));
}

void Runs::show(int number)
{
    if (const Run* run = find(number))
        setShown(run->kind(), number);
}

void Runs::hide(ResultKind kind)
{
    setShown(kind, 0);
}

void Runs::setShown(ResultKind kind, int number)
{
    m_history.show(kind, number);
    Marks& marks = document().marks();
    const int picked = marks.selection().run;
    if (picked > 0 && (find(picked) == nullptr || !isShown(*find(picked))))
        marks.select(marks.selection().source, marks.selection().what); // nodes picked in a hidden run are no longer visible
    Changes what = Change::outcome | Change::runs;
    if (kind == SplitOutcome::kKind) { // problems may refer to the shown split
        recheck();
        what |= Change::check;
    }
    announce(what);
}

void Runs::rename(int number, const QString& name)
{
    const Run* run = find(number);
    const QString wanted = name.trimmed();
    if (run != nullptr && wanted != nameOf(*run))
        push(new SwapInSession(QObject::tr("Rename run %1").arg(number),
                               [this, number, name = wanted]() mutable { swapName(number, name); }));
}

void Runs::discard(int number)
{
    if (const Run* run = find(number))
        push(new DiscardRunCommand(*this, *run, QObject::tr("Discard run %1").arg(number)));
}

void Runs::swapName(int number, QString& name)
{
    m_history.swapName(number, name);
    announce(Change::runs);
}

void Runs::insert(Run run)
{
    m_history.insert(std::move(run));
    announce(Change::runs);
}

void Runs::remove(int number)
{
    std::vector<ResultKind> shown;
    for (const Run* run : allShown())
        if (run->number == number)
            shown.push_back(run->kind());
    m_history.remove(number);
    announce(Change::runs);
    for (const ResultKind kind : shown)
        hide(kind);
}

} // namespace sunder
