//! KataGo's commands for rules.

use jigo_engine::{Rules, rules::KataGoRules};

use super::{Arguments, GtpError, Session};

pub(super) fn get_rules(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    arguments.exactly::<0>().map(|_| session.rules().to_json())
}

/// Takes names, strings and JSON of KataGo and jigo's own notation.
pub(super) fn set_rules(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    if arguments.words.is_empty() {
        return Err(arguments.usage_error());
    }
    let text = arguments.words.join(" ");
    let rules = match text.parse::<KataGoRules>() {
        Ok(rules) => rules,
        Err(_) => text.parse::<Rules>()?.into(),
    };
    change(session, rules)
}

pub(super) fn set_rule(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [rule, value] = arguments.exactly()?;
    let rules = session.rules().with(rule, value)?;
    change(session, rules)
}

fn change(session: &mut Session, rules: KataGoRules) -> Result<String, GtpError> {
    if rules.komi.is_some() {
        return Err(GtpError::KomiInRules);
    }
    session.set_rules(rules)?;
    Ok(String::new())
}
