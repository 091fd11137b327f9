// The real window, which paints, saves, and exports until it is killed: killed_window MODEL PROJECT FOLDER. Each line of its
// standard output reports something that has happened or is about to happen; strokes are numbered from 1.
//   stroke N       the document has it
//   kept N         all strokes up to N are in the file of unsaved work
//   saving N, saved N
//   exporting N, exported N
#include "app/autosave.h"
#include "app/main_window.h"
#include "app/project.h"
#include "canvas/motion.h"

#include "child_of.h"

#include <QApplication>
#include <QTimer>

#include <array>
#include <cstdio>
#include <map>

using namespace sunder;

namespace {

void say(const char* what, quint64 number)
{
    std::printf("%s %llu\n", what, static_cast<unsigned long long>(number));
    std::fflush(stdout);
}

/// Runs one step per turn of the event loop, as fast as possible.
class Painter final : public QObject {
public:
    Painter(MainWindow& window, QString project, QString folder)
        : m_window(window), m_project(std::move(project)), m_folder(std::move(folder))
    {
        m_autosave.setDelay(0);
        connect(&m_autosave, &Autosave::saved, this, [this](quint64 changes) {
            say("kept", m_strokeAt[changes]);
            m_strokeAt.erase(m_strokeAt.begin(), m_strokeAt.lower_bound(changes));
        });
        connect(&m_turn, &QTimer::timeout, this, &Painter::step);
        m_turn.start(0);
    }

private:
    void step()
    {
        constexpr int kStrokesASave = 9;
        constexpr int kStrokesAnExport = 4;
        Document& document = test::childOf<Document>(m_window);
        if (!document.isOpen())
            return;
        ++m_stroke;
        const std::vector<NodeId> nodes = document.graph().order();
        std::vector<NodeId> calls;
        for (const NodeId id : nodes)
            if (document.snapshot()->isCall(id))
                calls.push_back(id);
        document.painting().paint(std::array{calls[m_stroke % calls.size()]}, static_cast<int>(m_stroke / calls.size() % 2));
        m_strokeAt[m_autosave.changes()] = m_stroke;
        say("stroke", m_stroke);
        if (m_stroke % kStrokesASave == 0) {
            say("saving", m_stroke);
            if (test::childOf<Workflow>(m_window).saveProject(test::childOf<Project>(m_window).state(), m_project))
                say("saved", m_stroke);
        }
        if (m_stroke % kStrokesAnExport == 0) {
            say("exporting", m_stroke);
            if (saveTagsFile(m_folder + QStringLiteral("/tags.json"), *document.snapshot(), document.tagState()))
                say("exported", m_stroke);
        }
    }

    MainWindow& m_window;
    Autosave& m_autosave = test::childOf<Autosave>(m_window);
    QString m_project;
    QString m_folder;
    QTimer m_turn;
    quint64 m_stroke = 0;
    std::map<quint64, quint64> m_strokeAt; ///< by the number of changes
};

} // namespace

int main(int count, char** words)
{
    const QApplication application(count, words);
    QCoreApplication::setApplicationName(QStringLiteral("sunder"));
    QCoreApplication::setOrganizationName(QStringLiteral("sunder"));
    Motion::setSystemReduced(true);
    MainWindow window(nullptr);
    window.show();
    window.openModel(QString::fromLocal8Bit(words[1]));
    const Painter painter(window, QString::fromLocal8Bit(words[2]), QString::fromLocal8Bit(words[3]));
    return QApplication::exec();
}
