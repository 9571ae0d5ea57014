//! How much of a shared cache each of its users gets.

/// A running thread that uses a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User {
    /// Its working set.
    pub bytes: u64,
    /// How often it accesses this cache, in any unit that is common to all users.
    pub rate: u64,
    /// The bytes that it gets; filled in by [`split`].
    pub share: u64,
}

/// Divides a cache among its users by their access rates (frequency-of-access rule of Chandra et al. 2005). No user
/// gets more than its set; the rest goes to the others. If all sets fit, each user has its whole set in the cache.
#[inline]
pub fn split(size: u64, users: &mut [User]) {
    let total: u64 = users.iter().map(|u| u.bytes).sum();
    if total <= size {
        users.iter_mut().for_each(|u| u.share = size);
        return;
    }
    users.iter_mut().for_each(|u| u.share = 0);
    let mut left = size;
    // Each round gives some user its whole set, or ends.
    loop {
        let rates: u64 = open(users).map(|u| u.rate).sum();
        if rates == 0 {
            break;
        }
        let part = |u: &User| product(left, u.rate, rates);
        let content: Vec<usize> = (0..users.len())
            .filter(|i| users[*i].share == 0 && users[*i].rate > 0)
            .filter(|i| part(&users[*i]) >= users[*i].bytes)
            .collect();
        if content.is_empty() {
            let shares: Vec<u64> = users.iter().map(part).collect();
            for (u, share) in users.iter_mut().zip(shares) {
                if u.share == 0 && u.rate > 0 {
                    u.share = share.max(1);
                }
            }
            return;
        }
        for i in content {
            users[i].share = users[i].bytes.max(1);
            left = left.saturating_sub(users[i].bytes);
        }
    }
    // A user that never accesses the cache gets no part of it.
}

fn open(users: &[User]) -> impl Iterator<Item = &User> {
    users.iter().filter(|u| u.share == 0)
}

/// `a × b / c` without overflow.
#[inline]
pub fn product(a: u64, b: u64, c: u64) -> u64 {
    // `checked_mul` would give the same result, but in WebAssembly it multiplies with 128 bits.
    if a.leading_zeros() + b.leading_zeros() >= 64 {
        a * b / c
    } else {
        u64::try_from(u128::from(a) * u128::from(b) / u128::from(c)).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(size: u64, users: &[(u64, u64)]) -> Vec<u64> {
        let mut users: Vec<User> = users
            .iter()
            .map(|(bytes, rate)| User {
                bytes: *bytes,
                rate: *rate,
                share: 0,
            })
            .collect();
        split(size, &mut users);
        users.iter().map(|u| u.share).collect()
    }

    #[test]
    fn sets_that_fit_together_do_not_disturb_each_other() {
        assert_eq!(shares(100, &[(40, 1), (60, 9)]), [100, 100]);
    }

    #[test]
    fn equal_users_get_equal_parts() {
        assert_eq!(shares(100, &[(80, 5), (80, 5), (80, 5), (80, 5)]), [25; 4]);
    }

    #[test]
    fn who_asks_more_often_gets_more() {
        assert_eq!(shares(100, &[(200, 3), (200, 1)]), [75, 25]);
    }

    #[test]
    fn nobody_gets_more_than_its_set_and_the_rest_goes_to_the_others() {
        assert_eq!(shares(100, &[(10, 5), (200, 1), (200, 1)]), [10, 45, 45]);
    }
}
