//! Normal and exponential random numbers by the ziggurat method of numpy's `Generator` (Marsaglia & Tsang 2000, with 256 layers).
//!
//! The widths of the layers are those of numpy to the last bit, since they are factors of the results. Heights and limits are computed from
//! them: their last bits decide between two results with a probability of less than 2^-40.

use std::sync::OnceLock;

use super::pcg64::Pcg64;

/// The start of the tail of the normal distribution.
const NORMAL_TAIL: f64 = 3.654_152_885_361_009;
/// The start of the tail of the exponential distribution.
const EXPONENTIAL_TAIL: f64 = 7.697_117_470_131_05;

/// The layers of a distribution, the innermost, which has the tail, first.
struct Ziggurat {
    /// The results for a random integer of one.
    widths: [f64; 256],
    /// The random integers below which a point is in its layer for certain.
    limits: [u64; 256],
    /// The densities at the outer ends of the layers.
    heights: [f64; 256],
}

impl Ziggurat {
    /// Creates the layers of a density from their widths over `scale`.
    fn new(widths: &[u64; 256], scale: f64, density: fn(f64) -> f64) -> Self {
        let widths = widths.map(f64::from_bits);
        let ends = widths.map(|width| width * scale);
        let mut limits = [0; 256];
        limits[0] = (ends[255] / ends[0] * scale) as u64;
        for layer in 2..256 {
            limits[layer] = (ends[layer - 1] / ends[layer] * scale) as u64;
        }
        let mut heights = ends.map(density);
        heights[0] = 1.0;
        Self { widths, limits, heights }
    }

    /// Returns whether a random point between the heights of a layer and the one before is below a density.
    fn is_below(&self, layer: usize, density: f64, generator: &mut Pcg64) -> bool {
        let (low, high) = (self.heights[layer], self.heights[layer - 1]);
        (high - low) * generator.next_float() + low < density
    }
}

fn normal_density(x: f64) -> f64 {
    (-0.5 * x * x).exp()
}

fn exponential_density(x: f64) -> f64 {
    (-x).exp()
}

/// Returns the next random number of the standard normal distribution.
pub(super) fn next_normal(generator: &mut Pcg64) -> f64 {
    static LAYERS: OnceLock<Ziggurat> = OnceLock::new();
    let layers = LAYERS.get_or_init(|| Ziggurat::new(&NORMAL_WIDTHS, (1_u64 << 52) as f64, normal_density));
    loop {
        let bits = generator.next_bits();
        let layer = (bits & 0xff) as usize;
        let point = bits >> 9 & ((1 << 52) - 1);
        let sign = if bits >> 8 & 1 == 0 { 1.0 } else { -1.0 };
        let x = sign * (point as f64 * layers.widths[layer]);
        if point < layers.limits[layer] {
            return x;
        }
        if layer == 0 {
            let sign = if point >> 8 & 1 == 0 { 1.0 } else { -1.0 };
            return sign * normal_tail(generator);
        }
        if layers.is_below(layer, normal_density(x), generator) {
            return x;
        }
    }
}

/// Returns a random number of the upper tail of the normal distribution.
fn normal_tail(generator: &mut Pcg64) -> f64 {
    loop {
        let x = -(1.0 / NORMAL_TAIL) * (-generator.next_float()).ln_1p();
        let y = -(-generator.next_float()).ln_1p();
        if y + y > x * x {
            return NORMAL_TAIL + x;
        }
    }
}

/// Returns the next random number of the standard exponential distribution.
pub(super) fn next_exponential(generator: &mut Pcg64) -> f64 {
    static LAYERS: OnceLock<Ziggurat> = OnceLock::new();
    let layers = LAYERS.get_or_init(|| Ziggurat::new(&EXPONENTIAL_WIDTHS, (1_u64 << 53) as f64, exponential_density));
    loop {
        let bits = generator.next_bits() >> 3;
        let (layer, point) = ((bits & 0xff) as usize, bits >> 8);
        let x = point as f64 * layers.widths[layer];
        if point < layers.limits[layer] {
            return x;
        }
        if layer == 0 {
            return EXPONENTIAL_TAIL - (-generator.next_float()).ln_1p();
        }
        if layers.is_below(layer, exponential_density(x), generator) {
            return x;
        }
    }
}

