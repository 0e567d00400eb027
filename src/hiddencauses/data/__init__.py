"""Data in: from files, frames and arrays to a table of bits."""
