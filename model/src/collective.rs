//! Time of the collective operations in the α–β model, flat and over two levels.
//!
//! `n` is the number of ranks, `bytes` the full message of one rank. One rank sends nothing and takes no time.
//! Equations: Thakur, Rabenseifner, Gropp 2005 (ring, recursive doubling); hierarchical as in Megatron-LM and NCCL practice.

use super::cluster::{Group, Link};

/// Ring reduce-scatter: (n−1)/n · S/β + (n−1)·α.
pub fn reduce_scatter_s(link: Link, n: f64, bytes: f64) -> f64 {
    if n <= 1.0 || bytes <= 0.0 {
        return 0.0;
    }
    (n - 1.0) / n * bytes / link.bytes_per_s + (n - 1.0) * link.latency_s
}

/// Ring all-gather: the same traffic as a reduce-scatter, the other way round.
pub fn all_gather_s(link: Link, n: f64, bytes: f64) -> f64 {
    reduce_scatter_s(link, n, bytes)
}

/// Ring all-reduce: a reduce-scatter, then an all-gather.
pub fn ring_all_reduce_s(link: Link, n: f64, bytes: f64) -> f64 {
    reduce_scatter_s(link, n, bytes) + all_gather_s(link, n, bytes)
}

/// Tree all-reduce: 2·⌈log₂ n⌉·α + 2·S/β. Fewer messages than the ring, a little more traffic.
pub fn tree_all_reduce_s(link: Link, n: f64, bytes: f64) -> f64 {
    if n <= 1.0 || bytes <= 0.0 {
        return 0.0;
    }
    2.0 * n.log2().ceil() * link.latency_s + 2.0 * bytes / link.bytes_per_s
}

/// The faster of ring and tree, as collective libraries choose.
pub fn all_reduce_s(link: Link, n: f64, bytes: f64) -> f64 {
    ring_all_reduce_s(link, n, bytes).min(tree_all_reduce_s(link, n, bytes))
}

/// All-to-all: (n−1)/n · S/β + (n−1)·α.
pub fn all_to_all_s(link: Link, n: f64, bytes: f64) -> f64 {
    reduce_scatter_s(link, n, bytes)
}

/// Parameter server: n−1 workers send S and fetch S through the one link of the server: 2·S·(n−1)/β + 2·α.
pub fn parameter_server_s(link: Link, n: f64, bytes: f64) -> f64 {
    if n <= 1.0 || bytes <= 0.0 {
        return 0.0;
    }
    2.0 * bytes * (n - 1.0) / link.bytes_per_s + 2.0 * link.latency_s
}

impl Group {
    /// Ranks in all.
    pub fn ranks(&self) -> f64 {
        self.inside * self.machines
    }

    /// Hierarchical all-reduce: reduce-scatter inside, all-reduce of S/inside between machines, all-gather inside.
    /// With one machine it is the ring inside it. Libraries take the flat ring where that is faster; so do we.
    pub fn all_reduce_s(&self, bytes: f64) -> f64 {
        let inner = ring_all_reduce_s(self.inner, self.inside, bytes);
        if self.machines <= 1.0 {
            return inner.min(tree_all_reduce_s(self.inner, self.inside, bytes));
        }
        inner + all_reduce_s(self.outer, self.machines, bytes / self.inside)
    }

    /// Seconds per byte of a hierarchical reduce-scatter, or all-gather, when a share of each link's rate is reached:
    /// (i−1)/i/β inside, and (m−1)/c/i/β between m machines of which c carry the traffic (all m, or the parameter servers), since each of i
    /// ranks carries its part. No latency: see [`Group::hops_s`].
    pub fn scatter_s_per_byte(&self, share_inner: f64, share_outer: f64) -> f64 {
        let (inside, machines, carriers) = (self.inside, self.machines, self.carriers);
        (inside - 1.0) / inside / (share_inner * self.inner.bytes_per_s)
            + (machines - 1.0) / carriers / inside / (share_outer * self.outer.bytes_per_s)
    }

    /// Seconds of the messages between machines of one reduce-scatter, or all-gather: as many as a ring or a tree needs, whichever is less; a
    /// parameter server is one message away.
    pub fn hops_s(&self) -> f64 {
        if self.carriers < self.machines {
            return self.outer.latency_s;
        }
        (self.machines - 1.0).min(2.0 * self.machines.log2()).max(0.0) * self.outer.latency_s
    }

