#pragma once

#include "document/document_part.h"

#include "analysis/device.h"

#include <QString>

#include <vector>

namespace sunder {

/// The devices that the model is partitioned for. They belong to the project.
class Devices final : private DocumentPart {
public:
    explicit Devices(Document& document) : DocumentPart(document) {}

    [[nodiscard]] const std::vector<Device>& list() const { return m_list; }
    /// Returns the devices of the last open model that had any, in this or an earlier session. Empty if there was none.
    [[nodiscard]] const std::vector<Device>& last() const { return m_last; }

    /// Replaces all devices; makes duplicate ids unique. Undoable.
    void set(std::vector<Device> devices, const QString& undoText);
    /// Assigns last() to this model. Undoable.
    void useLast();
    /// Sets the devices of an earlier session, from the settings.
    void setLast(std::vector<Device> devices) { m_last = std::move(devices); }

private:
    friend class Document;
    /// Takes the devices of another model.
    void reset(std::vector<Device> devices);
    void swap(std::vector<Device>& devices);

    std::vector<Device> m_list;
    std::vector<Device> m_last;
};

} // namespace sunder
