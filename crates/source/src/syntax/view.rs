//! One function body as the user sees it: places and texts in the file they wrote.
//!
//! Takes the trees of the body in the original and in the preprocessed text; gives places, ends and texts of nodes. Never: what a
//! node means.

use crate::Place;
use crate::clang::node;
use crate::syntax::bytes::readable;
use crate::syntax::text::{is_self_contained, one_line, same_tokens, shorten};
use crate::syntax::tree::{NodeId, Tree};

/// The body in the preprocessed text and, where its tree has the same shape, in the original.
pub struct View<'a, 'tu> {
    /// The preprocessed text.
    pub text: &'a str,
    /// Its tree.
    pub tree: &'a Tree<'tu>,
    /// The tree of the original, node by node the same.
    pub original: Option<&'a Tree<'tu>>,
}

impl View<'_, '_> {
    /// Where a node starts; for code that a macro makes, the place of the macro's name.
    pub fn place(&self, id: NodeId) -> Place {
        match self.original {
            Some(original) => original.cursor(id).extent().0.expansion().place(),
            None => self.tree.cursor(id).extent().0.presumed(),
        }
    }

    /// The line on which a node ends.
    pub fn end_line(&self, id: NodeId) -> u32 {
        match self.original {
            Some(original) => original.cursor(id).extent().1.expansion().line,
            None => self.tree.cursor(id).extent().1.presumed().line,
        }
    }

    /// Line and column just behind a node.
    pub fn end(&self, id: NodeId) -> (u32, u32) {
        let end = match self.original {
            Some(original) => original.cursor(id).extent().1.expansion().place(),
            None => self.tree.cursor(id).extent().1.presumed(),
        };
        (end.line, end.column)
    }

    /// A loop without its body, as the user wrote it.
    pub fn loop_head(&self, id: NodeId) -> String {
        let children = self.tree.children(id);
        let (Some(&first), Some(&last)) = (children.first(), children.last()) else { return self.text(id) };
        if self.tree.kind(id) == node::DO {
            // A macro that makes the whole loop reads the same for all its parts.
            let (whole, condition) = (self.text(id), self.text(last));
            return if whole == condition { whole } else { format!("do … while ({condition})") };
        }
        let written = self.original.and_then(|original| {
            let (start, end) =
                (original.cursor(id).extent().0.in_file(), original.cursor(last).extent().0.in_file());
            Some(one_line(&readable(start.text_to(&end)?)))
        });
        let whole = |text: &String| is_self_contained(text) && !text.is_empty();
        let head = written.filter(whole).unwrap_or_else(|| match self.tree.kind(id) {
            node::WHILE => format!("while ({})", self.text(first)),
            _ => one_line(&self.text[self.tree.range(id).0..self.tree.range(last).0]),
        });
        shorten(head.trim_end().to_string())
    }

    /// The line on which a statement ends; of one that holds other statements, its head.
    pub fn head_end_line(&self, id: NodeId) -> u32 {
        let children = self.tree.children(id);
        let head = match self.tree.kind(id) {
            node::IF | node::WHILE | node::SWITCH => children.get(..1),
            node::FOR => children.split_last().map(|(_, head)| head),
            node::DO => None,
            _ => return self.end_line(id),
        };
        let ends = head.unwrap_or_default().iter().map(|&part| self.end_line(part));
        ends.fold(self.place(id).line, u32::max)
    }

    /// The text of a node as the user wrote it. What is only a part of what one macro makes would read like the whole
    /// call; that is shown as the preprocessor leaves it.
    pub fn text(&self, id: NodeId) -> String {
        shorten(self.written(id).unwrap_or_else(|| self.preprocessed(id)))
    }

    fn preprocessed(&self, id: NodeId) -> String {
        let (start, end) = self.tree.range(id);
        one_line(&self.text[start..end])
    }

    /// What the user wrote, on one line; `None` where no stretch of the file says it.
    fn written(&self, id: NodeId) -> Option<String> {
        let original = self.original?;
        let (start, end) = original.cursor(id).extent();
        let (start, end) = (start.in_file(), end.in_file());
        let text = one_line(&readable(start.text_to(&end)?));
        let is_exact = same_tokens(&text, &self.preprocessed(id));
        let is_whole = || is_self_contained(&text) && !is_part_of_its_range(original, id);
        (is_exact || is_whole()).then_some(text)
    }
}

/// Whether an expression around this one takes up the same stretch of the file, as happens inside macros.
fn is_part_of_its_range(tree: &Tree, mut id: NodeId) -> bool {
    let own = tree.range(id);
    loop {
        id = tree.nodes[id].parent;
        if !tree.cursor(id).is_expression() || tree.range(id) != own {
            return false;
        }
        if tree.children(id).len() > 1 {
            return true;
        }
    }
}
