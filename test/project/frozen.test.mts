import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { expectGenerated } from '../docs/generated.mts';
import { allFacts } from '../frozen/facts.mts';

const folder = 'test/frozen';
const linesOf = (file: string) => {
	const path = join(root, folder, file);
	return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
};

describe.each([...allFacts()])('%s', (file, facts) => {
	it('still holds line by line for the node: saved workflows rely on it', () => {
		const gone = linesOf(file).filter((line) => !facts.has(line));
		const advice = `Keep it for this version, or see docs/contributing/publishing.md`;
		expect({ gone, advice }).toEqual({ gone: [], advice });
	});

	it('has everything that is new', () => {
		expectGenerated(`${folder}/${file}`, [...new Set([...linesOf(file), ...facts])].sort().join('\n').concat('\n'));
	});

	it('has a workflow of this version', () => {
		const workflow = file.replace(/\.txt$/, '.json');
		expect(file === 'voiceAgentCallingApi.txt' || existsSync(join(root, folder, 'workflows', workflow))).toBe(true);
	});
});
