//! Immediate dominators of the points of one function.
//!
//! Takes the points with their edges, fills in their `dominator`. The usual iteration over reverse post order: two
//! candidates are walked up the tree until they meet.

use tarka_source::cfg::{Point, PointId};

/// Fills in the dominators of `points[first..]`, whose first element is the function's entry.
pub(crate) fn fill(points: &mut [Point], first: usize) {
    let count = points.len() - first;
    let order = reverse_post_order(points, first);
    let mut position = vec![usize::MAX; count];
    for (index, node) in order.iter().enumerate() {
        position[*node] = index;
    }
    let mut predecessors = vec![Vec::new(); count];
    for (node, point) in points[first..].iter().enumerate() {
        for edge in &point.edges {
            predecessors[edge.to.0 as usize - first].push(node);
        }
    }
    let mut dominator: Vec<Option<usize>> = vec![None; count];
    dominator[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().skip(1) {
            let mut meet: Option<usize> = None;
            for &predecessor in predecessors[node].iter().filter(|node| dominator[**node].is_some()) {
                meet = Some(match meet {
                    None => predecessor,
                    Some(other) => common(&dominator, &position, other, predecessor),
                });
            }
            if dominator[node] != meet {
                dominator[node] = meet;
                changed = true;
            }
        }
    }
    for node in 1..count {
        points[first + node].dominator = dominator[node].map(|node| PointId((first + node) as u32));
    }
}

fn common(dominator: &[Option<usize>], position: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while position[a] > position[b] {
            a = dominator[a].unwrap_or(0);
        }
        while position[b] > position[a] {
            b = dominator[b].unwrap_or(0);
        }
    }
    a
}

fn reverse_post_order(points: &[Point], first: usize) -> Vec<usize> {
    let mut seen = vec![false; points.len() - first];
    let mut order = Vec::new();
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((node, next)) = stack.last_mut() {
        if let Some(edge) = points[first + *node].edges.get(*next) {
            *next += 1;
            let to = edge.to.0 as usize - first;
            if !seen[to] {
                seen[to] = true;
                stack.push((to, 0));
            }
        } else {
            order.push(*node);
            stack.pop();
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarka_source::FunctionId;
    use tarka_source::cfg::{Edge, PointKind, Usage};

    fn graph(edges: &[&[u32]]) -> Vec<Point> {
        edges
            .iter()
            .map(|targets| Point {
                function: FunctionId(0),
                kind: PointKind::Exit,
                edges: targets
                    .iter()
                    .map(|to| Edge { outcome: 0, to: PointId(*to), usage: Usage::default() })
                    .collect(),
                dominator: None,
            })
            .collect()
    }

    #[test]
    fn a_diamond_is_dominated_by_its_top() {
        let mut points = graph(&[&[1, 2], &[3], &[3], &[]]);
        fill(&mut points, 0);
        let dominators: Vec<_> = points.iter().map(|point| point.dominator.map(|id| id.0)).collect();
        assert_eq!(dominators, [None, Some(0), Some(0), Some(0)]);
    }

    #[test]
    fn a_loop_body_is_dominated_by_its_head_and_unreachable_points_by_nothing() {
        let mut points = graph(&[&[1], &[2, 3], &[1], &[], &[3]]);
        fill(&mut points, 0);
        let dominators: Vec<_> = points.iter().map(|point| point.dominator.map(|id| id.0)).collect();
        assert_eq!(dominators, [None, Some(0), Some(1), Some(1), None]);
    }
}
