//! Bought against rented: what an hour of a GPU of one's own costs, and from which use on it is less than rent.

use super::{DERIVED, DIGITS, Shown, UNKNOWN, row, t, table, whole};
use crate::catalog;
use crate::locale::quantity::{ANSWER_DIGITS, dollars, percent};
use crate::locale::{Lang, fill};
use crate::model::purchase::{HOURS_PER_YEAR, HourCost, Purchase};
use crate::report::{Answers, claims};
use crate::scenario::Param;
use serde_json::{Value, json};

/// What owning takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The purchase.
    pub purchase: Purchase,
    /// A GPU-hour of use.
    pub hour: HourCost,
    /// Rent per GPU-hour, where it is known.
    pub rent_usd: Option<f64>,
    /// Share of the hours in use from which owning is cheaper; `None` if it never is, or the rent is not known.
    pub break_even_utilisation: Option<f64>,
    /// Hours of use per GPU after which the rent has passed the purchase.
    pub break_even_hours: Option<f64>,
    /// The cluster's run on hardware of one's own.
    pub run_usd: f64,
}

/// InfiniBand per GPU: the row of the smallest cluster that holds `gpus`; the largest one's beyond.
fn infiniband(gpus: u32) -> Option<&'static catalog::Purchase> {
    let size = |row: &catalog::Purchase| row.id.strip_prefix("net-ib-").and_then(|size| size.parse::<u32>().ok());
    let rows = || catalog::PURCHASES.iter().filter_map(|row| size(row).map(|size| (size, row)));
    let enough = rows().filter(|(size, _)| *size >= gpus).min_by_key(|(size, _)| *size);
    enough.or_else(|| rows().max_by_key(|(size, _)| *size)).map(|(_, row)| row)
}

/// The row of the network that the cluster needs: only InfiniBand has a price here.
fn network(answers: &Answers) -> Option<&'static catalog::Purchase> {
    let cluster = &answers.cluster.cluster;
    let priced = answers.scenario.network().name.contains("InfiniBand");
    if cluster.spans_machines() && priced { infiniband(cluster.gpus) } else { None }
}

/// The figures; `None` while no purchase price is known.
pub fn figures(answers: &Answers) -> Option<Figures> {
    let s = &answers.scenario;
    let n = |param| s.number(param);
    let per_machine = n(Param::PerMachine);
    let watts = n(Param::Power);
    // A server idles at this share of its power, as in the claim about money.
    let idle = claims::bought().idle_watts_per_gpu / claims::bought().watts_per_gpu;
    let purchase = Purchase {
        server_usd: s.value(Param::Buy)? * per_machine,
        gpus_per_server: per_machine,
        network_usd_per_gpu: network(answers).map_or(0.0, |row| row.usd),
        residual_share: 0.0,
        life_hours: n(Param::LifeYears) * HOURS_PER_YEAR,
        utilisation: n(Param::InUse),
        watts_per_gpu: watts,
        idle_watts_per_gpu: watts * idle,
        pue: n(Param::Pue),
        usd_per_kwh: n(Param::Electricity),
        hosting_usd_per_kw_month: 0.0,
        staff_usd_per_gpu_year: 0.0,
        setup_hours_per_gpu: n(Param::SetupHours) / per_machine,
        setup_usd_per_hour: n(Param::Wage),
    };
    let rent_usd = s.value(Param::Price);
    let hour = purchase.hour();
    Some(Figures {
        purchase,
        hour,
        rent_usd,
        break_even_utilisation: rent_usd.and_then(|rent| purchase.break_even_utilisation(rent)),
        break_even_hours: rent_usd.and_then(|rent| purchase.break_even_hours(rent)),
        run_usd: hour.total_usd() * answers.cluster.bill.gpu_hours,
    })
}

impl Figures {
    pub(super) fn json(&self) -> Value {
        let hour = &self.hour;
        json!({
            "entry_usd_per_gpu": self.purchase.entry_usd_per_gpu(), "owned_usd_per_gpu_hour": hour.total_usd(), "capital_usd_per_gpu_hour": hour.capital_usd,
            "power_usd_per_gpu_hour": hour.power_usd, "setup_usd_per_gpu_hour": hour.setup_usd, "rent_usd_per_gpu_hour": self.rent_usd,
            "utilisation": self.purchase.utilisation, "break_even_utilisation": self.break_even_utilisation, "break_even_hours": self.break_even_hours,
            "cluster_run_owned_usd": self.run_usd,
        })
    }

