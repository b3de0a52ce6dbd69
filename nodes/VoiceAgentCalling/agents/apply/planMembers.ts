import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../shared/client/request';
import { isBlank } from '../../../shared/lib/json';
import { fieldsOf, type KeyedSection } from '../document/agentFields';
import {
	compareFields,
	completed,
	type Difference,
	differencesOf,
	mergedValues,
	pathOf,
} from '../document/differences';
import { shown } from '../document/hiddenSecrets';
import { isOfThisPackage } from '../document/readAgentDocument';
import { type Existing, type Match, type Matches, naming } from './matching';
import { listed, merged, type PlannedRequest, type PlanPart, type PlanProblem, type PlanTarget } from './plan';
import { whySent } from './planSettings';

/** The properties of the request that creates and updates an action or training, and of its deletion. */
const upserts = {
	actions: {
		codes: { 403: 'UNAUTHORIZED', 404: 'AGENT_NOT_FOUND' },
		deletionCodes: { 404: 'ACTION_NOT_FOUND' },
		// The documentation does not define which field identifies an action, so a retry might create a second one.
		repeat: 'never',
	},
	trainings: {
		codes: { 404: 'AGENT_NOT_FOUND' },
		deletionCodes: { 404: 'TRAINING_NOT_FOUND' },
		// With a node ID, a second request updates the training that the first one created.
		repeat: 'safe',
	},
} as const satisfies Record<string, Pick<ServiceRequest, 'codes' | 'repeat'> & { deletionCodes: object }>;

/**
 * Plans the requests that create or update the actions, trainings or webhooks of the document. Only members that differ
 * are sent, with all of their fields in the document.
 */
export function planMembers(target: PlanTarget, section: KeyedSection, { matches, problems }: Matches): PlanPart {
	const nodeIds = section === 'webhooks' ? [] : sharedNodeIds(section, matches);
	return merged([
		{ problems: [...problems, ...nodeIds] },
		...matches.map((match) => planMember(target, section, match)),
	]);
}

function planMember(target: PlanTarget, section: KeyedSection, match: Match): Partial<PlanPart> {
	const { key, name, wanted, existing } = match;
	const path = pathOf(section, key);
	if (section === 'webhooks' && isOfThisPackage(String(wanted.webhook_url))) {
		return { problems: [ownWebhook(pathOf(path, 'webhook_url'), name)] };
	}
	const { options } = target;
	const { noun, nameField } = naming[section];
	const fields = fieldsOf(section, wanted.type).filter(([, { isIdentity }]) => !isIdentity);
	const { changed, unknown } = compareFields(fields, wanted, existing?.now ?? {});
	const isUpdate = existing !== undefined;
	if (isUpdate && changed.length === 0 && !(options.unreadableFields === 'send' && unknown.length > 0)) {
		return { notCompared: unknown.map((field) => pathOf(path, field)) };
	}
	const lacking = fields.filter(
		([field, { isReadable, survivesOmission }]) => !isReadable && !survivesOmission && wanted[field] === undefined,
	);
	const resets = isUpdate && options.unreadableFields === 'reset' ? lacking : [];
	const defaults = Object.fromEntries(resets.map(([field, row]) => [field, row.default]));
	const body = mergedValues(fields, { ...wanted, ...defaults }, existing?.now ?? {});
	const why = isUpdate ? whySent(changed, unknown) : `the agent has no ${noun} with this ${nameField}`;
	const lackingNames = lacking.map(([field]) => field);
	return {
		requests: [requestFor(target, section, match, body, why)],
		differences: differencesIn(path, match, changed),
		problems: [
			...(isUpdate && lacking.length > resets.length ? [incomplete(path, `${noun} "${key}"`, lackingNames)] : []),
			...(section === 'webhooks' ? [] : lostByUpsert(target, section, match)),
			...(section === 'webhooks' && isUpdate ? [] : missingIn(section, path, body, match)),
		],
		notes:
			!isUpdate && lacking.length > 0
				? [`The document lacks ${listed(lackingNames)} of the new ${noun} "${key}": it gets the service's defaults.`]
				: [],
	};
}

/** Returns the differences of one member. A new member is one difference. */
function differencesIn(path: string, { wanted, existing }: Match, changed: readonly string[]): Difference[] {
	return existing === undefined
		? [{ path, to: shown('', wanted) }]
		: changed.flatMap((field) => {
				const [from, to] = [existing.now, wanted].map((values) => completed(values[field]));
				return differencesOf(pathOf(path, field), from, shown(field, to));
			});
}

