//! The declaration: names, ranges, help, and the reference page made from it.

use std::{collections::BTreeSet, fmt::Write as _};

use expect_test::expect_file;
use tail_lab::{
    scenario::SCENARIOS,
    schema::{Field, Kind},
    sim::Rng,
    study::Study,
};

fn fields() -> impl Iterator<Item = (&'static str, &'static Field, f64)> {
    SCENARIOS.iter().flat_map(|scenario| {
        let defaults = (scenario.defaults)();
        std::iter::zip(scenario.fields, defaults)
            .map(|(field, default)| (scenario.key, field, default))
    })
}

#[test]
fn keys_are_unique_and_plain() {
    for scenario in SCENARIOS {
        let mut seen = BTreeSet::from(["seed"]);
        for field in scenario.fields {
            for key in field.aliases.iter().chain([&field.key]) {
                assert!(seen.insert(key), "{}: {key} twice", scenario.key);
                assert!(
                    key.chars()
                        .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_'),
                    "{key}"
                );
            }
        }
    }
}

#[test]
fn defaults_lie_in_range_and_read_back() {
    for (scenario, field, default) in fields() {
        assert_eq!(field.kind.clamp(default), default, "{scenario}: {}", field.key);
        let parsed = field.kind.parse(&field.kind.print(default)).unwrap();
        assert_eq!((parsed.value, parsed.moved), (default, false), "{scenario}: {}", field.key);
    }
}

#[test]
fn help_is_sentences() {
    for (scenario, field, _) in fields() {
        let help = field.help_text();
        assert!(
            help.ends_with('.') && help.starts_with(|it: char| it.is_uppercase()),
            "{scenario}: {}",
            field.key
        );
        assert!(!field.label.is_empty() && !field.group.is_empty());
    }
}

#[test]
fn conditions_name_real_values() {
    for scenario in SCENARIOS {
        for condition in scenario.fields.iter().filter_map(|it| it.when.as_ref()) {
            let other = scenario.fields.iter().find(|it| it.key == condition.key);
            let choices = other
                .and_then(|it| it.kind.choices())
                .unwrap_or_else(|| panic!("{}", condition.key));
            for value in condition.one_of {
                assert!(choices.iter().any(|it| it.key == *value), "{}: {value}", condition.key);
            }
        }
    }
}

#[test]
fn sliders_go_there_and_back() {
    let mut rng = Rng::stream(3, 0, 0);
    for (_, field, _) in fields() {
        if field.kind.choices().is_some() {
            continue;
        }
        let (min, max) = field.kind.range();
        assert_eq!(field.kind.value_at(0.0), min, "{}", field.key);
        assert_eq!(field.kind.value_at(1.0), max, "{}", field.key);
        for _ in 0..200 {
            let value = field.kind.value_at(rng.unit());
            assert!(min <= value && value <= max);
            let back = field.kind.value_at(field.kind.position(value));
            assert!(
                (back - value).abs() <= 1e-9 * value.abs(),
                "{}: {value} came back as {back}",
                field.key
            );
        }
    }
}

#[test]
fn every_arrow_key_moves() {
    for (_, field, _) in fields() {
        if field.kind.choices().is_some() {
            continue;
        }
        let (min, max) = field.kind.range();
        let mut value = min;
        let mut presses = 0;
        while value < max {
            let next = field.kind.step(value, 1.0);
            assert!(value < next, "{}: stuck at {value}", field.key);
            (value, presses) = (next, presses + 1);
        }
        assert!(presses <= 400, "{}: {presses} presses", field.key);
    }
}

#[test]
fn presets_open_without_problems() {
    for scenario in SCENARIOS {
        for preset in scenario.presets {
            for changes in preset.rows.iter().map(|it| it.changes).chain([preset.changes]) {
                let (_, problems) = Study::open(&format!("{}&{changes}", scenario.key));
                assert_eq!(problems, [], "{}: {changes}", preset.name);
            }
            assert!(
                preset.sentence.ends_with('.') && preset.source.ends_with('.'),
                "{}",
                preset.name
            );
        }
    }
}

#[test]
fn the_reference_page_is_fresh() {
    let mut page = "# Parameters\n\nMade from the declarations by the tests.\n".to_owned();
    for scenario in SCENARIOS {
        let _ =
            write!(page, "\n## {} (`{}`)\n\n{}\n", scenario.title, scenario.key, scenario.summary);
        page += "\n| key | takes | default | meaning |\n|---|---|---|---|\n";
        for (field, default) in std::iter::zip(scenario.fields, (scenario.defaults)()) {
            let default = field.kind.print(default);
            let _ = writeln!(
                page,
                "| `{}` | {} | {default} | {} |",
                field.key,
                takes(field),
                field.help_text()
            );
        }
    }
    expect_file!["../../docs/parameters.md"].assert_eq(&page);
}

fn takes(field: &Field) -> String {
    let (min, max) = field.kind.range();
    match field.kind {
        Kind::Count { .. } => format!("count, {min} to {max}"),
        Kind::Share { .. } => format!("share, {min} to {max}"),
        Kind::Number { unit, .. } => {
            format!("{min} to {max} {}", unit.symbol()).trim_end().to_owned()
        }
        Kind::Choice(_) | Kind::Toggle => {
            let names: Vec<&str> = field.kind.choices().unwrap().iter().map(|it| it.key).collect();
            names.join(", ")
        }
    }
}