    /// The same group as if all machines but one were left out.
    pub fn inside_only(&self) -> Group {
        Group { machines: 1.0, carriers: 1.0, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_server_carries_what_the_ring_spreads() {
        let cluster = crate::cluster::Cluster { per_machine: 1, ..crate::testing::a100_cluster(16) };
        let served = |servers| crate::cluster::Cluster { servers, ..cluster }.replicas(16, 1);
        let exchange_s = |group: Group| 2.0 * (group.scatter_s_per_byte(1.0, 1.0) * 1e9 + group.hops_s());
        let one = exchange_s(served(Some(1)));
        assert!((one / parameter_server_s(cluster.outer, 16.0, 1e9) - 1.0).abs() < 1e-12, "{one}");
        // Two servers share it; sixteen, one on each machine, carry as much each as in a ring.
        assert!((exchange_s(served(Some(2))) / one - 0.5).abs() < 1e-3);
        let ring = served(None);
        assert_eq!(served(Some(16)), ring);
        assert!(one > 15.0 * 2.0 * ring.scatter_s_per_byte(1.0, 1.0) * 1e9);
        // Within one machine there is no server to go to.
        assert_eq!(crate::cluster::Cluster { servers: Some(1), ..crate::testing::a100_cluster(8) }.replicas(8, 1).carriers, 1.0);
    }

    const NVLINK: Link = Link { bytes_per_s: 230e9, latency_s: 10e-6 };
    const NET: Link = Link { bytes_per_s: 50e9, latency_s: 5e-6 };

    #[test]
    fn ring_all_reduce_of_one_gigabyte_on_eight() {
        // 2·7/8·10⁹ B / 230·10⁹ B/s = 7.609 ms, and 14 messages of 10 µs.
        let seconds = ring_all_reduce_s(NVLINK, 8.0, 1e9);
        assert!((seconds - (7.608_695_652e-3 + 140e-6)).abs() < 1e-9, "{seconds}");
    }

    #[test]
    fn one_rank_sends_nothing() {
        for collective in
            [reduce_scatter_s, all_gather_s, ring_all_reduce_s, tree_all_reduce_s, all_reduce_s, all_to_all_s, parameter_server_s]
        {
            assert_eq!(collective(NVLINK, 1.0, 1e9), 0.0);
        }
    }

    #[test]
    fn two_levels_send_only_a_share_between_machines() {
        let group = Group { inside: 8.0, machines: 4.0, carriers: 4.0, inner: NVLINK, outer: NET };
        let by_hand = ring_all_reduce_s(NVLINK, 8.0, 8e9) + ring_all_reduce_s(NET, 4.0, 1e9);
        assert!((group.all_reduce_s(8e9) - by_hand).abs() < 1e-12);
        let one = Group { machines: 1.0, carriers: 1.0, ..group };
        assert_eq!(one.all_reduce_s(8e9), ring_all_reduce_s(NVLINK, 8.0, 8e9));
        // The published fault: the full message between machines. It would take more than five times as long there.
        assert!(group.all_reduce_s(8e9) < ring_all_reduce_s(NET, 4.0, 8e9));
    }

    #[test]
    fn trees_win_for_small_messages_and_many_ranks() {
        assert!(tree_all_reduce_s(NET, 1024.0, 1e3) < ring_all_reduce_s(NET, 1024.0, 1e3));
        assert!(ring_all_reduce_s(NET, 8.0, 1e9) < tree_all_reduce_s(NET, 8.0, 1e9));
    }

    #[test]
    fn two_scatters_are_an_all_reduce() {
        let group = Group { inside: 8.0, machines: 4.0, carriers: 4.0, inner: NVLINK, outer: NET };
        // 2·(7/8·10⁹/230·10⁹ + 3/4·10⁹/8/50·10⁹) s, by hand 11.359 ms.
        let seconds = 2.0 * group.scatter_s_per_byte(1.0, 1.0) * 1e9;
        assert!((seconds - 11.358_695_652e-3).abs() < 1e-9, "{seconds}");
        assert_eq!(group.inside_only().hops_s(), 0.0);
        assert!((group.hops_s() - 3.0 * 5e-6).abs() < 1e-15);
    }
}
