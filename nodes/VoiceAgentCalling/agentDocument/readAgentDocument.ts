import type { IDataObject } from 'n8n-workflow';

import { unreadable } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { namedInUrl } from '../../shared/nodeLink/owner';
import { isTestUrl, isTriggerUrl } from '../../shared/nodeLink/triggerUrl';
import { webhooksIn } from '../../shared/service/pagination';
import { isPublished } from '../../shared/service/publishedAgent';
import { objectIn } from '../../shared/service/refusals';
import type { Api } from '../sending/api';
import { withReferences } from './actionReferences';
import { inOrder, pathOf } from './differences';
import { type AgentDocument, keyedSections, knowledgeFields, SCHEMA_URL, SCHEMA_VERSION } from './document';
import { byKey, compareTexts, readVoices, slugOf, voiceName } from './names';
import { unreadableIn } from './notReadable';
import { holdsSecret } from './secretUrl';

/** An agent as the service has it. */
export interface DocumentedAgent {
	/** Without IDs, timestamps and secrets. */
	document: AgentDocument;
	agentId: string;
	isPublished: boolean;
	/** The IDs of what the document names by keys, by these keys. */
	actionIds: ReadonlyMap<string, string>;
	trainingIds: ReadonlyMap<string, string>;
	webhookIds: ReadonlyMap<string, string>;
	/** The ID of the voice template; undefined for an agent without a voice. */
	voiceId: string | undefined;
	/** The IDs of the agent's phone numbers, by their numbers in E.164. */
	phoneNumberIds: ReadonlyMap<string, string>;
}

/** Collects the paths of what the service should return and does not. */
type Missing = string[];

/** The parts of an agent that the service always returns: a list, or the voice, which may be null. */
const PARTS = ['voice', 'phone_numbers', 'actions', 'trainings'];

/**
 * Reads an agent with its flow and its webhooks, and turns it into a document. Sends only GET requests. Two documents of
 * the same agent are equal to the byte.
 *
 * @throws ServiceError `AGENT_NOT_FOUND`
 */
export async function readAgentDocument(api: Api, agentId: string): Promise<DocumentedAgent> {
	const path = ['agents', agentId];
	const codes = { 404: 'AGENT_NOT_FOUND' } as const;
	const agent = objectIn(await api.request({ method: 'GET', path, codes }), 'the agent');
	// Otherwise what the agent has would look like nothing, and be created a second time.
	const missing = PARTS.filter((name) => agent[name] === undefined);
	if (missing.length > 0) {
		throw unreadable(`without ${missing.join(', ')} of the agent`);
	}
	const flow = objectIn(await api.request({ method: 'GET', path: [...path, 'flow'], codes }), 'the flow');
	const listed = { method: 'GET', path: [...path, 'webhooks'], codes } as const;
	const webhooks = await api.whole(listed, webhooksIn);
	const template = isRecord(agent.voice) && isRecord(agent.voice.template) ? agent.voice.template : undefined;
	const voices = template === undefined ? [] : await readVoices(api);
	return documentOf(agentId, agent as IDataObject, flow as IDataObject, webhooks, voices);
}

/**
 * Turns the answers of the service into a document.
 *
 * @param agent of `GET /agents/{agent_id}`
 * @param flow of `GET /agents/{agent_id}/flow`
 * @param webhooks all webhooks of the agent
 * @param voices see {@link readVoices}
 */
export function documentOf(
	agentId: string,
	agent: IDataObject,
	flow: IDataObject,
	webhooks: readonly IDataObject[],
	voices: readonly IDataObject[],
): DocumentedAgent {
	const missing: Missing = [];
	const actions = byKey(records(agent.actions), ({ name }) => slugOf(String(name), 'action'));
	const trainings = byKey(records(agent.trainings), ({ subject }) => slugOf(String(subject), 'training'));
	const others = byKey(
		webhooks.filter(({ webhook_url }) => !isOfThisPackage(String(webhook_url))),
		({ name }) => slugOf(String(name), 'webhook'),
	);
	const keysById = new Map([...idsOf(actions)].map(([key, id]) => [id, key]));
	const numbers = records(agent.phone_numbers).map(({ number, id }) => [String(number), String(id)] as const);
	const voice = isRecord(agent.voice) ? (agent.voice as IDataObject) : undefined;
	const document = {
		$schema: SCHEMA_URL,
		schemaVersion: SCHEMA_VERSION,
		settings: taken(agent, ['name', 'label'], 'settings', missing),
		knowledge: taken(agent, knowledgeFields, 'knowledge', missing),
		voice: {
			...voiceTemplate(voice, voices, missing),
			...taken(agent, ['language', 'conversation_speed', 'who_speaks_first'], 'voice', missing),
			...(voice && {
				...taken(voice, ['ambient_background'], 'voice', missing),
				...taken({ ...voice, similarity: voice.similarity_boost }, ['similarity', 'stability'], 'voice', missing),
			}),
		},
		calling: {
			...taken(agent, ['direction'], 'calling', missing),
			phone_numbers: numbers.map(([number]) => number).sort(compareTexts),
		},
		conversation: {
			...taken(flow, ['conversation_mode'], 'conversation', missing),
			flow_config:
				flow.flow_config == null ? null : inOrder(withReferences(flow.flow_config, keysById), compareMembers),
		},
		actions: mapped(actions, (action, key) => actionOf(action, key, missing)),
		trainings: mapped(trainings, (training, key) =>
			taken(training, ['subject', 'instructions', 'current_status'], pathOf('trainings', key), missing),
		),
		webhooks: mapped(others, (webhook, key) => webhookOf(webhook, key, missing)),
	} as AgentDocument;
	return {
		document: { ...document, notReadable: [...alwaysUnreadable(document), ...missing].sort(compareTexts) },
		agentId,
		isPublished: isPublished(agent.current_status),
		actionIds: idsOf(actions),
		trainingIds: idsOf(trainings),
		webhookIds: idsOf(others),
		voiceId: isRecord(voice?.template) ? String(voice.template.id) : undefined,
		phoneNumberIds: new Map(numbers),
	};
}

