import { groupBy } from '../../../shared/lib/collections';
import type { KeyedSection } from '../document/agentFields';
import { pathOf } from '../document/differences';
import type { KnownMember, PlanProblem, PlanTarget } from './plan';

/** What identifies a member for people: the field that holds its name, and the noun for it. */
export const naming = {
	actions: { nameField: 'name', noun: 'action' },
	trainings: { nameField: 'subject', noun: 'training' },
	webhooks: { nameField: 'name', noun: 'webhook' },
} as const;

/** An action, training or webhook, by the names of a document. */
export type Member = Readonly<Record<string, unknown>>;

/** One that the agent has. */
export interface Existing {
	id: string;
	/** Its key in an export of the agent. */
	key: string;
	/** The name of an action or webhook, the subject of a training. */
	name: string;
	now: Member;
}

/** An action, training or webhook of a document, and the one of the agent that it stands for. */
export interface Match {
	/** Its key in the document. */
	key: string;
	name: string;
	wanted: Member;
	/** Undefined for a new one. */
	existing: Existing | undefined;
}

/** The members of a section that belong together, and what only the agent has. */
export interface Matches {
	matches: Match[];
	others: Existing[];
	problems: PlanProblem[];
}

/**
 * Finds for each action, training or webhook of the document the one of the agent with the same name or, where its name
 * has changed, with the same key. A name that more than one has is a problem.
 */
export function matched({ document, current }: PlanTarget, section: KeyedSection): Matches {
	const { nameField, noun } = naming[section];
	const nameOf = (member: Member) => String(member[nameField]);
	const wanted = Object.entries<Member>(document[section]).map(([key, member]) => ({
		key,
		name: nameOf(member),
		wanted: member,
	}));
	const existing = Object.entries<Member>(current.document[section]).map(([key, now]) => {
		return { key, now, name: nameOf(now), id: current.ids[section].get(key) as string };
	});
	const [wantedByName, existingByName] = [groupBy(wanted, ({ name }) => name), groupBy(existing, ({ name }) => name)];
	const sameName = (name: string) => existingByName.get(name) ?? [];
	const problems = wanted.flatMap((each): PlanProblem[] => {
		const path = pathOf(section, each.key, nameField);
		if (wantedByName.get(each.name)?.[0] !== each) {
			return [
				{
					path,
					message: `The document has more than one ${noun} with the ${nameField} "${each.name}", by which they are matched`,
					whatToDo: `Give each ${noun} a ${nameField} of its own.`,
				},
			];
		}
		const { length } = sameName(each.name);
		return length < 2
			? []
			: [
					{
						path,
						message: `The agent has ${length} ${noun}s with the ${nameField} "${each.name}": which one the document means is not clear`,
						whatToDo: 'Delete or rename all but one of them.',
					},
				];
	});
	// One that has another name in the document keeps its key there, unless the document uses its name.
	const renamed = (key: string) => existing.find((each) => each.key === key && !wantedByName.has(each.name));
	const matches = wanted.map((each): Match => {
		const [same, another] = sameName(each.name);
		return { ...each, existing: same ? (another ? undefined : same) : renamed(each.key) };
	});
	const taken = new Set(matches.map((match) => match.existing));
	return {
		matches,
		others: existing.filter((each) => !taken.has(each) && !wantedByName.has(each.name)),
		problems,
	};
}

/** The actions or trainings of an agent before a plan is carried out, by their IDs. */
export function knownMembers({ matches, others }: Matches): Array<[id: string, member: KnownMember]> {
	const inDocument = matches.flatMap(({ existing }) => existing ?? []);
	return [
		...inDocument.map(({ id, name }) => [id, { name, inDocument: true }] as [string, KnownMember]),
		...others.map(({ id, name }) => [id, { name, inDocument: false }] as [string, KnownMember]),
	];
}
