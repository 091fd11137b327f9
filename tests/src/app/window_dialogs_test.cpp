#include "app/actions.h"
#include "app/dialog_room.h"
#include "app/key_groups.h"
#include "clipped_texts.h"
#include "dialogs/about_dialog.h"
#include "dialogs/crash_dialog.h"
#include "dialogs/device_preset_dialog.h"
#include "dialogs/help_dialog.h"
#include "dialogs/keys_page.h"
#include "dialogs/legend_dialog.h"
#include "dialogs/links_dialog.h"
#include "dialogs/message_dialog.h"
#include "dialogs/pass_options_dialog.h"
#include "dialogs/program_dialog.h"
#include "dialogs/quick_pick.h"
#include "dialogs/units_dialog.h"
#include "document/passes/pass.h"
#include "styled_window_fixture.h"
#include "test_case.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QMenuBar>
#include <QScopeGuard>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QTabWidget>
#include <QVBoxLayout>

using namespace sunder;
using namespace sunder::test;

/// Every dialog has room for its texts on small screens and with large fonts.
class WindowDialogsTest final : public test::StyledWindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void cleanupTestCase() { removeStyle(); }

    void noTextIsClipped_data()
    {
        QTest::addColumn<QSize>("room");
        QTest::addColumn<double>("size");
        for (const QSize room : {QSize(704, 410), QSize(1084, 660)})
            for (const double size : {1.0, 1.4})
                QTest::addRow("%d×%d, font ×%.1f", room.width(), room.height(), size) << room << size;
    }
    void noTextIsClipped()
    {
        QFETCH(QSize, room);
        QFETCH(double, size);
        m_room = room;
        const QFont usual = QApplication::font();
        const auto restore = qScopeGuard([&usual] { QApplication::setFont(usual); });
        QFont font = usual;
        font.setPointSizeF(usual.pointSizeF() * size);
        QApplication::setFont(font);
        showWindow();
        openSample();
        settle();
        lookAtAll();
        closeWindow();
        m_faults.removeDuplicates();
        QVERIFY2(m_faults.isEmpty(), qPrintable('\n' + m_faults.join('\n')));
        const QSet<QString> missed = classesOfDialogs() - m_seen;
        QVERIFY2(missed.isEmpty(), qPrintable(QStringList(missed.values()).join(' ')));
    }

    void aDialogGrowsWithItsTexts()
    {
        showWindow();
        auto& dialog = *new QDialog(m_window.get());
        auto* column = new QVBoxLayout(&dialog);
        auto* label = new QLabel("Short.", &dialog);
        label->setWordWrap(true);
        column->addWidget(label);
        dialog.show();
        dialog.resize(300, 60);
        settle();
        label->setText(QString("Words that wrap and wrap. ").repeated(12));
        QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
        QVERIFY(dialog.height() > 60);
        dialog.resize(180, dialog.height());
        QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
        closeWindow();
    }

    void init()
    {
        m_faults.clear();
        m_seen.clear();
    }

