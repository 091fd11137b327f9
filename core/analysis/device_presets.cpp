#include "analysis/device_presets.h"

#include <algorithm>
#include <limits>

namespace sunder {
namespace {

constexpr double kGB = 1e9;
constexpr double kGiB = 1073741824.0;
constexpr double kTera = 1e12;
constexpr std::size_t kMaxDevices = 4096;
constexpr std::string_view kAssumedDevice = "A100 SXM 80 GB";

// Figures from vendors' data sheets. Compute is dense: half of figures quoted "with sparsity". Rates are those of the matrix units
// where there are any; float32 is without TF32, which PyTorch does not use by default. Links are in one direction: half of figures
// quoted for both. Figures missing from a sheet are left out. Apple states no compute; its clocks are those that macOS reports.
using Rates = std::array<PresetRate, 7>;
constexpr Rates kB200Rates{{{"float64", 37},
                            {"float32", 75},
                            {"float16", 2250},
                            {"bfloat16", 2250},
                            {"float8_e4m3fn", 4500},
                            {"int8", 4500},
                            {"float4_e2m1fn_x2", 9000}}};
constexpr Rates kHopperRates{
    {{"float64", 67}, {"float32", 67}, {"float16", 989.4}, {"bfloat16", 989.4}, {"float8_e4m3fn", 1979}, {"int8", 1979}}};
constexpr Rates kH100PcieRates{
    {{"float64", 51}, {"float32", 51}, {"float16", 756}, {"bfloat16", 756}, {"float8_e4m3fn", 1513}, {"int8", 1513}}};
constexpr Rates kL40SRates{{{"float32", 91.6}, {"float16", 362.05}, {"bfloat16", 362.05}, {"float8_e4m3fn", 733}, {"int8", 733}}};
constexpr Rates kL4Rates{{{"float32", 30.3}, {"float16", 121}, {"bfloat16", 121}, {"float8_e4m3fn", 242.5}, {"int8", 242.5}}};
constexpr Rates kA100Rates{{{"float64", 19.5}, {"float32", 19.5}, {"float16", 312}, {"bfloat16", 312}, {"int8", 624}}};
constexpr Rates kT4Rates{{{"float32", 8.1}, {"float16", 65}, {"int8", 130}}};
constexpr Rates kV100Rates{{{"float64", 7.8}, {"float32", 15.7}, {"float16", 125}}};
constexpr Rates kRtx4090Rates{
    {{"float32", 82.6}, {"float16", 165.2}, {"bfloat16", 165.2}, {"float8_e4m3fn", 330.3}, {"int8", 660.6}}};
constexpr Rates kRtx3090Rates{{{"float32", 35.6}, {"float16", 71}, {"bfloat16", 71}, {"int8", 284}}};
constexpr Rates kMi300XRates{{{"float64", 163.4},
                              {"float32", 163.4},
                              {"float16", 1307.4},
                              {"bfloat16", 1307.4},
                              {"float8_e4m3fnuz", 2614.9},
                              {"int8", 2614.9}}};
constexpr Rates kMi250XRates{{{"float64", 47.9}, {"float32", 47.9}, {"float16", 191.5}, {"bfloat16", 191.5}, {"int8", 191.5}}};
constexpr Rates kMi210Rates{{{"float64", 45.3}, {"float32", 45.3}, {"float16", 181}, {"bfloat16", 181}, {"int8", 181}}};
constexpr Rates kEpyc9654Rates{{{"float64", 3.69}, {"float32", 7.37}, {"bfloat16", 14.7}, {"int8", 29.5}}};
constexpr Rates kGaudi2Rates{{{"bfloat16", 432}, {"float8_e4m3fn", 865}}};
constexpr Rates kTpuv5pRates{{{"bfloat16", 459}, {"int8", 918}}};
constexpr Rates kTpuv5eRates{{{"bfloat16", 197}, {"int8", 393}}};
constexpr Rates kTpuv4Rates{{{"bfloat16", 275}, {"int8", 275}}};
constexpr Rates kTrainiumRates{{{"float32", 47.5}, {"float16", 190}, {"bfloat16", 190}, {"int8", 380}}};
constexpr Rates kM4MaxRates{{{"float32", 16.2}, {"float16", 16.2}, {"bfloat16", 16.2}}};
constexpr Rates kM3UltraRates{{{"float32", 28.6}, {"float16", 28.6}, {"bfloat16", 28.6}}};

constexpr std::array kPresets{
    DevicePreset{"B200 SXM 180 GB", "NVIDIA", 180 * kGB, 8000 * kGB, 900 * kGB, 2250 * kTera,
                 "NVIDIA HGX platform specifications (HGX B200)", "one of the eight GPUs in the data sheet", kB200Rates},
    DevicePreset{"H200 SXM 141 GB", "NVIDIA", 141 * kGB, 4800 * kGB, 450 * kGB, 989.4 * kTera,
                 "NVIDIA H200 Tensor Core GPU data sheet", "", kHopperRates},
    DevicePreset{"H100 SXM 80 GB", "NVIDIA", 80 * kGB, 3350 * kGB, 450 * kGB, 989.4 * kTera,
                 "NVIDIA H100 Tensor Core GPU data sheet", "", kHopperRates},
    DevicePreset{"H100 PCIe 80 GB", "NVIDIA", 80 * kGB, 2000 * kGB, 64 * kGB, 756 * kTera,
                 "NVIDIA H100 Tensor Core GPU data sheet", "PCIe 5 link; an NVLink bridge connects only pairs", kH100PcieRates},
    DevicePreset{"L40S 48 GB", "NVIDIA", 48 * kGB, 864 * kGB, 32 * kGB, 362.05 * kTera, "NVIDIA L40S GPU data sheet",
                 "PCIe 4 link", kL40SRates},
    DevicePreset{"L4 24 GB", "NVIDIA", 24 * kGB, 300 * kGB, 32 * kGB, 121 * kTera, "NVIDIA L4 Tensor Core GPU data sheet",
                 "PCIe 4 link", kL4Rates},
    DevicePreset{"A100 SXM 80 GB", "NVIDIA", 80 * kGB, 2039 * kGB, 300 * kGB, 312 * kTera,
                 "NVIDIA A100 Tensor Core GPU data sheet", "", kA100Rates},
    DevicePreset{"A100 PCIe 80 GB", "NVIDIA", 80 * kGB, 1935 * kGB, 32 * kGB, 312 * kTera,
                 "NVIDIA A100 Tensor Core GPU data sheet", "PCIe 4 link; an NVLink bridge connects only pairs", kA100Rates},
    DevicePreset{"A100 SXM 40 GB", "NVIDIA", 40 * kGB, 1555 * kGB, 300 * kGB, 312 * kTera,
                 "NVIDIA A100 Tensor Core GPU data sheet", "", kA100Rates},
    DevicePreset{"T4 16 GB", "NVIDIA", 16 * kGB, 300 * kGB, 16 * kGB, 65 * kTera, "NVIDIA T4 Tensor Core GPU data sheet",
                 "PCIe 3 link; error correction reduces the usable memory", kT4Rates},
    DevicePreset{"V100 SXM2 32 GB", "NVIDIA", 32 * kGB, 900 * kGB, 150 * kGB, 125 * kTera,
                 "NVIDIA V100 Tensor Core GPU data sheet", "FP16 rate; BF16 is not supported", kV100Rates},
    DevicePreset{"V100 SXM2 16 GB", "NVIDIA", 16 * kGB, 900 * kGB, 150 * kGB, 125 * kTera,
                 "NVIDIA V100 Tensor Core GPU data sheet", "FP16 rate; BF16 is not supported", kV100Rates},
    DevicePreset{"RTX 4090 24 GB", "NVIDIA", 24 * kGB, 1008 * kGB, 32 * kGB, 165.2 * kTera,
                 "NVIDIA Ada GPU Architecture white paper", "PCIe 4 link", kRtx4090Rates},
    DevicePreset{"RTX 3090 24 GB", "NVIDIA", 24 * kGB, 936 * kGB, 32 * kGB, 71 * kTera,
                 "NVIDIA Ampere GA102 GPU Architecture white paper", "PCIe 4 link; an NVLink bridge connects only pairs",
                 kRtx3090Rates},
    DevicePreset{"MI300X 192 GB", "AMD", 192 * kGB, 5300 * kGB, 64 * kGB, 1307.4 * kTera,
                 "AMD Instinct MI300X Accelerator data sheet", "one link to each of seven other GPUs; 448 GB/s together",
                 kMi300XRates},
    DevicePreset{"MI250X 64 GB (one of two dies)", "AMD", 64 * kGB, 1638.4 * kGB, 0, 191.5 * kTera,
                 "AMD Instinct MI250X Accelerator data sheet", "half of the card; PyTorch treats each die as a device",
                 kMi250XRates},
    DevicePreset{"MI210 64 GB", "AMD", 64 * kGB, 1638.4 * kGB, 0, 181 * kTera, "AMD Instinct MI210 Accelerator data sheet", "",
                 kMi210Rates},
    DevicePreset{"CPU EPYC 9654 384 GB", "AMD", 384 * kGB, 460.8 * kGB, 64 * kGB, 14.7 * kTera,
                 "AMD EPYC 9654 product page and Software Optimization Guide for Zen 4",
                 "12 × 32 GB; peak of 96 cores at the base clock of 2.4 GHz; PCIe 5 link", kEpyc9654Rates},
    DevicePreset{"Gaudi 3 128 GB", "Intel", 128 * kGB, 3700 * kGB, 600 * kGB, 0, "Intel Gaudi 3 AI Accelerator white paper",
                 "24 × 200 Gb Ethernet link; Intel's documents disagree on compute, so it is omitted"},
    DevicePreset{"Gaudi 2 96 GB", "Intel", 96 * kGB, 2450 * kGB, 300 * kGB, 432 * kTera,
                 "Intel Gaudi 2 AI Accelerator product brief", "24 × 100 Gb Ethernet link", kGaudi2Rates},
    DevicePreset{"TPU v5p 95 GB", "Google", 95 * kGB, 2765 * kGB, 600 * kGB, 459 * kTera,
                 "Google Cloud TPU v5p documentation (docs.cloud.google.com/tpu/docs/v5p)", "", kTpuv5pRates},
    DevicePreset{"TPU v5e 16 GB", "Google", 16 * kGB, 819 * kGB, 200 * kGB, 197 * kTera,
                 "Google Cloud TPU v5e documentation (docs.cloud.google.com/tpu/docs/v5e)", "links to all neighbors together",
                 kTpuv5eRates},
    DevicePreset{"TPU v4 32 GB", "Google", 32 * kGB, 1200 * kGB, 0, 275 * kTera,
                 "Google Cloud TPU v4 documentation (docs.cloud.google.com/tpu/docs/v4)", "", kTpuv4Rates},
    DevicePreset{"Trainium 32 GiB", "AWS", 32 * kGiB, 820 * kGiB, 0, 190 * kTera,
                 "AWS Neuron documentation, Trainium Architecture", "", kTrainiumRates},
    DevicePreset{"Inferentia2 32 GiB", "AWS", 32 * kGiB, 820 * kGiB, 0, 190 * kTera,
                 "AWS Neuron documentation, Inferentia2 Architecture", "", kTrainiumRates},
    DevicePreset{
        "M3 Ultra 512 GB", "Apple", 512 * kGB, 819 * kGB, 10 * kGB, 28.6 * kTera,
        "Apple Mac Studio (2025) technical specifications",
        "80 GPU cores; memory is shared with the CPU; Thunderbolt 5 link; compute is not Apple's: cores × 128 × 2 × 1.398 GHz",
        kM3UltraRates},
    DevicePreset{
        "M4 Max 128 GB", "Apple", 128 * kGB, 546 * kGB, 10 * kGB, 16.2 * kTera,
        "Apple MacBook Pro (2024) technical specifications",
        "40 GPU cores; memory is shared with the CPU; Thunderbolt 5 link; compute is not Apple's: cores × 128 × 2 × 1.578 GHz",
        kM4MaxRates},
    DevicePreset{"M2 Ultra 192 GB", "Apple", 192 * kGB, 800 * kGB, 0, 0, "Apple Mac Studio (2023) technical specifications",
                 "memory is shared with the CPU"},
};

/// Returns "H100 SXM" for "H100 SXM 80 GB": a device states its memory separately.
std::string_view withoutMemory(std::string_view name)
{
    const std::size_t unit = std::min(name.find(" GB"), name.find(" GiB"));
    return name.substr(0, name.rfind(' ', unit - 1));
}

} // namespace

std::span<const DevicePreset> devicePresets()
{
    return kPresets;
}

const DevicePreset* findDevicePreset(std::string_view name)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    const auto isSame = [&](const DevicePreset& preset) { return std::ranges::equal(preset.name, name, {}, lower, lower); };
    const auto at = std::ranges::find_if(kPresets, isSame);
    return at == kPresets.end() ? nullptr : &*at;
}

