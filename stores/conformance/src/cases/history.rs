//! Random histories against a model: whatever owners do, the store answers as the protocol says.

use crate::Tested;
use crate::model::play;

pub async fn random_histories_agree_with_the_protocol(store: &Tested) {
    play(store).await;
}
