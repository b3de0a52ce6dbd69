import type { IDataObject } from 'n8n-workflow';

import { isSet, pathOf } from '../agentDocument/differences';
import { type AgentDocument, knowledgeFields } from '../agentDocument/document';
import { type VoiceNames, voicesNamed } from '../agentDocument/names';
import { unreadableIn } from '../agentDocument/notReadable';
import type { DocumentedAgent } from '../agentDocument/readAgentDocument';
import { changedFields, isSameSet, mergedFields, setMembers, unknownFields } from './changedFields';
import { numberIds } from './phoneNumberIds';
import { NEW_AGENT, type Planning } from './plan';
import { differ, listed } from './wording';

type Fields = readonly string[];

const FIXED: Fields = ['name', 'label'];

/** Reports settings that only the creation of an agent can set. */
export function planFixedSettings(planning: Planning): void {
	const { document, current, problems, notCompared } = planning;
	if (current.agentId === NEW_AGENT) {
		return;
	}
	const { settings } = document;
	for (const field of changedFields(settings, current.document.settings, FIXED)) {
		problems.push({
			path: pathOf('settings', field),
			message: `The ${field} of the agent differs, and the service cannot change it`,
			whatToDo: `Write the ${field} of the agent into the document, or apply the document to another agent.`,
		});
	}
	const unknown = unreadableIn('settings')
		.map(({ field }) => field)
		.filter((field) => isSet(settings[field as keyof typeof settings]));
	notCompared.push(...unknown.map((field) => pathOf('settings', field)));
}

/** Plans `PUT /agents/{agent_id}/knowledge`, which requires all fields but the first message. */
export function planKnowledge(planning: Planning): void {
	const { document, current, agentPath } = planning;
	const [wanted, now] = [document.knowledge, current.document.knowledge];
	const changed = changedFields(wanted, now, knowledgeFields);
	if (changed.length === 0) {
		notCompare(planning, 'knowledge', unknownFields(wanted, now, knowledgeFields));
		return;
	}
	const { initial_message, ...required } = mergedFields(wanted, now, knowledgeFields);
	reportMissing(planning, 'knowledge', required);
	planning.requests.push({
		what: 'Update knowledge',
		method: 'PUT',
		path: [...agentPath, 'knowledge'],
		body: {
			...(required as IDataObject),
			...((isSet(initial_message) || changed.includes('initial_message')) && {
				initial_message: initial_message as string | null,
			}),
		},
		why: differ(changed),
		makesDraft: true,
		codes: { 404: 'AGENT_NOT_FOUND' },
	});
}

/** Reports fields that a request requires, and that neither the document nor the service has. */
function reportMissing({ problems }: Planning, section: string, required: Record<string, unknown>): void {
	for (const [field, value] of Object.entries(required)) {
		if (!isSet(value) || value === '') {
			problems.push({
				path: pathOf(section, field),
				message: `The service requires ${field} with every change of the ${section}, and neither the document nor the agent has a value`,
				whatToDo: 'Add it to the document.',
			});
		}
	}
}

function notCompare({ notCompared }: Planning, section: string, fields: Fields): void {
	notCompared.push(...fields.map((field) => pathOf(section, field)));
}

const TUNING = ['similarity', 'stability'] as const;
const VOICE: Fields = ['language', 'conversation_speed', 'who_speaks_first', 'ambient_background', ...TUNING];

type Voice = AgentDocument['voice'];

/** Whether the agent has the voice of the document. Names that the document leaves out match all. */
export function hasVoice(wanted: Voice['template'], current: Voice['template']): boolean {
	if (wanted === undefined || wanted === null) {
		return wanted === undefined || !isSet(current);
	}
	const names = Object.entries(wanted) as Array<[keyof VoiceNames, string]>;
	return isSet(current) && names.every(([name, value]) => !isSet(value) || current?.[name] === value);
}

/**
 * Plans `PUT /agents/{agent_id}/voice`, which requires the voice, its speed and who speaks first.
 *
 * @param voices all voices of the environment; needed only for another voice
 */
