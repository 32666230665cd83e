//! Typed lists of names: `A B - TYPE C - TYPE ..`.

/// An entry of a typed list.
pub(super) enum TypedEntry<T> {
    /// An item before the next dash.
    Item(T),
    /// A dash with the type of the items before it.
    Type {
        /// The dash.
        dash: T,
        /// The item after the dash; `None` at the end of the list.
        name: Option<T>,
    },
}

/// Iterates over the entries of a typed list, in order; `is_dash` recognizes the dash.
pub(super) fn entries<T>(
    mut items: impl Iterator<Item = T>,
    is_dash: impl Fn(&T) -> bool,
) -> impl Iterator<Item = TypedEntry<T>> {
    std::iter::from_fn(move || {
        let item = items.next()?;
        Some(if is_dash(&item) { TypedEntry::Type { dash: item, name: items.next() } } else { TypedEntry::Item(item) })
    })
}
