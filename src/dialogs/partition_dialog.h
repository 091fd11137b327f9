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

/// Asks how the model is to be cut over devices: the method, with a sentence what it does, its options, and devices where
/// there are none. Stays open beside the window, so that the table of devices can be edited meanwhile; says what is
/// missing before one asks for it. Remembers the choice.
class PartitionDialog final : public QDialog {
    Q_OBJECT

public:
    PartitionDialog(Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~PartitionDialog() override;

    /// The choices in the order in which they are listed; the last is the partitioner of 2020.
    enum class Method { sizeBased, sparseNn, costAware, klBased, asTagged, of2020 };
    static constexpr int kMethods = 6;

    void setMethod(Method method);
    /// How a run was asked for, to ask for another one: all but its devices, which are those of the table.
    void takeOptions(const PassOptions& options);
    [[nodiscard]] Method method() const;
    /// What would be asked for now; says why not when something is missing.
    [[nodiscard]] Result<PartitionRequest> request() const;
    /// Takes the latencies and the bandwidth of a CONFIG.json.
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