/// The widths of the layers of the normal distribution over 2^52, as bits of floats.
// Five to a line, or the table would be longer than the rest of the file.
#[rustfmt::skip]
const NORMAL_WIDTHS: [u64; 256] = [
    0x3ccf_493b_7815_d979, 0x3c8b_8d0b_e3fd_f6c6, 0x3c92_50af_3c2c_5bb4, 0x3c95_7cb9_3844_3b61, 0x3c98_01fc_e82f_a70c,
    0x3c9a_230c_2e4c_d0bc, 0x3c9c_004d_2f38_61f7, 0x3c9d_ac2f_5a74_7274, 0x3c9f_3248_2d4c_d5c3, 0x3ca0_4d32_278e_bbad,
    0x3ca0_f505_3b02_5d43, 0x3ca1_92a6_9741_3677, 0x3ca2_27a2_8f7a_1af5, 0x3ca2_b52e_3863_d880, 0x3ca3_3c3f_c057_91f5,
    0x3ca3_bd9e_c1a2_b12f, 0x3ca4_39ef_8dff_9b55, 0x3ca4_b1bb_363d_fea7, 0x3ca5_2575_621a_d374, 0x3ca5_9580_a707_ce96,
    0x3ca6_0231_cfd9_7eea, 0x3ca6_6bd2_61a3_7c3d, 0x3ca6_d2a2_9200_0570, 0x3ca7_36da_d346_f8a6, 0x3ca7_98ad_10b3_2a77,
    0x3ca7_f845_ad46_f543, 0x3ca8_55cc_5343_0a77, 0x3ca8_b164_9e7b_769a, 0x3ca9_0b2e_a94e_cf98, 0x3ca9_6347_822c_1eea,
    0x3ca9_b9c9_8e38_c546, 0x3caa_0ecc_dca4_a72c, 0x3caa_6267_6d77_cd59, 0x3caa_b4ad_6e10_1630, 0x3cab_05b1_6d13_6c9c,
    0x3cab_5584_8742_7a29, 0x3cab_a436_8e52_9f3a, 0x3cab_f1d6_2abf_8232, 0x3cac_3e70_f959_4ef3, 0x3cac_8a13_a532_3b61,
    0x3cac_d4c9_fe72_268b, 0x3cad_1e9f_0e80_b748, 0x3cad_679d_29e4_1f10, 0x3cad_afce_0023_b8c3, 0x3cad_f73a_a9f1_7653,
    0x3cae_3deb_b5d2_edfe, 0x3cae_83e9_337a_6f00, 0x3cae_c93a_bdf9_82ce, 0x3caf_0de7_84f0_6226, 0x3caf_51f6_54d8_f688,
    0x3caf_956d_9e87_d7ae, 0x3caf_d853_7dfa_2eac, 0x3cb0_0d56_e042_34ec, 0x3cb0_2e40_f539_8f9a, 0x3cb0_4eea_9e16_a5fc,
    0x3cb0_6f56_5b72_a010, 0x3cb0_8f86_9071_f40b, 0x3cb0_af7d_84bc_6113, 0x3cb0_cf3d_664b_cc7f, 0x3cb0_eec8_4b16_086b,
    0x3cb1_0e20_3295_15ee, 0x3cb1_2d47_0731_0fbe, 0x3cb1_4c3e_9f8e_9141, 0x3cb1_6b08_bfc4_201e, 0x3cb1_89a7_1a78_da34,
    0x3cb1_a81b_51ee_6d88, 0x3cb1_c666_f8f8_2acb, 0x3cb1_e48b_93e0_d42e, 0x3cb2_028a_9940_a09f, 0x3cb2_2065_72c4_c6e9,
    0x3cb2_3e1d_7de9_c31f, 0x3cb2_5bb4_0ca9_6bfb, 0x3cb2_792a_661d_d37f, 0x3cb2_9681_c719_d71b, 0x3cb2_b3bb_62b8_2eda,
    0x3cb2_d0d8_62e1_b853, 0x3cb2_edd9_e8cb_a98e, 0x3cb3_0ac1_0d6e_48d7, 0x3cb3_278e_e1f4_b930, 0x3cb3_4444_7026_5ea1,
    0x3cb3_60e2_baca_52d5, 0x3cb3_7d6a_be05_586a, 0x3cb3_99dd_6fb2_b264, 0x3cb3_b63b_bfb8_3d03, 0x3cb3_d286_9856_1de0,
    0x3cb3_eebe_de72_5a83, 0x3cb4_0ae5_71e0_9e74, 0x3cb4_26fb_2da6_745d, 0x3cb4_4300_e83c_30a4, 0x3cb4_5ef7_73ca_c75d,
    0x3cb4_7adf_9e66_c336, 0x3cb4_96ba_3248_8f2f, 0x3cb4_b287_f602_415d, 0x3cb4_ce49_acb3_11dc, 0x3cb4_ea00_1638_a605,
    0x3cb5_05ab_ef5e_5562, 0x3cb5_214d_f20a_8b5a, 0x3cb5_3ce6_d56a_664f, 0x3cb5_5877_4e1b_b2c8, 0x3cb5_7400_0e55_5f78,
    0x3cb5_8f81_c60e_8514, 0x3cb5_aafd_2324_1b59, 0x3cb5_c672_d17d_733d, 0x3cb5_e1e3_7b2f_8cd3, 0x3cb5_fd4f_c89f_5e38,
    0x3cb6_18b8_60a3_1fc3, 0x3cb6_341d_e8a2_b0a2, 0x3cb6_4f81_04b7_260b, 0x3cb6_6ae2_57c9_9672, 0x3cb6_8642_83b1_3137,
    0x3cb6_a1a2_2950_b2b1, 0x3cb6_bd01_e8b3_43bb, 0x3cb6_d862_6128_d352, 0x3cb6_f3c4_3161_f854, 0x3cb7_0f27_f78b_68eb,
    0x3cb7_2a8e_5169_14c6, 0x3cb7_45f7_dc70_eedc, 0x3cb7_6165_35e5_731f, 0x3cb7_7cd6_faef_f449, 0x3cb7_984d_c8ba_bd93,
    0x3cb7_b3ca_3c8b_1409, 0x3cb7_cf4c_f3db_22fb, 0x3cb7_ead6_8c73_dee7, 0x3cb8_0667_a486_ea1f, 0x3cb8_2200_dac8_8676,
    0x3cb8_3da2_ce89_9f15, 0x3cb8_594e_1fd1_f5bd, 0x3cb8_7503_6f7a_7ec5, 0x3cb8_90c3_5f47_f72d, 0x3cb8_ac8e_9205_c043,
    0x3cb8_c865_aba1_0c9c, 0x3cb8_e449_5144_6a27, 0x3cb9_003a_2973_b58f, 0x3cb9_1c38_dc28_8347, 0x3cb9_3846_12ef_0afc,
    0x3cb9_5462_7903_a28a, 0x3cb9_708e_bb70_d5ee, 0x3cb9_8ccb_892e_2a31, 0x3cb9_a919_933f_99bf, 0x3cb9_c579_8cd5_d92c,
    0x3cb9_e1ec_2b6f_7411, 0x3cb9_fe72_26fa_d24a, 0x3cba_1b0c_39f9_3692, 0x3cba_37bb_21a2_c85b, 0x3cba_547f_9e0b_bb88,
    0x3cba_715a_724a_a9a4, 0x3cba_8e4c_64a0_313d, 0x3cba_ab56_3e9f_f108, 0x3cba_c878_cd5a_f5ce, 0x3cba_e5b4_e18b_b336,
    0x3cbb_030b_4fc3_a11a, 0x3cbb_207c_f09a_985b, 0x3cbb_3e0a_a0e0_0c00, 0x3cbb_5bb5_41ce_3d03, 0x3cbb_797d_b93f_8927,
    0x3cbb_9764_f1e5_f73c, 0x3cbb_b56b_db85_256e, 0x3cbb_d393_6b2e_c0a2, 0x3cbb_f1dc_9b81_ae83, 0x3cbc_1048_6cec_16a0,
    0x3cbc_2ed7_e5f0_7a2d, 0x3cbc_4d8c_136e_0d1c, 0x3cbc_6c66_08ec_8705, 0x3cbc_8b66_e0eb_a617, 0x3cbc_aa8f_bd36_a2ab,
    0x3cbc_c9e1_c73b_d690, 0x3cbc_e95e_3068_e037, 0x3cbd_0906_328b_8f6e, 0x3cbd_28db_1037_ef20, 0x3cbd_48de_1533_c647,
    0x3cbd_6910_96e7_f123, 0x3cbd_8973_f4d7_fba5, 0x3cbd_aa09_9920_6e70, 0x3cbd_cad2_f8fc_490e, 0x3cbd_ebd1_9552_2e37,
    0x3cbe_0d06_fb49_d21c, 0x3cbe_2e74_c4ea_46f6, 0x3cbe_501c_99c1_d188, 0x3cbe_7200_2f97_fe25, 0x3cbe_9421_4b2a_bf0a,
    0x3cbe_b681_c0f7_6f08, 0x3cbe_d923_7610_a73a, 0x3cbe_fc08_6101_eca9, 0x3cbf_1f32_8ac2_5321, 0x3cbf_42a4_0fb7_4d6d,
    0x3cbf_665f_20c9_0168, 0x3cbf_8a66_0489_9782, 0x3cbf_aebb_1871_22bf, 0x3cbf_d360_d22f_e785, 0x3cbf_f859_c118_f60b,
    0x3cc0_0ed4_47d3_a075, 0x3cc0_21a8_028f_c947, 0x3cc0_34a9_83a9_02ab, 0x3cc0_47da_4e3e_f5c7, 0x3cc0_5b3b_f6ad_b37e,
    0x3cc0_6ed0_23a7_2668, 0x3cc0_8298_8f63_2e17, 0x3cc0_9697_08e8_a254, 0x3cc0_aacd_7571_c0c4, 0x3cc0_bf3d_d1ee_d448,
    0x3cc0_d3ea_34aa_3d30, 0x3cc0_e8d4_cf11_6593, 0x3cc0_fdff_efa6_9fb6, 0x3cc1_136e_0420_7041, 0x3cc1_2921_9bbb_5d35,
    0x3cc1_3f1d_69c4_096d, 0x3cc1_5564_4860_2e3b, 0x3cc1_6bf9_3b9d_eef3, 0x3cc1_82df_74d2_1261, 0x3cc1_9a1a_564e_ebac,
    0x3cc1_b1ad_777f_2f8e, 0x3cc1_c99c_a971_a694, 0x3cc1_e1eb_fbe4_ae39, 0x3cc1_fa9f_c2e2_d901, 0x3cc2_13bc_9d04_cc81,
    0x3cc2_2d47_7a6f_d3ee, 0x3cc2_4745_a4ac_9c24, 0x3cc2_61bc_c776_58e0, 0x3cc2_7cb2_faa8_592e, 0x3cc2_982e_cd77_0e78,
    0x3cc2_b437_532a_0a52, 0x3cc2_d0d4_3196_db97, 0x3cc2_ee0d_b1a9_78f5, 0x3cc3_0bec_d256_aeee, 0x3cc3_2a7b_5e68_a4a3,
    0x3cc3_49c4_05ae_12a3, 0x3cc3_69d2_7a33_a840, 0x3cc3_8ab3_9256_410a, 0x3cc3_ac75_70ae_88fa, 0x3cc3_cf27_b317_04a6,
    0x3cc3_f2db_aa60_f475, 0x3cc4_17a4_9cb9_e5da, 0x3cc4_3d98_1554_5e94, 0x3cc4_64ce_44a7_3a15, 0x3cc4_8d62_759c_43bc,
    0x3cc4_b773_9d6b_5a27, 0x3cc4_e325_0dcd_8902, 0x3cc5_109f_53e9_ac41, 0x3cc5_4011_523a_7e42, 0x3cc5_71b1_a94a_e41b,
    0x3cc5_a5c0_8b71_8dd9, 0x3cc5_dc8a_243a_d0fe, 0x3cc6_1669_cf86_1e4c, 0x3cc6_53ce_7b00_6aea, 0x3cc6_9540_be9f_e5c3,
    0x3cc6_db6b_8d09_e232, 0x3cc7_2728_f05f_7a34, 0x3cc7_7995_5609_0673, 0x3cc7_d42d_f4d6_ce8c, 0x3cc8_3903_0529_f234,
    0x3cc8_ab0f_bfaa_7c14, 0x3cc9_2ee0_946f_4496, 0x3cc9_cbee_0140_57ab, 0x3cca_8fdc_7894_775a, 0x3ccb_981f_3878_fdb1,
    0x3ccd_3bb4_8209_ad33,
];

