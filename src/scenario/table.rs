//! The parameter table: sliders, number fields, links, command-line flags, validation and tests all follow from these rows.

use super::Scenario;
use super::choices;
use super::derive;
use super::param::{Default, Group, Kind, Row, Unit, always};
use crate::locale::Text;

macro_rules! parameters {
    ($( $(#[$doc:meta])* $name:ident: $key:literal, $group:ident, $unit:ident, $kind:expr, $default:expr, $moot:expr, $label:expr, $help:expr; )*) => {
        /// A parameter; the discriminant is its row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Param { $( $(#[$doc])* $name, )* }

        impl Param {
            /// Every parameter, in the order of the table.
            pub const ALL: &'static [Param] = &[$( Param::$name, )*];
        }

        static ROWS: &[Row] = &[$( Row { key: $key, group: Group::$group, unit: Unit::$unit, kind: $kind, default: $default, label: $label, help: $help, moot: $moot }, )*];
    };
}

const fn t(de: &'static str, en: &'static str) -> Text {
    Text { de, en }
}

const fn log(min: f64, max: f64) -> Kind {
    Kind::Log { min, max }
}

const fn whole(min: f64, max: f64) -> Kind {
    Kind::Whole { min, max }
}

parameters! {
    /// Parameters of the model.
    Params: "params", Model, None, log(1e6, 1e13), Default::From(derive::params), always,
        t("Parameter", "Parameters"), t("Zahl der Gewichte des Modells, Einbettungen eingeschlossen", "Number of weights of the model, embeddings included");
    /// Published model whose widths are taken.
    Shape: "shape", Model, None, Kind::Choice(choices::shapes), Default::Key("auto"), always,
        t("Bauform", "Shape"), t("Maße eines veröffentlichten Modells, oder passend zur Größe gewählt", "Widths of a published model, or chosen to suit the size");
    /// Experts per layer.
    Experts: "experts", Model, None, whole(1.0, 4096.0), Default::From(derive::experts), always,
        t("Experten je Schicht", "Experts per layer"), t("1: ein dichtes Modell; sonst eine Mischung von Experten", "1: a dense model; else a mixture of experts");
    /// Experts that a token passes.
    ExpertsPerToken: "topk", Model, None, whole(1.0, 256.0), Default::From(derive::experts_per_token), derive::moot_experts,
        t("Experten je Token", "Experts per token"), t("Wie viele Experten jedes Token durchläuft", "How many experts each token passes");
    /// Layers.
    Layers: "layers", Model, None, whole(1.0, 1000.0), Default::From(derive::layers), always,
        t("Schichten", "Layers"), t("Zahl der Transformer-Schichten", "Number of transformer layers");
    /// Hidden size.
    Hidden: "hidden", Model, None, whole(8.0, 262_144.0), Default::From(derive::hidden), always,
        t("Breite", "Hidden size"), t("Werte je Token zwischen den Schichten", "Values per token between the layers");
    /// Attention heads.
    Heads: "heads", Model, None, whole(1.0, 2048.0), Default::From(derive::heads), always,
        t("Attention-Köpfe", "Attention heads"), t("Zahl der Abfrageköpfe; durch den Tensorgrad teilbar", "Number of query heads; divisible by the tensor-parallel degree");
    /// Key/value heads.
    KvHeads: "kv", Model, None, whole(1.0, 2048.0), Default::From(derive::kv_heads), always,
        t("Schlüssel-/Wertköpfe", "Key/value heads"), t("Höchstens so viele wie Abfrageköpfe", "At most as many as query heads");
    /// Vocabulary.
    Vocab: "vocab", Model, None, whole(2.0, 1_000_000.0), Default::From(derive::vocab), always,
        t("Vokabular", "Vocabulary"), t("Zahl der Token, die das Modell kennt", "Number of tokens that the model knows");
    /// Width of the MLP.
    Ffn: "ffn", Model, None, whole(8.0, 1_048_576.0), Default::From(derive::ffn), always,
        t("MLP-Breite", "MLP width"), t("Werte je Token im Inneren des MLP", "Values per token inside the MLP");
    /// Tokens per sequence.
    Seq: "seq", Model, None, whole(16.0, 1_048_576.0), Default::From(derive::seq), always,
        t("Sequenzlänge", "Sequence length"), t("Token je Trainingsbeispiel", "Tokens per training example");
    /// Number format.
    Precision: "precision", Model, None, Kind::Choice(choices::precisions), Default::From(derive::precision), always,
        t("Genauigkeit", "Precision"), t("Zahlenformat der Matrixmultiplikationen", "Number format of the matrix multiplications");
    /// Fused attention.
    Attention: "attention", Model, None, Kind::Choice(choices::attentions), Default::Key("fused"), always,
        t("Attention", "Attention"), t("Verschmolzen: die s×s-Gewichte werden nie gespeichert", "Fused: the s×s weights are never stored");

    /// Whether the model is compiled.
    Compiled: "compiled", Model, None, Kind::Choice(choices::yes_no), Default::Key("no"), always,
        t("Kompiliert", "Compiled"), t("Kerne zwischen den Matrixmultiplikationen zusammengefasst (torch.compile)", "Kernels between the matrix multiplications merged (torch.compile)");
    /// What is trained.
    Method: "method", Model, None, Kind::Choice(choices::methods), Default::Key("full"), always,
        t("Was trainiert wird", "What is trained"), t("Alle Gewichte, oder Adapter auf einem eingefrorenen Modell", "All weights, or adapters on a frozen model");
    /// Share of the adapters.
    Adapters: "adapters", Model, None, log(1e-5, 0.5), Default::Fixed(0.01), derive::moot_adapters,
        t("Anteil der Adapter", "Share of adapters"), t("Trainierte Gewichte je Gewicht des Modells", "Trained weights per weight of the model");
    /// Optimizer.
    Optimizer: "optimizer", Model, None, Kind::Choice(choices::optimizers), Default::Key("adam"), always,
        t("Optimierer", "Optimiser"), t("Bestimmt, wie viele Byte je Parameter gemerkt werden", "Decides how many bytes per parameter are kept");

    /// Training tokens.
    Tokens: "tokens", Data, Tokens, log(1e5, 1e15), Default::From(derive::tokens), always,
        t("Trainingstoken", "Training tokens"), t("Token des ganzen Laufs, Wiederholungen mitgezählt", "Tokens of the whole run, repetitions counted");
    /// Tokens of the data set.
    Data: "data", Data, Tokens, log(1e4, 1e15), Default::Open(derive::open), derive::moot_data,
        t("Datensatz", "Data set"), t("Token des Datensatzes; mal Epochen ergibt die Trainingstoken", "Tokens of the data set; times epochs gives the training tokens");
    /// Epochs.
    Epochs: "epochs", Data, None, log(0.01, 1000.0), Default::Fixed(1.0), derive::moot_epochs,
        t("Epochen", "Epochs"), t("Wie oft der Datensatz durchlaufen wird", "How often the data set is passed through");
    /// Tokens per step.
    Batch: "batch", Data, Tokens, log(16.0, 1e9), Default::From(derive::batch), always,
        t("Globaler Batch", "Global batch"), t("Token je Optimiererschritt über alle GPUs", "Tokens per optimiser step over all GPUs");

    /// Accelerator.
    Gpu: "gpu", Hardware, None, Kind::Choice(choices::gpus), Default::Key("h100-sxm"), always,
        t("GPU", "GPU"), t("Beschleuniger auf beiden Seiten", "Accelerator on both sides");
    /// GPUs in the one machine.
    Single: "single", Hardware, None, whole(1.0, 16.0), Default::Fixed(8.0), always,
        t("GPUs der einen Maschine", "GPUs in the one machine"), t("Die zentrale Seite des Vergleichs", "The centralised side of the comparison");
    /// GPUs in the cluster.
    Gpus: "gpus", Hardware, None, whole(1.0, 1e6), Default::Fixed(64.0), always,
        t("GPUs im Cluster", "GPUs in the cluster"), t("Die verteilte Seite des Vergleichs", "The distributed side of the comparison");
    /// GPUs per machine of the cluster.
    PerMachine: "node", Hardware, None, whole(1.0, 72.0), Default::From(derive::per_machine), always,
        t("GPUs je Maschine", "GPUs per machine"), t("In jeder Maschine des Clusters", "In each machine of the cluster");
    /// Link inside a machine.
    Link: "link", Hardware, GbytePerS, log(1.0, 2000.0), Default::From(derive::link), always,
        t("Verbindung in der Maschine", "Link inside the machine"), t("Je GPU und Richtung, laut Datenblatt", "Per GPU and direction, by the data sheet");

    /// Bandwidth between machines.
    Bandwidth: "bandwidth", Network, GbitPerS, log(0.01, 1600.0), Default::From(derive::bandwidth), always,
        t("Bandbreite je GPU", "Bandwidth per GPU"), t("Zwischen den Maschinen, je Richtung", "Between the machines, one direction");
    /// Kind of network.
    Network: "network", Network, None, Kind::Choice(choices::networks), Default::Key("ib-ndr"), always,
        t("Netz", "Network"), t("Setzt Bandbreite, Latenz und erreichten Anteil", "Sets bandwidth, latency and the share that is reached");
    /// Latency between machines.
    Latency: "latency", Network, Micros, log(0.1, 1e6), Default::From(derive::latency), always,
        t("Latenz", "Latency"), t("Einer Nachricht zwischen zwei Maschinen", "Of a message between two machines");
    /// Share of the line rate that is reached.
    Achieved: "achieved", Network, None, Kind::Linear { min: 0.05, max: 1.0, step: 0.01 }, Default::From(derive::achieved), always,
        t("Erreichter Anteil", "Share reached"), t("Der Bandbreite, bei großen Nachrichten", "Of the bandwidth, with large messages");
    /// Communication library.
    Backend: "backend", Network, None, Kind::Choice(choices::backends), Default::Key("nccl"), always,
        t("Backend", "Backend"), t("Bibliothek, die Gradienten überträgt", "Library that moves the gradients");

    /// Software stack.
    Stack: "stack", Strategy, None, Kind::Choice(choices::stacks), Default::Key("megatron-core"), always,
        t("Software", "Software"), t("Ihre Konstanten stammen aus gemessenen Läufen", "Its constants come from measured runs");
    /// Kind of plan.
    Strategy: "strategy", Strategy, None, Kind::Choice(choices::strategies), Default::Key("auto"), always,
        t("Strategie", "Strategy"), t("Automatisch: der schnellste Plan, der in den Speicher passt", "Automatic: the fastest plan that fits in memory");
    /// Tensor-parallel degree.
    Tp: "tp", Strategy, None, whole(1.0, 64.0), Default::Open(derive::open), derive::moot_degrees,
        t("Tensorgrad", "Tensor parallel"), t("GPUs, die sich jede Matrix teilen; leer: wird gesucht", "GPUs that share each matrix; empty: searched");
    /// Pipeline stages.
    Pp: "pp", Strategy, None, whole(1.0, 1000.0), Default::Open(derive::open), derive::moot_degrees,
        t("Pipeline-Stufen", "Pipeline stages"), t("Höchstens so viele wie Schichten; leer: wird gesucht", "At most as many as layers; empty: searched");
    /// Chunks of layers per stage.
    Interleave: "interleave", Strategy, None, whole(1.0, 64.0), Default::Open(derive::open), derive::moot_degrees,
        t("Verschränkung", "Interleaving"), t("Schichtblöcke je Pipeline-Stufe; leer: wird gesucht", "Chunks of layers per pipeline stage; empty: searched");
    /// Context-parallel degree.
    Cp: "cp", Strategy, None, whole(1.0, 1024.0), Default::Open(derive::open), derive::moot_degrees,
        t("Kontextgrad", "Context parallel"), t("GPUs, die sich jede Sequenz teilen; leer: wird gesucht", "GPUs that share each sequence; empty: searched");
    /// Expert-parallel degree.
    Ep: "ep", Strategy, None, whole(1.0, 4096.0), Default::Open(derive::open), derive::moot_experts,
        t("Expertengrad", "Expert parallel"), t("Ränge, auf die sich die Experten verteilen; leer: wird gesucht", "Ranks over which the experts are spread; empty: searched");
    /// Micro-batch.
    Micro: "micro", Strategy, None, whole(1.0, 1024.0), Default::Open(derive::open), always,
        t("Micro-Batch", "Micro-batch"), t("Sequenzen, die eine GPU zugleich rechnet; leer: wird gesucht", "Sequences that a GPU computes at once; empty: searched");
    /// Recomputation.
    Recompute: "recompute", Strategy, None, Kind::Choice(choices::recomputes), Default::Key("auto"), always,
        t("Neuberechnung", "Recomputation"), t("Aktivierungen verwerfen und rückwärts noch einmal rechnen", "Drop activations and compute them again on the way back");
    /// Overlap.
    Overlap: "overlap", Strategy, None, Kind::Choice(choices::overlaps), Default::Key("realistic"), always,
        t("Überlappung", "Overlap"), t("Wie viel Kommunikation sich hinter dem Rechnen versteckt", "How much communication hides behind computing");
    /// Own runs: computing.
    OwnComputing: "owncomp", Strategy, None, log(0.1, 10.0), Default::Fixed(1.0), always,
        t("Eigene Läufe: Rechnen", "Own runs: computing"), t("Wievielmal so lange das Rechnen dauert wie in den gemessenen Läufen dahinter", "How many times as long computing takes as in the measured runs behind it");
    /// Own runs: communication.
    OwnCommunication: "owncomm", Strategy, None, log(0.1, 10.0), Default::Fixed(1.0), always,
        t("Eigene Läufe: Kommunikation", "Own runs: communication"), t("Wievielmal so lange die Kommunikation dauert", "How many times as long communication takes");

    /// GPU-hours between failures.
    Mtbf: "mtbf", Failures, Hours, log(10.0, 1e8), Default::From(derive::mtbf), always,
        t("GPU-Stunden je Ausfall", "GPU-hours per failure"), t("Zwischen zwei ungeplanten Unterbrechungen", "Between two unplanned interruptions");
    /// Checkpoint bandwidth.
    Checkpoint: "checkpoint", Failures, GbytePerS, log(0.001, 1000.0), Default::From(derive::checkpoint), always,
        t("Checkpoints schreiben", "Checkpoint writing"), t("Rate je Maschine", "Rate per machine");
    /// Restart time.
    Restart: "restart", Failures, Seconds, log(1.0, 1e6), Default::From(derive::restart), always,
        t("Neustart", "Restart"), t("Vom Ausfall bis zum nächsten Schritt", "From a failure to the next step");
    /// What happens after a failure.
    Recovery: "recovery", Failures, None, Kind::Choice(choices::recoveries), Default::Key("spare"), always,
        t("Nach einem Ausfall", "After a failure"), t("Ersatz springt ein, alle warten auf die Reparatur, oder die anderen rechnen weiter", "A spare steps in, all wait for the repair, or the others go on");
    /// Time of a repair.
    Repair: "repair", Failures, Hours, log(0.01, 10_000.0), Default::Fixed(24.0), always,
        t("Reparatur", "Repair"), t("Bis eine Maschine wieder da ist, wo kein Ersatz einspringt; 24 ist eine Annahme", "Until a machine is back, where no spare steps in; 24 is an assumption");

    /// Catalogue entry of the price.
    Offer: "offer", Money, None, Kind::Choice(choices::offers), Default::Open(derive::offer), always,
        t("Angebot", "Offer"), t("Preisliste mit Datum; setzt den Preis", "Price list with its date; sets the price");
    /// Price per GPU-hour.
    Price: "price", Money, UsdPerGpuHour, log(0.01, 1000.0), Default::Open(derive::price), always,
        t("Preis je GPU-Stunde", "Price per GPU-hour"), t("Aus dem Angebot oder ein eigener", "From the offer, or your own");
    /// Power per GPU.
    Power: "power", Money, Watts, log(10.0, 10_000.0), Default::From(derive::power), always,
        t("Leistung je GPU", "Power per GPU"), t("Mit ihrem Anteil am Server", "Its share of the server included");
    /// Power usage effectiveness.
    Pue: "pue", Money, None, Kind::Linear { min: 1.0, max: 3.0, step: 0.01 }, Default::From(derive::pue), always,
        t("PUE", "PUE"), t("Strom des Rechenzentrums je Strom der Rechner", "Power of the facility over power of the machines");
    /// Price of electricity.
    Electricity: "electricity", Money, UsdPerKwh, log(0.001, 10.0), Default::From(derive::electricity), always,
        t("Strompreis", "Price of electricity"), t("Je Kilowattstunde; in der Miete schon enthalten", "Per kilowatt-hour; contained in the rent");
    /// Electricity grid.
    Grid: "grid", Money, None, Kind::Choice(choices::grids), Default::Key("DE"), always,
        t("Stromnetz", "Grid"), t("Land oder Region, deren Strommix zählt", "Country or region whose mix counts");
    /// Carbon intensity.
    Carbon: "carbon", Money, GramsPerKwh, log(0.1, 2000.0), Default::From(derive::carbon), always,
        t("CO₂ je kWh", "CO₂ per kWh"), t("Aus dem Stromnetz oder ein eigener Wert", "From the grid, or your own");

    /// Sites.
    Sites: "sites", Beyond, None, whole(1.0, 1000.0), Default::Fixed(2.0), always,
        t("Standorte", "Sites"), t("Auf die sich die GPUs des Clusters gleichmäßig verteilen; 2 ist eine Annahme", "Over which the cluster's GPUs are spread evenly; 2 is an assumption");
    /// Local steps between two synchronisations of the sites.
    LocalSteps: "localsteps", Beyond, None, whole(1.0, 100_000.0), Default::From(derive::local_steps), derive::moot_sites,
        t("Lokale Schritte", "Local steps"), t("Zwischen zwei Abgleichen der Standorte (DiLoCo)", "Between two synchronisations of the sites (DiLoCo)");
    /// Bandwidth between sites.
    SiteBandwidth: "sitebw", Beyond, GbitPerS, log(0.001, 1600.0), Default::Fixed(1.0), derive::moot_sites,
        t("Bandbreite zwischen Standorten", "Bandwidth between sites"), t("Je Standort und Richtung; 1 ist eine Annahme", "Per site, one direction; 1 is an assumption");
    /// Bits per value of an update.
    UpdateBits: "updatebits", Beyond, Bits, whole(1.0, 32.0), Default::Fixed(16.0), derive::moot_updates,
        t("Bit je Wert einer Änderung", "Bits per value of an update"), t("Was Standorte und Teilnehmer senden; unter 16: komprimiert", "What sites and clients send; below 16: compressed");
    /// Clients of a federation.
    Clients: "clients", Beyond, None, whole(1.0, 1e8), Default::Fixed(100.0), always,
        t("Teilnehmer", "Clients"), t("Deren Daten bei ihnen bleiben (föderiertes Lernen); 100 ist eine Annahme", "Whose data stays with them (federated learning); 100 is an assumption");
    /// Share of the clients in a round.
    Chosen: "chosen", Beyond, None, log(1e-6, 1.0), Default::From(derive::chosen), derive::moot_clients,
        t("Anteil je Runde", "Share per round"), t("Der Teilnehmer, die eine Runde auswählt; mindestens einer", "Of the clients that a round chooses; at least one");
    /// Uplink of a client.
    Uplink: "uplink", Beyond, MbitPerS, log(0.01, 1e6), Default::From(derive::uplink), derive::moot_clients,
        t("Uplink eines Teilnehmers", "Uplink of a client"), t("Des mittleren; geladen wird zehnmal so schnell (Annahme)", "Of the median one; loading is ten times as fast (an assumption)");
    /// Rate of a client.
    ClientRate: "clienttflops", Beyond, TflopPerS, log(0.001, 1e6), Default::Fixed(10.0), derive::moot_clients,
        t("Rechenleistung eines Teilnehmers", "Rate of a client"), t("Was der mittlere beim Training erreicht; 10 ist eine Annahme", "What the median one reaches in training; 10 is an assumption");
    /// Epochs over its own data that a client takes per round.
    LocalEpochs: "localepochs", Beyond, None, whole(1.0, 1000.0), Default::From(derive::local_epochs), derive::moot_clients,
        t("Epochen je Runde", "Epochs per round"), t("Über die eigenen Daten eines Teilnehmers", "Over a client's own data");
    /// Rounds.
    Rounds: "rounds", Beyond, None, whole(1.0, 1e6), Default::Open(derive::open), derive::moot_clients,
        t("Runden", "Rounds"), t("Leer: bis so viele Token gelernt sind wie beim gesammelten Training", "Empty: until as many tokens are learnt as in gathered training");
    /// Secure aggregation.
    Secure: "secure", Beyond, None, Kind::Choice(choices::yes_no), Default::Key("no"), derive::moot_clients,
        t("Sichere Aggregation", "Secure aggregation"), t("Der Server sieht nur die Summe der Änderungen", "The server sees the sum of the updates only");
    /// Read rate of the storage.
    Storage: "storage", Beyond, GbytePerS, log(0.001, 100_000.0), Default::Fixed(1.25), always,
        t("Leserate des Speichers", "Read rate of the storage"), t("Für alle Maschinen zusammen; 1,25, was 10 Gbit/s füllt, ist eine Annahme", "For all machines together; 1.25, which fills 10 Gbit/s, is an assumption");
    /// Bytes of a token on disk.
    TokenBytes: "tokenbytes", Beyond, Bytes, log(0.1, 1e7), Default::From(derive::token_bytes), always,
        t("Rohdaten je Token", "Raw data per token"), t("Text: die Kennung des Tokens; Bilder und Ton: weit mehr", "Text: the token's id; images and sound: far more");
    /// Purchase price per GPU.
    Buy: "buy", Beyond, Usd, log(10.0, 1e6), Default::Open(derive::buy), always,
        t("Kaufpreis je GPU", "Purchase price per GPU"), t("Mit ihrem Anteil am Server, ohne Netz", "With its share of the server, without network");
    /// Years of use.
    LifeYears: "life", Beyond, Years, log(0.5, 20.0), Default::From(derive::life_years), always,
        t("Nutzungsdauer", "Service life"), t("Vom Kauf bis zum Ende der Nutzung", "From purchase to the end of use");
    /// Share of the hours in use.
    InUse: "inuse", Beyond, None, Kind::Linear { min: 0.01, max: 1.0, step: 0.01 }, Default::From(derive::in_use), always,
        t("Auslastung", "Utilisation"), t("Anteil der Stunden, in denen gekaufte GPUs trainieren", "Share of the hours in which GPUs of one's own train");
    /// Set-up hours per machine.
    SetupHours: "setup", Beyond, Hours, Kind::Linear { min: 0.0, max: 1000.0, step: 1.0 }, Default::Fixed(8.0), always,
        t("Einrichtung je Maschine", "Set-up per machine"), t("Arbeitsstunden bis zum ersten Lauf; 8, ein Arbeitstag, ist eine Annahme", "Hours of work until the first run; 8, a working day, is an assumption");
    /// Cost of an hour of work.
    Wage: "wage", Beyond, UsdPerHour, log(1.0, 1000.0), Default::From(derive::wage), derive::moot_wage,
        t("Kosten einer Arbeitsstunde", "Cost of an hour of work"), t("Lohn mit Nebenkosten", "Pay and what comes on top");
}

impl Param {
    /// The parameter's row.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The parameter's key.
    pub fn key(self) -> &'static str {
        self.row().key
    }

    /// The parameter with this key.
    pub fn from_key(key: &str) -> Option<Param> {
        Param::ALL.iter().copied().find(|param| param.key() == key)
    }

    /// The parameters of a group, in order.
    pub fn in_group(group: Group) -> impl Iterator<Item = Param> {
        Param::ALL.iter().copied().filter(move |param| param.row().group == group)
    }

    /// Why the parameter has no meaning in `scenario`, if so.
    pub fn moot(self, scenario: &Scenario) -> Option<Text> {
        (self.row().moot)(scenario)
    }
}
