#pragma once

#include "export/export_subject.h"

#include <QListWidget>

namespace sunder {

/// Export formats, grouped by result kind and model.
class ExportList final : public QListWidget {
    Q_OBJECT

public:
    explicit ExportList(QWidget* parent = nullptr);
    /// Lists the formats for this subject.
    void setSubject(const ExportSubject& subject);
    /// Selects the first format of an existing result, else the first of the model.
    void setUsualFormat();
    [[nodiscard]] const ExportFormat& format() const;
    /// Does nothing if the format is not listed.
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