export function planVoice(planning: Planning, voices: readonly IDataObject[]): void {
	const { document, current, options, agentPath, problems, notes } = planning;
	const [{ template, ...wanted }, { template: currentTemplate, ...now }] = [document.voice, current.document.voice];
	const isOther = !hasVoice(template, currentTemplate);
	const changed = changedFields(wanted, now, VOICE);
	const sendsUnreadable =
		options.unreadableFields === 'send' && wanted.ambient_volume !== undefined && current.voiceId !== undefined;
	if (!isOther && changed.length === 0 && !sendsUnreadable) {
		notCompare(planning, 'voice', unknownFields(wanted, now, [...VOICE, 'ambient_volume']));
		return;
	}
	if (template === null || (template === undefined && current.voiceId === undefined)) {
		problems.push({
			path: 'voice.template',
			message: isOther
				? 'The agent has a voice, and the service cannot take it away'
				: `The agent has no voice, and without one the service does not change ${listed(changed)}`,
			whatToDo: 'Name a voice in the document.',
		});
		return;
	}
	const voiceId = isOther && template ? idOfVoice(planning, template, voices) : current.voiceId;
	const { language, conversation_speed, who_speaks_first, ambient_background, ...tuning } = mergedFields(
		wanted,
		// Another voice does not take over the tuning of the current one.
		isOther ? { ...now, similarity: undefined, stability: undefined } : now,
		VOICE,
	);
	reportMissing(planning, 'voice', { conversation_speed, who_speaks_first });
	const isReset = wanted.ambient_volume === undefined && current.agentId !== NEW_AGENT;
	if (isReset) {
		notes.push('The document lacks voice.ambient_volume: the service resets it to 1 with every change of the voice.');
	}
	planning.requests.push({
		what: 'Update voice',
		method: 'PUT',
		path: [...agentPath, 'voice'],
		body: {
			voice_id: voiceId,
			conversation_speed,
			who_speaks_first,
			...setMembers({ language, ambient_background, ambient_volume: wanted.ambient_volume, ...tuning }),
			...(changed.includes('ambient_background') && { ambient_background: ambient_background ?? null }),
		} as IDataObject,
		why: reasonOf([...(isOther ? ['template'] : []), ...changed]),
		makesDraft: true,
		// Only some voices have them, and the service may return them for all. Where one differs, a person wants it.
		leaveOutIfRejected: TUNING.filter((field) => isSet(tuning[field]) && (isOther || !changed.includes(field))),
		// The agent was read or created before, so 404 means that the voice does not exist.
		codes: { 404: 'VOICE_NOT_FOUND' },
	});
}

/** Why something is sent. */
export function reasonOf(changed: Fields): string {
	return changed.length === 0 ? 'Unreadable Fields is set to Send' : differ(changed);
}

/** The ID of the voice with these names. Reports names that fit no voice, or several. */
function idOfVoice({ problems }: Planning, names: VoiceNames, voices: readonly IDataObject[]): string | undefined {
	const found = voicesNamed(voices, names);
	if (found.length === 1) {
		return String(found[0].id);
	}
	const called = listed(Object.values(setMembers(names)).map((name) => `"${name}"`));
	problems.push({
		path: 'voice.template',
		message: `This environment has ${found.length === 0 ? 'no voice' : `${found.length} voices`} with the names ${called}`,
		whatToDo:
			found.length === 0
				? 'Name one of its voices in the document: Voice Template → Get Many lists them.'
				: 'Add the language and the tier of the voice to the document.',
	});
	return undefined;
}

/**
 * Plans `PUT /agents/{agent_id}/calling`, which requires the direction.
 *
 * @param phoneNumbers the phone numbers of the environment; needed only for those that the agent does not have
 */
export function planCalling(planning: Planning, phoneNumbers: readonly IDataObject[]): void {
	const { document, current, agentPath, problems } = planning;
	const [wanted, now] = [document.calling, current.document.calling];
	const hasOtherNumbers =
		wanted.phone_numbers !== undefined && !isSameSet(wanted.phone_numbers, now.phone_numbers ?? []);
	const changed = [...changedFields(wanted, now, ['direction']), ...(hasOtherNumbers ? ['phone_numbers'] : [])];
	if (changed.length === 0) {
		notCompare(planning, 'calling', unknownFields(wanted, now, ['direction']));
		return;
	}
	const { direction } = mergedFields(wanted, now, ['direction']);
	reportMissing(planning, 'calling', { direction });
	const { ids, problems: unresolved } = numberIds(wanted.phone_numbers ?? [], current.phoneNumberIds, phoneNumbers);
	problems.push(...unresolved);
	planning.requests.push({
		what: 'Update calling settings',
		method: 'PUT',
		path: [...agentPath, 'calling'],
		body: {
			direction: direction as string,
			...(wanted.phone_numbers && { phone_number_ids: [...ids.values()] }),
		},
		why: differ(changed),
		makesDraft: true,
		codes: { 404: 'AGENT_NOT_FOUND' },
	});
}

/** Whether the voices of the environment are needed to plan. @param current undefined for a new agent */
export function needsVoices({ voice }: AgentDocument, current: DocumentedAgent | undefined): boolean {
	return isSet(voice.template) && !hasVoice(voice.template, current?.document.voice.template ?? null);
}

/** Whether the phone numbers of the environment are needed to plan. @param current undefined for a new agent */
export function needsPhoneNumbers({ calling }: AgentDocument, current: DocumentedAgent | undefined): boolean {
	return (calling.phone_numbers ?? []).some((number) => !current?.phoneNumberIds.has(number));
}
