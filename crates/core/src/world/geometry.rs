//! Boxes, distances, angles: plain functions over numbers.
