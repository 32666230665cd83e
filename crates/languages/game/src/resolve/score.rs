//! Lowering of counts, scoring expressions and terminal conditions.

use std::sync::Arc;

use goalspec_core::ids::TypeId;
use goalspec_core::program::{CountOperator, ScoreExpression, TerminalCondition};
use goalspec_syntax::{Diagnostic, Span, suggest};

use super::scope::overlap;
use super::{CountedPreference, MAX_SUGGESTIONS, PreferenceSignature, Resolver};
use crate::ast::{self, Name, NodeSpan, PreferenceReference};
use crate::codes;

/// The section that contains a scoring expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Scoring,
    Terminal,
}

impl Resolver<'_> {
    pub(super) fn scoring(&mut self, score: &mut ast::Score) -> Option<ScoreExpression> {
        self.score(score, Section::Scoring)
    }

    pub(super) fn terminal(&mut self, terminal: &mut ast::Terminal) -> Option<TerminalCondition> {
        Some(match terminal {
            ast::Terminal::And(parts, _) => TerminalCondition::And(self.terminals(parts)?),
            ast::Terminal::Or(parts, _) => TerminalCondition::Or(self.terminals(parts)?),
            ast::Terminal::Not(part, _) => TerminalCondition::Not(Box::new(self.terminal(part)?)),
            ast::Terminal::Compare(comparison, sides, span) => {
                TerminalCondition::Compare(*comparison, self.two(sides, Section::Terminal)?, (*span).into())
            }
            ast::Terminal::Error(node) => {
                self.terminals(self.parts(node));
                return None;
            }
        })
    }

    fn terminals(&mut self, parts: &mut [ast::Terminal]) -> Option<Vec<TerminalCondition>> {
        let parts: Vec<_> = parts.iter_mut().map(|part| self.terminal(part)).collect();
        parts.into_iter().collect()
    }

    fn score(&mut self, score: &mut ast::Score, section: Section) -> Option<ScoreExpression> {
        Some(match score {
            ast::Score::Number(number, _) => ScoreExpression::Number(*number),
            ast::Score::Add(parts, _) => ScoreExpression::Add(self.scores(parts, section)?),
            ast::Score::Multiply(parts, _) => ScoreExpression::Multiply(self.scores(parts, section)?),
            ast::Score::Subtract(sides, _) => ScoreExpression::Subtract(self.two(sides, section)?),
            ast::Score::Divide(sides, span) => ScoreExpression::Divide(self.two(sides, section)?, (*span).into()),
            ast::Score::Negate(part, _) => ScoreExpression::Negate(Box::new(self.score(part, section)?)),
            ast::Score::Compare(comparison, sides, _) => {
                ScoreExpression::Compare(*comparison, self.two(sides, section)?)
            }
            ast::Score::AllEqual(parts, _) => ScoreExpression::AllEqual(self.scores(parts, section)?),
            ast::Score::ExternalMaximum(part, span) => {
                let inside = self.external(part, section, *span)?;
                ScoreExpression::ExternalMaximum(Box::new(inside), (*span).into())
            }
            ast::Score::ExternalMinimum(part, span) => {
                let inside = self.external(part, section, *span)?;
                ScoreExpression::ExternalMinimum(Box::new(inside), (*span).into())
            }
            ast::Score::TotalTime(_) => ScoreExpression::TotalTime,
            ast::Score::TotalScore(span) => {
                if section == Section::Scoring {
                    self.report(
                        Diagnostic::warning(
                            codes::RECURSIVE_SCORE,
                            span.0,
                            "`(total-score)` is used in the definition of the total score",
                        )
                        .with_help("here its value is the score with its own `(total-score)` parts taken as 0"),
                    );
                }
                ScoreExpression::TotalScore
            }
            ast::Score::Count(kind, reference, span) => self.count(*kind, reference, *span)?,
            ast::Score::Error(node) => {
                self.scores(self.parts(node), section);
                self.record_count(None);
                return None;
            }
        })
    }

    fn scores(&mut self, parts: &mut [ast::Score], section: Section) -> Option<Vec<ScoreExpression>> {
        let parts: Vec<_> = parts.iter_mut().map(|part| self.score(part, section)).collect();
        parts.into_iter().collect()
    }

    fn two(&mut self, sides: &mut [ast::Score; 2], section: Section) -> Option<Box<[ScoreExpression; 2]>> {
        let [left, right] = sides;
        let (left, right) = (self.score(left, section), self.score(right, section));
        Some(Box::new([left?, right?]))
    }

    /// Lowers the operand of an external-forall operator.
    fn external(&mut self, part: &mut ast::Score, section: Section, operator: NodeSpan) -> Option<ScoreExpression> {
        let first = self.counted.len();
        self.external_operators += 1;
        let inside = self.score(part, section);
        self.external_operators -= 1;
        if !self.is_damaged
            && let Some(diagnostic) = externals_error(&self.counted[first..], operator.0)
        {
            self.report(diagnostic);
            // An operator around this one has the same error.
            self.counted.push(None);
        }
        if self.external_operators == 0 {
            self.counted.clear();
        }
        inside
    }

    /// Records a preference that is counted inside an external-forall operator.
    fn record_count(&mut self, counted: Option<CountedPreference>) {
        if self.external_operators > 0 {
            self.counted.push(counted);
        }
    }

    fn count(
        &mut self,
        kind: CountOperator,
        reference: &mut PreferenceReference,
        span: NodeSpan,
    ) -> Option<ScoreExpression> {
        let types: Vec<Option<TypeId>> = reference.types.iter_mut().map(|name| self.named_type(name)).collect();
        let name = &mut reference.name;
        let Some(known) = self.known.get(&name.text).cloned() else {
            self.record_count(None);
            self.unknown_preference(name);
            return None;
        };
        self.record_count(known.external.clone().map(|external| CountedPreference {
            name: name.text.clone(),
            name_span: name.span(),
            definition: known.name_span,
            external,
        }));
        if kind == CountOperator::Measure && !known.may_be_measured {
            let message = format!("the preference `{}` has no measure", name.text);
            self.report(
                Diagnostic::error(codes::NO_MEASURE, name.span(), message)
                    .with_related(known.name_span, "this preference has no `once-measure`")
                    .with_help("use `count` to count satisfactions"),
            );
            name.mark_erroneous();
        }
        self.scoring_types(&known, reference, &types);
        let types = types.into_iter().collect::<Option<Vec<_>>>()?;
        Some(ScoreExpression::Count { kind, preference: known.id?, types, origin: span.into() })
    }

    /// Reports a count of a preference that is not defined.
    fn unknown_preference(&mut self, name: &mut Name) {
        name.mark_erroneous();
        if self.may_declare_preference(&name.text) {
            return;
        }
        let message = format!("unknown preference `{}`", name.text);
        let diagnostic = Diagnostic::error(codes::UNKNOWN_PREFERENCE, name.span(), message);
        self.unknown_preferences += 1;
        if self.unknown_preferences > MAX_SUGGESTIONS {
            return self.report(diagnostic);
        }
        let mut names: Vec<&str> = self.known.keys().map(|name| &**name).collect();
        names.sort_unstable();
        let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let (diagnostic, found) = suggest::with_nearest(diagnostic, &name.text, name.span(), names);
        self.report(if found || list.is_empty() {
            diagnostic
        } else {
            diagnostic.with_help(format!("preferences of this game: {list}"))
        });
    }

    fn scoring_types(
        &mut self,
        known: &PreferenceSignature,
        reference: &mut PreferenceReference,
        types: &[Option<TypeId>],
    ) {
        let Some(external) = &known.external else { return };
        let name = &reference.name.text;
        if types.len() > external.len() {
            let extra = &mut reference.types[external.len()..];
            let first = extra[0].span();
            let last = extra.last().map_or(first, Name::span);
            extra.iter_mut().for_each(Name::mark_erroneous);
            let message = match external.len() {
                0 => format!("`{name}` has no external variables to select by type"),
                count => format!(
                    "too many types for `{name}`: expected at most {count}, one for each external variable, found {}",
                    types.len()
                ),
            };
            self.report(
                Diagnostic::error(codes::EXTRA_SCORING_TYPE, first.to(last), message).with_related(
                    known.name_span,
                    "external variables are declared by a `forall` around the preference",
                ),
            );
        } else if !types.is_empty() && types.len() < external.len() {
            let message = format!(
                "`{name}` has {} external variables, but only the first {} are restricted",
                external.len(),
                types.len()
            );
            self.report(Diagnostic::warning(codes::MISSING_SCORING_TYPE, reference.name.span(), message));
        }
        for ((id, ranges), type_name) in types.iter().zip(&**external).zip(&reference.types) {
            if let Some(id) = id
                && !overlap(self.world, &[*id], ranges)
            {
                let message =
                    format!("no {} is a `{}`, so this count is always 0", self.type_names(ranges), type_name.text);
                self.report(
                    Diagnostic::warning(codes::DISJOINT_SCORING_TYPE, type_name.span(), message)
                        .with_related(known.name_span, "the preference is defined here"),
                );
            }
        }
    }
}

/// Returns the error of an external-forall operator whose preferences do not have the same external variables. `counted` are the
/// preferences inside; if the variables of some of them are unknown, the cause has been reported.
fn externals_error(counted: &[Option<CountedPreference>], operator: Span) -> Option<Diagnostic> {
    let counted = counted.iter().map(Option::as_ref).collect::<Option<Vec<_>>>()?;
    let mut with_externals = counted.into_iter().filter(|counted| !counted.external.is_empty());
    let Some(first) = with_externals.next() else {
        let message = "no preference in this operator has external variables";
        return Some(
            Diagnostic::error(codes::NO_EXTERNALS, operator, message)
                .with_help("declare external variables in a `forall` around a preference"),
        );
    };
    let is_other =
        |other: &&CountedPreference| !Arc::ptr_eq(&other.external, &first.external) && other.external != first.external;
    let other = with_externals.find(is_other)?;
    let message = format!("`{}` and `{}` have different external variables", first.name, other.name);
    Some(
        Diagnostic::error(codes::MIXED_EXTERNALS, other.name_span, message)
            .with_related(first.definition, format!("`{}`", first.name))
            .with_related(other.definition, format!("`{}`", other.name)),
    )
}
