//! One estimate, the search, and the data of the four charts, beside a loop of multiply-adds of the same run.
//! The ratios, not the seconds, are what two machines can compare.

use criterion::{Criterion, criterion_group, criterion_main};
use crossover::locale::Lang;
use crossover::model::memory::memory;
use crossover::model::step::step;
use crossover::model::{Limits, Overlap, search};
use crossover::report::answers;
use crossover::report::charts::{Chart, chart};
use crossover::scenario::url;
use std::hint::black_box;

/// 1,000 dependent multiply-adds: what the other figures are compared with.
fn reference(c: &mut Criterion) {
    c.bench_function("reference: 1,000 multiply-adds", |b| {
        b.iter(|| (0..1_000).fold(black_box(1.0_f64), |x, _| x.mul_add(0.999_999, 1e-6)))
    });
}

fn estimates(c: &mut Criterion) {
    let setup = url::read("v=1&shape=gpt3-175b&gpu=a100-80gb-sxm&gpus=512&network=ib-hdr").scenario.resolve().unwrap();
    let (job, cluster, conditions) = (setup.job, setup.cluster, setup.cluster_conditions);
    let plan = search(&job, &cluster, &Limits::FREE, &conditions.stack, Overlap::Realistic).unwrap().plan;
    c.bench_function("one estimate: memory and step of a plan", |b| {
        b.iter(|| {
            let plan = black_box(plan);
            let needed = memory(&job, &cluster, &plan, &conditions.stack).total();
            let share = needed / cluster.device.memory_bytes;
            (needed, step(&job, &cluster, &plan, &conditions.stack, Overlap::Realistic, share).total())
        });
    });
    c.bench_function("search: 175B on 512 GPUs", |b| {
        b.iter(|| search(black_box(&job), &cluster, &Limits::FREE, &conditions.stack, Overlap::Realistic))
    });
}

/// The search for the same model over clusters of every size.
fn sizes(c: &mut Criterion) {
    let setup = url::read("v=1&shape=gpt3-175b&gpu=a100-80gb-sxm&network=ib-hdr").scenario.resolve().unwrap();
    let (job, conditions) = (setup.job, setup.cluster_conditions);
    let mut group = c.benchmark_group("search over GPUs");
    for gpus in [8, 64, 512, 4096, 32_768, 262_144, 1_000_000] {
        let cluster = setup.cluster_of(gpus);
        group.bench_function(gpus.to_string(), |b| {
            b.iter(|| search(black_box(&job), &cluster, &Limits::FREE, &conditions.stack, Overlap::Realistic))
        });
    }
    group.finish();
}

fn charts(c: &mut Criterion) {
    let scenario = url::read("").scenario;
    c.bench_function("answers: both sides and both sweeps", |b| b.iter(|| answers(black_box(&scenario)).unwrap()));
    c.bench_function("four charts: answers and chart data", |b| {
        b.iter(|| {
            let answers = answers(black_box(&scenario)).unwrap();
            Chart::ALL.map(|kind| chart(kind, &answers, Lang::De))
        });
    });
}

criterion_group!(benches, reference, estimates, sizes, charts);
criterion_main!(benches);