function requestFor(
	{ current }: PlanTarget,
	section: KeyedSection,
	{ key, name, wanted, existing }: Match,
	body: IDataObject,
	why: string,
): PlannedRequest {
	const what = `${existing ? 'Update' : 'Create'} ${naming[section].noun} "${key}"`;
	const path = ['agents', current.agentId, section];
	if (section === 'webhooks') {
		return existing
			? { what, method: 'PUT', path: [...path, existing.id], body, why, makesDraft: false }
			: { what, method: 'POST', path, body, why, makesDraft: false, repeat: 'never', identity: `webhook ${key}` };
	}
	const { codes, repeat } = upserts[section];
	const nodeId = nodeIdOf(key, wanted);
	const upserted = { section, key, name, nodeId, expectedId: existing?.id };
	return {
		what,
		method: 'POST',
		path,
		body: { node_id: nodeId, ...body },
		why,
		makesDraft: true,
		codes,
		repeat,
		upserted,
	};
}

/** Returns the node ID of an action or training: that of the document, or else its key. */
function nodeIdOf(key: string, { node_id }: Match['wanted']): string {
	return typeof node_id === 'string' ? node_id : key;
}

/** Finds node IDs that several actions or trainings of the document share: the service would treat them as one. */
function sharedNodeIds(section: KeyedSection, matches: readonly Match[]): PlanProblem[] {
	const ids = matches.map(({ key, wanted }) => nodeIdOf(key, wanted));
	return matches.flatMap(({ key }, index) => {
		const other = ids.indexOf(ids[index]);
		return other === index
			? []
			: [
					{
						path: pathOf(section, key),
						message: `"${key}" and "${matches[other].key}" have the same node ID, so that the service takes them for one`,
						whatToDo: 'Give each of them a node_id of its own.',
					},
				];
	});
}

function ownWebhook(path: string, name: string): PlanProblem {
	return {
		path,
		message: `The webhook "${name}" delivers to a Voice Agent Calling Trigger or to a waiting execution`,
		whatToDo: 'Take it out of the document: triggers register themselves when their workflow is published.',
	};
}

/** Makes the problem for an update that would reset fields that the service does not return and the document lacks. */
function incomplete(path: string, what: string, fields: readonly string[]): PlanProblem {
	return {
		path,
		message: `The ${what} has to be updated, and the document lacks ${listed(fields)}. The service does not return ${fields.length === 1 ? 'it' : 'them'}, so the update could reset what was set`,
		whatToDo: "Add what is missing to the document, or set Options → 'Unreadable Fields' to Reset.",
	};
}

/**
 * Finds values that Export left out because they hold a secret or were not returned. An upsert replaces all values, so
 * these would be lost.
 */
function lostByUpsert({ current }: PlanTarget, section: KeyedSection, { key, wanted, existing }: Match): PlanProblem[] {
	const lost = existing
		? fieldsOf(section, wanted.type).filter(
				([field, { isReadable }]) =>
					isReadable &&
					wanted[field] === undefined &&
					current.document.notReadable?.includes(pathOf(section, existing.key, field)),
			)
		: [];
	return lost.map(([field]) => ({
		path: pathOf(section, key, field),
		message: `The document lacks the ${field}, and the one of the agent is not shown because it holds a secret`,
		whatToDo: 'Add it to the document: an update replaces it.',
	}));
}

/** Finds required fields that the request would lack. */
function missingIn(section: KeyedSection, path: string, body: IDataObject, { wanted, existing }: Match): PlanProblem[] {
	const required = fieldsOf(section).filter(([field, { isRequired }]) => isRequired && isBlank(body[field]));
	const isWithoutUrl = existing === undefined && wanted.type === 'webhook' && wanted.url === undefined;
	return [
		...required.map(([field]) => ({
			path: pathOf(path, field),
			message: `The service requires the ${field} of ${section === 'actions' ? 'an action' : `a ${naming[section].noun}`}`,
			whatToDo: 'Add it to the document.',
		})),
		...(isWithoutUrl
			? [
					{
						path: pathOf(path, 'url'),
						message: 'The document lacks the url of a new action, which would do nothing without it',
						whatToDo: 'Add it to the document: Export leaves out a URL that holds a secret.',
					},
				]
			: []),
	];
}

/** Plans the deletion of actions or trainings that the document does not contain, if the user wants it. */
export function planOthers(
	{ options, current }: PlanTarget,
	section: KeyedSection,
	others: readonly Existing[],
): PlanPart {
	const { noun } = naming[section];
	if (!options.removeOthers || section === 'webhooks') {
		const kept = ({ name }: Existing) => `The agent keeps the ${noun} "${name}", which the document does not contain.`;
		return merged([{ notes: others.map(kept) }]);
	}
	return merged(
		others.map(({ id, key, name, now }) => ({
			differences: [{ path: pathOf(section, key), from: now }],
			requests: [
				{
					what: `Delete ${noun} "${name}"`,
					method: 'DELETE',
					path: ['agents', current.agentId, section, id],
					why: 'the document does not contain it',
					makesDraft: true,
					codes: upserts[section].deletionCodes,
				},
			],
		})),
	);
}
