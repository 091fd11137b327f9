#pragma once

#include "app/workflow.h"
#include "document/custom_operators.h"
#include "document/document.h"
#include "jobs/jobs.h"

#include <QObject>

namespace sunder {

/// The open document, its jobs, and the work on it, without views.
class Session final : public QObject {
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);

    [[nodiscard]] Jobs& jobs() { return m_jobs; }
    [[nodiscard]] Document& document() { return m_document; }
    [[nodiscard]] Workflow& workflow() { return m_workflow; }
    [[nodiscard]] CustomOperators& operators() { return m_operators; }

    /// Reads the operator schemas of the last session.
    void restoreOperators();
    /// Disconnects the views, which may be destroyed before this object.
    void disconnectViews();

private:
    Jobs m_jobs{this};
    Document m_document{&m_jobs, this};
    Workflow m_workflow{m_document, m_jobs, this};
    CustomOperators m_operators{m_document, m_jobs, this};
};

} // namespace sunder
