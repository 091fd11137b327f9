#include "panels/problems_panel.h"

#include "menus.h"
#include "models/problem_model.h"
#include "panel_fixture.h"
#include "parameter_chain.h"
#include "patience.h"
#include "test_case.h"

#include <QListView>
#include <QToolButton>

using namespace sunder;

/// The list of problems with its fixes, without the window.
class ProblemsPanelTest final : public test::PanelFixture {
    Q_OBJECT

private slots:
    void aFixThatWouldOverfillADeviceIsDisabledAndSaysWhy()
    {
        m_document = std::make_unique<Document>();
        std::string program = "x = placeholder() : 10\n";
        for (int i = 0; i < 6; ++i)
            program += "w" + std::to_string(i) + " = get_attr[m.w" + std::to_string(i) + "]()\n";
        for (int i = 0; i < 6; ++i)
            program += "a" + std::to_string(i) + " = mul(" + (i == 0 ? "x" : "a" + std::to_string(i - 1)) + ", w"
                + std::to_string(i) + ") : 10\n";
        Program made = test::programFromText(program + "output(a5)\n");
        made.modules.ensure("m");
        for (int i = 0; i < 6; ++i)
            test::addTensor(made, ("m.w" + std::to_string(i)).c_str(), 500);
        m_document->open(prepareModel(std::make_shared<const Snapshot>(std::move(made))), "/tmp/weights.fxj");
        m_document->painting().paint(std::array{node("a0"), node("a1"), node("a3")}, 0);
        m_document->painting().paint(std::array{node("a2"), node("a4"), node("a5")}, 1);
        const ProblemsPanel panel(*m_document);
        QVERIFY(disabledIn(panel).isEmpty());
        const auto device = [](const char* name, double bytes, int id) {
            return Device{.name = name, .availableBytes = bytes, .logicalId = id};
        };
        m_document->devices().set({device("small", 8000, 0), device("large", 1e6, 1)}, "devices");
        QTRY_VERIFY(!disabledIn(panel).isEmpty());
        const QList<QToolButton*> disabled = disabledIn(panel);
        const auto move = std::ranges::find(disabled, QString("Move a2 to stage0"), &QToolButton::text);
        QVERIFY(move != disabled.end());
        QVERIFY2((*move)->toolTip().contains("is not possible: device \"small\" would need"), qPrintable((*move)->toolTip()));
    }

    void theMenuOfARowSaysItToo()
    {
        aFixThatWouldOverfillADeviceIsDisabledAndSaysWhy();
        ProblemsPanel panel(*m_document);
        panel.resize(600, 200);
        panel.show();
        panel.view().setCurrentIndex(panel.model().index(0));
        const QStringList titles = test::chooseInMenu(
            [&] { emit panel.view().customContextMenuRequested(panel.view().visualRect(panel.model().index(0)).center()); });
        QVERIFY2(
            std::ranges::any_of(titles, [](const QString& title) { return title.startsWith("[\"Move a2 to stage0\" is not"); }),
            qPrintable(titles.join('\n')));
    }

private:
    static QList<QToolButton*> disabledIn(const ProblemsPanel& panel)
    {
        QList<QToolButton*> disabled;
        for (QToolButton* button : panel.findChildren<QToolButton*>())
            if (!button->isEnabled() && button->objectName() != "repairAll")
                disabled << button;
        return disabled;
    }
};

const test::Registered<ProblemsPanelTest> problemsPanelTest("problems_panel_test");
#include "problems_panel_test.moc"
