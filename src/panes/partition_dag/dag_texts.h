#pragma once

#include "document/document.h"

namespace sunder {

namespace Ui {
class PartitionDagPane;
}

class PartMover;
class ShownCut;
struct DagContent;

/// The texts around the DAG: a notice with its button and the explanation of the partition above it, the totals below it.
class DagTexts final : public QObject {
    Q_OBJECT

public:
    /// `form` is in `pane`.
    DagTexts(Ui::PartitionDagPane& form, const Document& document, ShownCut& cut, PartMover& mover, QWidget& pane);

    void showNotice();
    void showTotals(const DagContent& content);
    /// Fits the texts into the current size of the pane.
    void fit();

signals:
    /// Requests a split by the tags.
    void splitRequested();
    /// Requests the same partitioning with the current sizes.
    void partitionRequested(const sunder::PartitionRequest& request);

private:
    void pressButton();

    Ui::PartitionDagPane& m_form;
    const Document& m_document;
    ShownCut& m_cut;
    PartMover& m_mover;
    QWidget& m_pane;
    QString m_reason;
};

} // namespace sunder
