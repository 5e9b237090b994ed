/** Finds a route by its path template. A literal segment wins over a parameter. */

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter: { readonly name: string; readonly node: Node<T> } | undefined;
  value: T | undefined;
}

export interface RouteMatch<T> {
  readonly value: T;
  readonly params: ReadonlyMap<string, string>;
}

/** Takes the path's segments, percent-decoded, and answers undefined when no template matches. */
export type Router<T> = (segments: readonly string[]) => RouteMatch<T> | undefined;

export function createRouter<T>(routes: Iterable<readonly [template: string, value: T]>): Router<T> {
  const root = newNode<T>();
  for (const [template, value] of routes) add(root, template, value);
  return (segments) => {
    const values: [string, string][] = [];
    const value = find(root, segments, 0, values);
    return value === undefined ? undefined : { value, params: new Map(values) };
  };
}

function newNode<T>(): Node<T> {
  return { literals: new Map(), parameter: undefined, value: undefined };
}

function add<T>(root: Node<T>, template: string, value: T): void {
  let node = root;
  for (const segment of template.slice(1).split('/')) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      const next = node.literals.get(segment) ?? newNode<T>();
      node.literals.set(segment, next);
      node = next;
    } else {
      node.parameter ??= { name, node: newNode<T>() };
      if (node.parameter.name !== name) throw new Error(`two names for one parameter in ${template}`);
      node = node.parameter.node;
    }
  }
  if (node.value !== undefined) throw new Error(`two routes for ${template}`);
  node.value = value;
}

function find<T>(
  node: Node<T>,
  segments: readonly string[],
  depth: number,
  values: [string, string][],
): T | undefined {
  const segment = segments[depth];
  if (segment === undefined) return node.value;
  const literal = node.literals.get(segment);
  if (literal !== undefined) {
    const value = find(literal, segments, depth + 1, values);
    if (value !== undefined) return value;
  }
  // an empty segment is no value: /v1/txs/ is not a look-up of ''
  if (node.parameter === undefined || segment === '') return undefined;
  values.push([node.parameter.name, segment]);
  const value = find(node.parameter.node, segments, depth + 1, values);
  if (value === undefined) values.pop();
  return value;
}
