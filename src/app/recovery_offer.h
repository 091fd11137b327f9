#pragma once

#include "app/unsaved_work.h"

#include <QObject>

#include <functional>

namespace sunder {

class Autosave;
class Document;
class NoticeBar;

/// Offers unsaved work of earlier sessions one at a time, newest first: recover, discard, or keep for later. While recovered work
/// is open, the other offers wait.
class RecoveryOffer final : public QObject {
    Q_OBJECT

public:
    /// `open` opens a file as an unsaved document. The file is deleted once `autosave` has written it again.
    RecoveryOffer(NoticeBar& bar, Document& document, Autosave& autosave, std::function<void(const QString& path)> open,
                  QObject* parent);

    /// Shows the bar if this folder contains unsaved work.
    void look(const QString& folder);
    /// Notes that the work in this file was opened.
    void noteOpened(const QString& path);

private:
    void show();
    void choose(int offer);
    void noteOther();
    void takeAway();

    NoticeBar& m_bar;
    Document& m_document;
    Autosave& m_autosave;
    std::function<void(const QString&)> m_open;
    std::vector<UnsavedWork> m_left;
    std::optional<UnsavedWork> m_recovering; ///< work not yet written by this session's autosave
    bool m_isOpen = false; ///< it is the open document
};

} // namespace sunder
