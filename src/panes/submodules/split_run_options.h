#pragma once

#include "panes/run_options_button.h"
#include "passes/split_by_tags/split_by_tags.h"

namespace sunder {

/// Options of the Submodules pane: how a split by tags treats the model's inputs and the results of parts.
class SplitRunOptions final : public RunOptionsButton {
    Q_OBJECT

public:
    explicit SplitRunOptions(QWidget* parent = nullptr);
    /// Shows the options of a run.
    void show(const SplitOptions& options);
    [[nodiscard]] QAction& keepSignatureSwitch() { return *m_keepSignature; }

signals:
    void runRequested(const sunder::SplitOptions& options);

private:
    QAction* m_keepSignature;
    QAction* m_returnTuple;
};

} // namespace sunder
