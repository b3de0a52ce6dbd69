import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

test('docs/openapi.json is a valid document of what the sandbox offers and answers now', () => {
	const script = join(__dirname, '..', '..', 'scripts', 'openapi.mts');
	const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
	expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}, 30_000);
