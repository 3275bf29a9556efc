//! The files of latencies that the command is given.

use std::{fs, io::Read as _, sync::Arc};

use tail_lab::{
    import::{Imported, Reader, TimeUnit, Trouble},
    measured::Measured,
    scenario::SCENARIOS,
    study::Study,
};

/// What was said of one.
#[derive(Default)]
pub(super) struct File {
    pub(super) path: Option<String>,
    pub(super) series: Option<String>,
    pub(super) unit: Option<String>,
}

/// What one holds.
pub(super) struct Data {
    imported: Imported,
    pub(super) law: Arc<Measured>,
}

impl File {
    /// What is wrong with what was said of it, whatever it holds.
    pub(super) fn wrong(&self) -> Option<String> {
        if self.path.is_none() {
            return Some("--series and --unit are of a file: --data names it.".to_owned());
        }
        if let Some(text) = self.unit.as_deref().filter(|it| TimeUnit::of(it).is_none()) {
            let symbols = TimeUnit::CHOICES.map(TimeUnit::symbol);
            return Some(format!("--unit takes one of {}, not {text}.", symbols.join(", ")));
        }
        let series = self.series.as_deref().filter(|it| it.parse::<usize>().is_err());
        series.map(|it| format!("--series takes a number, not {it}."))
    }

    pub(super) fn read(&self) -> Result<Data, String> {
        let path = self.path.as_deref().unwrap_or_default();
        let imported = read(path)?;
        let series = self.series.as_deref().unwrap_or("1").parse::<usize>().ok();
        let series = series.and_then(|it| imported.series.get(it.checked_sub(1)?));
        let series = series.ok_or_else(|| {
            format!("--series takes a number from 1 to {} for {path}.", imported.series.len())
        })?;
        let unit = self.unit.as_deref().and_then(TimeUnit::of);
        if series.unit.is_none() && unit.is_none() {
            let guess = series.guess().symbol();
            return Err(format!(
                "{path} does not say the unit of its numbers. They look like {guess}: if they are, add --unit \
                 {guess}.\n{}",
                imported.told()
            ));
        }
        let series = unit.map_or_else(|| series.clone(), |it| series.in_unit(it));
        let law = series.law().map_err(|Trouble { why, .. }| format!("{path}: {why}"))?;
        Ok(Data { imported, law: Arc::new(law) })
    }
}

impl Data {
    /// What was read, and a link to a fan-out over it.
    pub(super) fn told(&self) -> String {
        let study = Study::new(&SCENARIOS[0]).with_data(Arc::clone(&self.law));
        let deadline = study.as_ref().and_then(Study::deadline_of_data).unwrap_or_default();
        let link = study.map(|it| it.link()).unwrap_or_default();
        format!("{}\n\n{deadline}\n{link}", self.imported.told())
    }
}

fn read(path: &str) -> Result<Imported, String> {
    let complaint = |error: std::io::Error| format!("{path} could not be read: {error}.");
    let mut file = fs::File::open(path).map_err(complaint)?;
    let (mut reader, mut piece) = (Reader::new(), vec![0; 1 << 20]);
    loop {
        let length = file.read(&mut piece).map_err(complaint)?;
        if length == 0 || reader.has_failed() {
            break;
        }
        reader.feed(&piece[..length]);
    }
    reader.finish().map_err(|Trouble { why, study }| match study {
        Some(link) => format!("{path}: {why} Its link runs it again, without --data:\n{link}"),
        None => format!("{path}: {why}"),
    })
}
