#pragma once

#include "document/runs/run.h"
#include "models/support_cut.h"
#include "tagging/automatic_tags.h"

#include <QObject>

namespace sunder {

struct Actions;
class Messages;
class Pane;
class PassRequests;
class Session;
class StepCommands;
class WorkArea;

/// Opens the dialogs that work on the document: tagging, balance, support, export, operator schemas, and devices.
class SessionDialogs final : public QObject {
    Q_OBJECT

public:
    struct Parts {
        Session& session;
        const Actions& actions;
        WorkArea& work;
        PassRequests& passes;
        StepCommands& steps;
        Messages& messages;
    };
    /// All parts must outlive this object. Dialogs open over `window`.
    SessionDialogs(const Parts& parts, QWidget& window);

private:
    void connectActions();
    void connectDevices();
    void showTagging(TaggingRequest::Way way);
    void showBalance();
    void showSupport();
    void showPartsRun();
    void showOperators();
    void showExport(Pane* front);
    void cutAgain(const RunResult& result);
    void askForUnits(const QString& rows);
    void showPresets();
    void showLinks();
    void offerOtherDevices(const QString& why);

    Parts m_parts;
    QWidget& m_window;
    SupportWish m_support; ///< of the last dialog
};

} // namespace sunder
