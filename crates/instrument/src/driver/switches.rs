//! One helper per source switch, which tells the arm that a value takes.

use std::fmt::Write;

use tarka_source::{Arm, SiteKind, SourceModel};

/// The helpers `__tk_arm_N` of every switch of the model.
pub(super) fn arm_helpers(text: &mut String, model: &SourceModel) {
    for (number, site) in model.sites.iter().enumerate() {
        if let SiteKind::Switch { arms, bits, signed } = &site.kind {
            arm_helper(text, number, arms, *bits, *signed);
        }
    }
}

fn arm_helper(text: &mut String, number: usize, arms: &[Arm], bits: u16, signed: bool) {
    let ty = match (bits, signed) {
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        (_, true) => "int",
        (_, false) => "unsigned int",
    };
    let _ = writeln!(
        text,
        "__attribute__((always_inline)) unsigned __tk_arm_{number}(unsigned long long __tk_v) {{\n  switch (({ty})__tk_v) {{"
    );
    for (index, arm) in arms.iter().enumerate() {
        if let Some((first, last)) = arm.values {
            let range = if first == last {
                literal(first, signed)
            } else {
                format!("{} ... {}", literal(first, signed), literal(last, signed))
            };
            let _ = writeln!(text, "  case {range}: return {index}u;");
        }
    }
    let _ = writeln!(text, "  default: return {}u;\n  }}\n}}", arms.len().saturating_sub(1));
}

fn literal(number: i128, signed: bool) -> String {
    if !signed {
        format!("{}ull", number as u64)
    } else if number == i128::from(i64::MIN) {
        format!("(-{}ll - 1)", i64::MAX)
    } else {
        format!("({number}ll)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_number_is_written_without_overflow() {
        assert_eq!(literal(i128::from(i64::MIN), true), "(-9223372036854775807ll - 1)");
        assert_eq!(literal(-1, true), "(-1ll)");
        assert_eq!(literal(i128::from(u64::MAX), false), "18446744073709551615ull");
    }
}
