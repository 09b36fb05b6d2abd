"""Trains a small decoder transformer on data that it makes itself: the data-parallel part of the launch plan.

Every process is one data-parallel copy. Tensor, pipeline, context and expert parallelism need a framework that splits the model's
layers (see megatron-args.sh where the plan uses them); this script does without.

It saves a checkpoint every --checkpoint-every steps with torch.distributed.checkpoint and starts again from the last whole one.
Replace `Corpus` by your data and `Decoder` by your model; the rest stays.
"""

import argparse
import math
import os
import pathlib
import shutil
import time
from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.nn.functional as F
from torch import nn
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

KEPT_CHECKPOINTS = 2


def parse(argv=None):
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--run-name", default="run")
    p.add_argument("--layers", type=int, default=2)
    p.add_argument("--hidden", type=int, default=64)
    p.add_argument("--heads", type=int, default=4)
    p.add_argument("--kv-heads", type=int, default=2)
    p.add_argument("--ffn", type=int, default=128)
    p.add_argument("--vocab", type=int, default=256)
    p.add_argument("--seq", type=int, default=32)
    p.add_argument("--micro-batch", type=int, default=2, help="sequences per process and pass")
    p.add_argument("--global-batch", type=int, default=8, help="sequences per step, over all processes")
    p.add_argument("--steps", type=int, default=20)
    p.add_argument("--lr", type=float, default=3e-4)
    p.add_argument("--sharding", choices=["ddp", "zero1", "zero2", "hsdp", "fsdp"], default="ddp")
    p.add_argument("--shard-within", type=int, default=0, help="hsdp: processes that share one copy; 0: those of one machine")
    p.add_argument("--recompute", choices=["none", "selective", "full"], default="none")
    p.add_argument("--precision", choices=["bf16", "fp16", "fp8", "fp4", "fp32"], default="bf16")
    p.add_argument("--backend", choices=["nccl", "gloo", "mpi"], default="nccl")
    p.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    p.add_argument("--checkpoint-every", type=int, default=10, help="steps")
    p.add_argument("--checkpoint-dir", type=pathlib.Path, default=pathlib.Path("checkpoints"))
    p.add_argument("--seed", type=int, default=0)
    args = p.parse_args(argv)
    if args.hidden % args.heads or args.heads % args.kv_heads or args.hidden // args.heads % 2:
        p.error("heads must divide hidden into even parts, and kv-heads must divide heads")
    return args


class Corpus:
    """Arithmetic progressions of tokens, another step width in each sequence. Step and place alone decide what comes: a resumed run sees
    what the interrupted one would have seen, on any number of processes."""

    def __init__(self, args):
        self.args = args

    def sequences(self, step, first, count):
        places = torch.arange(first, first + count) + step * self.args.global_batch + self.args.seed * 1_000_003
        start, width = places * 7919 % self.args.vocab, 1 + places % 5
        tokens = (start[:, None] + width[:, None] * torch.arange(self.args.seq + 1)) % self.args.vocab
        return tokens[:, :-1], tokens[:, 1:]


class Attention(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.heads, self.kv_heads, self.width = args.heads, args.kv_heads, args.hidden // args.heads
        self.q = nn.Linear(args.hidden, self.heads * self.width, bias=False)
        self.kv = nn.Linear(args.hidden, 2 * self.kv_heads * self.width, bias=False)
        self.out = nn.Linear(self.heads * self.width, args.hidden, bias=False)

    def forward(self, x):
        batch, seq, _ = x.shape
        q = self.q(x).view(batch, seq, self.heads, self.width).transpose(1, 2)
        k, v = self.kv(x).view(batch, seq, 2 * self.kv_heads, self.width).transpose(1, 2).chunk(2, dim=1)
        q, k = rotate(q), rotate(k)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=self.heads != self.kv_heads)
        return self.out(mixed.transpose(1, 2).reshape(batch, seq, -1))


def rotate(x):
    """Rotary positions (Su 2021)."""
    seq, width = x.shape[-2:]
    angle = torch.outer(
        torch.arange(seq, device=x.device, dtype=torch.float32),
        10000 ** (-torch.arange(0, width, 2, device=x.device, dtype=torch.float32) / width),
    )
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)


