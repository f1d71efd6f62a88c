//! Literal digests. They were computed from the encoding's description by another program: a change of one of them makes
//! every stored fingerprint a mismatch and needs a new version.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use super::*;
use types::*;

mod types;

#[track_caller]
fn assert_digest<T: Serialize + ?Sized>(value: &T, expected: &str) {
    assert_eq!(digest(value).as_deref(), Ok(expected));
}

#[track_caller]
fn assert_typed<T: Serialize + ?Sized>(value: &T, expected: &str) {
    let typed = typed_digest(value).map(|digest| hex(Fingerprint { version: VERSION, digest }));
    assert_eq!(typed.as_deref(), Ok(expected));
}

#[test]
fn golden_order_of_fields_and_entries() {
    assert_digest(
        &Outer { b: 1, a: BTreeMap::from([("z", vec![3, 1, 2]), ("y", vec![])]) },
        "60b794cc9359e32cf12bc31b7518dd51fa3a2682a93cf1f6d0c3bfa0f59a1cf7",
    );
    assert_digest(
        &json!({ "a": { "y": [], "z": [3, 1, 2] }, "b": 1 }),
        "60b794cc9359e32cf12bc31b7518dd51fa3a2682a93cf1f6d0c3bfa0f59a1cf7",
    );
    assert_digest(
        &json!({ "a": { "y": [], "z": [1, 2, 3] }, "b": 1 }),
        "44a3d9b8ebdd7563a3b29534c8cb7c9c38960406a1601a1cf444177243a359ea",
    );
    assert_digest(
        &json!([{ "d": { "f": 1, "e": { "h": 2, "g": 3 } }, "c": [] }]),
        "4b58123255c188b699a2f862d9c47534de1edee32ff423705e462282bb838a5a",
    );
}

#[test]
fn golden_names_in_the_order_of_their_bytes() {
    assert_digest(
        &json!({ "A": 1, "a": 2 }),
        "58cefe5a6c415508b291011d11d326483998434ba92b302d219163fb50e073e0",
    );
    assert_digest(
        &json!({ "A": 2, "a": 1 }),
        "47f0dc342a1b353d43abdb0e184f6f864077f1410d6dd3cde7be47f6fb869713",
    );
    assert_digest(
        &json!({ "ab": 1, "a": 2, "a-": 3, "é": 4, "z": 5, "": 6 }),
        "37e628393122ffb81ab567ccd7f23257c3d2ef58a3a1eae7d068c426e3d48aa7",
    );
}

#[test]
fn golden_integers() {
    assert_digest(&0_u8, "1de295129685d9634bd61f7080cee26216d8349cc8f8da1ed91f3456f26e36b9");
    assert_digest(&1_i128, "8cba72f47b0733fb5cb348e28de7f4078a21911ea99eabe777134d890a6a7118");
    assert_digest(&-1_i8, "fffac6c20d7eb9ccf7de46c4a36089e48eaf2139aa0ae9d6a67b4be9cd4f236d");
    assert_digest(&255_u8, "bc6ccf9e89200f8e93eac3b2eaddb033cde1d8c8cd5de45be10b38d292c40813");
    assert_digest(&256_u16, "1af73c775e2ca82c36d3a740ef1fe208342137c48a783bdf5a3774962e24f8c5");
    assert_digest(
        &9_007_199_254_740_993_u64,
        "a9b7843af88ac144b5328b5d0e3082c5c94e3e72a626ecf31741d5b827fd8e91",
    );
    assert_digest(
        &9_007_199_254_740_992_u64,
        "3a6c115bbccf87c3412b63c8f17a2c85c44a7bc0b2c99854a2f444fc1abca97c",
    );
    assert_digest(&u64::MAX, "d2901b725a55b1093353a643c0d67df1ac47c25ad67a3e50cfcdf321a6f93eba");
    assert_digest(&i64::MIN, "e558d1460cec96adf8abfe840183c989e67b32616837279a7e2afd1fc5d08a67");
    assert_digest(&u128::MAX, "e20cc7ae5190b9e7ccd9d85f8b15e252f58b2ff50776b613a132ac677b8a48b3");
    assert_digest(&i128::MAX, "f87b4afd51dcd7348fb9efdb45a8796f20744fc201bd82dfc107e7b575f5feb4");
    assert_digest(&i128::MIN, "e953dd3ff8dbc5ea35a362ae22295235a51b689b9a37347cafdfdc34f8dd33eb");
}

