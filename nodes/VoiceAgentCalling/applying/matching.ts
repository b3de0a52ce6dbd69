import { groupBy } from '../../shared/lib/groupBy';
import { pathOf } from '../agentDocument/differences';
import type { AgentDocument, keyedSections } from '../agentDocument/document';
import type { Planning } from './plan';

export type KeyedSection = (typeof keyedSections)[number];

type Member<Section extends KeyedSection> = AgentDocument[Section][string];

/** What identifies a member for people: the field that holds its name, and the noun for it. */
export const naming = {
	actions: { nameField: 'name', noun: 'action' },
	trainings: { nameField: 'subject', noun: 'training' },
	webhooks: { nameField: 'name', noun: 'webhook' },
} as const;

/** An action, training or webhook of a document, and the one of the agent that it stands for. */
export interface Match<Section extends KeyedSection> {
	/** Its key in the document. */
	key: string;
	/** The name of an action or webhook, the subject of a training. */
	name: string;
	wanted: Member<Section>;
	/** Undefined for a new one. */
	existing: { id: string; now: Member<Section>; path: string } | undefined;
}

/** An action, training or webhook that only the agent has. */
export interface Other {
	id: string;
	name: string;
}

/** The members of a section that belong together, and what only the agent has. */
interface Matches<Section extends KeyedSection> {
	matches: Array<Match<Section>>;
	others: Other[];
}

/**
 * Finds for each action, training or webhook of the document the one of the agent with the same name or, where its name
 * has changed, with the same key. Reports names that more than one has.
 *
 * @param ids the IDs of the members of the agent, by their keys
 */
export function matched<Section extends KeyedSection>(
	{ document, current, known, problems }: Planning,
	section: Section,
	ids: ReadonlyMap<string, string>,
): Matches<Section> {
	const { nameField, noun } = naming[section];
	const nameOf = (member: Member<Section>) => String(Object(member)[nameField]);
	const wanted = Object.entries(document[section]) as Array<[string, Member<Section>]>;
	const existing = new Map(Object.entries(current.document[section]) as Array<[string, Member<Section>]>);
	const free = new Set(existing.keys());
	const keysByName = groupBy(existing.keys(), (key) => nameOf(existing.get(key) as Member<Section>));
	const byName = new Map<string, string>();
	const names = new Set<string>();
	for (const [key, member] of wanted) {
		const name = nameOf(member);
		const found = keysByName.get(name) ?? [];
		if (names.has(name)) {
			problems.push({
				path: pathOf(section, key, nameField),
				message: `The document has more than one ${noun} with the ${nameField} "${name}", by which they are matched`,
				whatToDo: `Give each ${noun} a ${nameField} of its own.`,
			});
		} else if (found.length > 1) {
			problems.push({
				path: pathOf(section, key, nameField),
				message: `The agent has ${found.length} ${noun}s with the ${nameField} "${name}": which one the document means is not clear`,
				whatToDo: 'Delete or rename all but one of them.',
			});
		} else if (found.length === 1) {
			byName.set(key, found[0]);
			free.delete(found[0]);
		}
		names.add(name);
	}
	const matches = wanted.map(([key, member]): Match<Section> => {
		const isRenamed = !byName.has(key) && free.has(key) && !keysByName.has(nameOf(member));
		const currentKey = byName.get(key) ?? (isRenamed ? key : undefined);
		if (currentKey === undefined) {
			return { key, name: nameOf(member), wanted: member, existing: undefined };
		}
		free.delete(currentKey);
		const now = existing.get(currentKey) as Member<Section>;
		const id = ids.get(currentKey) as string;
		return { key, name: nameOf(member), wanted: member, existing: { id, now, path: pathOf(section, currentKey) } };
	});
	for (const [key, id] of ids) {
		known.set(id, { name: nameOf(existing.get(key) as Member<Section>), inDocument: !free.has(key) });
	}
	const others = [...free].filter((key) => !names.has(nameOf(existing.get(key) as Member<Section>)));
	return {
		matches,
		others: others.map((key) => ({
			id: ids.get(key) as string,
			name: nameOf(existing.get(key) as Member<Section>),
		})),
	};
}
