"""The models of real_models.py. MODELS maps each name, PACKAGE/MODEL, to a function that returns the module and its inputs.

Weights are random; nothing is downloaded. Models of torchvision and timm are complete. Models of transformers and diffusers have
few, narrow layers of their real classes.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any, Callable, NamedTuple

import torch


class Model(NamedTuple):
    """A module, and the inputs that it is exported and called with."""

    module: torch.nn.Module
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = {}


VOCABULARY = 128
SMALL = dict(vocab_size=VOCABULARY, hidden_size=64, num_hidden_layers=4, num_attention_heads=4)
GROUPED = dict(**SMALL, intermediate_size=128, num_key_value_heads=2, head_dim=16)


def images(size: int) -> torch.Tensor:
    return torch.rand(1, 3, size, size)


def tokens(batch: int = 2, length: int = 16) -> torch.Tensor:
    return torch.randint(2, VOCABULARY, (batch, length))


def of_torchvision(name: str, *inputs: torch.Tensor, **options: Any) -> Callable[[], Model]:
    def make() -> Model:
        module = _package("torchvision").models.get_model(name, weights=None, **options)
        return Model(module, inputs or (images(224),))

    return make


def of_timm(name: str, size: int = 224) -> Callable[[], Model]:
    return lambda: Model(_package("timm").create_model(name, pretrained=False), (images(size),))


def of_transformers(name: str, config: str, kwargs: Callable[[], dict[str, Any]], **options: Any) -> Callable[[], Model]:
    """Returns the class `name` of a configuration with these options, called with keywords."""

    def make() -> Model:
        package = _package("transformers")
        options.setdefault("use_cache", False)
        return Model(getattr(package, name)(getattr(package, config)(**options)), (), kwargs())

    return make


def decoder(name: str, config: str, **options: Any) -> Callable[[], Model]:
    return of_transformers(name, config, lambda: dict(input_ids=tokens()), **options)


def encoder(name: str, config: str, **options: Any) -> Callable[[], Model]:
    def inputs() -> dict[str, Any]:
        return dict(input_ids=tokens(), attention_mask=torch.ones(2, 16, dtype=torch.int64))

    return of_transformers(name, config, inputs, **options)


def encoder_decoder(name: str, config: str, **options: Any) -> Callable[[], Model]:
    return of_transformers(name, config, lambda: dict(input_ids=tokens(), decoder_input_ids=tokens(2, 8)), **options)


def of_diffusers(name: str, args: Callable[[], tuple[Any, ...]], **options: Any) -> Callable[[], Model]:
    return lambda: Model(getattr(_package("diffusers"), name)(**options), args())


def transformer() -> Model:
    module = torch.nn.Transformer(
        d_model=64, nhead=4, num_encoder_layers=3, num_decoder_layers=3, dim_feedforward=128, batch_first=True
    )
    return Model(module, (torch.rand(2, 12, 64), torch.rand(2, 9, 64)))


def lstm() -> Model:
    return Model(torch.nn.LSTM(32, 48, num_layers=3, batch_first=True, bidirectional=True), (torch.rand(2, 10, 32),))


def clip() -> Model:
    package = _package("transformers")
    text = dict(**SMALL, intermediate_size=128)
    vision = dict(
        hidden_size=64, num_hidden_layers=3, num_attention_heads=4, intermediate_size=128, image_size=64, patch_size=16
    )
    module = package.CLIPModel(package.CLIPConfig(text_config=text, vision_config=vision, projection_dim=32))
    return Model(module, (), dict(input_ids=tokens(), pixel_values=torch.rand(2, 3, 64, 64)))


def _package(name: str) -> Any:
    """Imports a package. transformers and timm import torchvision, whose wheel on PyPI needs CUDA for its own operators. No model
    here calls them, but without CUDA two of them must be declared before the import.
    """
    if importlib.util.find_spec("torchvision") is not None:
        try:
            importlib.import_module("torchvision")
        except RuntimeError:
            for operator in ("nms", "qnms"):
                _declared.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    return importlib.import_module(name)


_declared = torch.library.Library("torchvision", "FRAGMENT")

_VISION_TRANSFORMER = dict(
    hidden_size=64, num_hidden_layers=4, num_attention_heads=4, intermediate_size=128, image_size=64, patch_size=16
)

MODELS: dict[str, Callable[[], Model]] = {
    "torch/Transformer": transformer,
    "torch/LSTM": lstm,
    "torchvision/resnet18": of_torchvision("resnet18"),
    "torchvision/resnet50": of_torchvision("resnet50"),
    "torchvision/resnext50_32x4d": of_torchvision("resnext50_32x4d"),
    "torchvision/mobilenet_v2": of_torchvision("mobilenet_v2"),
    "torchvision/mobilenet_v3_small": of_torchvision("mobilenet_v3_small"),
    "torchvision/efficientnet_b0": of_torchvision("efficientnet_b0"),
    "torchvision/efficientnet_v2_s": of_torchvision("efficientnet_v2_s"),
    "torchvision/densenet121": of_torchvision("densenet121"),
    "torchvision/googlenet": of_torchvision("googlenet", init_weights=False),
    "torchvision/inception_v3": of_torchvision("inception_v3", images(299), init_weights=False),
    "torchvision/shufflenet_v2_x1_0": of_torchvision("shufflenet_v2_x1_0"),
    "torchvision/squeezenet1_1": of_torchvision("squeezenet1_1"),
    "torchvision/regnet_y_400mf": of_torchvision("regnet_y_400mf"),
    "torchvision/convnext_tiny": of_torchvision("convnext_tiny"),
    "torchvision/swin_t": of_torchvision("swin_t"),
    "torchvision/swin_v2_t": of_torchvision("swin_v2_t", images(256)),
    "torchvision/vit_b_32": of_torchvision("vit_b_32"),
    "torchvision/maxvit_t": of_torchvision("maxvit_t"),
    "torchvision/lraspp_mobilenet_v3_large": of_torchvision("lraspp_mobilenet_v3_large", images(128), weights_backbone=None),
    "torchvision/deeplabv3_mobilenet_v3_large": of_torchvision(
        "deeplabv3_mobilenet_v3_large", images(128), weights_backbone=None
    ),
    "torchvision/raft_small": of_torchvision("raft_small", images(128), images(128)),
    "torchvision/r3d_18": of_torchvision("r3d_18", torch.rand(1, 3, 8, 56, 56)),
    "timm/levit_128s": of_timm("levit_128s"),
    "timm/xcit_nano_12_p16_224": of_timm("xcit_nano_12_p16_224"),
    "timm/cait_xxs24_224": of_timm("cait_xxs24_224"),
    "timm/gmlp_s16_224": of_timm("gmlp_s16_224"),
    "timm/poolformer_s12": of_timm("poolformer_s12"),
    "timm/edgenext_xx_small": of_timm("edgenext_xx_small"),
    "timm/mobilevit_xs": of_timm("mobilevit_xs", 256),
    "timm/hrnet_w18_small": of_timm("hrnet_w18_small"),
    "timm/ghostnet_100": of_timm("ghostnet_100"),
    "timm/repvgg_a0": of_timm("repvgg_a0"),
    "timm/eva02_tiny_patch14_224": of_timm("eva02_tiny_patch14_224"),
    "timm/fastvit_t8": of_timm("fastvit_t8", 256),
    "timm/dla34": of_timm("dla34"),
    "timm/res2net50_14w_8s": of_timm("res2net50_14w_8s"),
    "transformers/Llama": decoder("LlamaForCausalLM", "LlamaConfig", **GROUPED),
    "transformers/Mistral": decoder("MistralForCausalLM", "MistralConfig", **GROUPED, sliding_window=8),
    "transformers/Qwen3": decoder("Qwen3ForCausalLM", "Qwen3Config", **GROUPED),
    "transformers/Gemma2": decoder("Gemma2ForCausalLM", "Gemma2Config", **GROUPED, sliding_window=8),
    "transformers/Phi3": decoder("Phi3ForCausalLM", "Phi3Config", **GROUPED, pad_token_id=0),
    "transformers/Mixtral": decoder("MixtralForCausalLM", "MixtralConfig", **GROUPED, num_local_experts=4),
    "transformers/GPT2": decoder("GPT2LMHeadModel", "GPT2Config", vocab_size=VOCABULARY, n_embd=64, n_layer=4, n_head=4),
    "transformers/GPTNeoX": decoder("GPTNeoXForCausalLM", "GPTNeoXConfig", **SMALL, intermediate_size=128),
    "transformers/OPT": decoder("OPTForCausalLM", "OPTConfig", **SMALL, ffn_dim=128, word_embed_proj_dim=64),
    "transformers/Bloom": decoder(
        "BloomForCausalLM", "BloomConfig", vocab_size=VOCABULARY, hidden_size=64, n_layer=4, n_head=4
    ),
    "transformers/Falcon": decoder("FalconForCausalLM", "FalconConfig", **SMALL),
    "transformers/Mamba": decoder(
        "MambaForCausalLM", "MambaConfig", vocab_size=VOCABULARY, hidden_size=64, num_hidden_layers=2, state_size=8
    ),
    "transformers/Bert": encoder("BertForMaskedLM", "BertConfig", **SMALL, intermediate_size=128),
    "transformers/Roberta": encoder("RobertaForSequenceClassification", "RobertaConfig", **SMALL, intermediate_size=128),
    "transformers/DistilBert": encoder(
        "DistilBertModel", "DistilBertConfig", vocab_size=VOCABULARY, dim=64, n_layers=4, n_heads=4, hidden_dim=128
    ),
    "transformers/Albert": encoder("AlbertModel", "AlbertConfig", **SMALL, intermediate_size=128, embedding_size=32),
    "transformers/Electra": encoder("ElectraForTokenClassification", "ElectraConfig", **SMALL, intermediate_size=128),
    "transformers/DebertaV2": encoder(
        "DebertaV2Model",
        "DebertaV2Config",
        **SMALL,
        intermediate_size=128,
        relative_attention=True,
        pos_att_type=["p2c", "c2p"],
    ),
    "transformers/T5": encoder_decoder(
        "T5ForConditionalGeneration",
        "T5Config",
        vocab_size=VOCABULARY,
        d_model=64,
        d_kv=16,
        d_ff=128,
        num_layers=3,
        num_heads=4,
    ),
    "transformers/Bart": encoder_decoder(
        "BartForConditionalGeneration",
        "BartConfig",
        vocab_size=VOCABULARY,
        d_model=64,
        encoder_layers=3,
        decoder_layers=3,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=128,
        decoder_ffn_dim=128,
    ),
    "transformers/CLIP": clip,
    "transformers/ViT": of_transformers(
        "ViTForImageClassification", "ViTConfig", lambda: dict(pixel_values=images(64)), **_VISION_TRANSFORMER
    ),
    "transformers/SegFormer": of_transformers(
        "SegformerForSemanticSegmentation", "SegformerConfig", lambda: dict(pixel_values=images(128))
    ),
    "transformers/Whisper": of_transformers(
        "WhisperModel",
        "WhisperConfig",
        lambda: dict(input_features=torch.rand(1, 80, 200), decoder_input_ids=tokens(1, 8)),
        vocab_size=VOCABULARY,
        d_model=64,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=128,
        decoder_ffn_dim=128,
        max_source_positions=100,
        max_target_positions=64,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=1,
        decoder_start_token_id=1,
    ),
    "transformers/Wav2Vec2": of_transformers(
        "Wav2Vec2Model",
        "Wav2Vec2Config",
        lambda: dict(input_values=torch.rand(1, 8000)),
        hidden_size=64,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=128,
        conv_dim=(32,) * 7,
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=4,
    ),
    "diffusers/UNet2DCondition": of_diffusers(
        "UNet2DConditionModel",
        lambda: (torch.rand(1, 4, 16, 16), torch.tensor(10), torch.rand(1, 7, 32)),
        sample_size=16,
        block_out_channels=(32, 64),
        layers_per_block=1,
        cross_attention_dim=32,
        attention_head_dim=8,
        down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"),
    ),
    "diffusers/AutoencoderKL": of_diffusers(
        "AutoencoderKL",
        lambda: (images(32),),
        block_out_channels=(32, 64),
        layers_per_block=1,
        down_block_types=("DownEncoderBlock2D",) * 2,
        up_block_types=("UpDecoderBlock2D",) * 2,
    ),
    "diffusers/DiTTransformer2D": of_diffusers(
        "DiTTransformer2DModel",
        lambda: (torch.rand(1, 4, 16, 16), torch.tensor([3]), torch.tensor([5])),
        num_attention_heads=4,
        attention_head_dim=16,
        in_channels=4,
        out_channels=8,
        num_layers=3,
        sample_size=16,
        num_embeds_ada_norm=1000,
    ),
}