#[test]
fn golden_floats() {
    assert_digest(&0.0_f64, "eec63c68216e58a50daac6a09ed0540a8761ae63edb7e1111065ed77ac8d154e");
    assert_digest(&-0.0_f64, "eec63c68216e58a50daac6a09ed0540a8761ae63edb7e1111065ed77ac8d154e");
    assert_digest(&1.0_f64, "d9c449c012ccb73785ae4658c7e2a3a42f5518b286b2caf2f48355fbe2f591c1");
    assert_digest(&1.5_f32, "db040e40b8c912734919d98c4afec4b84275f8608dec8b3c46f96d1dfa303044");
    assert_digest(&0.1_f64, "112c776af88643c680a2d36bd7eec7c5522729db65297801efa457f9f59a7306");
    assert_digest(&f64::INFINITY, "b452ad8251fca6bd4fc11d086cacec3ee3cfb9f4d57a2519e5441eee500e5834");
    assert_digest(&f64::NEG_INFINITY, "889fdb582e9c29376f1c902437e7ea8aa00047d237a5c1c4781aa365387e7ac2");
    assert_digest(&f64::from_bits(1), "7898f7f518a57aaf198c38bf8dee2353530d8f011d00a8567d8942051a24c4aa");
}

#[test]
fn golden_text() {
    assert_digest("", "8e15d02594aa19b8afae43f4a67a4c3b5fc52fd9ab3dc49f137aeb65d8732e60");
    assert_digest("a", "990b6c8e43cc06bf4e53c6fea9893d12ae93b25c6dc2cf43a4a1f2614dcab5af");
    assert_digest(&'a', "990b6c8e43cc06bf4e53c6fea9893d12ae93b25c6dc2cf43a4a1f2614dcab5af");
    assert_digest("\u{e9}", "656341965d6308aee92d740bfb708f3d4c66b710d2d70e692d5860301c0dfe70");
    assert_digest("e\u{301}", "db88d1fe21eb8d84a248d414d42b8155511e85c79c7c94bec25717fba7890ff6");
    assert_digest("\0", "f42707db080a80bb0fa144dda99be83c1a5d755cc29c258ac89f536110ab1e69");
    assert_digest(&"x".repeat(254), "2f2b60301a921b28736d73a9b13f35a3b2d7130e2d73517d275e1fa78a6abed4");
    assert_digest(&"x".repeat(255), "21db5727f301f0b5b7482ec2b852d1b263fcabd69819cdd366c8821654352e74");
    assert_digest(&"x".repeat(4096), "49fc88586b1cfd20008a2ff0b1d5ae2e5953bbb5e88a0baacaac9e4ed70b5d34");
    assert_digest(&"x".repeat(4097), "b57a35cc28e8bc80c0822b2a5badfa2345373f0bd4914342b0aff71e3790dd43");
    assert_digest(&Raw(b"a"), "4916168b38d4d2c167f3bd62cbbc0689e75afd51326052f92972e413a3878bec");
    assert_digest(&Raw(b""), "37f1c130793a7cffd573c1bb6fc4f04aa389b52d8eeccd807d1d5a9bd32e713a");
}

#[test]
fn golden_options() {
    assert_digest(&None::<u8>, "8c083cae6d3adfcc2afa805c5e02c64f74bcc5e220da778f1b1ff556c685eb65");
    assert_digest(&Some(1), "8cba72f47b0733fb5cb348e28de7f4078a21911ea99eabe777134d890a6a7118");
    assert_digest(&Some(Some(1)), "8cba72f47b0733fb5cb348e28de7f4078a21911ea99eabe777134d890a6a7118");
    assert_digest(&Some(None::<u8>), "7e55c7a2905aa6a05d91c602c659837eede6e69e7b49cb81031c9567064fa121");
    assert_digest(
        &Some(Some(None::<u8>)),
        "e626b36c2eef47b3253514c334aafcea8d6f7f23d0c556aa6ea3fdf1409fcc80",
    );
    assert_digest(&Some(()), "7e55c7a2905aa6a05d91c602c659837eede6e69e7b49cb81031c9567064fa121");
    assert_digest(&(), "8c083cae6d3adfcc2afa805c5e02c64f74bcc5e220da778f1b1ff556c685eb65");
    assert_digest(&Unit, "8c083cae6d3adfcc2afa805c5e02c64f74bcc5e220da778f1b1ff556c685eb65");
    assert_digest(
        &vec![Some(None), None, Some(Some(1))],
        "6c196ff49a963142ad37e8651126e76bde14e02c59847c030143b5b513b8aaee",
    );
}

