import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../shared/client/request';
import { isBlank } from '../../../shared/lib/json';
import { fieldsOf, type SettingSection } from '../document/agentFields';
import { isSet } from '../document/differences';
import { compareFields } from './comparing';
import type { PlannedRequest } from './plan';
import { differ, listed } from './wording';

/** The updates of an agent's settings, each `PUT /agents/{agent_id}/…`. */
const updates: Record<SettingSection, Required<Pick<ServiceRequest, 'codes'>> & { what: string }> = {
	knowledge: { what: 'Update knowledge', codes: { 403: 'UNAUTHORIZED', 404: 'AGENT_NOT_FOUND' } },
	// The agent was read or created before, so 404 means that the voice does not exist.
	voice: { what: 'Update voice', codes: { 404: 'VOICE_NOT_FOUND' } },
	calling: { what: 'Update calling settings', codes: { 404: 'AGENT_NOT_FOUND' } },
};

/** The update of one section of settings. */
export interface SettingsUpdate {
	/** The names of the fields that differ. */
	changed: string[];
	/** The names of those that are wanted and that the service does not return. */
	unknown: string[];
	/** Those that the service requires and neither side has, by their names in requests; then it must not be sent. */
	missing: string[];
	/** Undefined if there is nothing to send. */
	request: PlannedRequest | undefined;
}

/** Which wanted values are sent. */
interface DesiredSettings {
	/** Whether values that cannot be compared are a reason for a request. */
	sendsUnknown: boolean;
	/** True if the user set each value by itself: then none is left out because the voice does not have it. */
	isExact: boolean;
}

/**
 * Plans the update of one section of settings. The service requires some of its fields with every change, and may clear
 * what a request lacks: what is not wanted is sent as it is.
 *
 * @param given what is wanted, by the names of the document, with IDs of the voice and the numbers; what is absent stays as it is
 * @param now as `settingsOf` has it
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
			// A voice without tuning has null there, which cannot be given to another one.
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
		// Another voice does not take over the tuning of the current one.
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
 * Why something is sent.
 *
 * @param changed the names of the fields that differ
 * @param unknown the names of those that cannot be compared
 */
export function whySent(changed: readonly string[], unknown: readonly string[]): string {
	return changed.length === 0 ? `the service does not return ${listed(unknown)}` : differ(changed);
}
