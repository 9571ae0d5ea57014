//! The share of a sweep that a cache serves.

use crate::rate::{DataUse, ONE, RATE_BITS};
use crate::spec::Replacement;

/// Steps of [`RANDOM`] for each unit of the ratio.
const STEPS: u64 = 64;

/// Hit share of a cyclic sweep in a cache with random replacement, for sets from 1 to 8 times its size in steps of
/// 1/64: the smallest root of h = exp(−(1 − h) × W/C), in units of 2^-20. A test recomputes it.
const RANDOM: [u32; 449] = [
    1_048_576, 1_016_478, 985_674, 956_097, 927_682, 900_371, 874_109, 848_844, 824_527, 801_112,
    778_557, 756_821, 735_866, 715_655, 696_156, 677_337, 659_166, 641_616, 624_660, 608_271,
    592_427, 577_104, 562_280, 547_935, 534_050, 520_605, 507_583, 494_967, 482_742, 470_893,
    459_404, 448_262, 437_454, 426_967, 416_790, 406_911, 397_319, 388_004, 378_956, 370_166,
    361_624, 353_321, 345_250, 337_402, 329_770, 322_347, 315_124, 308_097, 301_258, 294_601,
    288_120, 281_810, 275_664, 269_678, 263_847, 258_166, 252_630, 247_234, 241_975, 236_848,
    231_849, 226_974, 222_220, 217_582, 213_058, 208_644, 204_337, 200_133, 196_031, 192_026,
    188_116, 184_299, 180_572, 176_931, 173_376, 169_903, 166_510, 163_195, 159_956, 156_791,
    153_698, 150_674, 147_719, 144_830, 142_005, 139_243, 136_542, 133_901, 131_318, 128_791,
    126_319, 123_901, 121_536, 119_221, 116_956, 114_739, 112_570, 110_447, 108_369, 106_334,
    104_343, 102_393, 100_484, 98_614, 96_783, 94_991, 93_235, 91_515, 89_830, 88_180, 86_564,
    84_980, 83_428, 81_908, 80_418, 78_958, 77_528, 76_125, 74_751, 73_404, 72_084, 70_789, 69_521,
    68_277, 67_057, 65_861, 64_689, 63_539, 62_411, 61_306, 60_221, 59_158, 58_115, 57_092, 56_088,
    55_104, 54_138, 53_190, 52_261, 51_349, 50_454, 49_576, 48_714, 47_869, 47_039, 46_225, 45_426,
    44_642, 43_872, 43_117, 42_375, 41_648, 40_933, 40_232, 39_543, 38_867, 38_204, 37_552, 36_912,
    36_284, 35_668, 35_062, 34_467, 33_883, 33_310, 32_747, 32_194, 31_651, 31_117, 30_593, 30_079,
    29_573, 29_077, 28_589, 28_110, 27_640, 27_177, 26_723, 26_277, 25_839, 25_408, 24_985, 24_569,
    24_161, 23_760, 23_365, 22_978, 22_597, 22_223, 21_856, 21_494, 21_139, 20_791, 20_448, 20_111,
    19_780, 19_454, 19_134, 18_820, 18_511, 18_207, 17_909, 17_615, 17_327, 17_043, 16_764, 16_491,
    16_221, 15_956, 15_696, 15_440, 15_189, 14_941, 14_698, 14_459, 14_224, 13_993, 13_766, 13_543,
    13_323, 13_107, 12_895, 12_686, 12_481, 12_279, 12_080, 11_885, 11_693, 11_505, 11_319, 11_136,
    10_957, 10_780, 10_607, 10_436, 10_268, 10_103, 9941, 9781, 9624, 9470, 9318, 9168, 9021, 8877,
    8735, 8595, 8457, 8322, 8189, 8058, 7929, 7802, 7678, 7555, 7435, 7316, 7199, 7085, 6972, 6861,
    6751, 6644, 6538, 6434, 6332, 6231, 6132, 6035, 5939, 5845, 5752, 5661, 5571, 5482, 5396, 5310,
    5226, 5143, 5062, 4981, 4903, 4825, 4749, 4674, 4600, 4527, 4455, 4385, 4316, 4248, 4180, 4114,
    4050, 3986, 3923, 3861, 3800, 3740, 3681, 3623, 3566, 3510, 3455, 3400, 3347, 3294, 3242, 3191,
    3141, 3092, 3043, 2995, 2948, 2902, 2856, 2811, 2767, 2724, 2681, 2639, 2597, 2557, 2516, 2477,
    2438, 2400, 2362, 2325, 2289, 2253, 2217, 2183, 2149, 2115, 2082, 2049, 2017, 1985, 1954, 1924,
    1894, 1864, 1835, 1806, 1778, 1750, 1723, 1696, 1669, 1643, 1617, 1592, 1567, 1543, 1519, 1495,
    1472, 1449, 1426, 1404, 1382, 1360, 1339, 1318, 1297, 1277, 1257, 1238, 1218, 1199, 1181, 1162,
    1144, 1126, 1109, 1091, 1074, 1057, 1041, 1025, 1009, 993, 978, 962, 947, 933, 918, 904, 890,
    876, 862, 849, 835, 822, 810, 797, 785, 772, 760, 749, 737, 725, 714, 703, 692, 681, 671, 660,
    650, 640, 630, 620, 610, 601, 592, 582, 573, 564, 556, 547, 538, 530, 522, 514, 506, 498, 490,
    483, 475, 468, 460, 453, 446, 439, 432, 426, 419, 413, 406, 400, 394, 387, 381, 376, 370, 364,
    358, 353,
];