class Block(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.recompute = args.recompute
        self.norm1, self.norm2 = nn.RMSNorm(args.hidden), nn.RMSNorm(args.hidden)
        self.attention = Attention(args)
        self.up = nn.Linear(args.hidden, 2 * args.ffn, bias=False)
        self.down = nn.Linear(args.ffn, args.hidden, bias=False)

    def forward(self, x):
        return checkpoint(self.body, x, use_reentrant=False) if self.recompute == "full" else self.body(x)

    def body(self, x):
        normed = self.norm1(x)
        selective = self.recompute == "selective"
        x = x + (checkpoint(self.attention, normed, use_reentrant=False) if selective else self.attention(normed))
        gate, value = self.up(self.norm2(x)).chunk(2, dim=-1)
        return x + self.down(F.silu(gate) * value)


class Decoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.embed = nn.Embedding(args.vocab, args.hidden)
        self.blocks = nn.ModuleList(Block(args) for _ in range(args.layers))
        self.norm = nn.RMSNorm(args.hidden)
        self.head = nn.Linear(args.hidden, args.vocab, bias=False)

    def init_weights(self):
        """Runs after sharding, on the device: no process ever holds the whole model unless it is to."""
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, std=0.02)
            elif isinstance(module, nn.RMSNorm):
                nn.init.ones_(module.weight)

    def forward(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).float()


