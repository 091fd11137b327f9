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

/// Commands and gestures of one kind.
struct KeyGroup {
    struct Row {
        QString keys; ///< "Ctrl+F"; empty where a command has none
        QString does;
    };
    QString title;
    std::vector<Row> rows;
};

/// All keys and gestures, searched by what they are or do.
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
