#pragma once

#include "document/document.h"

#include <QTreeView>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class RunsPanel;
}

class RunModel;

/// The history of runs: show, compare, rename, discard.
class RunsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit RunsPanel(Document& document, QWidget* parent = nullptr);
    ~RunsPanel() override;
    [[nodiscard]] QTreeView& view();
    [[nodiscard]] RunModel& model() { return *m_model; }

signals:
    /// Requests a comparison of two runs.
    void compareRequested(int before, int after);
    /// Requests the run again with other options.
    void runAgainRequested(int number);
    /// Requests the run as a sunder-cli command on the clipboard.
    void commandWanted(int number);
    /// Emitted with a text for the status line.
    void message(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showState();
    void rename();
    void discard();
    [[nodiscard]] int otherRun(int number) const;
    void compare();
    void runAgain();
    void showMenu(const QPoint& at);
    [[nodiscard]] int currentRun() const;

    Document& m_document;
    RunModel* m_model;
    int m_row = 0; ///< row to make current after the current run was discarded
    std::unique_ptr<Ui::RunsPanel> m_ui;
};

} // namespace sunder
