import { NodeConnectionTypes } from 'n8n-workflow';

import type { Source } from '../../shared/nodeLink/owner';

/** The names of the outputs by family, in order. */
export const FAMILIES = {
	campaign: ['Campaign', 'Campaign Call', 'Artifact', 'Inside Calls'],
	agent: ['Call Events', 'Artifact'],
} as const satisfies Record<Source, readonly string[]>;

const ARTIFACTS = ['event_recording', 'event_call_report', 'event_call_transcript'];

function connections(names: readonly string[]) {
	return names.map((displayName) => ({ type: NodeConnectionTypes.Main, displayName }));
}

const all = {
	single: [{ type: NodeConnectionTypes.Main }],
	campaign: connections(FAMILIES.campaign),
	agent: connections(FAMILIES.agent),
};

const chosen = '$parameter["options"]?.["outputs"] === "families" ? $parameter["source"] : "single"';

/** The node's outputs: an expression that n8n evaluates with its parameters. */
export const outputs: `={{${string}}}` = `={{ (${JSON.stringify(all)})[${chosen}] }}`;

/** The index of the output by family that a kind of event belongs to, and the number of outputs. */
export function familyOf(source: Source, kind: unknown): { index: number; count: number } {
	const names: readonly string[] = FAMILIES[source];
	return { index: names.indexOf(family(source, String(kind))), count: names.length };
}

function family(source: Source, kind: string): string {
	if (ARTIFACTS.includes(kind)) {
		return 'Artifact';
	}
	if (source === 'agent') {
		return 'Call Events';
	}
	if (kind.startsWith('campaign.')) {
		return 'Campaign';
	}
	return kind.startsWith('campaign_call.') ? 'Campaign Call' : 'Inside Calls';
}
