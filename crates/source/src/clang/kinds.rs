//! Numbers of libclang's cursor, type, operator and storage kinds, as its stable interface fixes them.

#![allow(missing_docs)]

/// Kinds of syntax-tree nodes.
pub mod node {
    pub const UNION: i32 = 3;
    pub const FIELD: i32 = 6;
    pub const ENUM_CONSTANT: i32 = 7;
    pub const FUNCTION: i32 = 8;
    pub const VARIABLE: i32 = 9;
    pub const PARAMETER: i32 = 10;
    pub const TYPEDEF: i32 = 20;
    pub const UNEXPOSED_EXPR: i32 = 100;
    pub const NAME: i32 = 101;
    pub const MEMBER: i32 = 102;
    pub const CALL: i32 = 103;
    pub const INTEGER: i32 = 106;
    pub const FLOATING: i32 = 107;
    pub const STRING: i32 = 109;
    pub const CHARACTER: i32 = 110;
    pub const PAREN: i32 = 111;
    pub const UNARY: i32 = 112;
    pub const SUBSCRIPT: i32 = 113;
    pub const BINARY: i32 = 114;
    pub const COMPOUND_ASSIGNMENT: i32 = 115;
    pub const CONDITIONAL: i32 = 116;
    pub const CAST: i32 = 117;
    pub const COMPOUND_LITERAL: i32 = 118;
    pub const INITIALISER_LIST: i32 = 119;
    pub const STATEMENT_EXPR: i32 = 121;
    pub const GENERIC: i32 = 122;
    /// `sizeof`, `_Alignof` and their kin.
    pub const TYPE_TRAIT: i32 = 136;
    pub const UNEXPOSED_STMT: i32 = 200;
    pub const LABEL: i32 = 201;
    pub const COMPOUND: i32 = 202;
    pub const CASE: i32 = 203;
    pub const DEFAULT: i32 = 204;
    pub const IF: i32 = 205;
    pub const SWITCH: i32 = 206;
    pub const WHILE: i32 = 207;
    pub const DO: i32 = 208;
    pub const FOR: i32 = 209;
    pub const GOTO: i32 = 210;
    pub const INDIRECT_GOTO: i32 = 211;
    pub const CONTINUE: i32 = 212;
    pub const BREAK: i32 = 213;
    pub const RETURN: i32 = 214;
    pub const ASSEMBLER: i32 = 215;
    pub const NULL_STMT: i32 = 230;
    pub const DECLARATION_STMT: i32 = 231;
    pub const FILE_SCOPE: i32 = 350;
    pub const FIRST_ATTRIBUTE: i32 = 400;
    pub const LAST_ATTRIBUTE: i32 = 441;
}

/// Kinds of types.
pub mod ty {
    pub const VOID: i32 = 2;
    pub const BOOL: i32 = 3;
    pub const CHAR_U: i32 = 4;
    pub const UCHAR: i32 = 5;
    pub const CHAR_S: i32 = 13;
    pub const SCHAR: i32 = 14;
    pub const INT128: i32 = 20;
    pub const FLOAT: i32 = 21;
    pub const DOUBLE: i32 = 22;
    pub const LONG_DOUBLE: i32 = 23;
    pub const FLOAT128: i32 = 30;
    pub const COMPLEX: i32 = 100;
    pub const POINTER: i32 = 101;
    pub const RECORD: i32 = 105;
    pub const ENUM: i32 = 106;
    pub const FUNCTION_NO_PROTO: i32 = 110;
    pub const FUNCTION_PROTO: i32 = 111;
    pub const CONSTANT_ARRAY: i32 = 112;
    pub const VECTOR: i32 = 113;
    pub const INCOMPLETE_ARRAY: i32 = 114;
    pub const VARIABLE_ARRAY: i32 = 115;
    pub const EXT_VECTOR: i32 = 176;
    pub const ATOMIC: i32 = 177;

    /// Integer kinds of fixed meaning, `char` to `__int128`.
    pub fn is_integer(kind: i32) -> bool {
        (CHAR_U..=INT128).contains(&kind)
    }

    /// Signedness of an integer kind.
    pub fn is_signed(kind: i32) -> bool {
        (CHAR_S..=INT128).contains(&kind)
    }
}

/// Unary operators.
pub mod unary {
    /// The four of `++` and `--`: after and before, up and down.
    pub const POST_INCREMENT: i32 = 1;
    pub const POST_DECREMENT: i32 = 2;
    pub const PRE_INCREMENT: i32 = 3;
    pub const PRE_DECREMENT: i32 = 4;
    pub const ADDRESS_OF: i32 = 5;
    pub const DEREFERENCE: i32 = 6;
    pub const PLUS: i32 = 7;
    pub const LOGICAL_NOT: i32 = 10;
    pub const EXTENSION: i32 = 13;
}

/// Binary operators.
pub mod binary {
    pub const MULTIPLY: i32 = 3;
    pub const REMAINDER: i32 = 5;
    pub const ADD: i32 = 6;
    pub const SUBTRACT: i32 = 7;
    pub const SHIFT_LEFT: i32 = 8;
    pub const SHIFT_RIGHT: i32 = 9;
    pub const LESS: i32 = 11;
    pub const GREATER: i32 = 12;
    pub const LESS_EQUAL: i32 = 13;
    pub const GREATER_EQUAL: i32 = 14;
    pub const EQUAL: i32 = 15;
    pub const NOT_EQUAL: i32 = 16;
    pub const LOGICAL_AND: i32 = 20;
    pub const LOGICAL_OR: i32 = 21;
    pub const ASSIGN: i32 = 22;
    pub const ADD_ASSIGN: i32 = 26;
    pub const SUBTRACT_ASSIGN: i32 = 27;
    pub const COMMA: i32 = 33;
}

/// Storage classes.
pub mod storage {
    pub const NONE: i32 = 1;
    pub const EXTERN: i32 = 2;
    pub const STATIC: i32 = 3;
}
