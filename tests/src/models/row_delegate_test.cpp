#include "models/row_delegate.h"

#include "test_case.h"

#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyleOptionViewItem>
#include <QTest>

using namespace sunder;

namespace {

/// Paints only the detail of a row.
class DetailOnly final : public RowDelegate {
public:
    DetailOnly() : RowDelegate(20, 4, nullptr) {}

private:
    void paintContent(Row& row, const QModelIndex& index) const override { row.paintDetail(index, Qt::UserRole, Qt::black); }
};

QImage painted(const QModelIndex& index, int width)
{
    QImage image(100, 20, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.rect = {0, 0, width, 20};
    DetailOnly().paint(&painter, option, index);
    return image;
}

} // namespace

class RowDelegateTest final : public QObject {
    Q_OBJECT

private slots:
    void aDetailWithoutRoomForALetterIsLeftOut()
    {
        QStandardItemModel model(1, 1);
        const QModelIndex index = model.index(0, 0);
        model.setData(index, "LayerNorm", Qt::UserRole);
        QImage blank(100, 20, QImage::Format_RGB32);
        blank.fill(Qt::white);
        const int ellipsis = QFontMetrics(QFont()).horizontalAdvance(QStringLiteral("…"));
        QCOMPARE(painted(index, ellipsis + 2), blank);
        QVERIFY(painted(index, 100) != blank);
    }
};

const test::Registered<RowDelegateTest> rowDelegateTest("row_delegate_test");
#include "row_delegate_test.moc"
