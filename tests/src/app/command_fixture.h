#pragma once

#include "app/actions.h"
#include "app/workflow.h"
#include "document/document.h"
#include "io/fx_json/fx_json_writer.h"
#include "patience.h"
#include "test_support.h"

#include <QMainWindow>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace sunder::test {

/// The inputs of the window's parts: a document, its jobs, and its commands, without the rest of the window.
class CommandFixture : public QObject {
protected:
    struct Parts {
        QMainWindow window;
        Jobs jobs;
        Document document{&jobs};
        Workflow workflow{document, jobs};
        Actions actions{&window, document};
    };

    void prepare()
    {
        QCoreApplication::setOrganizationName("sunder-test");
        QCoreApplication::setApplicationName("sunder-test");
        m_folder = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder->filePath("settings"));
        qputenv("XDG_CACHE_HOME", m_folder->filePath("cache").toLocal8Bit());
        QSettings().clear();
        m_parts = std::make_unique<Parts>();
    }

    void finish()
    {
        m_parts.reset();
        m_folder.reset();
    }

    /// Writes a model with first and second, a relu and a gelu. Returns its path.
    QString writeModel(const QString& name)
    {
        const Program program = programFromText("x = placeholder() : 2x3\n"
                                                "first = aten.relu.default(x) : 2x3\n"
                                                "second = aten.gelu.default(first) : 2x3\n"
                                                "output(second)\n");
        const QString path = m_folder->filePath(name);
        return writeFxJson(program, path.toStdString()) ? path : QString();
    }

    void openModel(const QString& path)
    {
        m_parts->workflow.openModelFile(path);
        QTRY_VERIFY(document().isOpen());
    }

    Document& document() { return m_parts->document; }
    const Actions& actions() { return m_parts->actions; }
    NodeId node(const char* name) { return document().graph().find(intern(name)); }
    int tagOf(const char* name) { return document().tags()[node(name)]; }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Parts> m_parts;
};

} // namespace sunder::test
