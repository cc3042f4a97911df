//! Paper 3: `total`.
