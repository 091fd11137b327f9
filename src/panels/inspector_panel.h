#pragma once

#include "document/weight_readings.h"

#include <QTreeView>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class InspectorPanel;
}

class InspectorModel;
struct Property;

/// What is known of the selected node or nodes; lines that name other nodes lead there. The statistics of a weight are read when its line
/// is opened.
class InspectorPanel final : public QWidget {
    Q_OBJECT

public:
    InspectorPanel(Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~InspectorPanel() override;
    [[nodiscard]] QTreeView& view();

signals:
    void failed(const QString& title, const QString& why);
    void message(const QString& text);

private:
    void refresh();
    /// What is known of a weight has changed: lines stay as open as they are, and the current one is kept.
    void refreshWeights();
    void follow(const QModelIndex& index);
    void act(const Property& line);
    void chooseFileFor(TensorId weight);
    void copy();

    Document& m_document;
    WeightReadings* m_readings;
    InspectorModel* m_model;
    std::unique_ptr<Ui::InspectorPanel> m_ui;
};

} // namespace sunder
