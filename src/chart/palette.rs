//! Roles of colour, and the two palettes that give them colours.

use crate::report::Meaning;

/// What a colour is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What is drawn on.
    Paper,
    /// Text, values.
    Ink,
    /// Notes, exact curves of other settings.
    Ink2,
    /// The words of axes.
    Ink3,
    /// The base line of an axis.
    Edge,
    /// The grid: decoration only.
    Rule,
    Blue,
    Grey,
    Orange,
    Red,
    /// Beyond the deadline.
    RedWash,
    BlueWash,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// A colour for each role. The page reads its own from its style sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    pub paper: Rgb,
    pub ink: Rgb,
    pub ink_2: Rgb,
    pub ink_3: Rgb,
    pub edge: Rgb,
    pub rule: Rgb,
    pub blue: Rgb,
    pub grey: Rgb,
    pub orange: Rgb,
    pub red: Rgb,
    pub red_wash: Rgb,
    pub blue_wash: Rgb,
}

pub const LIGHT: Palette = Palette {
    paper: Rgb(0xff, 0xff, 0xff),
    ink: Rgb(0x14, 0x18, 0x1d),
    ink_2: Rgb(0x46, 0x4f, 0x59),
    ink_3: Rgb(0x61, 0x6b, 0x76),
    edge: Rgb(0x7d, 0x87, 0x91),
    rule: Rgb(0xe1, 0xe5, 0xe9),
    blue: Rgb(0x14, 0x50, 0xb8),
    grey: Rgb(0x62, 0x6c, 0x77),
    orange: Rgb(0xa8, 0x53, 0x00),
    red: Rgb(0xb8, 0x15, 0x2b),
    red_wash: Rgb(0xfd, 0xf0, 0xf1),
    blue_wash: Rgb(0xe4, 0xed, 0xfb),
};

pub const DARK: Palette = Palette {
    paper: Rgb(0x10, 0x14, 0x18),
    ink: Rgb(0xec, 0xef, 0xf2),
    ink_2: Rgb(0xb4, 0xbd, 0xc6),
    ink_3: Rgb(0x92, 0x9c, 0xa7),
    edge: Rgb(0x78, 0x82, 0x8d),
    rule: Rgb(0x2a, 0x31, 0x38),
    blue: Rgb(0x82, 0xb4, 0xff),
    grey: Rgb(0x9b, 0xa5, 0xb0),
    orange: Rgb(0xf0, 0xa2, 0x4e),
    red: Rgb(0xff, 0x80, 0x87),
    red_wash: Rgb(0x21, 0x16, 0x1a),
    blue_wash: Rgb(0x16, 0x29, 0x4a),
};

impl Palette {
    pub fn color(&self, role: Role) -> Rgb {
        match role {
            Role::Paper => self.paper,
            Role::Ink => self.ink,
            Role::Ink2 => self.ink_2,
            Role::Ink3 => self.ink_3,
            Role::Edge => self.edge,
            Role::Rule => self.rule,
            Role::Blue => self.blue,
            Role::Grey => self.grey,
            Role::Orange => self.orange,
            Role::Red => self.red,
            Role::RedWash => self.red_wash,
            Role::BlueWash => self.blue_wash,
        }
    }
}

impl Rgb {
    /// Reads `#1450b8`, as style sheets write it.
    pub fn from_hex(text: &str) -> Option<Rgb> {
        let digits = text.trim().strip_prefix('#')?;
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6)?;
        let [_, red, green, blue] = number.to_be_bytes();
        Some(Rgb(red, green, blue))
    }
}

impl From<Meaning> for Role {
    fn from(meaning: Meaning) -> Role {
        match meaning {
            Meaning::This => Role::Blue,
            Meaning::Other => Role::Grey,
            Meaning::Hedge => Role::Orange,
            Meaning::Deadline => Role::Red,
            Meaning::Reference => Role::Ink2,
            Meaning::Ink => Role::Ink,
        }
    }
}
