#pragma once

#include "models/tag_share.h"

#include <QAbstractListModel>
#include <QStringList>

namespace sunder {

/// The occurrences of one group in the order of the program, and which node of each stands at the place in question.
class OccurrenceModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { SharesRole = Qt::UserRole + 1, NodeRole, LitRole };

    struct Row {
        QString name;          ///< of its module, or of its last node
        QString node = {};     ///< at the place in question; empty: none is in question
        TagShares shares = {}; ///< how the tags divide it, or the tag of that node
        bool isLit = false;    ///< it has nodes under the mouse, in whatever pane
    };

    using QAbstractListModel::QAbstractListModel;

    /// Another group.
    void reset(std::vector<Row> rows);
    /// The same occurrences, said or coloured anew.
    void update(std::vector<Row> rows);
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<Row> m_rows;
};

} // namespace sunder
