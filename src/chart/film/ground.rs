//! Where servers and the places in their queues are: many stand side by side, a few lie one above the other.

use crate::chart::{
    grid::{MIDDLE, SMALL, words},
    marks::{Anchor, Mark, Point, Rect},
    palette::Role,
    scene::Frame,
    text,
};
use crate::format;

/// So many servers have queues that lie.
const LYING_MAX: usize = 6;
/// Narrower columns would hold nothing that can be told apart: there are several rows of servers then.
const PITCH: (f64, f64) = (8.0, 40.0);
const SIDE_MAX: f64 = 16.0;
/// Of a row of servers: its least height, and what its numbers take.
const BAND_MIN: f64 = 48.0;
const NUMBERS: f64 = 18.0;
/// Above a queue, for its length.
const LENGTH: f64 = 14.0;
/// The row of words above.
const TOP: f64 = 22.0;
const SIDES: f64 = 12.0;
/// Lying queues: jobs, the greatest height of one, and the room for names at the left, for counts at the right.
const LYING_SIDE: f64 = 18.0;
const LANE_MAX: f64 = 200.0;
const NAME: f64 = 68.0;
const COUNT: f64 = 52.0;
/// From one number below a server to the next, at the least.
const LABEL: f64 = 30.0;
/// From one job to the next, in parts of its side.
const STEP: f64 = 1.15;

pub(super) struct Ground {
    pub(super) plot: Rect,
    /// Of a job.
    pub(super) side: f64,
    servers: usize,
    lies: bool,
    /// Servers in a row of them, and its height.
    per_band: usize,
    band: f64,
    pitch: f64,
}

/// One server's.
pub(super) struct Place {
    /// All that it may fill.
    pub(super) room: Rect,
    side: f64,
    lies: bool,
}

impl Ground {
    pub(super) fn new(servers: usize, frame: Frame) -> Ground {
        let right = frame.width - SIDES;
        let lies = servers <= LYING_MAX;
        let left = if lies { NAME } else { SIDES };
        let plot = Rect { left, top: TOP, right, bottom: frame.height - 4.0 };
        if lies {
            let band = (plot.height() / servers.max(1) as f64).min(LANE_MAX);
            let side = LYING_SIDE.min(0.7 * band);
            return Ground { plot, side, servers, lies, per_band: 1, band, pitch: 0.0 };
        }
        let most = (plot.height() / BAND_MIN).floor().max(1.0);
        let bands = (servers as f64 * PITCH.0 / plot.width()).ceil().clamp(1.0, most);
        let per_band = (servers as f64 / bands).ceil().max(1.0);
        let pitch = (plot.width() / per_band).min(PITCH.1);
        Ground {
            plot,
            side: (pitch - 2.0).max(0.7 * pitch).min(SIDE_MAX),
            servers,
            lies,
            per_band: per_band as usize,
            band: plot.height() / bands,
            pitch,
        }
    }

    pub(super) fn lies(&self) -> bool {
        self.lies
    }

    pub(super) fn has(&self, server: usize) -> bool {
        server < self.servers
    }

    pub(super) fn place(&self, server: usize) -> Place {
        let Ground { plot, side, lies, .. } = *self;
        let top = plot.top + (server / self.per_band) as f64 * self.band;
        let room = if lies {
            Rect { top: top + 3.0, bottom: top + self.band - 6.0, ..plot }
        } else {
            let left = plot.left + (server % self.per_band) as f64 * self.pitch;
            Rect { left, top, right: left + self.pitch, bottom: top + self.band - NUMBERS }
        };
        Place { room, side, lies }
    }

    /// The lines that queues stand on, or begin at.
    pub(super) fn bases(&self) -> Vec<Mark> {
        let rule = |from: Point, to: Point| Mark::Rule { from, to, role: Role::Edge, width: 1.0 };
        let firsts = (0..self.servers).step_by(self.per_band);
        let base = |first: usize| {
            let room = self.place(first).room;
            if self.lies {
                return rule((room.left, room.top), (room.left, room.bottom));
            }
            let last = (first + self.per_band).min(self.servers) - 1;
            rule((room.left, room.bottom), (self.place(last).room.right, room.bottom))
        };
        firsts.map(base).collect()
    }

