//! Variables that the processes get.

use super::{Backend, LaunchPlan};

/// Names and values, the same for every engine.
pub fn variables(plan: &LaunchPlan) -> Vec<(&'static str, &'static str)> {
    let mut variables = match plan.backend {
        // Interfaces that lead to no other machine are left out; NCCL picks among the rest, InfiniBand first.
        Backend::Nccl | Backend::Rccl => vec![
            ("NCCL_DEBUG", "WARN"),
            ("NCCL_SOCKET_IFNAME", "^lo,docker0"),
            // A process whose peer is gone ends, so that all can start again from the checkpoint.
            ("TORCH_NCCL_ASYNC_ERROR_HANDLING", "1"),
        ],
        Backend::Gloo => vec![],
        Backend::Mpi => vec![("OMPI_MCA_btl_tcp_if_exclude", "lo,docker0")],
    };
    variables.push(("PYTORCH_ALLOC_CONF", "expandable_segments:True"));
    variables.push(("PYTHONUNBUFFERED", "1"));
    variables
}