Result<std::vector<Device>> devicesOf(const DevicePreset& preset, std::size_t count, std::span<const Device> before)
{
    if (count == 0 || count > kMaxDevices)
        return fail(ErrorCode::usage,
                    "1 to " + std::to_string(kMaxDevices) + " devices can be added at once, not " + std::to_string(count));
    const std::string name(withoutMemory(preset.name));
    std::int64_t id = 0;
    std::size_t alike = 0;
    for (const Device& device : before) {
        id = std::max(id, device.logicalId + 1);
        alike += device.name.starts_with(name) ? 1 : 0;
    }
    const bool isAlone = count == 1 && alike == 0;
    Device device{.source = std::string(preset.source)};
    for (const DeviceFigure& figure : deviceFigures())
        if (figure.preset != nullptr && preset.*figure.preset > 0)
            SUNDER_PROPAGATE(setFigure(device, figure, preset.*figure.preset));
    for (const PresetRate& rate : preset.rates)
        if (!rate.dtype.empty())
            device.rates.push_back({std::string(rate.dtype), rate.teraflops * kTera});
    std::vector<Device> devices(count, device);
    for (std::size_t i = 0; i < count; ++i) {
        devices[i].name = name + (isAlone ? "" : " " + std::to_string(alike + i));
        devices[i].logicalId = id + static_cast<std::int64_t>(i);
    }
    return devices;
}

Result<std::vector<Device>> assumedDevices(std::size_t count, bool isMeasured, std::vector<std::string>& assumptions)
{
    std::vector<Device> devices(count);
    if (const DevicePreset* const preset = isMeasured ? nullptr : findDevicePreset(kAssumedDevice)) {
        SUNDER_TRY(devices, devicesOf(*preset, count));
        assumptions.push_back("no devices and no measured seconds: costs of an " + std::string(kAssumedDevice)
                              + " without a memory limit");
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            devices[i].name = "device" + std::to_string(i);
            devices[i].logicalId = static_cast<std::int64_t>(i);
        }
    }
    for (Device& device : devices)
        device.availableBytes = std::numeric_limits<double>::infinity();
    return devices;
}

std::string describe(const DevicePreset& preset)
{
    std::string line = prefixedText(preset.memoryBytes, "B") + " at " + prefixedText(preset.memoryBytesPerSecond, "B/s");
    if (preset.linkBytesPerSecond > 0)
        line += ", " + prefixedText(preset.linkBytesPerSecond, "B/s") + " to other devices";
    if (preset.flopsPerSecond > 0)
        line += ", " + prefixedText(preset.flopsPerSecond, "FLOP/s");
    return line;
}

} // namespace sunder
