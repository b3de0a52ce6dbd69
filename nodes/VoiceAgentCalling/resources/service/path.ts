import { defineField } from '../../../shared/fields/field';
import { parsePhoneNumber } from '../../../shared/phoneNumbers/e164';
import type { Call } from '../../operation/call';

/** Returns what is wrong with a path, for the user; undefined if it is valid. */
function objection(path: string, segments: readonly string[]): string | undefined {
	if (/^([a-z][a-z\d+.-]*:)?\/\//i.test(path)) {
		return "Enter only the path: the credential's Base URL is added";
	}
	if (/[?#]/.test(path)) {
		return "Enter the part after the question mark in 'Query'";
	}
	if (/%[\da-f]{2}/i.test(path)) {
		return 'Enter it without percent-encoding: the node encodes it';
	}
	if (segments.includes('')) {
		return 'A path segment is empty: check its expression';
	}
	if (segments.some((segment) => /^\s*\.{1,2}\s*$/.test(segment))) {
		return 'Path segments must not be "." or ".."';
	}
	return undefined;
}

/**
 * A path as the user types it, such as `agents/{id}/calls`. Its value is the list of segments. Each segment is
 * percent-encoded separately, so that no value in it can lead outside the API.
 */
export const path = defineField({
	key: 'path',
	properties: [
		{
			displayName: 'Path',
			name: 'path',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. agents/3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c/calls',
			description:
				'Path after /api/v1, with IDs filled in. A path that ends in /call places a call: a real phone rings.',
		},
	],
	check: (zod) =>
		zod
			.string()
			.trim()
			.transform((text, context) => {
				const segments = text
					.replace(/^\//, '')
					.replace(/^api\/v1(\/|$)/i, '')
					.split('/');
				const message = objection(text, segments);
				if (message === undefined) {
					return segments;
				}
				context.addIssue({ code: 'custom', message });
				return zod.NEVER;
			}),
});

/** Whether a request places a call: `.../call` of an agent or a campaign, or anything but a GET to `calls`. */
export function placesCall(method: string, segments: readonly string[]): boolean {
	const last = segments.at(-1)?.trim().toLowerCase();
	return last === 'call' || (method !== 'GET' && segments.length === 1 && last === 'calls');
}

/** The field of a caller by the first segment of a path. */
const callerIdFieldByCollection = { agents: 'agentId', campaigns: 'campaignId' } as const;

/**
 * Returns the call that a request places; undefined if it does not place a call.
 *
 * @param body the JSON object to send
 */
export function callIn(method: string, segments: readonly string[], body: Record<string, unknown>): Call | undefined {
	if (method === 'GET' || !placesCall(method, segments)) {
		return undefined;
	}
	const [collection, id] = segments.map((segment) => segment.trim());
	const callerIdField =
		callerIdFieldByCollection[collection.toLowerCase() as keyof typeof callerIdFieldByCollection] ?? callerIn(body);
	return {
		callerIdField,
		callerId: id ?? text(callerIdField === 'campaignId' ? body.campaign_id : body.agent_id),
		// This value is only compared with other items. The body is sent unchanged.
		to: parsePhoneNumber(body.to).number ?? text(body.to) ?? JSON.stringify(body),
		isTest: body.is_testing === true,
	};
}

function callerIn(body: Record<string, unknown>): Call['callerIdField'] {
	if (body.campaign_id !== undefined) {
		return 'campaignId';
	}
	return body.agent_id === undefined ? undefined : 'agentId';
}

function text(value: unknown): string | undefined {
	return value === undefined || value === null ? undefined : String(value);
}
