//! What goes wrong around transactions: files that are replaced.

use std::fs;

use idempotency::StoreErrorKind;
use idempotency::store::SqliteStore;

use crate::kind;

#[tokio::test]
async fn no_transaction_is_opened_on_a_file_that_took_the_place_of_the_stores() {
    for replace in [false, true] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("orders.db");
        let store = SqliteStore::open(&path).await.unwrap();
        let moved = directory.path().join("moved.db");
        fs::rename(&path, &moved).unwrap();
        if replace {
            fs::copy(&moved, &path).unwrap();
        }
        let error = store.begin().await.unwrap_err();
        assert_eq!(kind(&error), StoreErrorKind::Misconfigured);
        assert!(error.to_string().contains("removed, renamed or replaced while it was open"), "{error}");
        let error = store.check_integrity().await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Misconfigured, "nor is another one looked at");
        assert_eq!(path.exists(), replace, "no new file is made");
        fs::rename(&moved, &path).unwrap();
        store.begin().await.unwrap().commit().await.unwrap();
    }
}
