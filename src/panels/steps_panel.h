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

/// The history of steps: a click or Enter goes to a step, be it undone or done, over as many as lie between.
class StepsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit StepsPanel(Document& document, QWidget* parent = nullptr);
    ~StepsPanel() override;
    [[nodiscard]] QListView& view();
    /// Says whether there is a command of sunder-cli for a step, counted from 1.
    void setHasCommand(std::function<bool(int)> hasCommand) { m_hasCommand = std::move(hasCommand); }

signals:
    /// The step is to be copied as a command of sunder-cli.
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
