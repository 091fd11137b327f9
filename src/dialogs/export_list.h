#pragma once

#include "export/export_subject.h"

#include <QListWidget>

namespace sunder {

/// What can be exported, in groups: of each result that is there, of the model, pictures.
class ExportList final : public QListWidget {
    Q_OBJECT

public:
    explicit ExportList(QWidget* parent = nullptr);
    /// Lists what there is of it.
    void setSubject(const ExportSubject& subject);
    [[nodiscard]] ExportKind kind() const;
    /// Nothing happens when it is not listed.
    void setKind(ExportKind kind);

signals:
    void kindChanged();

protected:
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;

private:
    void addGroup(const QString& title, const QString& detail, const std::vector<ExportKind>& kinds);
};

} // namespace sunder
