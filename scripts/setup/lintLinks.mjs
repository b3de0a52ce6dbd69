import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from './places.mjs';

/**
 * Makes n8n's configuration and ESLint available in the project's node_modules. They are installed separately, because
 * n8n's tools need overrides, which this package must not contain. Called every time, because npm removes the links
 * when it installs the project.
 */
export function linkLint() {
	const tool = join('node_modules', '@n8n', 'node-cli');
	const [target, link] = [join(root, 'tools', 'lint', tool), join(root, tool)];
	if (!existsSync(link) || realpathSync(link) !== realpathSync(target)) {
		rmSync(link, { recursive: true, force: true });
		mkdirSync(dirname(link), { recursive: true });
		symlinkSync(target, link, 'junction');
	}
	const eslint = join(root, 'node_modules', '.bin', 'eslint');
	const script = "require('../../tools/lint/eslint.cjs');\n";
	writeFileSync(eslint, `#!/usr/bin/env node\n${script}`, { mode: 0o755 });
	if (process.platform === 'win32') {
		writeFileSync(`${eslint}.cmd`, '@node "%~dp0\\eslint" %*\r\n');
	}
}