/// The widths of the layers of the exponential distribution over 2^53, as bits of floats.
#[rustfmt::skip]
const EXPONENTIAL_WIDTHS: [u64; 256] = [
    0x3cd1_64ec_94bf_5dc1, 0x3c60_589d_8b5d_4119, 0x3c6a_d6b2_495b_4d2b, 0x3c71_9335_a95b_8dba, 0x3c75_22e6_e54a_2a73,
    0x3c78_5090_fbc2_7a80, 0x3c7b_38d1_ef79_b7cc, 0x3c7d_ecd8_b76d_bd98, 0x3c80_3bf0_49c6_5c3c, 0x3c81_70db_24d6_f670,
    0x3c82_9802_90da_2633, 0x3c83_b388_fe3d_6eca, 0x3c84_c515_c60b_fe21, 0x3c85_cdf8_9d02_4ac3, 0x3c86_cf40_f0a7_2bbd,
    0x3c87_c9cd_da17_d019, 0x3c88_be59_54d3_606f, 0x3c89_ad80_5522_37d2, 0x3c8a_97c8_be5d_5203, 0x3c8b_7da5_dddd_a3c4,
    0x3c8c_5f7b_d78c_3f89, 0x3c8d_3da2_4df1_7c36, 0x3c8e_1866_78f1_735a, 0x3c8e_f00c_cf5f_4faa, 0x3c8f_c4d2_5d68_3209,
    0x3c90_4b76_ed6a_7558, 0x3c90_b348_479b_80fc, 0x3c91_19f3_8749_f5af, 0x3c91_7f8c_eb4b_dfa0, 0x3c91_e426_e93e_49e7,
    0x3c92_47d2_6538_ff2e, 0x3c92_aa9e_e123_680b, 0x3c93_0c9a_a526_da4b, 0x3c93_6dd2_e26d_8202, 0x3c93_ce53_d121_62a0,
    0x3c94_2e28_ca70_6748, 0x3c94_8d5c_5f35_e712, 0x3c94_ebf8_6bcd_0b93, 0x3c95_4a06_2978_6f4d, 0x3c95_a78e_3db8_befd,
    0x3c96_0498_c7dd_2ecf, 0x3c96_612d_6d0c_68e0, 0x3c96_bd53_62fa_a944, 0x3c97_1911_7979_90bb, 0x3c97_746e_2307_7973,
    0x3c97_cf6f_7c7e_8172, 0x3c98_2a1b_53fe_d599, 0x3c98_8477_2f2b_e1ec, 0x3c98_de88_50d0_c52a, 0x3c99_3853_bdfd_a244,
    0x3c99_91de_42ad_1338, 0x3c99_eb2c_75ff_03bf, 0x3c9a_4442_be14_884a, 0x3c9a_9d25_5396_d261, 0x3c9a_f5d8_44f2_24c9,
    0x3c9b_4e5f_794c_979b, 0x3c9b_a6be_b33f_8f89, 0x3c9b_fef9_9359_fe99, 0x3c9c_5713_9a70_d29f, 0x3c9c_af10_2bc2_5adb,
    0x3c9d_06f2_8ef0_e6fb, 0x3c9d_5ebd_f1d8_6b8d, 0x3c9d_b675_6a42_9057, 0x3c9e_0e1b_f77c_31fe, 0x3c9e_65b4_83cf_1044,
    0x3c9e_bd41_e5e2_1b62, 0x3c9f_14c6_e202_949f, 0x3c9f_6c46_2b57_feb5, 0x3c9f_c3c2_6504_a9a1, 0x3ca0_0d9f_119a_3cd9,
    0x3ca0_395d_f60d_b162, 0x3ca0_651f_1c72_76f8, 0x3ca0_90e3_bb4b_0072, 0x3ca0_bcad_0371_0137, 0x3ca0_e87c_207a_2f66,
    0x3ca1_1452_3917_ac15, 0x3ca1_4030_6f70_7dbe, 0x3ca1_6c17_e177_7ffb, 0x3ca1_9809_a93d_2396, 0x3ca1_c406_dd3d_5283,
    0x3ca1_f010_90a9_c4e2, 0x3ca2_1c27_d3b1_0e05, 0x3ca2_484d_b3c2_a329, 0x3ca2_7483_3bd0_189f, 0x3ca2_a0c9_748b_cdaa,
    0x3ca2_cd21_64a5_3b5d, 0x3ca2_f98c_1103_1721, 0x3ca3_260a_7cfb_7611, 0x3ca3_529d_aa8a_1ba1, 0x3ca3_7f46_9a85_1af0,
    0x3ca3_ac06_4ccf_effc, 0x3ca3_d8dd_c08d_336d, 0x3ca4_05cd_f44f_09c4, 0x3ca4_32d7_e646_6cd0, 0x3ca4_5ffc_9471_6ca7,
    0x3ca4_8d3c_fcc8_83c4, 0x3ca4_ba9a_1d6b_18a4, 0x3ca4_e814_f4cb_45ea, 0x3ca5_15ae_81d9_00fb, 0x3ca5_4367_c42c_b5f8,
    0x3ca5_7141_bc31_6f27, 0x3ca5_9f3d_6b4e_9cf9, 0x3ca5_cd5b_d411_9335, 0x3ca5_fb9d_fa56_cf26, 0x3ca6_2a04_e373_1a2e,
    0x3ca6_5891_965c_9b8c, 0x3ca6_8745_1bd3_ebee, 0x3ca6_b620_7e8d_3cdf, 0x3ca6_e524_cb59_a608, 0x3ca7_1453_1150_a9fb,
    0x3ca7_43ac_61fa_041c, 0x3ca7_7331_d177_d130, 0x3ca7_a2e4_76b1_240a, 0x3ca7_d2c5_6b7d_17f7, 0x3ca8_02d5_ccce_7277,
    0x3ca8_3316_badf_e62a, 0x3ca8_6389_5961_08e7, 0x3ca8_942e_cfa4_0f54, 0x3ca8_c508_48cc_6094, 0x3ca8_f616_f3fe_1513,
    0x3ca9_275c_048e_73e1, 0x3ca9_58d8_b235_828a, 0x3ca9_8a8e_3940_bbf4, 0x3ca9_bc7d_dac7_035d, 0x3ca9_eea8_dcdd_e951,
    0x3caa_2110_8ad0_592d, 0x3caa_53b6_3556_c690, 0x3caa_869b_32d0_f30f, 0x3caa_b9c0_df81_657a, 0x3caa_ed28_9dca_acff,
    0x3cab_20d3_d66e_8bb5, 0x3cab_54c3_f8cf_2542, 0x3cab_88fa_7b32_4fb6, 0x3cab_bd78_db07_2610, 0x3cab_f240_9d2d_fd85,
    0x3cac_2753_4e42_e02d, 0x3cac_5cb2_82ea_b1a4, 0x3cac_925f_d823_23fb, 0x3cac_c85c_f395_a56c, 0x3cac_feab_83ed_7180,
    0x3cad_354d_4130_f2ad, 0x3cad_6c43_ed1e_a3fe, 0x3cad_a391_538d_a50a, 0x3cad_db37_4ad2_357f, 0x3cae_1337_b426_509b,
    0x3cae_4b94_7c16_a452, 0x3cae_844f_9af4_237f, 0x3cae_bd6b_154a_7678, 0x3cae_f6e8_fc5b_9168, 0x3caf_30cb_6ea0_bc7f,
    0x3caf_6b14_9851_5ed0, 0x3caf_a5c6_b3ef_e1e5, 0x3caf_e0e4_0add_09d8, 0x3cb0_0e37_7af9_11d4, 0x3cb0_2c34_ef11_391b,
    0x3cb0_4a6b_9e92_24a3, 0x3cb0_68dc_cf11_26db, 0x3cb0_8789_cf3a_ad0f, 0x3cb0_a673_f733_c819, 0x3cb0_c59c_a900_946f,
    0x3cb0_e505_50ef_cfb7, 0x3cb1_04af_660b_efce, 0x3cb1_249c_6a92_154a, 0x3cb1_44cd_ec6f_3a2b, 0x3cb1_6545_85c4_04c1,
    0x3cb1_8604_dd6f_ae9e, 0x3cb1_a70d_a7a2_7820, 0x3cb1_c861_a678_2a5a, 0x3cb1_ea02_aa9b_3370, 0x3cb2_0bf2_93f0_f4a2,
    0x3cb2_2e33_524f_e550, 0x3cb2_50c6_e640_3bba, 0x3cb2_73af_61c7_daa6, 0x3cb2_96ee_e942_532b, 0x3cb2_ba87_b445_db51,
    0x3cb2_de7c_0e96_2d70, 0x3cb3_02ce_5926_5965, 0x3cb3_2781_0b2a_a7d0, 0x3cb3_4c96_b33b_c965, 0x3cb3_7211_f88c_a856,
    0x3cb3_97f5_9c34_5143, 0x3cb3_be44_7a8d_8b83, 0x3cb3_e501_8cad_ded0, 0x3cb4_0c2f_e9f5_eead, 0x3cb4_33d2_c9bd_42f8,
    0x3cb4_5bed_851b_c92c, 0x3cb4_8483_98d3_9432, 0x3cb4_ad98_a75d_a14c, 0x3cb4_d730_7b1c_b127, 0x3cb5_014f_08b9_9508,
    0x3cb5_2bf8_71ac_aab2, 0x3cb5_5731_06f8_a75a, 0x3cb5_82fd_4c1b_4461, 0x3cb5_af61_fa38_e107, 0x3cb5_dc64_0388_bd9e,
    0x3cb6_0a08_9708_1879, 0x3cb6_3855_247b_2e94, 0x3cb6_674f_60c3_f432, 0x3cb6_96fd_4a97_48ee, 0x3cb6_c765_2f9a_7b1e,
    0x3cb6_f88d_b1f4_2507, 0x3cb7_2a7d_ce5c_d218, 0x3cb7_5d3c_e2bd_71c3, 0x3cb7_90d2_b56b_71f9, 0x3cb7_c547_7d14_76d3,
    0x3cb7_faa3_e96e_1412, 0x3cb8_30f1_2cc0_bec3, 0x3cb8_6839_0668_7342, 0x3cb8_a085_ce69_5bab, 0x3cb8_d9e2_823b_3695,
    0x3cb9_145a_d2f3_7544, 0x3cb9_4ffb_34fc_2a0e, 0x3cb9_8cd0_f18d_1ad8, 0x3cb9_caea_3a24_d9ea, 0x3cba_0a56_3e49_f178,
    0x3cba_4b25_43e8_4c3b, 0x3cba_8d68_c2ad_86ea, 0x3cba_d133_82d8_45c4, 0x3cbb_1699_c003_b60a, 0x3cbb_5db1_5091_ea0f,
    0x3cbb_a691_d276_da5e, 0x3cbb_f154_de4b_ef77, 0x3cbc_3e16_41c2_e0a7, 0x3cbc_8cf4_42c8_c8f4, 0x3cbc_de0f_ecf2_a97f,
    0x3cbd_318d_6b27_38c5, 0x3cbd_8794_6fec_3bec, 0x3cbd_e050_af4e_f19f, 0x3cbe_3bf2_6e19_0960, 0x3cbe_9aaf_2af3_83c1,
    0x3cbe_fcc2_6750_ea4a, 0x3cbf_626e_9791_f7a7, 0x3cbf_cbfe_43f6_c6e5, 0x3cc0_1ce2_b362_ec2e, 0x3cc0_5611_8bf5_8eef,
    0x3cc0_91c1_cdcb_a54e, 0x3cc0_d031_785d_48a0, 0x3cc1_11a8_0343_92a6, 0x3cc1_5678_6775_442a, 0x3cc1_9f03_bcb3_c2d6,
    0x3cc1_ebbc_a0c9_fa7c, 0x3cc2_3d2b_b659_919f, 0x3cc2_93f5_ae49_aaa5, 0x3cc2_f0e3_8a44_11f0, 0x3cc3_54ee_27cc_f75e,
    0x3cc3_c14e_c7c8_b861, 0x3cc4_3797_66e4_1362, 0x3cc4_b9d7_cd47_51d1, 0x3cc5_4ad8_3ccf_73f6, 0x3cc5_ee7a_e173_13d2,
    0x3cc6_aa67_6d4b_bf72, 0x3cc7_8750_d6ea_c62f, 0x3cc8_939f_e6f2_ed19, 0x3cc9_e9dc_0d48_7b85, 0x3ccb_c39e_51da_71fc,
    0x3cce_c9d9_297e_bb83,
];
