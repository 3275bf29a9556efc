//! What page and workers say to each other.

use std::rc::Rc;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    import::{Imported, Trouble},
    report::{Footage, Replay},
    scenario::Exact,
    sim::Meter,
};

/// What the workers are wanted for: replications of one study or of several, in this order.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub job: u32,
    pub links: Rc<[String]>,
    pub tasks: Rc<[Task]>,
}

/// One replication of one of a question's links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Its place among the links.
    pub link: u32,
    pub replication: u32,
}

/// From the page to a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Simulate one replication of a link, after those that were asked for before.
    Run {
        job: u32,
        link: String,
        task: Task,
    },
    /// Find a simulated request at a percentile, before anything else. This is done in one go.
    Replay {
        job: u32,
        link: String,
        share: f64,
    },
    /// Film the servers or the messages of a link's own run, in one go too.
    Film {
        job: u32,
        link: String,
    },
    /// Work out what is exactly known of a link.
    Exact {
        serial: u32,
        link: String,
    },
    /// Find the greatest fan-out at which so large a share of requests meets the deadline.
    Bears {
        link: String,
        share: f64,
    },
    /// Do nothing until `Resume`, and forget nothing.
    Pause,
    Resume,
    /// Forget all runs.
    Stop,
}

/// From a worker, or from the pool on its behalf, to the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Tell {
    Part(Part),
    Replayed {
        job: u32,
        share: f64,
        replay: Option<Replay>,
    },
    Filmed {
        job: u32,
        film: Option<Footage>,
    },
    /// Nothing if the worker is gone that was asked.
    Exact {
        serial: u32,
        exact: Option<Exact>,
        took_ms: f64,
    },
    Bears {
        link: String,
        most: Option<u32>,
    },
    /// The job will not be finished: its worker is gone, for this reason.
    Failed {
        job: u32,
        reason: String,
    },
    /// So many bytes of a file have been read.
    Reading {
        file: u32,
        taken: u64,
    },
    /// A file has been read, or is of no use.
    Read {
        file: u32,
        read: Result<Imported, Trouble>,
    },
}

/// What one replication measured since its last part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    pub job: u32,
    pub task: Task,
    pub meter: Meter,
    /// Whether this is the replication's last part.
    pub done: bool,
}

/// The least and the most time between two parts, or two readings of them, in milliseconds.
const PAUSE_MS: (f64, f64) = (100.0, 1_000.0);
/// Another look is worth its while when there is so much more to see.
const GROWTH: f64 = 0.2;

/// How long to wait before the next part of a question that was asked so many milliseconds ago. At first much changes
/// and soon; later every look costs as much, takes it from the workers, and shows less.
pub fn pause_ms(asked_ms: f64) -> f64 {
    (asked_ms * GROWTH).clamp(PAUSE_MS.0, PAUSE_MS.1)
}

impl Question {
    /// All replications of one study.
    pub fn of(job: u32, link: String, replications: u32) -> Question {
        let task = |replication| Task { link: 0, replication };
        Question { job, links: Rc::new([link]), tasks: (0..replications).map(task).collect() }
    }
}

pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Into a growing vector, and of types that all have a form: this cannot fail. An empty message is not read.
    postcard::to_allocvec(message).unwrap_or_default()
}

/// Nothing if the bytes are no message of this build.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Study;

    #[test]
    fn a_part_comes_back_as_it_was_sent() {
        let (study, _) = Study::open("fan-out&requests=1000");
        let task = Task { link: 2, replication: 3 };
        let part = Part { job: 7, task, meter: study.finish_one(3), done: true };
        let Some(Tell::Part(back)) = decode(&encode(&Tell::Part(part.clone()))) else {
            panic!("not a part");
        };
        assert_eq!((back.job, back.task, back.done), (7, task, true));
        assert_eq!(encode(&back.meter), encode(&part.meter));
    }

    #[test]
    fn a_file_comes_back_as_it_was_read() {
        let read = crate::import::read(b"5\n7\n12\n");
        let Some(Tell::Read { file: 3, read: Ok(back) }) =
            decode(&encode(&Tell::Read { file: 3, read }))
        else {
            panic!("not a file");
        };
        assert_eq!(back.told(), crate::import::read(b"5\n7\n12\n").unwrap().told());
        let read = crate::import::read(b"no latencies");
        let told = decode(&encode(&Tell::Read { file: 4, read: read.clone() }));
        assert!(
            matches!(told, Some(Tell::Read { file: 4, read: Err(it) }) if Some(&it) == read.as_ref().err())
        );
    }

    #[test]
    fn looks_come_ever_more_seldom() {
        let seen = [0.0, 500.0, 1_000.0, 2_500.0, 1e9].map(pause_ms);
        assert_eq!(seen, [100.0, 100.0, 200.0, 500.0, 1_000.0]);
    }

    #[test]
    fn what_is_no_message_is_not_read() {
        for bytes in [&[][..], &[99], &[0, 1], &[255; 64]] {
            assert!(decode::<Tell>(bytes).is_none(), "{bytes:?}");
        }
    }
}
