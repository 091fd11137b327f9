#pragma once

#include <QPlainTextEdit>

namespace sunder {

/// The messages of this session, one line each with the time, newest last.
class LogPanel final : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit LogPanel(QWidget* parent = nullptr);
    void add(const QString& text);
};

} // namespace sunder
