#pragma once

#include "export/export_subject.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QSpinBox;

namespace sunder {

/// What a drawing or a picture needs to be told besides its place: which graph, format, area, scale. Other kinds need
/// nothing and show nothing.
class ExportOptions final : public QWidget {
    Q_OBJECT

public:
    ExportOptions(const ExportSubject& subject, QWidget* parent);
    void setKind(ExportKind kind);
    /// ".svg", ".dot": what the path of this kind ends in; empty where it is free.
    [[nodiscard]] QString suffix() const;
    /// Every suffix that suffix() can give for this kind.
    [[nodiscard]] QStringList suffixes() const;
    void fill(ExportRequest& request) const;

    [[nodiscard]] QComboBox& subjectField() const { return *m_subjectField; }
    [[nodiscard]] QComboBox& formatField() const { return *m_format; }
    [[nodiscard]] QComboBox& areaField() const { return *m_area; }
    [[nodiscard]] QSpinBox& scaleField() const { return *m_scale; }

signals:
    void suffixChanged();

private:
    void fillSubjects();
    void fillFormats();
    void showAreas();
    [[nodiscard]] const ShownPicture* picture() const;

    const ExportSubject& m_subject;
    ExportKind m_kind = ExportKind::parts;
    QFormLayout* m_form;
    QComboBox* m_subjectField;
    QComboBox* m_format;
    QComboBox* m_area;
    QSpinBox* m_scale;
};

} // namespace sunder
