#pragma once

#include "document/part_memories.h"
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

/// The properties of the selected nodes. Lines that name other nodes lead there. The statistics of a weight, and the memory of a
/// part, are computed when the line of the weight or tag is expanded.
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
    /// Updates the lines after statistics of weights or costs changed; keeps the expanded lines and the current one.
    void refreshLines();
    void revealUnfolded();
    void follow(const QModelIndex& index);
    void act(const Property& line);
    void chooseFileFor(TensorId weight);
    void copy();

    Document& m_document;
    WeightReadings* m_readings;
    PartMemories* m_memories;
    InspectorModel* m_model;
    std::unique_ptr<Ui::InspectorPanel> m_ui;
    int m_unfolded = -1; ///< the line that the user expanded last; −1: none
    bool m_isRefreshing = false;
};

} // namespace sunder
