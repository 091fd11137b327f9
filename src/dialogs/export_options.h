#pragma once

#include "export/export_subject.h"

#include <QListWidget>
#include <QWidget>
#include <memory>

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
    void addGroup(const QString& title, const QString& detail, std::optional<ResultKind> kind, bool isOfSchedule = false);

    std::vector<RunResult> m_results;
};

} // namespace sunder

class QComboBox;
class QLabel;
class QSpinBox;

namespace sunder {

namespace Ui {
class ExportOptions;
}

/// Fields for the input of a format other than its path: program or picture, variant, area, scale, release. Empty for formats
/// without further input.
class ExportOptions final : public QWidget {
    Q_OBJECT

public:
    explicit ExportOptions(QWidget* parent = nullptr);
    ~ExportOptions() override;
    /// The subject must outlive this widget.
    void setSubject(const ExportSubject& subject) { m_subject = &subject; }
    void setFormat(const ExportFormat& format);
    /// Returns the width of the widest label, to align other labels of the dialog with it.
    [[nodiscard]] int labelWidth() const;
    void setLabelWidth(int width);
    /// Returns the suffix of the path, e.g. ".svg" or ".dot"; empty if any is allowed.
    [[nodiscard]] QString suffix() const;
    /// Returns all suffixes that suffix() can return for this format.
    [[nodiscard]] QStringList suffixes() const;
    void fill(ExportRequest& request) const;

    [[nodiscard]] QComboBox& subjectField() const;
    [[nodiscard]] QComboBox& formatField() const;
    [[nodiscard]] QComboBox& areaField() const;
    [[nodiscard]] QSpinBox& scaleField() const;
    [[nodiscard]] QComboBox& releaseField() const;

signals:
    void suffixChanged();

private:
    void fillSubjects();
    void fillFormats();
    void fillReleases();
    void showAreas();
    [[nodiscard]] bool isOfParts() const { return m_format != nullptr && m_format->asking == ExportAsking::parts; }
    [[nodiscard]] PartFormat partFormat() const;
    [[nodiscard]] bool isOfPicture() const { return m_format != nullptr && m_format->asking == ExportAsking::picture; }
    /// Returns whether the model is a .pt2, whose release can be kept.
    [[nodiscard]] bool isOfPt2() const;
    [[nodiscard]] QList<QLabel*> labels() const;
    [[nodiscard]] bool hasScale() const;
    [[nodiscard]] bool hasArea() const;
    /// Returns whether a .pt2 is written, for which a PyTorch release can be selected.
    [[nodiscard]] bool hasRelease() const;
    [[nodiscard]] const ShownPicture* picture() const;

    const ExportSubject* m_subject = nullptr;
    const ExportFormat* m_format = nullptr;
    std::unique_ptr<Ui::ExportOptions> m_ui;
};

} // namespace sunder
