#include "dialogs/tagging_dialog.h"
#include "patience.h"
#include "test_case.h"
#include "test_support.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

#include <memory>

using namespace sunder;

/// Options of automatic tagging, and their preview before they are accepted.
class TaggingDialogTest final : public QObject {
    Q_OBJECT

    std::unique_ptr<Jobs> m_jobs;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<TaggingDialog> m_dialog;

    template <typename T>
    T& find(const char* name)
    {
        return *m_dialog->findChild<T*>(QLatin1String(name));
    }
    QPushButton& ok() { return *find<QDialogButtonBox>("buttons").button(QDialogButtonBox::Ok); }
    int rows() { return find<QTableView>("stages").model()->rowCount(); }
    void settle()
    {
        QVERIFY(test::comes([this] {
            test::handlePending();
            return m_jobs->runningCount() == 0;
        }));
    }
    void show(TaggingRequest wish = {})
    {
        m_dialog = std::make_unique<TaggingDialog>(*m_document, *m_jobs, wish);
        m_dialog->show();
        settle();
    }

private slots:
    void init()
    {
        m_jobs = std::make_unique<Jobs>();
        m_document = std::make_unique<Document>();
        Program program = test::programFromText(R"(
            x = placeholder() : 10
            a = lin(x) : 10 @ layers.0 Block
            b = lin(a) : 10 @ layers.1 Block
            c = lin(b) : 10 @ layers.2 Block
            d = lin(c) : 10 @ layers.3 Block
            out = output(d))");
        m_document->open(prepareModel(std::make_shared<const Snapshot>(std::move(program))), {});
    }
    void cleanup()
    {
        m_dialog.reset();
        m_document.reset();
        m_jobs.reset();
    }

    void showsStagesBeforeTheyAreTaken()
    {
        show();
        QCOMPARE(rows(), 2);
        QVERIFY(ok().isEnabled());
        QCOMPARE(m_document->steps().count(), 0);
        QVERIFY(find<QLabel>("verdict").text().contains(QStringLiteral("legal")));
        QVERIFY2(find<QLabel>("verdict").text().startsWith("Tags 4 ops ·"), qPrintable(find<QLabel>("verdict").text()));
        m_dialog->accept();
        QCOMPARE(m_document->steps().count(), 1);
        QCOMPARE(m_document->steps().undoText(), QStringLiteral("Tag in 2 equal stages"));
        m_document->undo();
        QCOMPARE(m_document->checks().report().untagged.size(), std::size_t{4});
    }

    void saysHowManyOpsChangeTheirTagAndHowManyGetOne()
    {
        m_document->tagList().add("stage0");
        m_document->tagList().add("stage1");
        const auto paint = [this](const char* name, int tag) {
            m_document->painting().paint(std::vector{m_document->graph().find(intern(name))}, tag);
        };
        paint("a", 1);
        show();
        const auto said = [this] { return find<QLabel>("verdict").text().section(QStringLiteral(" · "), 0, 0); };
        QCOMPARE(said(), QString("Retags 1 op, tags 3 untagged ops"));
        for (const char* name : {"b", "c", "d"})
            paint(name, 1);
        show();
        QCOMPARE(said(), QString("Retags 2 ops"));
    }

    void proposesNothingOnceItIsOver()
    {
        show();
        const TaggingProposal* seen = nullptr;
        connect(m_dialog.get(), &TaggingDialog::proposed, this, [&seen](const TaggingProposal* proposal) { seen = proposal; });
        find<QSpinBox>("count").setValue(3);
        settle();
        QVERIFY(seen != nullptr);
        m_dialog->accept(); // the tags change, which invalidates the proposal
        settle();
        QVERIFY(seen == nullptr);
    }

    void asksForNoMoreStagesThanThereAreOps()
    {
        show();
        auto& count = find<QSpinBox>("count");
        count.setValue(100);
        settle();
        QCOMPARE(rows(), 4);
        QVERIFY(count.hasFocus() || !m_dialog->isActiveWindow());
    }

    void enterInAFieldTakesWhatIsShown()
    {
        show();
        QTest::keyClicks(&find<QSpinBox>("count"), "3");
        settle();
        QTest::keyClick(&find<QSpinBox>("count"), Qt::Key_Return);
        QCOMPARE(m_document->tagCount(), 3);
        QVERIFY(!m_dialog->isVisible());
    }

    void aDetailChoosesItsWay()
    {
        show();
        find<QLineEdit>("pattern").setText(QStringLiteral("layers.1"));
        settle();
        QVERIFY(find<QRadioButton>("byPattern").isChecked());
        QCOMPARE(rows(), 1);
        find<QSpinBox>("depth").setValue(2); // the model has no such depth
        settle();
        QCOMPARE(rows(), 0);
        QVERIFY(!ok().isEnabled());
        QVERIFY2(find<QLabel>("verdict").text().contains(QStringLiteral("no module runs at depth 2")),
                 qPrintable(find<QLabel>("verdict").text()));
        find<QSpinBox>("depth").setValue(1);
        settle();
        QCOMPARE(rows(), 4);
        find<QComboBox>("measure").setCurrentIndex(1);
        settle();
        QVERIFY(find<QRadioButton>("equalStages").isChecked());
    }

    void fillsInToTheEarliestOrTheLatest()
    {
        const NodeId middle = m_document->graph().find(intern("b"));
        m_document->painting().paint(std::vector{m_document->graph().find(intern("a"))}, 0);
        m_document->painting().paint(std::vector{m_document->graph().find(intern("d"))}, 1);
        for (const auto& [way, tag] :
             {std::pair(TaggingRequest::Way::fillEarliest, 0), std::pair(TaggingRequest::Way::fillLatest, 1)}) {
            show({.way = way});
            QCOMPARE(m_dialog->proposal()->changed, std::size_t{2});
            m_dialog->accept();
            QCOMPARE(m_document->tags()[middle], tag);
            m_document->undo();
        }
    }

    void tagsThatAreThereKeepTheirColors()
    {
        m_document->tagList().recolor(1, QColor(QStringLiteral("#123456")));
        show({.stages = 3});
        m_dialog->accept();
        QCOMPARE(m_document->tagTraits()[1].color.own, QColor(QStringLiteral("#123456")));
        QVERIFY(m_document->tagTraits()[2].color.hue != m_document->tagTraits()[0].color.hue);
    }

    void anotherStrokeMeanwhileIsSeen()
    {
        show({.way = TaggingRequest::Way::fillEarliest});
        QCOMPARE(m_dialog->proposal()->changed, std::size_t{4});
        m_document->painting().paint(std::vector{m_document->graph().find(intern("a"))}, 0);
        settle();
        QCOMPARE(m_dialog->proposal()->changed, std::size_t{3});
        m_document->close();
        QVERIFY(!m_dialog->isVisible());
    }
};

const test::Registered<TaggingDialogTest> taggingDialogTest("tagging_dialog_test");
#include "tagging_dialog_test.moc"