private:
    void lookAtAll()
    {
        for (QAction* action :
             {actions().pass(QStringLiteral("partition")), actions().stages, actions().balance, actions().runParts,
              actions().support, actions().exportAll, actions().settings, actions().customOperators}) {
            action->trigger();
            for (QDialog* dialog : m_window->findChildren<QDialog*>())
                if (dialog->isVisible()) {
                    look(*dialog);
                    dialog->close();
                }
        }
        for (const Pass& pass : passes())
            if (pass.work != nullptr) {
                PassOptionsDialog options(pass, document(), {}, m_window.get());
                look(options);
            }
        const QString sentence = QStringLiteral("The parts could not be written, since the disk of the folder is too full. ");
        AboutDialog about(m_window.get());
        CrashDialog crash(sentence.repeated(8), m_window.get());
        LinksDialog links(document(), m_window.get());
        look(links);
        DevicePresetDialog presets(m_window.get());
        HelpDialog help(m_window.get());
        KeysDialog keys(keyGroups(*m_window->menuBar()), m_window.get());
        LegendDialog legend(m_window.get());
        MessageDialog message(QStringLiteral("Export"), sentence, sentence.repeated(8), m_window.get());
        message.offer(QStringLiteral("Export again"), [] {});
        ProgramDialog program(QStringLiteral("two.pt2"), {{.name = "encoder"}, {.name = "decoder"}}, QStringLiteral("decoder"),
                              m_window.get());
        QuickPick pick(QStringLiteral("Commands"), {{QStringLiteral("Split"), QStringLiteral("Ctrl+Return"), 0}}, m_window.get());
        UnitsDialog units("GPU\tMemory\tFP16\tMemory bandwidth\nH100\t80\t989\t3.35\n", m_window.get());
        for (QDialog* dialog :
             std::initializer_list<QDialog*>{&about, &crash, &presets, &help, &keys, &legend, &message, &program, &pick, &units})
            look(*dialog);
    }

    /// Looks at all tabs of a dialog, scrolled from top to bottom.
    void look(QDialog& dialog)
    {
        const QString name = QString::fromLatin1(dialog.metaObject()->className()).section(QStringLiteral("::"), -1);
        m_seen.insert(name);
        dialog.show();
        settle();
        fitInto(dialog, m_room);
        settle();
        const auto* tabs = dialog.findChild<QTabWidget*>();
        for (int tab = 0; tab < (tabs == nullptr ? 1 : tabs->count()); ++tab) {
            if (tabs != nullptr)
                dialog.findChild<QTabWidget*>()->setCurrentIndex(tab);
            settle();
            fitInto(dialog, m_room);
            settle();
            if (dialog.width() > m_room.width() || dialog.height() > m_room.height())
                m_faults << QStringLiteral("%1 is %2×%3").arg(name).arg(dialog.width()).arg(dialog.height()) + widest(dialog);
            if (const auto* buttons = dialog.findChild<QDialogButtonBox*>(); buttons != nullptr && buttons->isVisible()
                && !dialog.rect().contains(QRect(buttons->mapTo(&dialog, QPoint()), buttons->size())))
                m_faults << name + QStringLiteral(" has no room for its buttons");
            auto* area = dialog.findChild<QScrollArea*>();
            QScrollBar* bar = area == nullptr ? nullptr : area->verticalScrollBar();
            for (int at = 0;; at += bar->pageStep()) {
                if (bar != nullptr)
                    bar->setValue(at);
                ClippedTexts clipped;
                clipped.look(dialog);
                for (const QString& fault : clipped.faults)
                    m_faults << name + QStringLiteral(": ") + fault;
                if (bar == nullptr || at >= bar->maximum())
                    break;
            }
        }
        dialog.hide();
    }

    /// Returns the names and least widths of the widgets that are widest.
    static QString widest(const QDialog& dialog)
    {
        QStringList names;
        for (const QWidget* widget : dialog.findChildren<QWidget*>())
            if (const int least = std::max(widget->minimumWidth(), widget->minimumSizeHint().width()); least > dialog.width() / 4)
                names << QStringLiteral("%1 %2").arg(widget->objectName()).arg(least);
        return QStringLiteral(": ") + names.join(QStringLiteral(", "));
    }

    /// Returns the names of all dialogs of src/dialogs.
    static QSet<QString> classesOfDialogs()
    {
        QSet<QString> names;
        for (const QString& file : QDir(QStringLiteral(SUNDER_SOURCE "/src/dialogs")).entryList({"*_dialog.h", "quick_pick.h"})) {
            QString name;
            for (const QString& word : file.chopped(2).split(u'_'))
                name += word.first(1).toUpper() + word.sliced(1);
            names.insert(name);
        }
        return names;
    }

    QSize m_room;
    QStringList m_faults;
    QSet<QString> m_seen; ///< classes of dialogs
};

const test::Registered<WindowDialogsTest> windowDialogsTest("window_dialogs_test");
#include "window_dialogs_test.moc"
