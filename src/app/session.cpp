#include "app/session.h"

#include "app/returned_memory.h"

#include <QSettings>

namespace sunder {
namespace {

const QString kOperatorsKey = QStringLiteral("operators/file");

} // namespace

Session::Session(QObject* parent) : QObject(parent)
{
    new ReturnedMemory(m_document, m_jobs, this);
    connect(&m_operators, &CustomOperators::changed, this, [this] {
        QSettings().setValue(kOperatorsKey, m_operators.path());
        m_workflow.setOperators(m_operators.library());
    });
}

void Session::restoreOperators()
{
    m_operators.restore(QSettings().value(kOperatorsKey).toString());
}

void Session::disconnectViews()
{
    m_document.disconnect();
    m_jobs.disconnect();
}

} // namespace sunder

#include "moc_session.cpp"
