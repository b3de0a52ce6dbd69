import { type FlowNode, type NodeType, readFlow, textOfMatch } from './flow';
import { type FlowFinding, type Severity, severities } from './flowFindings';

/** Longer texts in the diagram are cut. */
const MAX_LABEL = 60;

/** The shape of each type of node: what is before and after its text. */
const shapes: Record<NodeType, readonly [before: string, after: string]> = {
	say: ['(', ')'],
	ask: ['[/', '/]'],
	decision: ['{', '}'],
	action: ['[[', ']]'],
	transfer: ['>', ']'],
	end: ['([', '])'],
};

const colors: Record<Severity, string> = {
	error: 'fill:#fde0dd,stroke:#c51b1b,stroke-width:3px,color:#000',
	warning: 'fill:#fff3cd,stroke:#b8860b,stroke-width:2px,color:#000',
	info: 'fill:#e3f0fb,stroke:#3b7dbd,color:#000',
};

/**
 * Draws a flow as Mermaid text, a flowchart. Nodes with findings have the class `error`, `warning` or `info`, the worst of
 * them; a node that does not exist is drawn as missing. Whatever is in the flow, the text is valid.
 */
export function diagramOf(fields: Record<string, unknown>, findings: readonly FlowFinding[]): string {
	const flow = readFlow(fields);
	const lines = ['flowchart TD'];
	const missing = new Map<string, string>();
	const nameOf = (id: string): string => {
		const node = flow.byId.get(id)?.[0];
		if (node !== undefined) {
			return `n${node.index}`;
		}
		const name = missing.get(id) ?? `m${missing.size}`;
		missing.set(id, name);
		return name;
	};
	if (flow.initialId !== undefined) {
		lines.push('start((" "))', `start --> ${nameOf(flow.initialId)}`);
	}
	for (const node of flow.nodes) {
		const [before, after] = node.type === undefined ? ['[', ']'] : shapes[node.type];
		lines.push(`n${node.index}${before}"${labelOf(node)}"${after}`);
		for (const { target, match } of node.links) {
			const label = match === undefined ? '' : `|"${escaped(cut(textOfMatch(match)))}"|`;
			lines.push(`n${node.index} -->${label} ${nameOf(target)}`);
		}
	}
	for (const [id, name] of missing) {
		lines.push(`${name}["${escaped(cut(id))}<br/>does not exist"]`);
	}
	lines.push(...classesOf(flow.nodes, findings, [...missing.values()]));
	return lines.join('\n');
}

/** The lines that highlight nodes. */
function classesOf(nodes: readonly FlowNode[], findings: readonly FlowFinding[], missing: readonly string[]): string[] {
	const worst = new Map<string, Severity>(missing.map((name) => [name, 'error']));
	const byId = new Map(nodes.flatMap(({ id, index }) => (id === undefined ? [] : [[id, index]])));
	for (const { path, nodeId, severity } of findings) {
		const index = /^nodes\[(\d+)\]/.exec(path)?.[1] ?? (nodeId === null ? undefined : byId.get(nodeId));
		const name = `n${index}`;
		const present = worst.get(name);
		if (index !== undefined && (present === undefined || severities.indexOf(severity) < severities.indexOf(present))) {
			worst.set(name, severity);
		}
	}
	return severities.flatMap((severity) => {
		const names = [...worst].filter(([, of]) => of === severity).map(([name]) => name);
		return names.length === 0
			? []
			: [`classDef ${severity} ${colors[severity]}`, `class ${names.join(',')} ${severity}`];
	});
}

function labelOf({ id, path, type, fields }: FlowNode): string {
	const kind = type ?? (typeof fields.type === 'string' ? `${fields.type}?` : '?');
	const head = `${cut(kind)} ${cut(id ?? path)}`;
	return typeof fields.content === 'string' && fields.content.trim() !== ''
		? `${escaped(head)}<br/>${escaped(cut(fields.content))}`
		: escaped(head);
}

/** One line with at least one character: Mermaid has no empty labels. */
function cut(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	const characters = [...line.slice(0, 2 * MAX_LABEL)];
	return characters.length > MAX_LABEL ? `${characters.slice(0, MAX_LABEL).join('')}…` : line || '(empty)';
}

/** Writes everything but letters, digits and plain punctuation as a character code of Mermaid, which then has no meaning. */
function escaped(text: string): string {
	const plain = text.toWellFormed().replace(/[^\p{L}\p{M}\p{N} ,.?!…-]/gu, (character) => {
		const code = character.codePointAt(0) as number;
		// Control characters and what is no character.
		return code < 32 || (code > 126 && code < 160) || code === 0xfffd ? '?' : `#${code};`;
	});
	// Mermaid draws "Unsupported markdown: list" instead of a text that begins like an item of a list.
	return plain.replace(/^(\d+)\./, '$1#46;').replace(/^-/, '#45;');
}
