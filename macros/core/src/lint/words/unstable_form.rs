//! Names of a host, a process or a network path.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[(
    &[
        "client_ip",
        "host_header",
        "host_name",
        "hostname",
        "instance_id",
        "ip",
        "ip_address",
        "peer_addr",
        "pid",
        "pod_name",
        "process_id",
        "remote_addr",
        "remote_ip",
        "source_ip",
        "thread_id",
        "type_id",
        "type_name",
        "user_agent",
        "x_forwarded_for",
    ],
    Rule::Plain,
)];
