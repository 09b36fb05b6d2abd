//! On what it is trained.

/// A connection, one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Bytes per second that a large message reaches.
    pub bytes_per_s: f64,
    /// Seconds that the smallest message takes.
    pub latency_s: f64,
}

impl Link {
    /// Point to point: latency and bytes over bandwidth (the α–β model, Hockney 1994).
    pub fn send_s(self, bytes: f64) -> f64 {
        self.latency_s + bytes / self.bytes_per_s
    }
}

/// One accelerator at the precision of the job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// FLOP/s of the best multiplication in the job's wide format (16 bit, or 32 where all is), dense.
    pub wide_flop_per_s: f64,
    /// The same in 8 bits; equal to the wide rate where the job has no narrow format.
    pub narrow_flop_per_s: f64,
    /// Dense peak of the data sheet in the job's format, FLOP/s: what utilisation is measured against.
    pub peak_flop_per_s: f64,
    /// Bytes of memory that a program can use.
    pub memory_bytes: f64,
    /// Bytes per second of that memory.
    pub memory_bytes_per_s: f64,
}

/// A set of equal GPUs in equal machines. One machine is a cluster with `gpus <= per_machine`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cluster {
    /// GPUs in all, at least 1.
    pub gpus: u32,
    /// GPUs per machine, at least 1.
    pub per_machine: u32,
    /// The accelerator.
    pub device: Device,
    /// Between GPUs of one machine, per GPU.
    pub inner: Link,
    /// Between machines, per GPU.
    pub outer: Link,
    /// Machines whose links carry the exchange of gradients as parameter servers; `None`: all of them do, as in an all-reduce.
    pub servers: Option<u32>,
}

impl Cluster {
    /// Machines in all; the last may be partly filled.
    pub fn machines(&self) -> u32 {
        self.gpus.div_ceil(self.per_machine)
    }

    /// Whether a network between machines takes part at all.
    pub fn spans_machines(&self) -> bool {
        self.gpus > self.per_machine
    }

    /// How a group of `ranks` whose members stand `stride` GPUs apart lies on the machines. Shares of a machine are real numbers: a group
    /// of six over machines of four has four ranks in each of one and a half.
    pub fn group(&self, ranks: u32, stride: u32) -> Group {
        let ranks = f64::from(ranks.max(1));
        let inside = (f64::from(self.per_machine) / f64::from(stride.max(1))).clamp(1.0, ranks);
        let machines = ranks / inside;
        Group { inside, machines, carriers: machines, inner: self.inner, outer: self.outer }
    }

    /// The same of a group that exchanges gradients: with parameter servers, these alone carry the traffic between machines.
    pub fn replicas(&self, ranks: u32, stride: u32) -> Group {
        let group = self.group(ranks, stride);
        let carriers = self.servers.map_or(group.machines, |servers| f64::from(servers.max(1)).min(group.machines));
        Group { carriers, ..group }
    }
}

/// A group of ranks of a collective: `inside` of them on each of `machines` machines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// Ranks per machine, at least 1.
    pub inside: f64,
    /// Machines, at least 1.
    pub machines: f64,
    /// Machines whose links carry the traffic between machines: all of them, or the parameter servers.
    pub carriers: f64,
    /// Between ranks of one machine.
    pub inner: Link,
    /// Between machines, per rank.
    pub outer: Link,
}
