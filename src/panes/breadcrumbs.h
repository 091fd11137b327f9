#pragma once

#include <QWidget>

#include <vector>

class QHBoxLayout;

namespace sunder {

/// Where one is: "decoder32 › layers › 15"; each part leads there.
class Breadcrumbs final : public QWidget {
    Q_OBJECT

public:
    explicit Breadcrumbs(QWidget* parent = nullptr);
    void setParts(const QStringList& parts);
    [[nodiscard]] QStringList parts() const { return m_parts; }

signals:
    /// 0 is the whole graph.
    void chosen(int part);

private:
    QHBoxLayout* m_row;
    QStringList m_parts;
};

} // namespace sunder
