#pragma once

#include "export/export_subject.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QSpinBox;

namespace sunder {

namespace Ui {
class ExportOptions;
}

/// What a format needs to be told besides its place: which program or picture, which variant, area, scale, release. Those that need
/// nothing show nothing.
class ExportOptions final : public QWidget {
    Q_OBJECT

public:
    explicit ExportOptions(QWidget* parent = nullptr);
    ~ExportOptions() override;
    /// Has to outlive this.
    void setSubject(const ExportSubject& subject) { m_subject = &subject; }
    void setFormat(const ExportFormat& format);
    /// Of the widest name of a field; those beside it in the dialog are in line with them.
    [[nodiscard]] int labelWidth() const;
    void setLabelWidth(int width);
    /// ".svg", ".dot": what the path of this format ends in; empty where it is free.
    [[nodiscard]] QString suffix() const;
    /// Every suffix that suffix() can give for this format.
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
    /// The model is one, so that what is written can be for the same release.
    [[nodiscard]] bool isOfPt2() const;
    [[nodiscard]] QList<QLabel*> labels() const;
    [[nodiscard]] bool hasScale() const;
    /// What is written is a .pt2, so that a release of PyTorch can be chosen.
    [[nodiscard]] bool hasRelease() const;
    [[nodiscard]] const ShownPicture* picture() const;

    const ExportSubject* m_subject = nullptr;
    const ExportFormat* m_format = nullptr;
    std::unique_ptr<Ui::ExportOptions> m_ui;
};

} // namespace sunder
