import { groupBy } from '../../../shared/lib/collections';
import type { KeyedSection } from '../document/agentFields';
import { pathOf } from '../document/differences';
import type { KnownMember, PlanProblem, PlanTarget } from './plan';

/** For each section, the field with the name of a member, and the noun for a member. */
export const naming = {
	actions: { nameField: 'name', noun: 'action' },
	trainings: { nameField: 'subject', noun: 'training' },
	webhooks: { nameField: 'name', noun: 'webhook' },
} as const;

/** An action, training or webhook, with the field names of a document. */
export type Member = Readonly<Record<string, unknown>>;

/** An action, training or webhook that the agent has. */
export interface Existing {
	id: string;
	/** Its key in an export of the agent. */
	key: string;
	/** The name of an action or webhook, the subject of a training. */
	name: string;
	now: Member;
}

/** An action, training or webhook of a document, and its counterpart in the agent. */
export interface Match {
	/** Its key in the document. */
	key: string;
	name: string;
	wanted: Member;
	/** The counterpart; undefined if it is new. */
	existing: Existing | undefined;
}

/** The members of a document with their counterparts, and the members that only the agent has. */
export interface Matches {
	matches: Match[];
	others: Existing[];
	problems: PlanProblem[];
}

/**
 * Finds the counterpart of each action, training or webhook of the document in the agent: by its name or, if the name has
 * changed, by its key. A name that is not unique is a problem.
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
	// A renamed member keeps its key in the document, unless another member of the document has its old name.
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

/** Returns the actions or trainings of an agent before a plan is sent, by their IDs. */
export function knownMembers({ matches, others }: Matches): Array<[id: string, member: KnownMember]> {
	const inDocument = matches.flatMap(({ existing }) => existing ?? []);
	return [
		...inDocument.map(({ id, name }) => [id, { name, inDocument: true }] as [string, KnownMember]),
		...others.map(({ id, name }) => [id, { name, inDocument: false }] as [string, KnownMember]),
	];
}
