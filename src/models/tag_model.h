#pragma once

#include "document/document.h"

#include <QAbstractListModel>

namespace sunder {

/// The tags in order, like the layers of an image editor, then a row for untagged ops. Rows can be dragged and renamed; CodeRole
/// can be set.
class TagModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        CodeRole = Qt::UserRole + 1,
        OpsRole, ///< quint64
        BytesRole, ///< quint64
        ActiveRole, ///< bool
        UntaggedRole, ///< bool: the last row
        LockedRole, ///< bool
        HiddenRole, ///< bool
        BackwardOfRole, ///< name of the forward tag of a backward tag; otherwise empty
        MissingRole ///< bool: the untagged row, if untagged ops block a split
    };

    explicit TagModel(Document& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) override;

    [[nodiscard]] bool isUntaggedRow(const QModelIndex& index) const { return index.row() >= m_rows; }

signals:
    /// Emitted when a tag was dropped, with its new row.
    void moved(int row);
    /// Emitted with the reason when a name was refused.
    void renameRefused(const QString& why);

private:
    Document& m_document;
    int m_rows = 0; ///< tags, without the row for untagged ops
};

} // namespace sunder