#[test]
fn golden_empty_containers() {
    assert_digest(&Vec::<u8>::new(), "42324eabfaf469c4269bfad487a508bad36177db8be9f86bc7993ace27e11a84");
    assert_digest(
        &BTreeMap::<String, u8>::new(),
        "8be9bf95343cbf1b314f31b425024016b21b123d4f6c2cc8d4abe90c1798ddde",
    );
    assert_digest(&Empty {}, "8be9bf95343cbf1b314f31b425024016b21b123d4f6c2cc8d4abe90c1798ddde");
    assert_digest(&json!([[], {}, [[]]]), "444f394d170dfc0754026fc965f622ca839dcef4b484635fc2a0c308f3fcc06c");
    assert_digest(&((), ()), "3aa2f8d043ee24710704e84829a42a63eaf9831c6f204952cb07b1ef5af22967");
}

#[test]
fn golden_enums() {
    assert_digest(&External::Unit, "e75f0c60d61aa50c6bf6c170efcc2b02d1a0918e73e8bfe83901238dffa957c7");
    assert_digest(&External::Newtype(1), "4a720cfdb8a6e5ec67e91769814565cbdf9da84e0bd232f5e409a800a7ab8a35");
    assert_digest(&External::Tuple(1, 2), "273f222bff887be11eb3936fc970a0c364170ceb5bd790f24a8efbc420efc1e3");
    assert_digest(
        &External::Struct { a: 1, b: None },
        "88564d9ef332bf054e6c4045fcc57328e05344916cda4288bc2208bbcf095b02",
    );
    assert_digest(&External::Renamed, "7ab670f3f7ab093765f25ba3262ff26998d1a07296b61bfd528f135193090ba5");
    assert_digest(&Internal::Unit, "f6fbc8712564e16bd582d9dd20dfe80b55ef7bb790917779653ecf00b8d20d69");
    assert_digest(
        &Internal::Newtype(Leaf { a: 1 }),
        "f0441a8e1e7f4b5d450565c985de1b82cbcdddb869a099993e7244c9bafc0c82",
    );
    assert_digest(
        &Internal::Struct { a: 1 },
        "aa9eff26d709929635d3cc945d6ad7362b679d939e3b07f3c2501d428af15505",
    );
    assert_digest(&Adjacent::Unit, "38973eef751108219fb78e1af9914f06fe62afccfd57915ad1ac2bad6f521833");
    assert_digest(&Adjacent::Newtype(1), "f645dfcad97ec8e78156c4776c0af921c74d955797b3afc0079789db068577c2");
    assert_digest(&Adjacent::Tuple(1, 2), "289acd51c43b2527ef6a3ab78e031b19e2be8eac5896b0849fee45a4df982298");
    assert_digest(
        &Adjacent::Struct { a: 1 },
        "ae7487d83402a6096248607230a3c11abe2973031706017204215752b7095894",
    );
    assert_digest(&Untagged::Newtype(1), "8cba72f47b0733fb5cb348e28de7f4078a21911ea99eabe777134d890a6a7118");
    assert_digest(
        &Untagged::Struct { a: 1 },
        "10743d0b8a6c9ef520a5c92ee98eacef0eb38a3ed57939824f5d119e8e5bf164",
    );
}

#[test]
fn golden_flattened_fields() {
    assert_digest(
        &Flat { z: 1, leaf: Leaf { a: 2 }, rest: BTreeMap::from([("m", 3)]) },
        "ea448009dc4303992451ce57a0f6bbf6fcf86f61aecbc7cc94c7cecc1e4c371c",
    );
}

#[test]
fn golden_null_is_absent_as_an_entry_and_kept_as_an_element() {
    assert_digest(
        &json!({ "a": null, "b": { "c": null } }),
        "38a5fec8fd98012b102fc9792af0882126619c6c771eaaf4116e89d5dd37db0e",
    );
    assert_digest(&json!({ "b": {} }), "38a5fec8fd98012b102fc9792af0882126619c6c771eaaf4116e89d5dd37db0e");
    assert_digest(&json!([null]), "79efb8e02bff40878ed6a9ab34f31c49e6d45491c4f21b96d0f800ca4cc40102");
    assert_digest(&json!([]), "42324eabfaf469c4269bfad487a508bad36177db8be9f86bc7993ace27e11a84");
}

