#pragma once

#include "document/document.h"
#include "document/passes/partition_pass.h"

#include <QDialog>

#include <memory>

class QPushButton;

namespace sunder {

namespace Ui {
class PartitionDialog;
}

/// Asks for the input of a partition: the method with a description, its options, and devices if there are none. Non-modal, so
/// that devices can be edited meanwhile. Shows missing input at once. Remembers the last choice.
class PartitionDialog final : public QDialog {
    Q_OBJECT

public:
    PartitionDialog(Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~PartitionDialog() override;

    /// Methods in the order of the form; the last is the partitioner of 2020.
    enum class Method { sizeBased, sparseNn, costAware, klBased, asTagged, of2020 };
    static constexpr int kMethods = 6;

    void setMethod(Method method);
    /// Sets the options of an earlier run, except its devices.
    void takeOptions(const PassOptions& options);
    [[nodiscard]] Method method() const;
    /// Returns the current request, or the missing input as an error.
    [[nodiscard]] Result<PartitionRequest> request() const;
    /// Reads latencies and bandwidth from a CONFIG.json.
    void takeConfigFile(const QString& path);
    [[nodiscard]] QPushButton& partitionButton() const;
    [[nodiscard]] QPushButton& addDevicesButton() const;
    [[nodiscard]] QString missing() const;

signals:
    void partitionRequested(const sunder::PartitionRequest& request);

public slots:
    void accept() override;

private:
    void chooseConfig();
    void measureEven();
    void addEvenDevices();
    void showState();
    void restore();
    void remember() const;

    Document& m_document;
    Jobs& m_jobs;
    std::unique_ptr<Ui::PartitionDialog> m_ui;
    std::uint64_t m_evenBytes = 0;
    std::vector<std::pair<InternedString, NodeLatency>> m_latencies;
};

} // namespace sunder