function records(list: unknown): IDataObject[] {
	return (Array.isArray(list) ? list.filter(isRecord) : []) as IDataObject[];
}

function idsOf(objects: ReadonlyMap<string, IDataObject>): Map<string, string> {
	return new Map([...objects].map(([key, { id }]) => [key, String(id)]));
}

function mapped<Value>(
	objects: ReadonlyMap<string, IDataObject>,
	map: (item: IDataObject, key: string) => Value,
): Record<string, Value> {
	return Object.fromEntries([...objects].map(([key, item]) => [key, map(item, key)]));
}

/** The values of some fields. One that the service does not return is left out and noted, and so is a secret URL. */
function taken(from: IDataObject, fields: readonly string[], section: string, missing: Missing): IDataObject {
	const isKnown = (field: string) => from[field] !== undefined && !(/url$/.test(field) && holdsSecret(from[field]));
	const present = fields.filter(isKnown);
	missing.push(...fields.filter((field) => !isKnown(field)).map((field) => pathOf(section, field)));
	return Object.fromEntries(present.map((field) => [field, from[field]]));
}

/** The voice by its names: the service names it in the agent, and its language and tier in the list of all voices. */
function voiceTemplate(
	voice: IDataObject | undefined,
	voices: readonly IDataObject[],
	missing: Missing,
): { template: AgentDocument['voice']['template'] } {
	if (voice === undefined) {
		return { template: null };
	}
	const { id, name } = (isRecord(voice.template) ? voice.template : voice) as IDataObject;
	const found = voices.find((each) => each.id === id);
	const named = taken(found ?? {}, ['language', 'quality_tier'], 'voice.template', missing);
	return { template: { name: found ? voiceName(found) : String(name), ...named } };
}

const phoneNumber = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const seconds = (value: unknown) => (Number.isInteger(value) ? value : undefined);

/** The settings that an action of a type returns as the value of an input. */
const valueInputs: Record<string, { field: string; read: (value: unknown) => unknown }> = {
	transfer: { field: 'transfer_to', read: phoneNumber },
	hold: { field: 'hold_duration', read: seconds },
};

function actionOf(action: IDataObject, key: string, missing: Missing): IDataObject {
	const inputs = records(action.input_schema);
	const setting = valueInputs[String(action.type)];
	const holder =
		setting && inputs.find(({ name, value }) => name === setting.field && setting.read(value) !== undefined);
	return {
		...taken(action, ['name', 'description', 'type'], pathOf('actions', key), missing),
		inputs: inputs.filter((input) => input !== holder).map(inputOf),
		...(action.type === 'webhook' && taken(action, ['url', 'authorization_url'], pathOf('actions', key), missing)),
		...(holder && { [setting.field]: holder.value }),
		...taken(action, ['current_status'], pathOf('actions', key), missing),
	};
}

/** An input with its members in one order. */
function inputOf({ name, type, required, description, value }: IDataObject): IDataObject {
	const input = { name, type, required, description, value };
	return Object.fromEntries(Object.entries(input).filter(([, member]) => member !== undefined)) as IDataObject;
}

function webhookOf(webhook: IDataObject, key: string, missing: Missing): IDataObject {
	const fields = ['name', 'webhook_url', 'events', 'timeout', 'max_retries', 'enabled'];
	const values = taken(webhook, fields, pathOf('webhooks', key), missing);
	return Array.isArray(values.events) ? { ...values, events: values.events.map(String).sort(compareTexts) } : values;
}

/**
 * Whether a webhook belongs to this package: a trigger registers itself wherever it is published, and an execution that
 * waits is over when the document is used.
 */
export function isOfThisPackage(url: string): boolean {
	const ofTrigger = namedInUrl(url).owner !== undefined && (isTriggerUrl(url) || isTestUrl(url));
	return ofTrigger || url.includes('/webhook-waiting/');
}

/** The paths of all that the service never returns, of an agent with these actions, trainings and webhooks. */
function alwaysUnreadable(document: AgentDocument): string[] {
	const single = (['settings', 'voice'] as const).flatMap((section) =>
		unreadableIn(section).map(({ field }) => pathOf(section, field)),
	);
	const keyed = keyedSections.flatMap((section) =>
		Object.entries<object>(document[section]).flatMap(([key, member]) =>
			unreadableIn(section, 'type' in member ? String(member.type) : undefined).map(({ field }) =>
				pathOf(section, key, field),
			),
		),
	);
	return [...single, ...keyed];
}

/** The members of a node that come first, in this order; the others follow in the order of their names. */
const FIRST_MEMBERS = [
	'initial_node_id',
	'meta',
	'nodes',
	'id',
	'name',
	'type',
	'content',
	'match',
	'next',
	'branches',
];

const rank = (name: string) => (FIRST_MEMBERS.includes(name) ? FIRST_MEMBERS.indexOf(name) : FIRST_MEMBERS.length);

/** Compares the names of members by their order in a document. */
function compareMembers(left: string, right: string): number {
	return rank(left) - rank(right) || compareTexts(left, right);
}
