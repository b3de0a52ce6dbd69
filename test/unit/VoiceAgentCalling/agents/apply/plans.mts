import type { IDataObject } from 'n8n-workflow';

import type { ApplyOptions } from '../../../../../nodes/VoiceAgentCalling/agents/apply/plan.ts';
import { planAgent } from '../../../../../nodes/VoiceAgentCalling/agents/apply/planAgent.ts';
import type { AgentDocument } from '../../../../../nodes/VoiceAgentCalling/agents/document/document.ts';
import type { AgentSnapshot } from '../../../../../nodes/VoiceAgentCalling/agents/document/readAgentDocument.ts';

const OPTIONS: ApplyOptions = {
	removeOthers: false,
	unreadableFields: 'leave',
	publishAfterwards: 'ifPublished',
};

const VOICES: IDataObject[] = [
	['Aurora', 'en-US', 'basic'],
	['Aurora', 'en-US', 'pro'],
	['Aurora', 'en-US', 'ultra'],
	['Friederike', 'de-DE', 'beta'],
].map(([name, language, quality_tier]) => ({ id: `${name}-${quality_tier}`, name, language, quality_tier }));

/** The phone numbers of the environment. */
export const NUMBERS: IDataObject[] = ['+12025550123', '+12025550145', '+442079460018'].map((number) => ({
	id: `id of ${number}`,
	number,
}));

/** What the service returns of the members of a section, written out by hand. */
export const READABLE: Record<string, readonly string[]> = {
	settings: ['name', 'label'],
	voice: [
		'template',
		'language',
		'conversation_speed',
		'who_speaks_first',
		'ambient_background',
		'similarity',
		'stability',
	],
	actions: [
		'name',
		'description',
		'type',
		'inputs',
		'url',
		'authorization_url',
		'transfer_to',
		'hold_duration',
		'current_status',
	],
	trainings: ['subject', 'instructions', 'current_status'],
	webhooks: ['name', 'webhook_url', 'events', 'timeout', 'max_retries', 'enabled'],
};

/** Some fields of an object. */
export const pick = (values: object, fields: readonly string[]) =>
	Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field)));

/** The agent that has what a document says, as it is read from the service. */
export function agentOf(document: AgentDocument, isPublished = true): AgentSnapshot {
	const members = (section: 'actions' | 'trainings' | 'webhooks') =>
		Object.entries(document[section]).map(([key, member]) => [key, pick(member, READABLE[section])]);
	const idsOf = (section: 'actions' | 'trainings' | 'webhooks') =>
		new Map(Object.keys(document[section]).map((key) => [key, `${section} ${key}`]));
	const read = {
		...document,
		settings: pick(document.settings, READABLE.settings),
		voice: pick(document.voice, READABLE.voice),
		...Object.fromEntries(
			(['actions', 'trainings', 'webhooks'] as const).map((each) => [each, Object.fromEntries(members(each))]),
		),
	} as AgentDocument;
	return {
		document: structuredClone(read),
		agentId: 'agent',
		isPublished,
		ids: { actions: idsOf('actions'), trainings: idsOf('trainings'), webhooks: idsOf('webhooks') },
		settings: settingsIn(read),
		phoneNumberIds: new Map(document.calling.phone_numbers?.map((number) => [number, `id of ${number}`])),
	};
}

/** The settings of an agent that has what a document says, with IDs. */
function settingsIn({ knowledge, voice, calling }: AgentDocument) {
	const template = voice.template === null ? null : 'the voice of the agent';
	const phone_numbers = calling.phone_numbers?.map((number) => `id of ${number}`);
	return {
		knowledge,
		voice: { ...voice, template },
		calling: { ...calling, phone_numbers },
	} as AgentSnapshot['settings'];
}

/** What makes an agent match a document. */
export const plan = (
	document: AgentDocument,
	agent: AgentSnapshot | undefined,
	options: Partial<ApplyOptions> = {},
	phoneNumbers = NUMBERS,
) =>
	planAgent({
		document,
		agent: agent && { ...agent, settings: settingsIn(agent.document) },
		wasPublished: agent?.isPublished ?? false,
		environment: { voices: VOICES, phoneNumbers },
		options: { ...OPTIONS, ...options },
	});
