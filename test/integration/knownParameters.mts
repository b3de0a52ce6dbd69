import type { INodeProperties } from 'n8n-workflow';

import { nodeProperties } from '../../nodes/VoiceAgentCalling/operation/description.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { rememberSettings } from './everyField/ran.mts';

let properties: INodeProperties[] | undefined;

/**
 * Rejects options that the operation does not have, and parameters that none has: n8n ignores them, so a test would check
 * something else than it says.
 *
 * @throws Error with their names
 */
export function assertKnown(parameters: Record<string, unknown> = {}): void {
	rememberSettings(parameters);
	properties ??= nodeProperties(resources, 'agent');
	const { resource, operation } = parameters;
	const isShown = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
		[
			[show.resource, resource],
			[show.operation, operation],
		].every(([values, chosen]) => values === undefined || (values as unknown[]).includes(chosen));
	const unknown = Object.entries(parameters).flatMap(([name, value]) => {
		const named = properties?.filter((property) => property.name === name) ?? [];
		if (!named.some(({ type }) => type === 'collection')) {
			return named.length > 0 ? [] : [name];
		}
		const entries = named.filter(isShown).flatMap(({ options = [] }) => options.map((entry) => entry.name));
		return Object.keys(value ?? {}).flatMap((entry) => (entries.includes(entry) ? [] : [`${name}.${entry}`]));
	});
	if (unknown.length > 0) {
		throw new Error(`${resource}/${operation} has no ${unknown.join(', ')}`);
	}
}
