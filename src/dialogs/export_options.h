#pragma once

#include "export/export_subject.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QSpinBox;

namespace sunder {

namespace Ui {
class ExportOptions;
}

/// What a drawing or a picture needs to be told besides its place: which graph, format, area, scale. Other kinds need
/// nothing and show nothing.
class ExportOptions final : public QWidget {
    Q_OBJECT

public:
    explicit ExportOptions(QWidget* parent = nullptr);
    ~ExportOptions() override;
    /// Has to outlive this.
    void setSubject(const ExportSubject& subject) { m_subject = &subject; }
    void setKind(ExportKind kind);
    /// ".svg", ".dot": what the path of this kind ends in; empty where it is free.
    [[nodiscard]] QString suffix() const;
    /// Every suffix that suffix() can give for this kind.
    [[nodiscard]] QStringList suffixes() const;
    void fill(ExportRequest& request) const;

    [[nodiscard]] QComboBox& subjectField() const;
    [[nodiscard]] QComboBox& formatField() const;
    [[nodiscard]] QComboBox& areaField() const;
    [[nodiscard]] QSpinBox& scaleField() const;

signals:
    void suffixChanged();

private:
    void fillSubjects();
    void fillFormats();
    void showAreas();
    [[nodiscard]] const ShownPicture* picture() const;

    const ExportSubject* m_subject = nullptr;
    ExportKind m_kind = ExportKind::parts;
    std::unique_ptr<Ui::ExportOptions> m_ui;
};

} // namespace sunder
