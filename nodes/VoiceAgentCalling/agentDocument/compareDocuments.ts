import { isRecord } from '../../shared/lib/isRecord';
import { type Difference, differencesOf, inSet, pathOf } from './differences';
import { type AgentDocument, keyedSections } from './document';
import { HIDDEN, hideSecret, isSecretField } from './hiddenSecrets';
import { isUnreadable } from './notReadable';
import { holdsSecret } from './secretUrl';

type Members = Record<string, unknown>;

/**
 * Compares a document with an agent.
 *
 * @param wanted the document
 * @param current the agent, as {@link readAgentDocument} reads it; of any environment, because no IDs are compared
 * @returns what differs, in the order of the document; what is unknown follows
 */
export function compareDocuments(wanted: AgentDocument, current: AgentDocument): Difference[] {
	const notReadable = new Set(current.notReadable);
	const readable = (path: string) => !notReadable.has(path) && !isUnreadable(path);
	const known = [
		...ofSection('settings', current.settings, wanted.settings).map(fixed),
		...ofSection('knowledge', current.knowledge, wanted.knowledge),
		...ofVoice(current.voice, wanted.voice, notReadable),
		...ofSection('calling', current.calling, wanted.calling, ['phone_numbers']),
		...ofSection('conversation', current.conversation, wanted.conversation),
		...keyedSections.flatMap((section) => ofKeyed(section, current[section], wanted[section])),
	].filter(({ path }) => readable(path));
	return [...known.map(withoutSecrets), ...unknownIn(wanted, current)];
}

/** Compares the fields of a section. @param sets the lists whose order does not matter */
function ofSection(path: string, from: Members, to: Members, sets: readonly string[] = []): Difference[] {
	const fields = new Set([...Object.keys(to), ...Object.keys(from)]);
	return [...fields].flatMap((field) => {
		const compare = sets.includes(field) ? inSet : differencesOf;
		return compare(pathOf(path, field), from[field], to[field]);
	});
}

/** Settings that only the creation sets. */
function fixed(difference: Difference): Difference {
	return { ...difference, change: 'fixed' };
}

/** A voice is one value: another name is another voice, also where the tier is the same. */
function ofVoice(
	{ template: from, ...current }: AgentDocument['voice'],
	{ template: to, ...wanted }: AgentDocument['voice'],
	notReadable: ReadonlySet<string>,
): Difference[] {
	const path = 'voice.template';
	const names = Object.entries(to ?? {}).filter(([name]) => !notReadable.has(pathOf(path, name)));
	const isSameVoice =
		from && to ? names.every(([name, value]) => from[name as keyof typeof from] === value) : !from && !to;
	const change = from ? (to ? 'changed' : 'removed') : 'added';
	const ofTemplate: Difference[] = isSameVoice ? [] : [{ path, change, ...(from && { from }), ...(to && { to }) }];
	return [...ofTemplate, ...ofSection('voice', current, wanted)];
}

/** Compares actions, trainings or webhooks by their keys. One that the other side lacks is one difference. */
function ofKeyed(section: string, from: Record<string, Members>, to: Record<string, Members>): Difference[] {
	const keys = new Set([...Object.keys(to), ...Object.keys(from)]);
	return [...keys].flatMap((key) => {
		const path = pathOf(section, key);
		const [before, after] = [from, to].map((members) => (Object.hasOwn(members, key) ? members[key] : undefined));
		return before && after ? ofSection(path, before, after, ['events']) : differencesOf(path, before, after);
	});
}

/** What the service does not return of what both have. */
function unknownIn(wanted: AgentDocument, current: AgentDocument): Difference[] {
	const isMissing = (path: string) => {
		const [name, key] = path.split('.');
		const section = keyedSections.find((each) => each === name);
		return section !== undefined && !(Object.hasOwn(wanted[section], key) && Object.hasOwn(current[section], key));
	};
	const paths = new Set([...(current.notReadable ?? []), ...statedPaths(wanted).filter(isUnreadable)]);
	return [...paths]
		.filter((path) => !isMissing(path))
		.map((path) => {
			const to = valueAt(wanted, path);
			return withoutSecrets({ path, change: 'unknown', ...(to !== undefined && { to }) });
		});
}

/** The paths of all fields that a document has. */
function statedPaths(document: AgentDocument): string[] {
	const single = (['settings', 'voice'] as const).flatMap((section) =>
		Object.keys(document[section]).map((field) => pathOf(section, field)),
	);
	const keyed = keyedSections.flatMap((section) =>
		Object.entries<object>(document[section]).flatMap(([key, member]) =>
			Object.keys(member).map((field) => pathOf(section, key, field)),
		),
	);
	return [...single, ...keyed];
}

function valueAt(document: AgentDocument, path: string): unknown {
	return path.split('.').reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), document);
}

/** Hides the values of secrets in a difference, also in an action or webhook that is added. */
function withoutSecrets({ to, ...difference }: Difference): Difference {
	const field = difference.path.slice(difference.path.lastIndexOf('.') + 1);
	return to === undefined ? difference : { ...difference, to: hidden(field, to) };
}

function hidden(field: string, value: unknown): unknown {
	if (isSecretField(field)) {
		return hideSecret(value);
	}
	if (!isRecord(value)) {
		return holdsSecret(value) ? HIDDEN : value;
	}
	return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hidden(name, member)]));
}
