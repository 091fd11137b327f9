#pragma once

#include "document/document.h"

#include <QTreeView>
#include <QWidget>

class QLabel;

namespace sunder {

class InspectorModel;

/// What is known of the selected node or nodes; lines that name other nodes lead there.
class InspectorPanel final : public QWidget {
    Q_OBJECT

public:
    explicit InspectorPanel(Document& document, QWidget* parent = nullptr);
    [[nodiscard]] QTreeView& view() { return *m_view; }

private:
    void refresh();
    void follow(const QModelIndex& index);
    void copy();

    Document& m_document;
    InspectorModel* m_model;
    QTreeView* m_view;
    QLabel* m_empty;
};

} // namespace sunder
