@ Entry of the board, before any C.
