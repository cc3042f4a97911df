//! Paper 2: `bubble` and `loop`.
