"""Trains a small decoder transformer on one machine with TensorFlow's MirroredStrategy, on data that it makes itself.

Every GPU of the machine holds a copy; the batch is split over them. Without a GPU it runs on the CPU. It saves a checkpoint every
--checkpoint-every steps and starts again from the last one. TensorFlow has no counterpart to FSDP: optimizer states and weights are not
split here.
"""

import argparse
import time

import tensorflow as tf


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
    p.add_argument("--micro-batch", type=int, default=2, help="sequences per GPU and pass")
    p.add_argument("--global-batch", type=int, default=8, help="sequences per step, over all GPUs")
    p.add_argument("--steps", type=int, default=20)
    p.add_argument("--lr", type=float, default=3e-4)
    p.add_argument("--precision", choices=["bf16", "fp16", "fp8", "fp4", "fp32"], default="bf16")
    p.add_argument("--checkpoint-every", type=int, default=10, help="steps")
    p.add_argument("--checkpoint-dir", default="checkpoints")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--gpus", type=int, default=0, help="GPUs to use; 0: all")
    p.add_argument("--cpu-copies", type=int, default=1, help="copies on the CPU where there is no GPU, to try the rest")
    args = p.parse_args(argv)
    if args.hidden % args.heads or args.heads % args.kv_heads:
        p.error("heads must divide hidden, and kv-heads must divide heads")
    return args


def corpus(args, step, first, count):
    """Arithmetic progressions of tokens; step and place alone decide what comes."""
    places = tf.range(first, first + count, dtype=tf.int64) + step * args.global_batch
    start, width = places * 7919 % args.vocab, 1 + places % 5
    tokens = (start[:, None] + width[:, None] * tf.range(args.seq + 1, dtype=tf.int64)) % args.vocab
    return tokens[:, :-1], tokens[:, 1:]


def decoder(args):
    layers = tf.keras.layers
    tokens = layers.Input((args.seq,), dtype="int64")
    x = layers.Embedding(args.vocab, args.hidden)(tokens)
    x = x + layers.Embedding(args.seq, args.hidden)(tf.range(args.seq))[None]
    for _ in range(args.layers):
        normed = layers.LayerNormalization()(x)
        attention = layers.GroupQueryAttention(args.hidden // args.heads, args.heads, args.kv_heads, use_bias=False)
        x = x + attention(normed, normed, use_causal_mask=True)
        normed = layers.LayerNormalization()(x)
        gate = layers.Dense(args.ffn, activation="silu", use_bias=False)(normed)
        value = layers.Dense(args.ffn, use_bias=False)(normed)
        x = x + layers.Dense(args.hidden, use_bias=False)(gate * value)
    logits = layers.Dense(args.vocab, use_bias=False, dtype="float32")(layers.LayerNormalization()(x))
    return tf.keras.Model(tokens, logits)


def main():
    args = parse()
    tf.keras.utils.set_random_seed(args.seed)
    gpus = tf.config.list_physical_devices("GPU")
    if args.gpus and gpus and args.gpus > len(gpus):
        raise SystemExit(f"--gpus {args.gpus}: this machine has {len(gpus)}")
    if gpus:
        devices = [f"/gpu:{i}" for i in range(args.gpus or len(gpus))]
    else:
        parts = [tf.config.LogicalDeviceConfiguration()] * args.cpu_copies
        tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], parts)
        devices = [f"/cpu:{i}" for i in range(args.cpu_copies)]
    strategy = tf.distribute.MirroredStrategy(devices)
    world = strategy.num_replicas_in_sync
    share = max(1, int(args.global_batch / world + 0.5))
    args.global_batch = share * world
    # fp8 and fp4 need Transformer Engine, which has no TensorFlow part: bf16 stands in.
    precision = {"fp32": "float32", "fp16": "mixed_float16"}.get(args.precision, "mixed_bfloat16")
    tf.keras.mixed_precision.set_global_policy(precision)

    with strategy.scope():
        model = decoder(args)
        optimizer = tf.keras.optimizers.AdamW(args.lr, weight_decay=0.1, beta_2=0.95)
        if args.precision == "fp16":
            optimizer = tf.keras.mixed_precision.LossScaleOptimizer(optimizer)
        optimizer.build(model.trainable_variables)
        # One sum per GPU, not one for all: Keras adds them over the GPUs.
        alone = {"synchronization": tf.VariableSynchronization.ON_READ, "aggregation": tf.VariableAggregation.SUM}
        sums = [tf.Variable(tf.zeros(v.shape, v.dtype), trainable=False, **alone) for v in model.trainable_variables]
    done = tf.Variable(0, dtype=tf.int64, trainable=False)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="sum")

    def forward_backward(step, first, count):
        """One micro-batch of this GPU's share: adds its part of the gradients. Returns its part of the loss."""
        copy = tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.int64)
        inputs, targets = corpus(args, step, copy * share + first, count)
        with tf.GradientTape() as tape:
            loss = loss_of(targets, model(inputs, training=True)) / (args.global_batch * args.seq)
            scaled = optimizer.scale_loss(loss) if args.precision == "fp16" else loss
        for total, gradient in zip(sums, tape.gradient(scaled, model.trainable_variables)):
            total.assign_add(tf.convert_to_tensor(gradient))
        return loss

    def update():
        optimizer.apply_gradients(zip([tf.identity(s) for s in sums], model.trainable_variables))
        for total in sums:
            total.assign(tf.zeros_like(total))

    @tf.function
    def micro_step(step, first, count):
        return strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(forward_backward, args=(step, first, count)), axis=None)

    @tf.function
    def update_step():
        strategy.run(update)

    state = tf.train.Checkpoint(model=model, optimizer=optimizer, done=done)
    manager = tf.train.CheckpointManager(state, args.checkpoint_dir, max_to_keep=2)
    if manager.latest_checkpoint:
        state.restore(manager.latest_checkpoint).assert_existing_objects_matched()
    print(f"{args.run_name!r}: {model.count_params()} parameters, {world} replicas on {devices[0][1:4]}", flush=True)
    print(f"batch: {args.global_batch} sequences, {share} per replica in micro-batches of {args.micro_batch}", flush=True)
    print(f"resumed after step {int(done)}" if int(done) else "starts at step 0", flush=True)

    for step in range(int(done), args.steps):
        began, loss = time.perf_counter(), 0.0
        for first in range(0, share, args.micro_batch):
            count = min(args.micro_batch, share - first)  # a tensor, so that nothing is compiled again for another step
            loss += float(micro_step(*(tf.constant(n, tf.int64) for n in (step, first, count))))
        update_step()
        done.assign(step + 1)
        if loss != loss or loss == float("inf"):
            raise SystemExit(f"step {step + 1}: the loss is {loss}")
        print(f"step {step + 1} loss {loss:.4f} seconds {time.perf_counter() - began:.3f}", flush=True)
        if (step + 1) % args.checkpoint_every == 0 or step + 1 == args.steps:
            manager.save(checkpoint_number=step + 1)
            print(f"checkpoint after step {step + 1}", flush=True)
    print("done", flush=True)


if __name__ == "__main__":
    main()
