import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../shared/client/request';
import { isBlank } from '../../../shared/lib/json';
import { fieldsOf, type SettingSection } from '../document/agentFields';
import { compareFields, type Difference, isSet, pathOf } from '../document/differences';
import { type Environment, idOfVoice, idsOfNumbers, isOtherVoice } from './environment';
import {
	differ,
	listed,
	NEW_AGENT,
	type PlannedRequest,
	type PlanPart,
	type PlanProblem,
	type PlanTarget,
} from './plan';

/** Compares settings that only the creation of an agent can set. A difference is a problem. */
export function planFixedSettings({ document, current }: PlanTarget): Partial<PlanPart> {
	if (current.agentId === NEW_AGENT) {
		return {};
	}
	const [wanted, now] = [document.settings, current.document.settings];
	const { changed, unknown } = compareFields(fieldsOf('settings'), wanted, now);
	return {
		differences: changed.map((field) => differenceAt('settings', field, now, wanted)),
		problems: changed.map((field) => ({
			path: pathOf('settings', field),
			message: `The ${field} of the agent differs, and the service cannot change it`,
			whatToDo: `Write the ${field} of the agent into the document, or apply the document to another agent.`,
		})),
		notCompared: unknown.map((field) => pathOf('settings', field)),
	};
}

/** Plans the update of knowledge. */
export function planKnowledge(target: PlanTarget): Partial<PlanPart> {
	return partOf(target, 'knowledge', updateOf(target, 'knowledge', target.document.knowledge));
}

/** Plans the update of the voice. */
export function planVoice(target: PlanTarget, environment: Environment): Partial<PlanPart> {
	const { template, ...wanted } = target.document.voice;
	const { document, settings, agentId } = target.current;
	const { ids, problems } = isOtherVoice(template, document.voice.template)
		? idOfVoice(environment, template)
		: { ids: settings.voice.template, problems: [] as PlanProblem[] };
	const update = updateOf(target, 'voice', { ...wanted, template: template === null ? null : ids });
	const { request, changed, unknown, missing } = update;
	const part = partOf(target, 'voice', { ...update, missing: missing.includes('voice_id') ? [] : missing });
	if (missing.includes('voice_id')) {
		const message = changed.includes('template')
			? 'The agent has a voice, and the service cannot remove it'
			: `The agent lacks a voice, and without a voice the service does not change ${listed([...changed, ...unknown])}`;
		problems.push({ path: 'voice.template', message, whatToDo: 'Name a voice in the document.' });
	}
	const isReset = request && wanted.ambient_volume === undefined && agentId !== NEW_AGENT;
	const note = 'The document lacks voice.ambient_volume: the service resets it to 1 with every change of the voice.';
	return { ...part, problems: [...problems, ...(part.problems ?? [])], notes: isReset ? [note] : [] };
}

/** Plans the update of the calling settings. */
export function planCalling(target: PlanTarget, environment: Environment): Partial<PlanPart> {
	const { phone_numbers: numbers, ...wanted } = target.document.calling;
	const { ids, problems } = idsOfNumbers(environment, numbers ?? [], target.current.phoneNumberIds);
	const update = updateOf(target, 'calling', { ...wanted, phone_numbers: numbers === undefined ? undefined : ids });
	const part = partOf(target, 'calling', update);
	return { ...part, problems: [...(part.problems ?? []), ...problems] };
}

function updateOf({ current, options }: PlanTarget, section: SettingSection, wanted: object): SettingsUpdate {
	const wishes = { sendsUnknown: options.unreadableFields === 'send', isExact: false };
	return planUpdate(section, current.agentId, { ...wanted }, current.settings[section], wishes);
}

/** Turns an update into a part of a plan. */
function partOf(
	{ document, current }: PlanTarget,
	section: SettingSection,
	{ changed, unknown, missing, request }: SettingsUpdate,
): Partial<PlanPart> {
	return {
		requests: request ? [request] : [],
		differences: changed.map((field) => differenceAt(section, field, current.document[section], document[section])),
		problems: missing.map((field) => problemOf(section, field)),
		notCompared: request ? [] : unknown.map((field) => pathOf(section, field)),
	};
}

/** Returns the difference of a field as one value: a voice with another name is another voice, even in the same tier. */
function differenceAt(section: string, field: string, now: object, wanted: object): Difference {
	const [from, to] = [now, wanted].map((values) => (values as Record<string, unknown>)[field]);
	return { path: pathOf(section, field), ...(isSet(from) && { from }), ...(isSet(to) && { to }) };
}

