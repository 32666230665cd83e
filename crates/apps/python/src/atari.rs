//! The objects on the screens of Atari games, decoded from the memory of the consoles.

use goalspec::atari::{Decoder, Game, GameObject, Options};
use goalspec::rewards::screen_worlds::{self, ScreenWorld};
use goalspec::syntax::suggest::did_you_mean;
use goalspec::trace::screens::ScreenColumns;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::value_error;
use crate::screens::record;

/// The columns of [`AtariScreen::boxes`].
const BOX_COLUMNS: usize = 6;

/// The displacement in pixels beyond which an object is taken for another one.
const JUMP: i16 = 60;

/// The screen of a game in one environment, frame by frame.
#[pyclass(module = "goalspec._core")]
pub(crate) struct AtariScreen {
    world: &'static ScreenWorld,
    decoder: Decoder,
    columns: ScreenColumns,
    row: Vec<f64>,
    /// The number of frames since the start of the episode.
    frames: u64,
}

/// Returns the game with this name, such as `Pong` or `ALE/Pong-v5`.
fn game_named(name: &str) -> PyResult<Game> {
    name.parse().map_err(|_| {
        let names = Game::ALL.map(Game::name);
        let suggestion = did_you_mean(name, names).map_or(String::new(), |text| format!("; {text}"));
        PyKeyError::new_err(format!("unknown game `{name}`: expected one of {}{suggestion}", names.join(", ")))
    })
}

#[pymethods]
impl AtariScreen {
    /// Creates the screen of a game before its first frame. `hud` is whether it includes scores, lives and the like.
    #[new]
    fn new(name: &str, hud: bool) -> PyResult<Self> {
        let game = game_named(name)?;
        let world = screen_worlds::builtin(&format!("atari/{}", game.slug()));
        let world = world.ok_or_else(|| PyKeyError::new_err(format!("there is no world for {game}")))?;
        let columns = ScreenColumns::new(game, world.core(), hud);
        let row = vec![0.0; columns.names().len()];
        Ok(Self { world, decoder: Decoder::new(game, Options { hud, ..Options::default() }), columns, row, frames: 0 })
    }

    /// Returns the name of the game.
    fn game(&self) -> &'static str {
        self.decoder.game().name()
    }

    /// Returns the meanings of the actions in an environment with the minimal action set.
    fn actions(&self) -> Vec<&'static str> {
        self.decoder.game().actions().to_vec()
    }

    /// Returns the names of the columns of `row`.
    fn column_names(&self) -> Vec<String> {
        self.columns.names().to_vec()
    }

    /// Returns the class of each slot.
    fn slots(&self) -> Vec<&'static str> {
        let game = self.decoder.game();
        let slots = game.slots(self.decoder.options().hud);
        slots.flat_map(|(class, count)| std::iter::repeat_n(game.class(class).name, count)).collect()
    }

    /// Restarts before the first frame of an episode.
    fn reset(&mut self) {
        self.frames = 0;
        self.row.fill(0.0);
    }

    /// Decodes the next frame from 128 bytes of memory.
    fn step(&mut self, ram: PyReadonlyArray1<'_, u8>) -> PyResult<()> {
        let bytes = ram.as_array().to_vec();
        let decoded = if self.frames == 0 { self.decoder.reset(&bytes) } else { self.decoder.step(&bytes) };
        self.columns.fill(decoded.map_err(|error| value_error(error.to_string()))?, &mut self.row);
        self.frames += 1;
        Ok(())
    }

    /// Returns the numbers of the frame by `column_names`, float64[columns].
    fn row<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.row)
    }

    /// Returns for each slot whether it has an object, its left and upper edge, its displacement (0 in the first frame of an episode or of
    /// the object, and where it jumps by more than 60 pixels), and its value (0 if it has none), int32[slots, 6].
    fn boxes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let rows: Vec<Vec<i32>> =
            self.decoder.objects().iter().map(|object| box_of(object, self.frames).to_vec()).collect();
        Ok(PyArray2::from_vec2(py, &rows)?)
    }

    /// Returns the attributes of each visible object.
    fn objects<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let (visible, mut scene): (Vec<_>, _) = (self.decoder.visible_objects().copied().collect(), Vec::new());
        self.world.fill_scene(&visible, &mut scene);
        scene.iter().map(|object| record(py, self.world, object)).collect()
    }

    /// Returns an independent copy in the same state.
    fn copy(&self) -> PyResult<Self> {
        let mut copy = Self::new(self.game(), self.decoder.options().hud)?;
        copy.decoder = self.decoder.clone();
        copy.row.clone_from(&self.row);
        copy.frames = self.frames;
        Ok(copy)
    }
}

/// Returns the numbers of an object in [`AtariScreen::boxes`], after this number of frames.
fn box_of(object: &GameObject, frames: u64) -> [i32; BOX_COLUMNS] {
    if !object.is_present() {
        return [0; BOX_COLUMNS];
    }
    let is_moved = frames > 1 && object.prev.is_some() && object.dx().abs().max(object.dy().abs()) <= JUMP;
    let (dx, dy) = if is_moved { (object.dx(), object.dy()) } else { (0, 0) };
    [1, object.x.into(), object.y.into(), dx.into(), dy.into(), object.value.unwrap_or(0)]
}
