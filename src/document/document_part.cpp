#include "document/document_part.h"

#include "document/document.h"

namespace sunder {

const SnapshotPtr& DocumentPart::snapshot() const
{
    return m_document.snapshot();
}

void DocumentPart::push(QUndoCommand* step)
{
    m_document.m_undoStack.push(step);
}

void DocumentPart::beginMacro(const QString& undoText)
{
    m_document.m_undoStack.beginMacro(undoText);
}

void DocumentPart::endMacro()
{
    m_document.m_undoStack.endMacro();
}

void DocumentPart::announce(Changes what)
{
    m_document.announce(what);
}

void DocumentPart::say(const QString& text, Changes until)
{
    emit m_document.messageEmitted(text, until);
}

void DocumentPart::recheck()
{
    m_document.recheck();
}

void DocumentPart::drop(JobId job)
{
    if (job && jobs() != nullptr)
        jobs()->drop(job);
}

Jobs* DocumentPart::jobs() const
{
    return m_document.m_jobs;
}

QObject* DocumentPart::context() const
{
    return &m_document;
}

bool DocumentPart::isLarge() const
{
    return m_document.checks().m_watch.isLarge(snapshot());
}

bool DocumentPart::isStill(const SnapshotPtr& snapshot) const
{
    return m_document.isOf(snapshot);
}

} // namespace sunder
