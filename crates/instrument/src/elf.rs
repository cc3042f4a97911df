//! What the linked executable says: addresses of variables and functions, and the bytes variables start with.
//!
//! Takes an executable made by [`crate::build`]: it is position-dependent, so addresses in the file are those of a run.
//! Gives addresses and bytes; never runs anything.

use std::path::{Path, PathBuf};

use object::{Object, ObjectSegment, ObjectSymbol, RelocationTarget};

use crate::InstrumentError;
use crate::driver::ADDRESSES;

/// An executable's file in memory.
pub(crate) struct Executable {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Executable {
    /// Reads the file.
    pub(crate) fn read(path: &Path) -> Result<Executable, InstrumentError> {
        let bytes = std::fs::read(path)
            .map_err(|error| InstrumentError::File { path: path.to_owned(), source: error })?;
        Ok(Executable { path: path.to_owned(), bytes })
    }

    /// Understands the file.
    pub(crate) fn parse(&self) -> Result<Image<'_>, InstrumentError> {
        let file =
            object::File::parse(self.bytes.as_slice()).map_err(|error| self.broken(error.to_string()))?;
        Ok(Image { file, executable: self })
    }

    fn broken(&self, message: impl Into<String>) -> InstrumentError {
        InstrumentError::Executable { path: self.path.clone(), message: message.into() }
    }
}

/// An executable's content.
pub(crate) struct Image<'a> {
    file: object::File<'a>,
    executable: &'a Executable,
}

impl Image<'_> {
    /// The first `count` entries of the driver's table of addresses.
    pub(crate) fn address_table(&self, count: usize) -> Result<Vec<u64>, InstrumentError> {
        let table = self
            .file
            .symbols()
            .find(|symbol| symbol.name() == Ok(ADDRESSES))
            .ok_or_else(|| self.executable.broken("the driver's table of addresses is missing"))?;
        let bytes = self.initial_bytes(table.address(), 8 * count as u64);
        Ok(bytes.as_chunks::<8>().0.iter().map(|entry| u64::from_le_bytes(*entry)).collect())
    }

    /// The bytes at an address when the program starts. What the file does not hold is zero.
    pub(crate) fn initial_bytes(&self, address: u64, size: u64) -> Vec<u8> {
        let mut bytes = vec![0; size as usize];
        for segment in self.file.segments() {
            let Ok(data) = segment.data() else { continue };
            let (begin, end) = (segment.address(), segment.address() + data.len() as u64);
            let (first, last) = (begin.max(address), end.min(address + size));
            if first < last {
                let from = &data[(first - begin) as usize..(last - begin) as usize];
                bytes[(first - address) as usize..(last - address) as usize].copy_from_slice(from);
            }
        }
        bytes
    }

    /// Whether an object of the link (and no shared library) defines this variable.
    pub(crate) fn defines(&self, name: &str) -> bool {
        let is_shared = self.file.dynamic_symbols().any(|symbol| symbol.name() == Ok(name));
        let is_here = |symbol: &object::Symbol<'_, '_>| {
            symbol.is_global() && symbol.is_definition() && symbol.name() == Ok(name)
        };
        !is_shared && self.file.symbols().any(|symbol| is_here(&symbol))
    }

    /// Symbols whose address the loader writes into these bytes at start.
    pub(crate) fn loaded_symbols(&self, address: u64, size: u64) -> Vec<String> {
        use object::ObjectSymbolTable;
        let (Some(relocations), Some(symbols)) =
            (self.file.dynamic_relocations(), self.file.dynamic_symbol_table())
        else {
            return Vec::new();
        };
        relocations
            .filter(|(at, _)| (address..address + size).contains(at))
            .filter_map(|(_, relocation)| match relocation.target() {
                RelocationTarget::Symbol(index) => symbols.symbol_by_index(index).ok()?.name().ok(),
                _ => None,
            })
            .map(str::to_owned)
            .collect()
    }
}
