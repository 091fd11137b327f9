#include "document/session_commands.h"

#include "document/document.h"

namespace sunder {

DevicesCommand::DevicesCommand(Document& document, std::vector<Device> devices, const QString& text)
    : SessionCommand(document, text), m_devices(std::move(devices))
{
}

void DevicesCommand::swap()
{
    m_document.swapDevices(m_devices);
}

NotesCommand::NotesCommand(Document& document, std::vector<ProjectNote> notes, const QString& text)
    : SessionCommand(document, text), m_notes(std::move(notes))
{
}

void NotesCommand::swap()
{
    m_document.swapNotes(m_notes);
}

RenameRunCommand::RenameRunCommand(Document& document, int number, QString name, const QString& text)
    : SessionCommand(document, text), m_number(number), m_name(std::move(name))
{
}

void RenameRunCommand::swap()
{
    m_document.swapRunName(m_number, m_name);
}

DiscardRunCommand::DiscardRunCommand(Document& document, Run run, const QString& text)
    : SessionCommand(document, text), m_run(std::move(run))
{
}

void DiscardRunCommand::undo()
{
    m_document.insertRun(m_run);
}

void DiscardRunCommand::redo()
{
    m_document.removeRun(m_run.number);
}

} // namespace sunder
