import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { webhooksIn } from '../../../shared/client/pagination';
import { objectIn } from '../../../shared/client/refusals';
import { isPublished } from '../../../shared/client/statuses';
import { unreadable } from '../../../shared/errors/serviceError';
import { isRecord } from '../../../shared/lib/json';
import { namedInUrl } from '../../../shared/owner';
import { isTestUrl, isTriggerUrl } from '../../../shared/triggerSecrets/triggerUrl';
import { withReferences } from './actionReferences';
import {
	agentFields,
	fieldsOf,
	type KeyedSection,
	keyedSections,
	type Section,
	type SettingSection,
} from './agentFields';
import { inOrder, pathOf } from './differences';
import { type AgentDocument, SCHEMA_URL, SCHEMA_VERSION } from './document';
import { holdsSecret } from './hiddenSecrets';
import { byKey, compareTexts, namesOf, readVoices, slugOf } from './names';

/** The current state of an agent at the service. */
export interface AgentSnapshot {
	/** Without IDs, timestamps and secrets. */
	document: AgentDocument;
	agentId: string;
	isPublished: boolean;
	/** The IDs of the actions, trainings and webhooks, by their keys in the document. */
	ids: Record<KeyedSection, ReadonlyMap<string, string>>;
	/** With IDs in place of names. */
	settings: Settings;
	/** The IDs of the agent's phone numbers, by their numbers in E.164. */
	phoneNumberIds: ReadonlyMap<string, string>;
}

/** The settings that can be updated, with the field names of a document, but with IDs of the voice and the numbers. */
export type Settings = Record<SettingSection, IDataObject>;

/** The parts of an agent that the service always returns: lists, and the voice, which may be null. */
const PARTS = ['voice', 'phone_numbers', 'actions', 'trainings'];

/**
 * Reads an agent with its flow and its webhooks, and turns it into a document. It sends only GET requests. Two documents
 * of an unchanged agent are identical to the byte.
 *
 * @throws ServiceError `AGENT_NOT_FOUND`
 */
