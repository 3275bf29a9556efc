//! One queue in `SimPy`, to hold our own against: in a virtual environment below target/, where Python is there.

use crate::bench::Measure;
use crate::shell::{find, output, program, root};
use anyhow::{Context as _, Result, bail};
use serde_json::Value;

const PACKAGE: &str = "simpy==4.1.2";
const CUSTOMERS: &str = "100000";
const LOAD: f64 = 0.8;
/// The best of so many: the machine may be busy with other things.
const ROUNDS: u32 = 3;
/// The kernel that simulates the same.
const OURS: &str = "replicas, one queue, native";

/// How fast it is, and how much faster the kernel among `known` measures is, customer by customer; a line that says why
/// it was not measured where it could not be.
pub(crate) fn measures(known: &[Measure]) -> Vec<Measure> {
    match fastest() {
        Ok((events, customers)) => {
            let ours = known.iter().find(|it| it.name == OURS).map(|it| it.value);
            let speed = Measure::new("one queue, SimPy", events, "million events/s");
            let ratio = ours.map(|ours| {
                Measure::new("one queue, native against SimPy", ours / customers, "times")
            });
            [Some(speed), ratio].into_iter().flatten().collect()
        }
        Err(why) => {
            println!("one queue, SimPy: not measured, {why:#}");
            Vec::new()
        }
    }
}

/// Millions of events and of customers a second.
fn fastest() -> Result<(f64, f64)> {
    let python = environment()?;
    let mut best = (0.0, 0.0);
    for seed in 1..=ROUNDS {
        let mut command = program(&python);
        command.args(["benches/peer.py", CUSTOMERS, &LOAD.to_string(), &seed.to_string()]);
        let told = output(&mut command).context("benches/peer.py failed")?;
        let (events, customers) = speeds(&told)?;
        if best.1 < customers {
            best = (events, customers);
        }
    }
    Ok(best)
}

/// From what the script tells; nothing if it did not simulate the queue that it should.
fn speeds(told: &str) -> Result<(f64, f64)> {
    let told: Value = serde_json::from_str(told).context("benches/peer.py")?;
    let number = |key: &str| told[key].as_f64().with_context(|| format!("no {key} is told"));
    let (events, seconds, mean) = (number("events")?, number("seconds")?, number("mean")?);
    let exact = 1.0 / (1.0 - LOAD);
    if (mean / exact - 1.0).abs() > 0.15 {
        bail!("its mean response time is {mean}, and should be {exact}");
    }
    let customers: f64 = CUSTOMERS.parse()?;
    Ok((events / seconds / 1e6, customers / seconds / 1e6))
}

/// The Python of the virtual environment, made when it is not there.
fn environment() -> Result<std::path::PathBuf> {
    let folder = root().join("target/simpy");
    let python = folder.join("bin/python");
    let is_there = || output(program(&python).args(["-c", "import simpy"])).is_some();
    if is_there() {
        return Ok(python);
    }
    if find("python3").is_none() {
        bail!("Python 3 is missing");
    }
    println!("setting up SimPy");
    output(program("python3").args(["-m", "venv"]).arg(&folder))
        .context("`python3 -m venv` failed")?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE];
    output(program(&python).args(pip)).with_context(|| format!("pip did not install {PACKAGE}"))?;
    if !is_there() {
        bail!("{PACKAGE} was installed and cannot be imported");
    }
    Ok(python)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_read() {
        let told = r#"{"events": 500000, "seconds": 2.0, "mean": 5.1}"#;
        assert_eq!(speeds(told).unwrap(), (0.25, 0.05));
        let wrong = r#"{"events": 500000, "seconds": 2.0, "mean": 1.0}"#;
        assert!(speeds(wrong).unwrap_err().to_string().contains("should be 5"));
        assert!(speeds("nothing").is_err());
    }
}
