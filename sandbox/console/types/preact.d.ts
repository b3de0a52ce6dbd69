/** The used part of `htm/preact/standalone`. Its own declarations would need the package of Preact. */
export type Node = unknown;
export function html(strings: TemplateStringsArray, ...values: unknown[]): Node;
export function render(node: Node, parent: Element | null): void;
type End = undefined | void | (() => unknown);
export function useEffect(effect: () => End, inputs?: unknown[]): void;
export function useLayoutEffect(effect: () => End, inputs?: unknown[]): void;
export function useRef<Value>(first?: Value): { current: Value };
export function useState<Value>(
	first?: Value | (() => Value),
): [Value, (next: Value | ((now: Value) => Value)) => void];