#[test]
fn golden_keys_of_maps() {
    assert_digest(
        &BTreeMap::from([(1_i128, 1), (-2, 2), (10, 3)]),
        "21e8d85738ba49a8e7c60d03b1db5b98d66dc4fd407f5039a1c666109ad5eaf9",
    );
    assert_digest(
        &BTreeMap::from([(true, 1), (false, 2)]),
        "306e0eb2c6acd9ebd35e2f918fd3a89827f4d4d88e3c89e7e10b86eca7809cfa",
    );
    assert_digest(
        &BTreeMap::from([('b', 1), ('a', 2)]),
        "113208f3c728d8463b328d7f992159faa6f6adf153d8f6d02cf6b6e7441ed3fc",
    );
    assert_digest(
        &BTreeMap::from([(Key::Second, 1), (Key::First, 2)]),
        "16b04b027f7e948703e67ef59adfcdd98f7e9e616aaf9b5c55ad183ea948eb4f",
    );
    assert_digest(
        &BTreeMap::from([(Id(7), 1)]),
        "98b0599b2e6a661f139e6e3fa115729604815e56b09d452e4c1880b3d2ed7f99",
    );
    assert_digest(
        &BTreeMap::from([("k".repeat(300), 1), ("k".repeat(254), 2), ("k".repeat(255), 3)]),
        "ff53f91ff20a2a5240c93f363d55557704a04efbe3f6515e51da4dbab45c10bd",
    );
}

#[test]
fn golden_long_entries_are_digested() {
    assert_digest(
        &json!({ "a": "x".repeat(4087), "b": 1 }),
        "e2e86cd470b37a77e16a0fdaf83bc56a0c24dc4d739e777839b04eb8cd0fef1a",
    );
    assert_digest(
        &json!({ "a": "x".repeat(4086), "b": 1 }),
        "3fbadd7dc201d18f7d62cc15cff76edd60da6eaa451813303866840b38c8f5f4",
    );
    assert_digest(
        &json!({ "a": "x".repeat(4088), "b": 1 }),
        "609bdcb1af0f9f481ffbc29d469f1d09bcc870876ba1c137405b46d17b0812b4",
    );
    assert_digest(
        &json!({ "b": { "d": ["x".repeat(5000), "y".repeat(3000)], "c": "z".repeat(5000) }, "a": vec![1; 3000] }),
        "628998edd5e823f839aefac247b446cfa293d8fb9f078895a312a0e38f711027",
    );
    assert_digest(
        &json!([{ "b": 1, "a": vec![2; 10_000] }]),
        "3d5f9f65eb1dea1c2ed9ba1903b082a2175ecbf42af2a3251df0007606db3e46",
    );
}
#[test]
fn golden_several_values() {
    type Include<'a> = &'a dyn Fn(&mut FingerprintBuilder) -> Result<()>;
    let several = |values: &[Include<'_>]| {
        let mut builder = FingerprintBuilder::new();
        values.iter().try_for_each(|include| include(&mut builder)).map(|()| hex(builder.finish()))
    };
    let one = |builder: &mut FingerprintBuilder| builder.include(&1, &[]);
    let a = |builder: &mut FingerprintBuilder| builder.include("a", &[]);
    assert_eq!(
        several(&[]).as_deref(),
        Ok("0b2a5ba7a0ec7af788cd9806d571e6b9b1fc426ca968e3e38a5bb2354a40b1f9")
    );
    assert_eq!(
        several(&[&one, &a]).as_deref(),
        Ok("64e06e757ee9ca323ee4f07757072c0c134a74c70934fba64c824c8a88bff568")
    );
    assert_eq!(
        several(&[&a, &one]).as_deref(),
        Ok("41c13754b124da42bf356dc020e08491ada779b04e1a81e663a4257f67ca0d59")
    );
    assert_digest(&(1, "a"), "0fab98580e65b54ab264c551bcfb24e599a16f79568eaaccd4b35afceecd9bf0");
}

#[test]
fn golden_typed_digests() {
    assert_typed(&None::<u8>, "7040a9d9a32653f0ad511661d30fd9768474b565b41df945b95f2efb1b797d8a");
    assert_typed(&Some(1), "a1edfcc602b35937a277437ab219585caab95ec378d3b309c0a89ee5d4680b76");
    assert_typed(&1, "13bdef5338b67169755ead78172098a5f524b8bc7c3c144afedc248cb32d8dd1");
    assert_typed(&Some(None::<u8>), "026a199c66ff755348157e6b7bbe9f70dce292b795401e61d54512a468820d0a");
    assert_typed(&Some(()), "026a199c66ff755348157e6b7bbe9f70dce292b795401e61d54512a468820d0a");
    assert_typed(&json!({ "a": null }), "203c31e50184031156b2728e1a2d02481df1b4a6a3bf553cbf1e9f2b632d9df9");
    assert_typed(&json!({}), "40ea06a92bee7379a1ed54765d46c0f2e649dfa51050a530ef9e4caf17f77846");
    assert_typed(&Leaf { a: 1 }, "c409367d1f83748d3a32f2ab2d30de444fc8fa0dd90f7bab43093372f2fb33fb");
}