def spread(args, device):
    """The model over the processes. PyTorch's fully_shard splits at least optimizer states and gradients (ZeRO-2): zero1 runs as that,
    which sends the same bytes."""
    torch.manual_seed(args.seed)
    with torch.device("meta"):
        model = Decoder(args)
    if args.sharding == "ddp":
        model.to_empty(device=device).init_weights()
        return DistributedDataParallel(model, device_ids=[device.index] if device.type == "cuda" else None)
    world = dist.get_world_size()
    if args.sharding == "hsdp":
        within = args.shard_within or int(os.environ.get("LOCAL_WORLD_SIZE", world))
        mesh = init_device_mesh(device.type, (world // within, within), mesh_dim_names=("replicate", "shard"))
    else:
        mesh = init_device_mesh(device.type, (world,))
    options = {"mesh": mesh, "reshard_after_forward": args.sharding in ("hsdp", "fsdp")}
    if args.precision != "fp32":
        options["mp_policy"] = MixedPrecisionPolicy(param_dtype=low_precision(args), reduce_dtype=torch.float32)
    for block in model.blocks:
        fully_shard(block, **options)
    fully_shard(model, **options)
    model.to_empty(device=device).init_weights()
    return model


def low_precision(args):
    """fp8 and fp4 need Transformer Engine or torchao; without them the script runs in bf16."""
    return torch.float16 if args.precision == "fp16" else torch.bfloat16


class Checkpoints:
    """A checkpoint is a folder step-N; it gets this name when all of it is written, so a folder with the name is whole."""

    def __init__(self, folder):
        self.folder = folder

    def last(self):
        found = [p for p in self.folder.glob("step-*") if p.suffix == "" and (p / ".metadata").exists()]
        return max(found, key=lambda p: int(p.name.removeprefix("step-")), default=None)

    def save(self, step, model, optimizer, scaler):
        unfinished, whole = self.folder / f"step-{step}.part", self.folder / f"step-{step}"
        if dist.get_rank() == 0:
            shutil.rmtree(unfinished, ignore_errors=True)
            self.folder.mkdir(parents=True, exist_ok=True)
        dist.barrier()
        weights, states = get_state_dict(model, optimizer)
        dcp.save({"model": weights, "optimizer": states, "step": step, "scaler": scaler.state_dict()}, checkpoint_id=unfinished)
        dist.barrier()
        if dist.get_rank() == 0:
            shutil.rmtree(whole, ignore_errors=True)
            unfinished.rename(whole)
            names = [p for p in self.folder.glob("step-*") if p.suffix == ""]
            for old in sorted(names, key=lambda p: int(p.name.removeprefix("step-")))[:-KEPT_CHECKPOINTS]:
                shutil.rmtree(old, ignore_errors=True)
        dist.barrier()

    def load(self, model, optimizer, scaler):
        """Steps done."""
        found = [str(self.last() or "")]
        dist.broadcast_object_list(found, src=0)  # one process decides: the others may see the folder later
        if not found[0]:
            return 0
        weights, states = get_state_dict(model, optimizer)
        state = {"model": weights, "optimizer": states, "step": 0, "scaler": scaler.state_dict()}
        dcp.load(state, checkpoint_id=found[0])
        set_state_dict(model, optimizer, model_state_dict=state["model"], optim_state_dict=state["optimizer"])
        scaler.load_state_dict(state["scaler"])
        return state["step"]


def own_device(args):
    """The GPU of this process, or the CPU where there is none. NCCL knows GPUs only."""
    if args.device == "cpu" or (args.device == "auto" and args.backend != "nccl" and not torch.cuda.is_available()):
        return torch.device("cpu")
    local = next((os.environ[n] for n in ("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID") if n in os.environ), "0")
    device = torch.device("cuda", int(local) % max(1, torch.cuda.device_count()))
    torch.cuda.set_device(device)
    torch.set_float32_matmul_precision("high")
    return device


def train(args, report=lambda **figures: None):
    """Trains in a process group that stands. `report` gets the figures at each checkpoint."""
    rank, world = dist.get_rank(), dist.get_world_size()
    say = print if rank == 0 else lambda *_, **__: None
    device = own_device(args)
    # The batch in equal shares, as the plan counts it: at least one sequence each; the last micro-batch may be smaller.
    share = max(1, math.floor(args.global_batch / world + 0.5))
    args.global_batch = share * world
    model, corpus = spread(args, device), Corpus(args)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, betas=(0.9, 0.95), weight_decay=0.1)
    scaler = torch.amp.GradScaler(device.type, enabled=args.precision == "fp16")
    ddp = isinstance(model, DistributedDataParallel)
    autocast = ddp and args.precision != "fp32"
    checkpoints = Checkpoints(args.checkpoint_dir)
    done = checkpoints.load(model, optimizer, scaler)
    params = sum(p.numel() for p in model.parameters())
    say(f"{args.run_name!r}: {params} parameters, {args.sharding} over {world} processes, {args.backend} on {device.type}", flush=True)
    say(f"batch: {args.global_batch} sequences, {share} per process in micro-batches of {args.micro_batch}", flush=True)
    say(f"resumed after step {done}" if done else "starts at step 0", flush=True)

    for step in range(done, args.steps):
        began, loss_sum = time.perf_counter(), torch.zeros((), device=device)
        for first in range(0, share, args.micro_batch):
            count = min(args.micro_batch, share - first)
            inputs, targets = (t.to(device) for t in corpus.sequences(step, rank * share + first, count))
            last = first + count == share
            if not ddp:
                model.set_requires_gradient_sync(last)
            with model.no_sync() if ddp and not last else nullcontext():
                with torch.autocast(device.type, low_precision(args), enabled=autocast):
                    logits = model(inputs)
                loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten()) * (count / share)
                scaler.scale(loss).backward()
            loss_sum += loss.detach()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        dist.all_reduce(loss_sum)
        loss, seconds = loss_sum.item() / world, time.perf_counter() - began
        if not math.isfinite(loss):
            raise RuntimeError(f"step {step + 1}: the loss is {loss}")
        say(f"step {step + 1} loss {loss:.4f} seconds {seconds:.3f}", flush=True)
        if (step + 1) % args.checkpoint_every == 0 or step + 1 == args.steps:
            checkpoints.save(step + 1, model, optimizer, scaler)
            say(f"checkpoint after step {step + 1}", flush=True)
            report(step=step + 1, loss=loss)
    say("done", flush=True)


def main():
    args = parse()
    # With NCCL, what lies on the CPU (a checkpoint's lists) still needs gloo.
    backend = "cpu:gloo,cuda:nccl" if args.backend == "nccl" else args.backend
    if "RANK" in os.environ or args.backend == "mpi":
        dist.init_process_group(backend)
    else:  # `python3 train.py`: a world of one
        dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)
    try:
        train(args)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
