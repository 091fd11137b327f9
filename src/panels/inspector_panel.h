#pragma once

#include "document/document.h"

#include <QTreeView>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class InspectorPanel;
}

class InspectorModel;

/// What is known of the selected node or nodes; lines that name other nodes lead there.
class InspectorPanel final : public QWidget {
    Q_OBJECT

public:
    explicit InspectorPanel(Document& document, QWidget* parent = nullptr);
    ~InspectorPanel() override;
    [[nodiscard]] QTreeView& view();
    /// Nothing is selected that has properties.
    [[nodiscard]] bool isEmpty() const;

signals:
    /// There is nothing to show, or something again.
    void emptyChanged(bool isEmpty);

private:
    void refresh();
    void follow(const QModelIndex& index);
    void copy();

    Document& m_document;
    InspectorModel* m_model;
    std::unique_ptr<Ui::InspectorPanel> m_ui;
};

} // namespace sunder