/// Share of the accesses reaching a cache of `capacity` bytes that hit there, in units of 2^-20.
///
/// A set that fits always hits. A larger set depends on the replacement. Under LRU a cyclic sweep always misses; the
/// step between the two cases is `step_milli` thousandths of the size wide. Under random replacement a cyclic sweep
/// sometimes hits. Random access hits in proportion to the size of the cache.
#[must_use]
#[inline]
pub fn share(
    bytes: u64,
    capacity: u64,
    data: DataUse,
    replacement: Replacement,
    step_milli: u16,
) -> u64 {
    if bytes <= capacity {
        return ONE;
    }
    if capacity == 0 {
        return 0;
    }
    match (data, replacement) {
        (DataUse::Chase, _) => quotient(capacity, bytes),
        (_, Replacement::Lru) => {
            let excess = quotient(bytes - capacity, capacity);
            let step = u64::from(step_milli) * ONE / 1000;
            if excess >= step {
                0
            } else {
                ONE - excess * ONE / step
            }
        }
        (_, Replacement::Random) => {
            // (W/C − 1) in steps, with 20 fractional bits.
            let at = quotient(bytes - capacity, capacity).saturating_mul(STEPS);
            let i = usize::try_from(at >> RATE_BITS).unwrap_or(usize::MAX);
            let rest = at & (ONE - 1);
            match (RANDOM.get(i), RANDOM.get(i.saturating_add(1))) {
                (Some(a), Some(b)) => {
                    let (a, b) = (u64::from(*a), u64::from(*b));
                    a - (((a - b) * rest) >> RATE_BITS)
                }
                // Beyond the table the share is negligible.
                _ => 0,
            }
        }
    }
}

/// `a / b` in units of 2^-20, for bytes up to 2^40.
fn quotient(a: u64, b: u64) -> u64 {
    (a << RATE_BITS) / b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small positive numbers
    fn at(ratio: f64, replacement: Replacement) -> f64 {
        let bytes = (ratio * 1_048_576.0) as u64;
        share(bytes, 1 << 20, DataUse::Sweep, replacement, 250) as f64 / ONE as f64
    }

    #[test]
    #[allow(clippy::disallowed_methods)] // the tolerance is wider than any platform's error
    fn the_table_holds_the_roots_of_its_equation() {
        for k in 101..790_u32 {
            let r = f64::from(k) / 100.0;
            let mut h = 0.0_f64;
            for _ in 0..10_000 {
                h = (-(1.0 - h) * r).exp();
            }
            assert!((at(r, Replacement::Random) - h).abs() < 2e-4, "{r}: {h}");
        }
    }

    #[test]
    fn random_replacement_gives_the_values_of_the_published_fit() {
        for (ratio, h) in [
            (1.25, 0.63),
            (1.5, 0.42),
            (2.0, 0.20),
            (3.0, 0.06),
            (4.0, 0.02),
        ] {
            assert!(
                (at(ratio, Replacement::Random) - h).abs() < 0.006,
                "{ratio}"
            );
        }
    }

    #[test]
    fn a_sweep_beyond_an_lru_cache_falls_down_a_short_step() {
        assert!((at(1.0, Replacement::Lru) - 1.0).abs() < 1e-6);
        assert!((at(1.125, Replacement::Lru) - 0.5).abs() < 1e-4);
        assert!(at(1.25, Replacement::Lru) < 1e-4);
        assert!(at(9.0, Replacement::Lru) < 1e-9);
    }

    #[test]
    fn a_larger_set_never_hits_more_often() {
        for replacement in [Replacement::Lru, Replacement::Random] {
            for data in [DataUse::Sweep, DataUse::Chase] {
                let mut last = ONE;
                for kib in 1..20_000_u64 {
                    let now = share(kib << 10, 1 << 20, data, replacement, 300);
                    assert!(now <= last, "{kib} KiB");
                    last = now;
                }
            }
        }
    }
}
