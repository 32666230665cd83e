//! Parsing of the setup.

use goalspec_core::condition::Origin;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::sexp::List;

use super::parser::{Form, FormItem, Parser, wrap};
use crate::ast::SetupStatement;
use crate::{codes, keywords};

const SETUP: &str = "a setup statement such as `(game-conserved (open top_drawer))`";

impl Parser {
    pub(super) fn setup(&mut self, part: &FormItem<'_>) -> Option<SetupStatement> {
        let form = self.part_form(part, SETUP)?;
        let origin = Origin::from(form.span());
        match form.word {
            "and" => Some(SetupStatement::And(self.setups(&form)?, origin)),
            "or" => Some(SetupStatement::Or(self.setups(&form)?, origin)),
            "not" => {
                let part = self.single(&form, "a setup statement")?;
                Some(SetupStatement::Not(Box::new(self.setup(&part)?), origin))
            }
            "exists" | "forall" => {
                let (variables, body) = self.quantifier(&form, "a setup statement")?;
                let body = Box::new(self.setup(&body)?);
                Some(if form.word == "exists" {
                    SetupStatement::Exists(variables, body, origin)
                } else {
                    SetupStatement::Forall(variables, body, origin)
                })
            }
            "game-conserved" => {
                let part = self.single(&form, "a condition")?;
                Some(SetupStatement::Conserved(self.condition(&part)?, origin))
            }
            "game-optional" => {
                let part = self.single(&form, "a condition")?;
                Some(SetupStatement::Optional(self.condition(&part)?, origin))
            }
            word if keywords::comparison(word).is_some() || !keywords::is_keyword(word) => {
                self.unmarked(&form);
                None
            }
            _ => {
                self.unknown_operator(&form, &keywords::SETUP, "a setup statement");
                None
            }
        }
    }

    fn setups(&mut self, form: &Form<'_>) -> Option<Vec<SetupStatement>> {
        match form.parts.len() {
            0 => {
                self.missing(form, "at least one setup statement");
                return None;
            }
            1 => self.extension(form.word_span, format!("`{}` with a single operand", form.word)),
            _ => {}
        }
        Some(form.parts.iter().filter_map(|part| self.setup(part)).collect())
    }

    /// Reports a condition of the setup without a marker, or a misspelt keyword.
    fn unmarked(&mut self, form: &Form<'_>) {
        let nested =
            keywords::comparison(form.word).is_none() && form.parts.iter().any(|part| part.as_list().is_some());
        if nested {
            self.unknown_operator(form, &keywords::SETUP, "a setup statement");
            for part in &form.parts {
                let head = part.as_list().and_then(List::head);
                match head {
                    Some(head) if keywords::SETUP.contains(&head.text()) => drop(self.setup(part)),
                    Some(_) => drop(self.condition(part)),
                    None => {}
                }
            }
            return;
        }
        let span = form.span();
        self.report(
            Diagnostic::error(
                codes::UNMARKED_SETUP,
                span,
                format!("expected `game-conserved` or `game-optional` around `({} ..)`", form.word),
            )
            .with_help(
                "use `(game-conserved ..)` if it must hold during the whole game, `(game-optional ..)` if only at first",
            )
            .with_fix(wrap("wrap it in `(game-conserved ..)`", span, "(game-conserved ", ")", false)),
        );
        self.condition(&FormItem::Sexp(form.list.into()));
    }
}
