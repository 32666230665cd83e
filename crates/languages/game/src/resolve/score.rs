//! Lowering of counts, scoring expressions and terminal conditions.

use goalspec_core::condition::Origin;
use goalspec_core::ids::TypeId;
use goalspec_core::program::{CountOperator, ScoreExpression, TerminalCondition};
use goalspec_syntax::{Diagnostic, suggest};

use super::scope::overlap;
use super::{MAX_SUGGESTIONS, PreferenceSignature, Resolver, span_of};
use crate::ast::{self, PreferenceReference};
use crate::codes;

/// The section that contains a scoring expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Scoring,
    Terminal,
}

impl Resolver<'_> {
    pub(super) fn scoring(&mut self, score: &ast::Score) -> Option<ScoreExpression> {
        self.score(score, Section::Scoring)
    }

    pub(super) fn terminal(&mut self, terminal: &ast::Terminal) -> Option<TerminalCondition> {
        Some(match terminal {
            ast::Terminal::And(parts, _) => TerminalCondition::And(self.terminals(parts)?),
            ast::Terminal::Or(parts, _) => TerminalCondition::Or(self.terminals(parts)?),
            ast::Terminal::Not(part, _) => TerminalCondition::Not(Box::new(self.terminal(part)?)),
            ast::Terminal::Compare(comparison, sides, origin) => {
                TerminalCondition::Compare(*comparison, self.two(sides, Section::Terminal)?, *origin)
            }
        })
    }

    fn terminals(&mut self, parts: &[ast::Terminal]) -> Option<Vec<TerminalCondition>> {
        let parts: Vec<_> = parts.iter().map(|part| self.terminal(part)).collect();
        parts.into_iter().collect()
    }

    fn score(&mut self, score: &ast::Score, section: Section) -> Option<ScoreExpression> {
        Some(match score {
            ast::Score::Number(number, _) => ScoreExpression::Number(*number),
            ast::Score::Add(parts, _) => ScoreExpression::Add(self.scores(parts, section)?),
            ast::Score::Multiply(parts, _) => ScoreExpression::Multiply(self.scores(parts, section)?),
            ast::Score::Subtract(sides, _) => ScoreExpression::Subtract(self.two(sides, section)?),
            ast::Score::Divide(sides, origin) => ScoreExpression::Divide(self.two(sides, section)?, *origin),
            ast::Score::Negate(part, _) => ScoreExpression::Negate(Box::new(self.score(part, section)?)),
            ast::Score::Compare(comparison, sides, _) => {
                ScoreExpression::Compare(*comparison, self.two(sides, section)?)
            }
            ast::Score::AllEqual(parts, _) => ScoreExpression::AllEqual(self.scores(parts, section)?),
            ast::Score::ExternalMaximum(part, origin) => {
                let inside = self.score(part, section);
                self.externals(part, *origin);
                ScoreExpression::ExternalMaximum(Box::new(inside?), *origin)
            }
            ast::Score::ExternalMinimum(part, origin) => {
                let inside = self.score(part, section);
                self.externals(part, *origin);
                ScoreExpression::ExternalMinimum(Box::new(inside?), *origin)
            }
            ast::Score::TotalTime(_) => ScoreExpression::TotalTime,
            ast::Score::TotalScore(origin) => {
                if section == Section::Scoring {
                    self.report(
                        Diagnostic::warning(
                            codes::RECURSIVE_SCORE,
                            span_of(*origin),
                            "`(total-score)` is used in the definition of the total score",
                        )
                        .with_help("here its value is the score with its own `(total-score)` parts taken as 0"),
                    );
                }
                ScoreExpression::TotalScore
            }
            ast::Score::Count(kind, reference, origin) => self.count(*kind, reference, *origin)?,
        })
    }

    fn scores(&mut self, parts: &[ast::Score], section: Section) -> Option<Vec<ScoreExpression>> {
        let parts: Vec<_> = parts.iter().map(|part| self.score(part, section)).collect();
        parts.into_iter().collect()
    }

    fn two(&mut self, sides: &[ast::Score; 2], section: Section) -> Option<Box<[ScoreExpression; 2]>> {
        let [left, right] = sides;
        let (left, right) = (self.score(left, section), self.score(right, section));
        Some(Box::new([left?, right?]))
    }

    fn count(
        &mut self,
        kind: CountOperator,
        reference: &PreferenceReference,
        origin: Origin,
    ) -> Option<ScoreExpression> {
        let name = &reference.name;
        let types: Vec<Option<TypeId>> = reference.types.iter().map(|name| self.named_type(name)).collect();
        let Some(known) = self.known.get(&name.text).cloned() else {
            let message = format!("unknown preference `{}`", name.text);
            let diagnostic = Diagnostic::error(codes::UNKNOWN_PREFERENCE, span_of(name.origin), message);
            self.unknown_preferences += 1;
            if self.unknown_preferences > MAX_SUGGESTIONS {
                self.report(diagnostic);
                return None;
            }
            let mut names: Vec<&str> = self.known.keys().map(|name| &**name).collect();
            names.sort_unstable();
            let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let (diagnostic, found) = suggest::with_nearest(diagnostic, &name.text, span_of(name.origin), names);
            self.report(if found || list.is_empty() {
                diagnostic
            } else {
                diagnostic.with_help(format!("preferences of this game: {list}"))
            });
            return None;
        };
        if kind == CountOperator::Measure && !known.measured {
            let message = format!("the preference `{}` has no measure", name.text);
            self.report(
                Diagnostic::error(codes::NO_MEASURE, span_of(name.origin), message)
                    .with_related(known.place, "this preference has no `once-measure`")
                    .with_help("use `count` to count satisfactions"),
            );
        }
        self.scoring_types(&known, reference, &types);
        let types = types.into_iter().collect::<Option<Vec<_>>>()?;
        Some(ScoreExpression::Count { kind, preference: known.id?, types, origin })
    }

    fn scoring_types(
        &mut self,
        known: &PreferenceSignature,
        reference: &PreferenceReference,
        types: &[Option<TypeId>],
    ) {
        let Some(external) = &known.external else { return };
        let name = &reference.name.text;
        if types.len() > external.len() {
            let first = span_of(reference.types[external.len()].origin);
            let last = reference.types.last().map_or(first, |name| span_of(name.origin));
            let message = match external.len() {
                0 => format!("`{name}` has no external variables to select by type"),
                count => format!(
                    "too many types for `{name}`: expected at most {count}, one for each external variable, found {}",
                    types.len()
                ),
            };
            self.report(
                Diagnostic::error(codes::EXTRA_SCORING_TYPE, first.to(last), message)
                    .with_related(known.place, "external variables are declared by a `forall` around the preference"),
            );
        } else if !types.is_empty() && types.len() < external.len() {
            let message = format!(
                "`{name}` has {} external variables, but only the first {} are restricted",
                external.len(),
                types.len()
            );
            self.report(Diagnostic::warning(codes::MISSING_SCORING_TYPE, span_of(reference.name.origin), message));
        }
        for ((id, ranges), type_name) in types.iter().zip(external).zip(&reference.types) {
            if let Some(id) = id
                && !overlap(self.world, &[*id], ranges)
            {
                let message =
                    format!("no {} is a `{}`, so this count is always 0", self.type_names(ranges), type_name.text);
                self.report(
                    Diagnostic::warning(codes::DISJOINT_SCORING_TYPE, span_of(type_name.origin), message)
                        .with_related(known.place, "the preference is defined here"),
                );
            }
        }
    }

    /// Checks that the preferences inside an external-forall operator have compatible external variables.
    fn externals(&mut self, inside: &ast::Score, origin: Origin) {
        let mut references = Vec::new();
        counted(inside, &mut references);
        let known: Vec<(&PreferenceReference, &PreferenceSignature)> = references
            .iter()
            .filter_map(|&reference| Some((reference, self.known.get(&reference.name.text)?)))
            .collect();
        if known.len() < references.len() || known.iter().any(|(_, known)| known.external.is_none()) {
            // The cause has probably been reported already.
            return;
        }
        let mut with_externals =
            known.iter().filter(|(_, known)| known.external.as_ref().is_some_and(|types| !types.is_empty()));
        let Some((first, first_known)) = with_externals.next() else {
            self.report(
                Diagnostic::error(
                    codes::NO_EXTERNALS,
                    span_of(origin),
                    "no preference in this operator has external variables",
                )
                .with_help("declare external variables in a `forall` around a preference"),
            );
            return;
        };
        let different: Vec<_> = with_externals.filter(|(_, known)| known.external != first_known.external).collect();
        let found = different.first().map(|(other, other_known)| {
            Diagnostic::error(
                codes::MIXED_EXTERNALS,
                span_of(other.name.origin),
                format!("`{}` and `{}` have different external variables", first.name.text, other.name.text),
            )
            .with_related(first_known.place, format!("`{}`", first.name.text))
            .with_related(other_known.place, format!("`{}`", other.name.text))
        });
        if let Some(diagnostic) = found {
            self.report(diagnostic);
        }
    }
}

/// Collects all counts in a scoring expression.
fn counted<'a>(score: &'a ast::Score, into: &mut Vec<&'a PreferenceReference>) {
    match score {
        ast::Score::Number(..) | ast::Score::TotalTime(_) | ast::Score::TotalScore(_) => {}
        ast::Score::Add(parts, _) | ast::Score::Multiply(parts, _) | ast::Score::AllEqual(parts, _) => {
            for part in parts {
                counted(part, into);
            }
        }
        ast::Score::Subtract(sides, _) | ast::Score::Divide(sides, _) | ast::Score::Compare(_, sides, _) => {
            for part in &**sides {
                counted(part, into);
            }
        }
        ast::Score::Negate(part, _) | ast::Score::ExternalMaximum(part, _) | ast::Score::ExternalMinimum(part, _) => {
            counted(part, into);
        }
        ast::Score::Count(_, reference, _) => into.push(reference),
    }
}