    /// Servers' numbers, as many as there is room for.
    pub(super) fn labels(&self) -> Vec<Mark> {
        let mut labels = Vec::new();
        let mut until = (0.0, f64::NEG_INFINITY);
        let wide = |it: &usize| LABEL <= *it as f64 * self.pitch;
        let step = [1, 2, 5, 10, 20, 50].into_iter().find(wide).unwrap_or(100);
        for server in 0..self.servers {
            let room = self.place(server).room;
            let number = format::count(server as u64 + 1);
            let named = if server == 0 { format!("server {number}") } else { number };
            if self.lies {
                let y = f64::midpoint(room.top, room.bottom) + MIDDLE;
                let fits = until.1 + SMALL < y;
                labels.extend(fits.then(|| {
                    until.1 = y;
                    words(named, (room.left - 12.0, y), Anchor::End, Role::Ink3)
                }));
                continue;
            }
            // The first of each row, and round numbers after it.
            let first = server.is_multiple_of(self.per_band);
            let start = room.left + if first { 0.0 } else { self.pitch / 2.0 - 4.0 };
            let end = start + text::width(&named, SMALL, false);
            let round = (server + 1).is_multiple_of(step);
            if first || (round && until.0 + 8.0 < start && end < self.plot.right + SIDES) {
                until.0 = end;
                labels.push(words(named, (start, room.bottom + 15.0), Anchor::Start, Role::Ink3));
            }
        }
        labels
    }
}

impl Place {
    fn step(&self) -> f64 {
        STEP * self.side
    }

    /// Where the job in a place of the queue is, the first being at work; nothing where there is no room.
    pub(super) fn slot(&self, row: usize) -> Option<Point> {
        let (room, step) = (&self.room, self.step());
        if self.lies {
            let across = ((room.width() - COUNT) / step).floor().max(1.0) as usize;
            let lines = ((room.height() / step).floor().max(1.0)) as usize;
            let (column, line) = (row % across, row / across);
            let top = f64::midpoint(room.top, room.bottom) - (lines as f64 / 2.0) * step;
            let x = room.left + 6.0 + (column as f64 + 0.5) * step;
            return (line < lines).then_some((x, top + (line as f64 + 0.5) * step));
        }
        let up = 2.0 + (row as f64 + 0.5) * step;
        let fits = up + self.side / 2.0 + LENGTH <= room.height() || row == 0;
        fits.then_some((f64::midpoint(room.left, room.right), room.bottom - up))
    }

    /// That there are more than there is room for: an arrow at the end.
    pub(super) fn more(&self) -> Mark {
        let points = if self.lies {
            let (x, y) =
                (self.room.right - COUNT + 4.0, f64::midpoint(self.room.top, self.room.bottom));
            vec![(x, y - 4.0), (x + 5.0, y), (x, y + 4.0)]
        } else {
            let x = f64::midpoint(self.room.left, self.room.right);
            let base = self.room.top + LENGTH;
            vec![(x - 3.0, base), (x, base - 4.0), (x + 3.0, base)]
        };
        Mark::Area { points, tint: super::wash(Role::Ink2, 1.0) }
    }

    /// Where the length of a standing queue of so many is written.
    pub(super) fn above(&self, jobs: usize) -> Point {
        let top = (0..jobs).rev().find_map(|it| self.slot(it)).map_or(self.room.bottom, |it| it.1);
        let y = (top - self.side / 2.0 - 3.0).max(self.room.top + 10.0);
        (f64::midpoint(self.room.left, self.room.right), y)
    }

    /// Where the length of a lying queue is written.
    pub(super) fn beside(&self) -> Point {
        (self.room.right, f64::midpoint(self.room.top, self.room.bottom) + MIDDLE)
    }

    /// A stroke that shows this server.
    pub(super) fn touch(&self) -> Mark {
        let Rect { left, top, right, bottom } = self.room;
        let (from, to) = if self.lies {
            ((left - 4.0, top), (left - 4.0, bottom))
        } else {
            ((left + 1.0, bottom + 3.0), (right - 1.0, bottom + 3.0))
        };
        Mark::Rule { from, to, role: Role::Ink, width: 2.0 }
    }
}
