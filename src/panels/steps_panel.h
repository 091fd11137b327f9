#pragma once

#include "document/document.h"

#include <QListView>
#include <QWidget>

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

private:
    void showPresent();

    Document& m_document;
    StepModel* m_model;
    std::unique_ptr<Ui::StepsPanel> m_ui;
};

} // namespace sunder
