//! Random histories against a model: whatever owners do, the store answers as the protocol says.

use crate::model::play;
use crate::Tested;

pub async fn random_histories_agree_with_the_protocol(store: &Tested) {
    play(store).await;
}
