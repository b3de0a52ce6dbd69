import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { Operation } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { root } from '../../scripts/lib/places.mts';

const folder = join(root, 'nodes', 'VoiceAgentCalling', 'resources');

const isOperation = (value: unknown): value is Operation =>
	typeof value === 'object' && value !== null && 'action' in value && 'run' in value;

test.each(resources.map(({ value, operations }) => [value, operations] as const))(
	'resources/%s/index.ts lists the operation of each of its files, which have its name',
	async (resource, operations) => {
		const files = readdirSync(join(folder, resource)).filter((name) => name !== 'index.ts');
		for (const name of files) {
			const file = `${resource}/${name}`;
			const exported = (await import(join(folder, file))) as Record<string, unknown>;
			for (const [key, operation] of Object.entries(exported).filter(([, value]) => isOperation(value))) {
				const isListed = operations.some((one) => one === operation);
				// A reserved word cannot be the name of an export.
				const isNamed =
					basename(name, '.ts') === key || /^(delete|export)(?=[A-Z])/.exec(key)?.[0] === basename(name, '.ts');
				expect({ file, export: key, isListed, isNamed }).toEqual({ file, export: key, isListed: true, isNamed: true });
			}
		}
	},
);
