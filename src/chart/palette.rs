//! Colours, resolved: a canvas sees no CSS variables.

use plotters::style::RGBColor;

/// The colours of a chart and its font; the names in `--quotes` are those of the page's style sheet (tokens.css).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Palette {
    /// Background, `--paper`.
    pub paper: RGBColor,
    /// Text and marks of neither side, `--ink`.
    pub ink: RGBColor,
    /// Quiet text, `--ink-2`.
    pub ink_2: RGBColor,
    /// Grid lines and hatching, `--rule`.
    pub rule: RGBColor,
    /// Axes, `--rule-strong`.
    pub rule_strong: RGBColor,
    /// Lines and labels of the first side, `--distributed`.
    pub first: RGBColor,
    /// Areas of the first side, `--distributed-soft`.
    pub first_soft: RGBColor,
    /// Lines and labels of the second side, `--centralised`.
    pub second: RGBColor,
    /// Areas of the second side, `--centralised-soft`.
    pub second_soft: RGBColor,
    /// The crossover, `--mark`.
    pub mark: RGBColor,
    /// A CSS font family list, for canvas and standalone SVG.
    pub font: &'static str,
}

const SANS: &str = "ui-sans-serif, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/// The light theme of tokens.css.
pub const LIGHT: Palette = Palette {
    paper: hex(0xfb_fa_f7),
    ink: hex(0x17_1a_21),
    ink_2: hex(0x56_5b_66),
    rule: hex(0xde_da_d0),
    rule_strong: hex(0x8d_89_7f),
    first: hex(0x2f_4f_d0),
    first_soft: hex(0xe6_ea_fb),
    second: hex(0xb4_54_0a),
    second_soft: hex(0xfa_ea_db),
    mark: hex(0x17_1a_21),
    font: SANS,
};

/// The dark theme of tokens.css.
pub const DARK: Palette = Palette {
    paper: hex(0x12_14_1a),
    ink: hex(0xec_ea_e4),
    ink_2: hex(0xa9_ad_b8),
    rule: hex(0x2c_31_3c),
    rule_strong: hex(0x7a_80_8d),
    first: hex(0x93_a7_ff),
    first_soft: hex(0x1c_26_50),
    second: hex(0xf0_a1_5a),
    second_soft: hex(0x3a_25_12),
    mark: hex(0xec_ea_e4),
    font: SANS,
};

impl Palette {
    /// A palette from what `colour` gives for each name of tokens.css without its dashes ("paper", "ink-2", "distributed", …): for
    /// instance the computed values of the page's variables.
    pub fn from_css(font: &'static str, mut colour: impl FnMut(&'static str) -> RGBColor) -> Self {
        Self {
            paper: colour("paper"),
            ink: colour("ink"),
            ink_2: colour("ink-2"),
            rule: colour("rule"),
            rule_strong: colour("rule-strong"),
            first: colour("distributed"),
            first_soft: colour("distributed-soft"),
            second: colour("centralised"),
            second_soft: colour("centralised-soft"),
            mark: colour("mark"),
            font,
        }
    }

    /// Each colour with its name in tokens.css, without the dashes; in the order of [`Palette::from_css`].
    pub fn entries(&self) -> [(&'static str, RGBColor); 10] {
        [
            ("paper", self.paper),
            ("ink", self.ink),
            ("ink-2", self.ink_2),
            ("rule", self.rule),
            ("rule-strong", self.rule_strong),
            ("distributed", self.first),
            ("distributed-soft", self.first_soft),
            ("centralised", self.second),
            ("centralised-soft", self.second_soft),
            ("mark", self.mark),
        ]
    }
}

const fn hex(rgb: u32) -> RGBColor {
    let [_, r, g, b] = rgb.to_be_bytes();
    RGBColor(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(RGBColor(r, g, b): RGBColor) -> f64 {
        let linear = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.039_28 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    }

    fn contrast(a: RGBColor, b: RGBColor) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_and_lines_stand_out_from_the_paper() {
        for palette in [LIGHT, DARK] {
            // WCAG 2.2: 4.5 for text, 3 for what must be seen to understand a picture.
            for text in [palette.ink, palette.ink_2, palette.first, palette.second, palette.mark] {
                assert!(contrast(text, palette.paper) >= 4.5);
            }
            assert!(contrast(palette.rule_strong, palette.paper) >= 3.0);
        }
    }

    #[test]
    fn names_and_colours_belong_together() {
        let entries = LIGHT.entries();
        let again = Palette::from_css(SANS, |name| entries.iter().find(|entry| entry.0 == name).unwrap().1);
        assert_eq!(again, LIGHT);
    }
}
