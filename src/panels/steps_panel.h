#pragma once

#include "document/document.h"

#include <QListView>
#include <QWidget>

#include <functional>
#include <memory>

namespace sunder {

namespace Ui {
class StepsPanel;
}

class StepModel;

/// The undo history: a click or Enter goes to a step, undoing or redoing all steps in between.
class StepsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit StepsPanel(Document& document, QWidget* parent = nullptr);
    ~StepsPanel() override;
    [[nodiscard]] QListView& view();
    /// Sets the function that returns whether a step, counted from 1, has a sunder-cli command.
    void setHasCommand(std::function<bool(int)> hasCommand) { m_hasCommand = std::move(hasCommand); }

signals:
    /// Requests the step as a sunder-cli command on the clipboard.
    void commandWanted(int step);

private:
    void showPresent();
    void showMenu(const QPoint& at);

    Document& m_document;
    StepModel* m_model;
    std::function<bool(int)> m_hasCommand;
    std::unique_ptr<Ui::StepsPanel> m_ui;
};

} // namespace sunder
