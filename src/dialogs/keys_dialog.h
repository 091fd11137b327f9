#pragma once

#include <QDialog>

#include <memory>
#include <vector>

class QLineEdit;
class QTreeWidget;

namespace sunder {

namespace Ui {
class KeysDialog;
}

/// A group of commands and gestures.
struct KeyGroup {
    struct Row {
        QString keys; ///< "Ctrl+F"; empty if the command has no shortcut
        QString does;
    };
    QString title;
    std::vector<Row> rows;
};

/// Lists all shortcuts and gestures, searchable by keys and description.
class KeysDialog final : public QDialog {
    Q_OBJECT

public:
    explicit KeysDialog(const std::vector<KeyGroup>& groups, QWidget* parent = nullptr);
    ~KeysDialog() override;

    [[nodiscard]] QLineEdit& filter();
    [[nodiscard]] QTreeWidget& rows();

private:
    void showMatching(const QString& words);

    std::unique_ptr<Ui::KeysDialog> m_ui;
};

} // namespace sunder
