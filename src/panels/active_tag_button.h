#pragma once

#include "document/document.h"

#include <QToolButton>

namespace sunder {

/// Shows the tag that the brush paints: color, code, name, ops, and bytes. A click lists the others.
class ActiveTagButton final : public QToolButton {
    Q_OBJECT

public:
    explicit ActiveTagButton(Document& document, QWidget* parent = nullptr);
    /// In compact form it only shows color, code, and name.
    void setCompact(bool compact);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void fillMenu();
    [[nodiscard]] QString name() const;
    [[nodiscard]] QString figures() const;

    Document& m_document;
    bool m_isCompact = false;
};

} // namespace sunder
