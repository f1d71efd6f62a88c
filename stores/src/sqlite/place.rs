//! Whether the locks of a file hold where it is.

use std::path::Path;

use idempotency_runtime::StoreError;

use super::error::misconfigured;

/// Refuses a file on a network file system: SQLite's locks and the shared memory of its log hold on one host only.
pub(super) fn check(path: &str) -> Result<(), StoreError> {
    let found = match file_system(Path::new(path)) {
        Some(FUSE) => behind_fuse(Path::new(path)),
        Some(kind) => network_name(kind).map(str::to_owned),
        None => None,
    };
    match found {
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

const FUSE: u64 = 0x6573_5546;

/// From `statfs(2)`. 9P says nothing about what is behind it.
fn network_name(kind: u64) -> Option<&'static str> {
    Some(match kind {
        0x6969 => "NFS",
        0x517B => "SMB",
        0xFF53_4D42 => "CIFS",
        0xFE53_4D42 => "SMB2",
        0x5346_414F => "AFS",
        0x6B41_4653 => "kAFS",
        0x7375_7245 => "Coda",
        0x00C3_6400 => "Ceph",
        0x0BD0_0BD0 => "Lustre",
        0x7461_636F => "OCFS2",
        _ => return None,
    })
}

/// File systems behind FUSE that are elsewhere, by the names that they give themselves.
const REMOTE: &[&str] = &[
    "sshfs",
    "rclone",
    "glusterfs",
    "ceph-fuse",
    "juicefs",
    "seaweedfs",
    "mfs",
    "s3fs",
    "gcsfuse",
    "goofys",
    "mountpoint-s3",
    "blobfuse",
    "blobfuse2",
    "davfs",
    "davfs2",
    "curlftpfs",
    "smbnetfs",
];

#[cfg(target_os = "linux")]
fn behind_fuse(path: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt as _;

    let device = path.metadata().ok()?.dev();
    let device = format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device));
    remote_mount(&std::fs::read_to_string("/proc/self/mountinfo").ok()?, &device)
}

#[cfg(not(target_os = "linux"))]
fn behind_fuse(_path: &Path) -> Option<String> {
    None
}

/// What the device is, in a table as in `proc_pid_mountinfo(5)`, if it is elsewhere.
fn remote_mount(table: &str, device: &str) -> Option<String> {
    table.lines().find_map(|line| {
        let (mount, system) = line.split_once(" - ")?;
        if mount.split(' ').nth(2) != Some(device) {
            return None;
        }
        let mut system = system.split(' ');
        let (kind, source) = (system.next()?, system.next().unwrap_or_default());
        // Some name themselves in the kind, some as the source.
        let name = kind.strip_prefix("fuse.").or_else(|| source.split(['#', ':']).next())?;
        (REMOTE.contains(&name) || source.contains("://")).then(|| format!("{name} behind FUSE"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_file_systems_are_recognised_and_local_ones_are_not() {
        for (kind, name) in [
            (0x6969, "NFS"),
            (0xFF53_4D42, "CIFS"),
            (0xFE53_4D42, "SMB2"),
            (0x00C3_6400, "Ceph"),
            (0x6B41_4653, "kAFS"),
        ] {
            assert_eq!(network_name(kind), Some(name));
        }
        // ext4, XFS, btrfs, tmpfs, overlay, ZFS, FUSE.
        for kind in [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1, FUSE] {
            assert_eq!(network_name(kind), None, "{kind:x}");
        }
    }

    #[test]
    fn behind_fuse_the_table_of_mounts_says_what_it_is() {
        let table = "\
22 28 0:21 / /proc rw,nosuid shared:5 - proc proc rw
36 35 8:1 / / rw,noatime - ext4 /dev/sda1 rw
70 36 0:50 / /mnt/home rw,nosuid shared:9 - fuse.sshfs ann@host:/home rw,user_id=0
71 36 0:51 / /mnt/bucket rw - fuse mountpoint-s3 rw
72 36 0:52 / /mnt/dav rw - fuse https://dav.example/ rw
73 36 0:53 / /mnt/merged rw - fuse.mergerfs a:b rw
74 36 0:54 / /mnt/windows rw - fuseblk /dev/sdb1 rw
75 36 0:5 / /mnt/rest rw master:1 propagate_from:2 - fuse.rclone box: rw
";
        for (device, found) in [
            ("0:50", Some("sshfs behind FUSE")),
            ("0:51", Some("mountpoint-s3 behind FUSE")),
            ("0:52", Some("https behind FUSE")),
            ("0:53", None),
            ("0:54", None),
            ("0:5", Some("rclone behind FUSE")),
            ("8:1", None),
            ("9:9", None),
        ] {
            assert_eq!(remote_mount(table, device).as_deref(), found, "{device}");
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
