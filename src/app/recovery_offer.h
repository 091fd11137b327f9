#pragma once

#include "app/unsaved_work.h"

#include <QObject>

#include <functional>

namespace sunder {

class Autosave;
class Document;
class NoticeBar;

/// Offers what earlier sessions left unsaved, one after the other, the newest first: to recover, to discard, or to keep for later.
/// While something is recovered the others wait until it is closed.
class RecoveryOffer final : public QObject {
    Q_OBJECT

public:
    /// `open` opens it as a document that is not saved; what was left is taken away once `autosave` has it again.
    RecoveryOffer(NoticeBar& bar, Document& document, Autosave& autosave, std::function<void(const QString& path)> open,
                  QObject* parent);

    /// Looks into this folder, and shows the strip where there is something.
    void look(const QString& folder);
    /// What is at this path is open now.
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
    std::optional<UnsavedWork> m_recovering; ///< until it is kept again
    bool m_isOpen = false; ///< and it is the document
};

} // namespace sunder
