#include "panes/breadcrumbs.h"

#include "test_case.h"

#include <QLabel>
#include <QTest>
#include <QToolButton>

using namespace sunder;

/// The current location, in wide and narrow panes.
class BreadcrumbsTest final : public QObject {
    Q_OBJECT
private slots:
    void showsAllPartsWhereThereIsRoom()
    {
        m_crumbs.setParts({"decoder32", "layers.15", "self_attn"});
        m_crumbs.resize(500, 24);
        m_pane.resize(600, 40);
        m_pane.show();
        QCOMPARE(shown(), (QStringList{"decoder32", "layers.15", "self_attn"}));
        QCOMPARE(arrows(), 2);
    }

    void theFirstPartsGiveWay()
    {
        m_crumbs.resize(widthOf(1) + widthOf(2) + 30, 24);
        QCOMPARE(shown(), (QStringList{"layers.15", "self_attn"}));
        QCOMPARE(arrows(), 1);
        m_crumbs.resize(widthOf(2) + 4, 24);
        QCOMPARE(shown(), QStringList{"self_attn"});
        QCOMPARE(arrows(), 0);
    }

    void thenTheMiddleOfTheLast()
    {
        m_crumbs.resize(widthOf(2) - 12, 24);
        QCOMPARE(shown().size(), 1);
        QVERIFY2(shown().front().contains(QChar(0x2026)), qPrintable(shown().front()));
        QVERIFY(shown().front().startsWith('s') && shown().front().endsWith('n'));
    }

    void nothingIsClipped()
    {
        for (int width = 0; width < 400; width += 7) {
            m_crumbs.resize(width, 24);
            int used = 0;
            for (const QToolButton* part : m_crumbs.findChildren<QToolButton*>()) {
                if (!part->isHidden())
                    used += part->sizeHint().width();
            }
            QVERIFY2(used <= width, qPrintable(QString("%1 in %2").arg(used).arg(width)));
        }
    }

private:
    [[nodiscard]] int widthOf(int part) const
    {
        const QStringList texts = m_crumbs.parts();
        int widest = 0;
        for (const QToolButton* at : m_crumbs.findChildren<QToolButton*>()) {
            if (at->toolTip().endsWith(texts[part]))
                widest = std::max(widest,
                                  at->sizeHint().width() - at->fontMetrics().horizontalAdvance(at->text())
                                      + at->fontMetrics().horizontalAdvance(texts[part]));
        }
        return widest;
    }

    [[nodiscard]] QStringList shown() const
    {
        QStringList texts;
        for (const QToolButton* part : m_crumbs.findChildren<QToolButton*>()) {
            if (!part->isHidden())
                texts << part->text();
        }
        return texts;
    }

    [[nodiscard]] int arrows() const
    {
        const QList<QLabel*> labels = m_crumbs.findChildren<QLabel*>();
        return static_cast<int>(
            std::count_if(labels.begin(), labels.end(), [](const QLabel* label) { return !label->isHidden(); }));
    }

    QWidget m_pane; // its size does not depend on the crumbs
    Breadcrumbs m_crumbs{&m_pane};
};

const test::Registered<BreadcrumbsTest> breadcrumbsTest("breadcrumbs_test");
#include "breadcrumbs_test.moc"
