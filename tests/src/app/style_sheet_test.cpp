#include "app/style_sheet.h"

#include "canvas/palette.h"
#include "models/themed_icon.h"

#include "test_case.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStyleFactory>
#include <QTest>
#include <QTreeWidget>

#include <memory>

using namespace sunder;

namespace {

std::unique_ptr<QWidget> widgetOf(const QString& name)
{
    if (name == "line edit")
        return std::make_unique<QLineEdit>();
    if (name == "spin box")
        return std::make_unique<QSpinBox>();
    if (name == "combo box")
        return std::make_unique<QComboBox>();
    if (name == "box in a table") {
        auto table = std::make_unique<QTreeWidget>();
        table->setRootIsDecorated(false);
        table->setHeaderHidden(true);
        table->setFrameShape(QFrame::NoFrame);
        (new QTreeWidgetItem(table.get()))->setCheckState(0, Qt::Unchecked);
        table->setMaximumHeight(22);
        return table;
    }
    if (name == "check box")
        return std::make_unique<QCheckBox>();
    return std::make_unique<QRadioButton>();
}

/// The contrast of the first colored pixels in the middle row against the background.
double contrastOfFrame(QWidget& widget, const QColor& ground)
{
    QWidget holder;
    holder.setStyleSheet(QStringLiteral("background: %1").arg(ground.name()));
    widget.setParent(&holder);
    widget.move(8, 8);
    widget.resize(widget.sizeHint());
    const QImage image = holder.grab(widget.geometry().adjusted(-2, 0, 0, 0)).toImage();
    double best = 1;
    for (int x = 0; x < 8; ++x)
        best = std::max(best, contrast(image.pixelColor(x, image.height() / 2), ground));
    widget.setParent(nullptr);
    return best;
}

} // namespace

class StyleSheetTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        loadResources();
        QApplication::setStyle(QStyleFactory::create("Fusion"));
    }

    void theButtonThatReturnPressesNeedsNoMoreRoom()
    {
        // The focus makes a button the default one without a new layout.
        qApp->setStyleSheet(styleSheetOf(theme(false)));
        QPushButton button("Reload");
        button.ensurePolished();
        const int before = button.sizeHint().width();
        button.setDefault(true);
        QCOMPARE(button.sizeHint().width(), before);
        QVERIFY(!button.font().bold());
        QVERIFY(button.font().weight() < QFont::DemiBold);
    }

    void whatCanBeEditedHasAFrame_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("dark");
        for (const char* name : {"line edit", "spin box", "combo box", "check box", "radio button", "box in a table"})
            for (const bool dark : {false, true})
                QTest::addRow("%s, %s", name, dark ? "dark" : "light") << QString(name) << dark;
    }
    void whatCanBeEditedHasAFrame()
    {
        QFETCH(QString, name);
        QFETCH(bool, dark);
        const Theme& look = theme(dark);
        QApplication::setPalette(paletteOf(look));
        qApp->setStyleSheet(styleSheetOf(look));
        const std::unique_ptr<QWidget> widget = widgetOf(name);
        QVERIFY(contrastOfFrame(*widget, look.window) >= 3);
    }

    void everyIconIsThere()
    {
        for (const bool dark : {false, true}) {
            auto icons = QRegularExpression("url\\((.*?)\\)").globalMatch(styleSheetOf(theme(dark)));
            QVERIFY(icons.hasNext());
            while (icons.hasNext())
                if (const QString icon = icons.next().captured(1); !QFile::exists(icon))
                    QFAIL(qPrintable(icon));
        }
    }

    void leavesNoNameOfAColorInIt()
    {
        for (const bool dark : {false, true})
            QVERIFY(!styleSheetOf(theme(dark)).contains(QLatin1Char('@')));
    }
};

const test::Registered<StyleSheetTest> styleSheetTest("style_sheet_test");
#include "style_sheet_test.moc"
