import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

test('docs/openapi.json is a valid OpenAPI document', () => {
	const program = join(root, 'node_modules', '@seriousme', 'openapi-schema-validator', 'bin', 'validate-api-cli.js');
	const { stdout, stderr } = spawnSync(process.execPath, [program, join(root, 'docs', 'openapi.json')], {
		encoding: 'utf8',
	});
	expect({ stdout: JSON.parse(stdout) as unknown, stderr }).toEqual({ stdout: { valid: true }, stderr: '' });
});
