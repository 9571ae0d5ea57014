//! What tasks have borrowed by locks that lend priority. It is kept beside a scheduler's state, so that runs without such
//! locks have none of it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sim_contract::state_bytes::{load_state, save_state};
use sim_ground::ids::TaskId;
use std::collections::BTreeMap;

/// The loan of each task that has one.
pub(crate) type Loans<T> = BTreeMap<TaskId, T>;

/// Appends loans to the bytes of a state, if there are any.
pub(crate) fn append<T: Serialize>(bytes: &mut Vec<u8>, loans: &Loans<T>) {
    if !loans.is_empty() {
        bytes.extend(save_state(loans));
    }
}

/// The loans that the last bytes of a state hold.
pub(crate) fn take<T: DeserializeOwned>(rest: &[u8]) -> Option<Loans<T>> {
    if rest.is_empty() {
        return Some(Loans::new());
    }
    load_state(rest)
}

/// Declares that two fields are the state of a scheduler: the state proper, and its loans. An optional function receives
/// the old and the new state on restore, to carry over fields that are not saved.
macro_rules! keeps_state_and_loans {
    ($scheduler:ty, $state:ident, $loans:ident, $keep:expr) => {
        impl sim_contract::Persist for $scheduler {
            fn save(&self) -> Vec<u8> {
                let mut bytes = sim_contract::state_bytes::save_state(&self.$state);
                $crate::loans::append(&mut bytes, &self.$loans);
                bytes
            }

            fn load(&mut self, bytes: &[u8]) -> bool {
                let Some((mut state, rest)) = sim_contract::state_bytes::take_state(bytes) else {
                    return false;
                };
                let Some(loans) = $crate::loans::take(rest) else {
                    return false;
                };
                let keep: fn(&_, &mut _) = $keep;
                keep(&self.$state, &mut state);
                (self.$state, self.$loans) = (state, loans);
                true
            }
        }
    };
}

pub(crate) use keeps_state_and_loans;
