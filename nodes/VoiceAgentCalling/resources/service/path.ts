import { defineField } from '../../../shared/fields/field';

/** Why a path cannot be used; undefined for one that can. */
function objection(path: string, segments: readonly string[]): string | undefined {
	if (/^([a-z][a-z\d+.-]*:)?\/\//i.test(path)) {
		return "Enter the path alone: the credential's Base URL is put before it";
	}
	if (/[?#]/.test(path)) {
		return "Enter what follows the question mark in 'Query'";
	}
	if (/%[\da-f]{2}/i.test(path)) {
		return 'Write it without percent-encoding: that is done here';
	}
	if (segments.includes('')) {
		return 'A part between two slashes is empty: check the expression in it';
	}
	if (segments.some((segment) => /^\s*\.{1,2}\s*$/.test(segment))) {
		return 'Name each part of the path: . and .. lead elsewhere';
	}
	return undefined;
}

/**
 * A path of the service as people type it, such as `agents/{id}/calls`, as its segments. Each segment is encoded by
 * itself when it is sent, so that no value in it leads out of the service.
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
				'What follows /api/v1 in the address, with real IDs in it. A path that ends in /call places a call: a real phone rings.',
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

/** Whether a request makes a phone ring: through an agent, a campaign, or the agent that its body names. */
export function placesCall(method: string, segments: readonly string[]): boolean {
	const last = segments.at(-1)?.trim().toLowerCase();
	return last === 'call' || (method !== 'GET' && segments.length === 1 && last === 'calls');
}
