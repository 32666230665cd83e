//! The score: counts of preferences, the types of counts, and the preferences that nothing counts.

use goalspec_generator::grammar::Symbol;
use goalspec_generator::sampler::choose;
use smallvec::SmallVec;

use super::{BindResult, Binder, BoundPreference, Rule, Unbindable};

impl Binder<'_> {
    /// Binds the score and adds the preferences that it does not count.
    pub(super) fn scoring(&mut self, entry: usize) -> BindResult {
        for preference in &mut self.preferences {
            preference.is_counted = false;
        }
        self.out.open(self.tree.symbol(entry));
        let start = self.out.len();
        self.children(entry)?;
        let preferences = self.preferences.iter();
        let missing: SmallVec<[Symbol; 8]> =
            preferences.filter(|preference| !preference.is_counted).map(|preference| preference.name).collect();
        if !missing.is_empty() {
            let plus = self.names.plus;
            let is_sum = self.out.symbol(start + 1) == Some(Rule::MultiExpr.symbol())
                && self.out.symbol(start + 2) == Some(plus);
            if is_sum {
                self.out.remove(start..start + 3);
            } else {
                self.out.enclose(start..self.out.len(), &[Rule::ScoringExprOrNumber.symbol()]);
            }
            let end = self.out.len();
            self.out.token(plus);
            self.out.move_before(start, end);
            missing.into_iter().for_each(|name| self.plain_count(name));
            let sum = [Rule::ScoringExpr.symbol(), Rule::MultiExpr.symbol()];
            self.out.enclose(start..self.out.len(), &sum);
        }
        self.out.close();
        Ok(())
    }

    /// Adds a count of a preference as an operand.
    fn plain_count(&mut self, name: Symbol) {
        let rules =
            [Rule::ScoringExprOrNumber, Rule::ScoringExpr, Rule::PreferenceEval, Rule::Count, Rule::PrefNameAndTypes];
        for rule in rules {
            self.out.open(rule.symbol());
        }
        self.out.token(name);
        for _ in rules {
            self.out.close();
        }
    }

    /// Adds a count of a preference, of one that is not counted yet if there is one, as an operand.
    pub(super) fn any_count(&mut self) -> BindResult {
        let index = self.counted_preference(None)?;
        let preference = &mut self.preferences[index];
        preference.is_counted = true;
        let name = preference.name;
        self.plain_count(name);
        Ok(())
    }

    /// Binds an external maximum or minimum, whose preferences have the same external variables. Without such a preference, the operand
    /// takes its place.
    pub(super) fn external(&mut self, wrapper: usize, entry: usize) -> BindResult {
        let operand = self.tree.children(entry).next().ok_or(Unbindable)?;
        let groups: Vec<(usize, f64)> = self
            .preferences
            .iter()
            .enumerate()
            .filter(|(_, preference)| !preference.external.is_empty())
            .map(|(index, _)| (index, 1.0))
            .collect();
        let outer = self.externals.clone();
        if outer.is_none() {
            // Keep the group of a preference that is already counted here.
            let counted = |index: &usize| {
                let old = self.preferences[*index].old;
                self.tree.subtree(entry).iter().any(|part| part.symbol == old)
            };
            let kept = groups.iter().map(|&(index, _)| index).find(counted);
            let chosen = kept.or_else(|| choose(&groups, self.stream, |_| true));
            self.externals = chosen.map(|index| self.preferences[index].external.clone());
        }
        let has_group = self.externals.is_some();
        let start = self.out.len();
        let result = self.node(operand);
        self.externals = outer;
        result?;
        let reference = Rule::PrefNameAndTypes.symbol();
        let is_counting = self.out.since(start).iter().any(|part| part.symbol == reference);
        if has_group && is_counting {
            self.out.enclose(start..self.out.len(), &[self.tree.symbol(wrapper), self.tree.symbol(entry)]);
        }
        Ok(())
    }

    /// Binds a count: the preference, the way to count it, and its types.
    pub(super) fn count(&mut self, entry: usize) -> BindResult {
        let method = self.tree.children(entry).next().ok_or(Unbindable)?;
        let reference = self.tree.children(method).next().ok_or(Unbindable)?;
        let mut parts = self.tree.children(reference);
        let old = parts.next().map(|name| self.tree.symbol(name)).ok_or(Unbindable)?;
        let given: Vec<Symbol> = parts.map(|part| self.tree.symbol(self.tree.end(part) - 1)).collect();
        let index = self.counted_preference(Some(old))?;
        let preference = &mut self.preferences[index];
        preference.is_counted = true;
        let (name, has_measure, external) = (preference.name, preference.has_measure, preference.external.clone());
        let rule = match self.rule(method) {
            Some(Rule::CountMeasure) if !has_measure => Rule::Count,
            Some(Rule::CountOncePerExternalObjects) if external.is_empty() => Rule::CountOncePerObjects,
            Some(rule) => rule,
            None => return Err(Unbindable),
        };
        self.out.open(self.tree.symbol(entry));
        self.out.open(rule.symbol());
        self.out.open(Rule::PrefNameAndTypes.symbol());
        self.out.token(name);
        if !given.is_empty() {
            for (position, declared) in external.iter().enumerate() {
                self.count_type(declared, given.get(position).copied())?;
            }
        }
        (0..3).for_each(|_| self.out.close());
        Ok(())
    }

    /// Returns the preference that an old name denotes, or another one: one that is not counted yet, if there is one.
    fn counted_preference(&mut self, old: Option<Symbol>) -> Result<usize, Unbindable> {
        let is_allowed = |preference: &BoundPreference| {
            !(self.is_in_terminal && preference.is_at_end)
                && self.externals.as_ref().is_none_or(|external| *external == preference.external)
        };
        let own = self.preferences.iter().position(|preference| Some(preference.old) == old && is_allowed(preference));
        if let Some(index) = own {
            return Ok(index);
        }
        let choices: Vec<(usize, f64)> = self
            .preferences
            .iter()
            .enumerate()
            .filter(|(_, preference)| is_allowed(preference))
            .map(|(index, preference)| (index, if preference.is_counted { 1e-6 } else { 1.0 }))
            .collect();
        choose(&choices, self.stream, |_| true).ok_or(Unbindable)
    }

    /// Adds the type that restricts an external variable: the given one if the variable has it, otherwise a declared type or a direct
    /// subtype of one.
    fn count_type(&mut self, declared: &[Symbol], given: Option<Symbol>) -> BindResult {
        let color = Rule::Color;
        let colors = self.games.constants(color);
        let is_color_variable = declared.iter().any(|name| colors.contains(name) || self.games.is_color_type(*name));
        let mut choices: Vec<(Symbol, f64)> = Vec::new();
        for &name in declared {
            if is_color_variable && !colors.contains(&name) {
                choices.extend(colors.iter().map(|&color| (color, 1.0)));
            } else {
                choices.push((name, 1.0));
                choices.extend(self.slots.subtypes(name).iter().map(|&subtype| (subtype, 1.0)));
            }
        }
        let kept = given.filter(|given| choices.iter().any(|(name, _)| name == given));
        let name = kept.or_else(|| choose(&choices, self.stream, |_| true)).ok_or(Unbindable)?;
        let rule = if colors.contains(&name) {
            color
        } else if self.games.constants(Rule::ObjectName).contains(&name) {
            Rule::ObjectName
        } else {
            Rule::ObjectType
        };
        self.out.open(Rule::PrefObjectType.symbol());
        self.out.open(rule.symbol());
        self.out.token(name);
        self.out.close();
        self.out.close();
        Ok(())
    }
}
