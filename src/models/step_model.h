#pragma once

#include "document/document.h"

#include <QAbstractListModel>

namespace sunder {

/// The undo stack as rows: how the model was opened, then every step, oldest first. The present row is the last one that is not
/// undone.
class StepModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        PresentRole = Qt::UserRole + 1, ///< bool: the present step
        UndoneRole, ///< bool: undone, after the present step
        SavedRole, ///< bool: state as saved, or as opened
    };

    explicit StepModel(Document& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QModelIndex present() const;

private:
    void follow();
    [[nodiscard]] QString nameOf(int row) const;

    Document& m_document;
    int m_rows = 0;
};

} // namespace sunder
