#pragma once

#include "analysis/device.h"

#include <QAbstractTableModel>

#include <vector>

namespace sunder {

/// The links between devices as a matrix: from the device of a row to that of a column. Pairs without a link of their own show the
/// link that applies, faint. Edited as text: "450 GB/s, 2 µs, 80%"; an empty text removes the link.
class LinkModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr std::size_t kMostDevices = 64; ///< of a matrix that a person edits

    explicit LinkModel(std::vector<Device> devices, QObject* parent = nullptr);

    /// Returns the devices with the links as edited.
    [[nodiscard]] const std::vector<Device>& devices() const { return m_devices; }
    /// Returns why a text is refused; empty if it is not.
    [[nodiscard]] static QString refusalOf(const QString& typed);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void refused(const QString& why);
    void edited();

private:
    /// Returns the link that a device states for another one; null if it states none.
    [[nodiscard]] const DeviceLink* own(const QModelIndex& index) const;

    std::vector<Device> m_devices;
};

} // namespace sunder
