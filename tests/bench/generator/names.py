"""Names of series, titles and axes as papers and dashboards write them."""

from __future__ import annotations

import numpy as np

# fmt: off
SETS: tuple[tuple[str, ...], ...] = (
    ("Baseline", "Ours", "Ours w/o warmup", "Ours (large)", "Prior work", "No dropout", "Pre-LN", "Post-LN",
     "Sandwich-LN", "RMSNorm"),
    ("AdamW", "SGD", "Lion", "Muon", "Adafactor", "Shampoo", "SOAP", "RMSProp", "LAMB", "Adagrad"),
    ("train loss", "val loss", "test loss", "ema loss", "dev loss", "probe loss", "aux loss", "z-loss",
     "router loss", "kl loss"),
    ("lr=1e-3", "lr=3e-4", "lr=5e-2", "batch 64", "batch 512", "cosine", "linear", "constant", "wsd",
     "trapezoid"),
    ("125M", "350M", "760M", "1.3B", "2.7B", "6.7B", "13B", "30B", "66B", "175B"),
    ("ResNet-18", "ViT-B/16", "ConvNeXt-T", "MLP-Mixer", "EfficientNet", "DeiT-S", "Swin-L", "VGG-16",
     "DenseNet", "MobileNet"),
    ("Transformer", "LSTM", "Mamba", "RWKV", "RetNet", "Hyena", "S4", "GRU", "xLSTM", "Griffin"),
    ("d_model = 256", "512 wide", "depth 1024", "2048 tokens", "Ctx 4096", "8k context", "16 heads",
     "32 layers", "no bias", "tied weights"),
    ("Random init", "SVD init, w/ LN", "SVD init, w/o LN", "Small Init Emb", "Xavier", "Kaiming",
     "Orthogonal", "T-Fixup", "DeepNorm", "muP"),
    ("seed 0", "run-blue-7", "run-hazy-12", "exp_003", "sweep/best", "worker A", "node-42", "gpt2-small",
     "pythia-70m", "tinyllama"),
)
TITLES = ("Training loss", "Validation loss over training", "Effect of initialisation", "Loss curves",
          "WikiText-103", "ImageNet", "Scaling runs", "(a) Pre-training", "Ablation", "Learning curves on C4")
# fmt: on
LOSS_LABELS = (
    "Loss",
    "Training loss",
    "Validation loss",
    "Perplexity",
    "NLL",
    "Cross-entropy",
    "loss",
    "Error",
)
SCORE_LABELS = ("Accuracy", "Score", "Return", "Win rate", "BLEU", "F1")
STEP_LABELS = ("Step", "Steps", "Training steps", "Iteration", "Updates", "step", "Iterations")
TOKEN_LABELS = ("Tokens", "Tokens seen", "Samples", "Training tokens", "FLOPs", "Examples")


def pick(rng: np.random.Generator, options: tuple[str, ...]) -> str:
    """Return one of the options."""
    return options[int(rng.integers(len(options)))]


def series_names(rng: np.random.Generator, count: int) -> tuple[str, ...]:
    """Return different names out of one set, in a random order."""
    names = SETS[int(rng.integers(len(SETS)))]
    return tuple(names[i] for i in rng.permutation(len(names))[:count])
