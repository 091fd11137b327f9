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

/// The history of runs: show one again, compare, rename, discard.
class RunsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit RunsPanel(Document& document, QWidget* parent = nullptr);
    ~RunsPanel() override;
    [[nodiscard]] QTreeView& view();
    [[nodiscard]] RunModel& model() { return *m_model; }

signals:
    /// Two runs are to be put beside each other.
    void compareRequested(int before, int after);
    /// A run is to be made again, with other options.
    void runAgainRequested(int number);
    /// The run is to be copied as a command of sunder-cli.
    void commandWanted(int number);
    /// Something to say in the status line.
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
    int m_row = 0; ///< to be current when the current one is gone
    std::unique_ptr<Ui::RunsPanel> m_ui;
};

} // namespace sunder
