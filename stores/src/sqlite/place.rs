//! Whether the locks of a file hold where it is.

use std::path::Path;

use idempotency_runtime::StoreError;

use super::error::misconfigured;

/// Refuses a file on a network file system: SQLite's locks and the shared memory of its log hold on one host only.
pub(super) fn check(path: &str) -> Result<(), StoreError> {
    match file_system(Path::new(path)).and_then(network_name) {
        None => Ok(()),
        Some(name) => Err(misconfigured(format!(
            "the SQLite file `{path}` is on a network file system ({name}), where two hosts can hold its lock at the same \
             time and run the same body: put it on a local disk, or use a store made for several hosts; if no other host \
             ever mounts it, say `.allow_network_file_system()` on the builder"
        ))),
    }
}

/// The number that the kernel gives to the kind of file system.
#[cfg(target_os = "linux")]
fn file_system(path: &Path) -> Option<u64> {
    // Its type differs between architectures; the numbers do not.
    #[allow(clippy::cast_sign_loss, clippy::cast_lossless, clippy::unnecessary_cast, reason = "see above")]
    rustix::fs::statfs(path).ok().map(|found| found.f_type as u64 & 0xFFFF_FFFF)
}

#[cfg(not(target_os = "linux"))]
fn file_system(_path: &Path) -> Option<u64> {
    None
}

/// From `statfs(2)`. FUSE and 9P say nothing about what is behind them.
fn network_name(kind: u64) -> Option<&'static str> {
    Some(match kind {
        0x6969 => "NFS",
        0x517B => "SMB",
        0xFF53_4D42 => "CIFS",
        0xFE53_4D42 => "SMB2",
        0x5346_414F => "AFS",
        0x7375_7245 => "Coda",
        0x00C3_6400 => "Ceph",
        0x0BD0_0BD0 => "Lustre",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_file_systems_are_recognised_and_local_ones_are_not() {
        for (kind, name) in
            [(0x6969, "NFS"), (0xFF53_4D42, "CIFS"), (0xFE53_4D42, "SMB2"), (0x00C3_6400, "Ceph")]
        {
            assert_eq!(network_name(kind), Some(name));
        }
        // ext4, XFS, btrfs, tmpfs, overlay, ZFS, FUSE.
        for kind in [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1, 0x6573_5546] {
            assert_eq!(network_name(kind), None, "{kind:x}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_kind_of_a_local_directory_is_known() {
        let directory = tempfile::tempdir().unwrap();
        assert!(file_system(directory.path()).is_some());
        assert_eq!(check(directory.path().to_str().unwrap()).map_err(|error| error.to_string()), Ok(()));
    }
}
