#pragma once

#include "document/passes/pass.h"

#include <QToolButton>

#include <functional>

class QAction;
class QActionGroup;

namespace sunder {

/// "Options ▾" in the header of a result: a menu with the options of the shown run, and with the passes that can make such a
/// result if there are several. Another choice requests another run.
class RunOptionsButton final : public QToolButton {
    Q_OBJECT

public:
    /// `passes`: ids of passes with the same options.
    RunOptionsButton(const QString& tip, const QStringList& passes, QWidget* parent);

    /// Shows the options of a finished run; without a pass, no run.
    void show(const QString& pass, const PassOptions& options);
    /// Returns the action of a pass ("deduplicate"), a flag ("keepSignature"), or a choice ("key=tracked").
    [[nodiscard]] QAction& action(const QString& id) const;

signals:
    void runRequested(const QString& pass, const QVariantMap& options);

private:
    void addPasses();
    void addChoices(const PassOption& option);
    void add(const QString& id, const QString& text, const QString& tip, QActionGroup* choices,
             std::function<void(QString& pass, PassOptions& options)> change);

    std::vector<const Pass*> m_passes;
    QString m_pass; ///< of the shown run
    PassOptions m_shown;
};

} // namespace sunder