export async function readAgentDocument(api: Api, agentId: string): Promise<AgentSnapshot> {
	const path = ['agents', agentId];
	const codes = { 404: 'AGENT_NOT_FOUND' } as const;
	const agent = objectIn(await api.request({ method: 'GET', path, codes }), 'the agent');
	// A missing part would look like an empty one, and Apply would create its members a second time.
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
 * Returns the settings of an agent that can be updated.
 *
 * @param agent from `GET /agents/{agent_id}`
 */
export function settingsOf(agent: IDataObject): Settings {
	const voice = isRecord(agent.voice) ? (agent.voice as IDataObject) : undefined;
	const template = isRecord(voice?.template) ? (voice.template as IDataObject).id : undefined;
	const none = { template: null, ambient_background: null, similarity: null, stability: null };
	const ofVoice = voice ? { ...voice, similarity: voice.similarity_boost, template } : agent.voice === null && none;
	const { language, conversation_speed, who_speaks_first } = agent;
	return {
		knowledge: picked('knowledge', agent),
		voice: picked('voice', { ...ofVoice, language, conversation_speed, who_speaks_first }),
		calling: picked('calling', {
			direction: agent.direction,
			phone_numbers: Array.isArray(agent.phone_numbers) ? records(agent.phone_numbers).map(({ id }) => id) : undefined,
		}),
	};
}

/**
 * Turns the responses of the service into a document.
 *
 * @param agent from `GET /agents/{agent_id}`
 * @param flow from `GET /agents/{agent_id}/flow`
 * @param webhooks all webhooks of the agent
 * @param voices see {@link readVoices}
 */
export function documentOf(
	agentId: string,
	agent: IDataObject,
	flow: IDataObject,
	webhooks: readonly IDataObject[],
	voices: readonly IDataObject[],
): AgentSnapshot {
	const actions = byKey(records(agent.actions), ({ name }) => slugOf(String(name), 'action'));
	const trainings = byKey(records(agent.trainings), ({ subject }) => slugOf(String(subject), 'training'));
	const others = byKey(
		webhooks.filter(({ webhook_url }) => !isOfThisPackage(String(webhook_url))),
		({ name }) => slugOf(String(name), 'webhook'),
	);
	const ids = { actions: idsOf(actions), trainings: idsOf(trainings), webhooks: idsOf(others) };
	const keysById = new Map([...ids.actions].map(([key, id]) => [id, key]));
	const numbers = records(agent.phone_numbers).map(({ number, id }) => [String(number), String(id)] as const);
	const settings = settingsOf(agent);
	const document = {
		$schema: SCHEMA_URL,
		schemaVersion: SCHEMA_VERSION,
		settings: picked('settings', agent),
		knowledge: settings.knowledge,
		voice: { ...settings.voice, template: voiceTemplate(agent.voice, voices) },
		calling: { ...settings.calling, phone_numbers: numbers.map(([number]) => number).sort(compareTexts) },
		conversation: {
			...picked('conversation', flow),
			flow_config:
				flow.flow_config == null ? null : inOrder(withReferences(flow.flow_config, keysById), compareMembers),
		},
		actions: mapped(actions, (action) => picked('actions', withValues(action))),
		trainings: mapped(trainings, (training) => picked('trainings', training)),
		webhooks: mapped(others, ({ events, ...webhook }) =>
			picked('webhooks', {
				...webhook,
				events: Array.isArray(events) ? events.map(String).sort(compareTexts) : events,
			}),
		),
	} as unknown as AgentDocument;
	return {
		document: { ...document, notReadable: unknownIn(document) },
		agentId,
		isPublished: isPublished(agent.current_status),
		ids,
		settings,
		phoneNumberIds: new Map(numbers),
	};
}

/** Picks the readable fields of a section from an object, without URLs that contain a secret. */
function picked(section: Section, from: IDataObject): IDataObject {
	const isKnown = (field: string) => from[field] !== undefined && !(/url$/.test(field) && holdsSecret(from[field]));
	const present = fieldsOf(section, section === 'actions' ? from.type : undefined).filter(
		([field, { isReadable }]) => isReadable && isKnown(field),
	);
	return Object.fromEntries(present.map(([field]) => [field, from[field]]));
}

/** Returns the paths of all fields that a document lacks because the service never returns them, or did not return them. */
function unknownIn(document: AgentDocument): string[] {
	const unknown = (Object.keys(agentFields) as Section[]).flatMap((section) => {
		const part = document[section] as Record<string, object>;
		const isKeyed = keyedSections.some((each) => each === section);
		const objects = isKeyed ? Object.entries(part).map(([key, each]) => [pathOf(section, key), each] as const) : [];
		return (isKeyed ? objects : [[section, part] as const]).flatMap(([path, object]) =>
			fieldsOf(section, 'type' in object ? object.type : undefined)
				.filter(([field]) => !(field in object))
				.map(([field]) => pathOf(path, field)),
		);
	});
	const { template } = document.voice;
	const names = template ? ['language', 'quality_tier'].filter((name) => !(name in template)) : [];
	return [...unknown, ...names.map((name) => pathOf('voice', 'template', name))].sort(compareTexts);
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

/** Returns the voice by its names. Only the list of all voices has its language and tier. */
function voiceTemplate(voice: unknown, voices: readonly IDataObject[]): AgentDocument['voice']['template'] {
	if (!isRecord(voice)) {
		return null;
	}
	const { id, name } = (isRecord(voice.template) ? voice.template : voice) as IDataObject;
	return namesOf(voices.find((each) => each.id === id) ?? { name });
}

const phoneNumber = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const seconds = (value: unknown) => (Number.isInteger(value) ? value : undefined);

/** For types of actions, the setting that the service returns as the value of an input. */
const valueInputs: Record<string, { field: string; read: (value: unknown) => unknown }> = {
	transfer: { field: 'transfer_to', read: phoneNumber },
	hold: { field: 'hold_duration', read: seconds },
};

/** Adds `inputs` to an action, and the setting in {@link valueInputs}: null if it is not set. */
function withValues(action: IDataObject): IDataObject {
	const inputs = records(action.input_schema);
	const setting = valueInputs[String(action.type)];
	const holder =
		setting && inputs.find(({ name, value }) => name === setting.field && setting.read(value) !== undefined);
	return {
		...action,
		inputs: inputs.filter((input) => input !== holder).map(inputOf),
		...(setting && { [setting.field]: holder?.value ?? null }),
	};
}

/** Returns an input with its members in a fixed order. */
function inputOf({ name, type, required, description, value }: IDataObject): IDataObject {
	const input = { name, type, required, description, value };
	return Object.fromEntries(Object.entries(input).filter(([, member]) => member !== undefined)) as IDataObject;
}

/**
 * Whether a webhook belongs to this package. Such webhooks do not belong in a document: a trigger registers itself, and a
 * waiting execution ends before the document is applied.
 */
export function isOfThisPackage(url: string): boolean {
	const ofTrigger = namedInUrl(url).owner !== undefined && (isTriggerUrl(url) || isTestUrl(url));
	return ofTrigger || url.includes('/webhook-waiting/');
}

/** The first members of a flow, a node or a branch, in this order. Other members follow in alphabetical order. */
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
