"""fx-json (docs/fx-json.md): graphs of torch.fx written to files, and read back as modules that run."""