    fn finding(&self, lang: Lang) -> String {
        let used = self.purchase.utilisation;
        let words = match (self.rent_usd, self.break_even_utilisation) {
            (None, _) => t(
                "Eine GPU-Stunde auf eigener Hardware kostet {own}, bei {used} Auslastung. Ein Mietpreis ist nicht bekannt; ein eigener lässt sich eintragen.",
                "A GPU-hour on hardware of one's own costs {own}, at {used} use. No rent is known; one of your own can be entered.",
            ),
            (Some(_), None) => t(
                "Eine GPU-Stunde auf eigener Hardware kostet {own}, gemietet {rent}: Kaufen lohnt bei keiner Auslastung.",
                "A GPU-hour on hardware of one's own costs {own}, rented {rent}: buying pays at no use.",
            ),
            (Some(_), Some(share)) if share <= used => t(
                "Eine GPU-Stunde auf eigener Hardware kostet {own}, gemietet {rent}: Kaufen lohnt ab {share} Auslastung, hier nach {hours} Stunden je GPU.",
                "A GPU-hour on hardware of one's own costs {own}, rented {rent}: buying pays from {share} use on, here after {hours} hours per GPU.",
            ),
            _ => t(
                "Eine GPU-Stunde auf eigener Hardware kostet {own}, gemietet {rent}: Bei {used} Auslastung ist Mieten günstiger, Kaufen lohnt erst ab {share}.",
                "A GPU-hour on hardware of one's own costs {own}, rented {rent}: at {used} use renting is cheaper, buying pays only from {share} on.",
            ),
        };
        let share = |value: f64| percent(value, ANSWER_DIGITS, lang);
        fill(
            words.in_lang(lang),
            &[
                ("own", &dollars(self.hour.total_usd(), ANSWER_DIGITS, lang)),
                ("rent", &self.rent_usd.map_or_else(String::new, |usd| dollars(usd, ANSWER_DIGITS, lang))),
                ("used", &share(used)),
                ("share", &self.break_even_utilisation.map_or_else(String::new, share)),
                (
                    "hours",
                    &self
                        .break_even_hours
                        .map_or_else(String::new, |hours| whole(crate::locale::number::round_to(hours, ANSWER_DIGITS), lang)),
                ),
            ],
        )
    }
}

/// The finding and its table.
pub fn show(answers: &Answers, lang: Lang) -> Shown {
    let Some(f) = figures(answers) else {
        let words = t(
            "Für diese GPU ist kein Kaufpreis bekannt; ein eigener lässt sich unter „Darüber hinaus“ eintragen.",
            "No purchase price is known for this GPU; one of your own can be entered under “Beyond”.",
        );
        return Shown { finding: words.in_lang(lang).to_string(), ..Shown::default() };
    };
    let m = lang.messages();
    let s = &answers.scenario;
    let own = |param, source| if s.own(param).is_some() { m.own_value } else { source };
    let usd = |value: f64| dollars(value, DIGITS, lang);
    let known = |value: Option<f64>, show: &dyn Fn(f64) -> String| value.map_or_else(|| "–".to_string(), show);
    let (bought, hour) = (&f.purchase, &f.hour);
    let rows = vec![
        row(
            t("Kaufpreis je GPU", "Purchase price per GPU"),
            usd(bought.server_usd / bought.gpus_per_server),
            t("mit ihrem Anteil am Server", "with its share of the server"),
            own(Param::Buy, s.purchase().map_or(m.own_value, |row| row.source)),
        ),
        row(
            t("Netz je GPU", "Network per GPU"),
            usd(bought.network_usd_per_gpu),
            t(
                "InfiniBand nach Größe des Clusters; andere Netze: kein Preis bekannt",
                "InfiniBand by the size of the cluster; other networks: no price known",
            ),
            network(answers).map_or(UNKNOWN, |row| row.source.into()),
        ),
        row(
            t("Anschaffung je GPU-Stunde", "Purchase per GPU-hour"),
            usd(hour.capital_usd),
            t("Preis / (Nutzungsdauer · Auslastung)", "price / (service life · use)"),
            own(Param::LifeYears, catalog::SERVER_LIFE.source),
        ),
        row(
            t("Strom je GPU-Stunde", "Electricity per GPU-hour"),
            usd(hour.power_usd),
            t("W·PUE·Strompreis, dazu Leerlauf mit einem Viertel (Annahme)", "W·PUE·price, and idling at a quarter (an assumption)"),
            own(Param::Electricity, catalog::ELECTRICITY_USD.source),
        ),
        row(
            t("Einrichtung je GPU-Stunde", "Set-up per GPU-hour"),
            usd(hour.setup_usd),
            if s.own(Param::SetupHours).is_some() {
                t("Stunden · Kosten einer Stunde / genutzte Stunden", "hours · cost of an hour / hours of use")
            } else {
                t(
                    "Stunden (ein Arbeitstag, Annahme) · Kosten einer Stunde / genutzte Stunden",
                    "hours (a working day, an assumption) · cost of an hour / hours of use",
                )
            },
            own(Param::Wage, catalog::LABOUR_HOUR.source),
        ),
        row(
            t("Eigene GPU-Stunde", "GPU-hour of one's own"),
            usd(hour.total_usd()),
            t("Summe; Stellplatz, Personal und Zinsen nicht enthalten", "sum; rack space, staff and interest not contained"),
            DERIVED,
        ),
        row(
            t("Gemietete GPU-Stunde", "Rented GPU-hour"),
            known(f.rent_usd, &usd),
            t("aus dem Angebot", "from the offer"),
            own(Param::Price, s.offer().map_or(m.own_value, |offer| offer.source)),
        ),
        row(
            t("Auslastung, ab der Kaufen lohnt", "Use from which buying pays"),
            known(f.break_even_utilisation, &|share| percent(share, DIGITS, lang)),
            t("feste Kosten / (Miete − laufende Kosten)", "fixed cost / (rent − running cost)"),
            DERIVED,
        ),
        row(
            t("Stunden, nach denen Kaufen lohnt", "Hours after which buying pays"),
            known(f.break_even_hours, &|hours| whole(hours, lang)),
            t("bei dieser Auslastung, je GPU", "at this use, per GPU"),
            DERIVED,
        ),
        row(
            t("Lauf auf eigenem Cluster", "Run on a cluster of one's own"),
            usd(f.run_usd),
            t("GPU-Stunden · eigene GPU-Stunde", "GPU-hours · GPU-hour of one's own"),
            DERIVED,
        ),
    ];
    Shown { finding: f.finding(lang), table: table(rows, lang) }
}
