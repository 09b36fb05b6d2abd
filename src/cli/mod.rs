//! The command line over the same model: `estimate`, `plan`, `launch`, `sweep`, `render`, `validate`, `fit`. The flags are the parameter table's keys.

mod estimate;
mod launch;
mod plan;
mod sweep;
mod validate;

use crate::chart::svg_standalone;
use crate::locale::Lang;
use crate::prerender;
use crate::report::charts::{Chart, chart};
use crate::report::pictures::SIZE;
use crate::report::{answers, sentences};
use crate::scenario::{Param, Scenario};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Exit code for input that is wrong, as shells and clap use it.
const BAD_INPUT: u8 = 2;

/// What a subcommand may say: an exit code and words for people, on stderr.
struct Complaint {
    code: u8,
    words: Vec<String>,
}

impl Complaint {
    fn input(words: impl IntoIterator<Item = String>) -> Complaint {
        Complaint { code: BAD_INPUT, words: words.into_iter().collect() }
    }

    fn failure(words: String) -> Complaint {
        Complaint { code: 1, words: vec![words] }
    }
}

/// Runs the command line `args`, the program's name first.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let matches = match command().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => {
            // Nothing can be done where even the message cannot be written.
            let _ = error.print();
            return ExitCode::from(error.exit_code().try_into().unwrap_or(BAD_INPUT));
        }
    };
    let outcome = match matches.subcommand() {
        Some(("estimate", matches)) => run_estimate(matches),
        Some(("plan", matches)) => plan::run(matches),
        Some(("launch", matches)) => launch::run(matches),
        Some(("sweep", matches)) => sweep::run(matches),
        Some(("render", matches)) => run_render(matches),
        Some(("validate", matches)) => validate::run_validate(matches),
        Some(("validate-totals", matches)) => validate::run_totals(matches),
        Some(("validate-collectives", matches)) => validate::run_collectives(matches),
        Some(("fit", matches)) => validate::run_fit(matches),
        Some(("prerender", matches)) => run_prerender(matches),
        // clap asks for one of the subcommands above.
        _ => Ok(()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Complaint { code, words }) => {
            for line in words {
                // As above.
                let _ = writeln!(std::io::stderr(), "error: {line}");
            }
            ExitCode::from(code)
        }
    }
}

fn command() -> Command {
    let lang = Arg::new("lang")
        .long("lang")
        .value_name("LANG")
        .default_value("en")
        .value_parser(["de", "en"])
        .help("Language of the words and numbers");
    let settings = |command: Command| {
        Param::ALL.iter().fold(command.arg(lang.clone()), |command, param| {
            let row = param.row();
            let (min, max) = row.kind.range();
            let range = if row.kind.is_choice() { String::new() } else { format!(" [{min:e} to {max:e}]") };
            command.arg(
                Arg::new(row.key)
                    .long(row.key)
                    .value_name("VALUE")
                    .allow_hyphen_values(true)
                    .help_heading(row.group.label().en)
                    .help(format!("{}: {}{range}", row.label.en, row.help.en)),
            )
        })
    };
    let chart_keys = Chart::ALL.map(Chart::key);
    Command::new("crossover")
        .about("Compares training on one machine with training on a cluster: time, cost, memory, network, failures")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            settings(Command::new("estimate").about("Estimates both sides of a scenario"))
                .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON")),
        )
        .subcommand(
            settings(Command::new("render").about("Draws a chart of a scenario as SVG on standard output"))
                .arg(Arg::new("chart").value_name("CHART").required(true).value_parser(chart_keys).help("Which chart")),
        )
        .subcommand(plan::command(settings))
        .subcommand(launch::command(settings))
        .subcommand(sweep::command(settings))
        .subcommand(validate::validate_command())
        .subcommand(validate::totals_command())
        .subcommand(validate::collectives_command())
        .subcommand(validate::fit_command())
        .subcommand(
            Command::new("prerender")
                .about("Writes every page of the site into the folder that holds the built shell")
                .hide(true)
                .arg(Arg::new("folder").value_name("FOLDER").required(true).value_parser(value_parser!(PathBuf)))
                .arg(
                    Arg::new("site")
                        .long("site")
                        .value_name("URL")
                        .default_value("")
                        .env("CROSSOVER_SITE_URL")
                        .help("Address of the site's root, with its trailing slash"),
                ),
        )
}

/// The language and the scenario of the flags; every wrong one is named.
fn scenario(matches: &ArgMatches) -> Result<(Lang, Scenario), Complaint> {
    // clap fills in the default and admits only our codes.
    let lang = matches.get_one::<String>("lang").and_then(|code| Lang::from_tag(code)).unwrap_or_default();
    let mut scenario = Scenario::default();
    let mut wrong = Vec::new();
    for &param in Param::ALL {
        if let Some(text) = matches.get_one::<String>(param.key())
            && let Err(error) = scenario.set_text(param, text, None)
        {
            wrong.push(error.words(lang));
        }
    }
    // What equals a default is not kept, but a default may follow from a flag that was read later: once more with all of them known.
    for &param in Param::ALL.iter().filter(|_| wrong.is_empty()) {
        if let Some(text) = matches.get_one::<String>(param.key()) {
            // It was taken a moment ago.
            let _ = scenario.set_text(param, text, None);
        }
    }
    if wrong.is_empty() { Ok((lang, scenario)) } else { Err(Complaint::input(wrong)) }
}

fn print(text: &str) -> Result<(), Complaint> {
    match writeln!(std::io::stdout(), "{text}") {
        Ok(()) => Ok(()),
        // Whoever reads has had enough, as `head` has.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Complaint::failure(format!("standard output: {error}"))),
    }
}

fn worked(lang: Lang, scenario: &Scenario) -> Result<crate::report::Answers, Complaint> {
    answers(scenario).map_err(|conflicts| Complaint::input(conflicts.iter().map(|conflict| conflict.words(lang))))
}

fn run_estimate(matches: &ArgMatches) -> Result<(), Complaint> {
    let (lang, scenario) = scenario(matches)?;
    let answers = worked(lang, &scenario)?;
    print(&if matches.get_flag("json") { crate::report::json::json(&answers) } else { estimate::text(&answers, lang) })?;
    // The figures are printed all the same: a script may want to know by how much it does not fit.
    if answers.fits_nowhere() || answers.mostly_idle() { Err(Complaint::input(sentences::remarks(&answers, lang))) } else { Ok(()) }
}

fn run_render(matches: &ArgMatches) -> Result<(), Complaint> {
    let (lang, scenario) = scenario(matches)?;
    let answers = worked(lang, &scenario)?;
    // clap admits only the keys of our charts.
    let Some(kind) = matches.get_one::<String>("chart").and_then(|key| Chart::from_key(key)) else { return Ok(()) };
    print(&svg_standalone(&chart(kind, &answers, lang), SIZE.0, SIZE.1))
}

fn run_prerender(matches: &ArgMatches) -> Result<(), Complaint> {
    let (Some(folder), Some(site)) = (matches.get_one::<PathBuf>("folder"), matches.get_one::<String>("site")) else { return Ok(()) };
    if !(site.is_empty() || site.starts_with("https://") && site.ends_with('/')) {
        return Err(Complaint::input([format!("--site: expected an https address with a trailing slash, found “{site}”")]));
    }
    let pages = prerender::site(folder, site).map_err(|error| Complaint::failure(error.to_string()))?;
    print(&format!("prerendered {pages} pages into {}", folder.display()))
}
