//! Every format that is read, one a file.

#![allow(
    clippy::unnecessary_wraps,
    reason = "one type for all that read, whether they can find fault or not"
)]

mod ab;
mod cassandra_stress;
mod fio;
mod ghz;
mod hey;
mod hgrm;
mod hlog;
mod jmeter;
mod k6;
mod locust;
mod memtier;
mod numbers;
mod oha;
mod prometheus;
mod redis_benchmark;
mod sysbench;
mod vegeta;
mod wrk;
mod wrk2;
mod ycsb;

use super::Format;

/// All formats. The first that knows a file reads it: those that know their files by more stand before those that know
/// them by less.
pub static FORMATS: &[Format] = &[
    wrk2::FORMAT,
    wrk::FORMAT,
    redis_benchmark::FORMAT,
    memtier::FORMAT,
    hey::FORMAT,
    ab::FORMAT,
    vegeta::FORMAT,
    sysbench::FORMAT,
    cassandra_stress::FORMAT,
    ycsb::FORMAT,
    hlog::FORMAT,
    hgrm::FORMAT,
    k6::FORMAT,
    oha::FORMAT,
    ghz::FORMAT,
    fio::FORMAT,
    locust::FORMAT,
    jmeter::FORMAT,
    prometheus::FORMAT,
    numbers::FORMAT,
];

/// A format as its key, in messages.
pub(super) mod by_key {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use super::{FORMATS, Format};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    pub(in crate::import) fn serialize<S: Serializer>(
        format: &&'static Format,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(format.key)
    }

    pub(in crate::import) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<&'static Format, D::Error> {
        let key = String::deserialize(deserializer)?;
        let format = FORMATS.iter().find(|it| it.key == key);
        format.ok_or_else(|| D::Error::custom("no format has this key"))
    }
}
