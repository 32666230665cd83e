//! Parsing of the setup.

use goalspec_syntax::Diagnostic;
use goalspec_syntax::sexp::{List, Sexp};

use super::parser::{Form, FormItem, Parser, wrap};
use crate::ast::{NodeSpan, SetupStatement};
use crate::{codes, keywords};

const SETUP: &str = "a setup statement such as `(game-conserved (open top_drawer))`";

impl Parser {
    pub(super) fn setup(&mut self, part: &FormItem<'_>) -> SetupStatement {
        let Some(mut form) = self.part_form(part, SETUP) else { return SetupStatement::Error(self.item_error(part)) };
        let statement = self.setup_form(&mut form);
        self.complete(&form, statement)
    }

    fn setup_form(&mut self, form: &mut Form<'_>) -> SetupStatement {
        let span = NodeSpan::from(form.span());
        match form.word {
            "and" => SetupStatement::And(self.setups(form), span),
            "or" => SetupStatement::Or(self.setups(form), span),
            "not" => {
                let Some(part) = self.single(form, "a setup statement") else {
                    return SetupStatement::Error(self.error(form, Vec::new()));
                };
                SetupStatement::Not(Box::new(self.setup(&part)), span)
            }
            "exists" | "forall" => {
                let Some((variables, body)) = self.quantifier(form, "a setup statement") else {
                    return SetupStatement::Error(self.error(form, Vec::new()));
                };
                let body = Box::new(self.setup(&body));
                if form.word == "exists" {
                    SetupStatement::Exists(variables, body, span)
                } else {
                    SetupStatement::Forall(variables, body, span)
                }
            }
            "game-conserved" => SetupStatement::Conserved(self.single_condition(form), span),
            "game-optional" => SetupStatement::Optional(self.single_condition(form), span),
            word if keywords::comparison(word).is_some() || !keywords::is_keyword(word) => self.unmarked(form),
            _ => {
                self.unknown_operator(form, &keywords::SETUP, "a setup statement");
                SetupStatement::Error(self.error(form, Vec::new()))
            }
        }
    }

    fn setups(&mut self, form: &mut Form<'_>) -> Vec<SetupStatement> {
        match form.parts.len() {
            0 => self.missing(form, "at least one setup statement"),
            1 => self.extension(form.word_span, format!("`{}` with a single operand", form.word)),
            _ => {}
        }
        form.parts.iter().map(|part| self.setup(part)).collect()
    }

    /// Parses a condition of the setup without a marker, or a statement with a misspelt keyword.
    fn unmarked(&mut self, form: &mut Form<'_>) -> SetupStatement {
        let nested =
            keywords::comparison(form.word).is_none() && form.parts.iter().any(|part| part.as_list().is_some());
        if nested {
            return self.misspelt_setup(form);
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
        let condition = self.condition_form(form);
        let condition = self.complete(form, condition);
        SetupStatement::Error(self.error(form, vec![SetupStatement::Conserved(condition, span.into())]))
    }

    fn misspelt_setup(&mut self, form: &mut Form<'_>) -> SetupStatement {
        self.unknown_operator(form, &keywords::SETUP, "a setup statement");
        if let Some((variables, body)) = self.misspelt_quantifier(form) {
            let body = self.setup_or_condition(&body);
            let quantified = body.map(|body| SetupStatement::Exists(variables, Box::new(body), form.span().into()));
            return SetupStatement::Error(self.error(form, quantified.into_iter().collect()));
        }
        let parts = form.parts.iter().filter_map(|part| self.setup_or_condition(part)).collect();
        SetupStatement::Error(self.error(form, parts))
    }

    /// Parses a list as a statement if it contains a marker, and as a condition otherwise. Returns `None` for other items.
    fn setup_or_condition(&mut self, part: &FormItem<'_>) -> Option<SetupStatement> {
        let list = part.as_list().filter(|list| list.head().is_some())?;
        Some(if self.has_marker(list) {
            self.setup(part)
        } else {
            SetupStatement::Conserved(self.condition(part), part.span().into())
        })
    }

    /// Returns whether the list, or a list inside it, marks a condition of the setup. The answers for all of these lists are kept, since
    /// lists around them or inside them may be asked for as well.
    fn has_marker(&mut self, list: List<'_>) -> bool {
        let start = list.span().start;
        if let Some(&known) = self.marked_lists.get(&start) {
            return known;
        }
        let mut is_marked = list.head().is_some_and(|head| matches!(head.text(), "game-conserved" | "game-optional"));
        for inner in list.items().filter_map(Sexp::as_list) {
            is_marked |= self.has_marker(inner);
        }
        self.marked_lists.insert(start, is_marked);
        is_marked
    }
}