/** Makes the problem for a field that an update requires, and that neither the document nor the agent has. */
function problemOf(section: string, field: string): PlanProblem {
	return {
		path: pathOf(section, field),
		message: `The service requires ${field} with every change of the ${section}, and neither the document nor the agent has a value`,
		whatToDo: 'Add it to the document.',
	};
}

/** The updates of an agent's settings, each `PUT /agents/{agent_id}/…`. */
const updates: Record<SettingSection, Required<Pick<ServiceRequest, 'codes'>> & { what: string }> = {
	knowledge: { what: 'Update knowledge', codes: { 403: 'UNAUTHORIZED', 404: 'AGENT_NOT_FOUND' } },
	// The agent was read or created before, so 404 means that the voice does not exist.
	voice: { what: 'Update voice', codes: { 404: 'VOICE_NOT_FOUND' } },
	calling: { what: 'Update calling settings', codes: { 404: 'AGENT_NOT_FOUND' } },
};

/** The update of one section of settings. */
interface SettingsUpdate {
	/** The names of the fields that differ. */
	changed: string[];
	/** The names of wanted fields that the service does not return. */
	unknown: string[];
	/** Required fields that neither side has, by their names in requests. If there are any, the request must not be sent. */
	missing: string[];
	/** Undefined if there is nothing to send. */
	request: PlannedRequest | undefined;
}

/** Options for which wanted values are sent. */
interface DesiredSettings {
	/** Whether to send a request only for values that cannot be compared. */
	sendsUnknown: boolean;
	/** Whether the user set each value by itself. Then no value is omitted, even if the voice does not support it. */
	isExact: boolean;
}

/**
 * Plans the update of one section of settings. The service requires some fields with every change, and may clear fields
 * that a request lacks. So the request contains the current values of all other fields.
 *
 * @param given the wanted values, by the names of the document, with IDs of the voice and the numbers; absent values do
 * not change
 * @param now the current settings, as returned by `settingsOf`
 */
export function planUpdate(
	section: SettingSection,
	agentId: string,
	given: IDataObject,
	now: IDataObject,
	{ sendsUnknown, isExact }: DesiredSettings,
): SettingsUpdate {
	const fields = fieldsOf(section);
	const wanted = Object.fromEntries(
		fields
			// For a voice that cannot be tuned, the document has null, which the service does not accept for other voices.
			.filter(([name, { isTuning }]) => !(isTuning && given[name] === null))
			.map(([name]) => [name, given[name]]),
	) as IDataObject;
	const { changed, unknown } = compareFields(fields, wanted, now);
	if (changed.length === 0 && !(sendsUnknown && unknown.length > 0)) {
		return { changed, unknown, missing: [], request: undefined };
	}
	const isOtherVoice = changed.includes('template');
	const values = fields.map(([name, { sentAs = name, isRequired, isTuning, survivesOmission }]) => {
		const isWanted = wanted[name] !== undefined;
		// A new voice does not keep the tuning of the current voice.
		const staysByItself = survivesOmission || (isTuning && isOtherVoice);
		return {
			name,
			sentAs,
			isRequired,
			isChanged: changed.includes(name),
			value: isWanted || staysByItself ? wanted[name] : now[name],
			mayBeLeftOut: isTuning && (isExact ? !isWanted : isOtherVoice || !changed.includes(name)),
		};
	});
	const sent = values.filter(({ value, isChanged }) => isSet(value) || isChanged);
	const { what, codes } = updates[section];
	return {
		changed,
		unknown,
		missing: values.filter(({ isRequired, value }) => isRequired && isBlank(value)).map(({ sentAs }) => sentAs),
		request: {
			what,
			codes,
			method: 'PUT',
			path: ['agents', agentId, section],
			body: Object.fromEntries(sent.map(({ sentAs, value }) => [sentAs, value ?? null])) as IDataObject,
			why: whySent(changed, unknown),
			makesDraft: true,
			leaveOutIfRejected: sent.filter(({ mayBeLeftOut }) => mayBeLeftOut).map(({ name }) => name),
		},
	};
}

/**
 * Returns the reason for a request.
 *
 * @param changed the names of fields that differ
 * @param unknown the names of fields that cannot be compared
 */
export function whySent(changed: readonly string[], unknown: readonly string[]): string {
	return changed.length === 0 ? `the service does not return ${listed(unknown)}` : differ(changed);
}
