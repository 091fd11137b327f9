#pragma once

#include "export/export_subject.h"

#include <QListWidget>

namespace sunder {

/// What can be exported, in groups: of each kind of result, of the model.
class ExportList final : public QListWidget {
    Q_OBJECT

public:
    explicit ExportList(QWidget* parent = nullptr);
    /// Lists what there is of it.
    void setSubject(const ExportSubject& subject);
    /// The first of a result that is there; else the first of the model.
    void setUsualFormat();
    [[nodiscard]] const ExportFormat& format() const;
    /// Nothing happens when it is not listed.
    void setFormat(const QString& id);

signals:
    void formatChanged();

protected:
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;

private:
    void addGroup(const QString& title, const QString& detail, std::optional<ResultKind> kind);

    std::vector<RunResult> m_results;
};

} // namespace sunder
