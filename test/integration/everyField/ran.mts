import { relative } from 'node:path';

import { root } from '../../../scripts/lib/places.mts';
import { shownElsewhere } from './exceptions.mts';

/** The settings that the operations of this test file ran with: `call/place/options.delay`. */
const ran = new Set<string>();

/** Remembers the settings of a run. */
export function rememberSettings({ resource, operation, ...parameters }: Record<string, unknown> = {}): void {
	for (const [name, value] of Object.entries(parameters)) {
		const members = ['options', 'updateFields', 'filters'].includes(name) ? Object.keys(value ?? {}) : [];
		for (const path of members.length > 0 ? members.map((member) => `${name}.${member}`) : [name]) {
			ran.add(`${resource}/${operation}/${path}`).add(`*/${path}`);
		}
	}
}

/** @returns the settings that this test file has to show by {@link shownElsewhere}, and ran no operation with */
export function notShown(testPath: string): string[] {
	const file = relative(`${root}/test`, testPath).replace(/\.test\.mts$/, '');
	return Object.entries(shownElsewhere).flatMap(([setting, [, test]]) =>
		test === file && !ran.has(setting) ? [setting] : [],
	);
}
